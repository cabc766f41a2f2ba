--- How long a robot with a free base stands in physics with liveliness in its joints, and how large a push of
--- 0.2 s it takes, on the torques of its stance and on position servos alone.
---
---     build/brio lua scripts/bench/standing/standing.lua [FOLDER [SECONDS [LINK [servos | pushed]]]]
---
--- FOLDER has the robot.lua (default: h1 beside this file), SECONDS is how long it shall stand (60), LINK
--- is what is pushed (the torso), `servos` leaves `control` and `stance` of the file out.  With `pushed`
--- people of the world push it all the time that it stands, every 20 s in another direction, and no
--- greatest push is sought.
require "brio"
local paths = require "brio.lib.paths"
local runner = require "brio.runner"
local text = require "brio.run.snapshot.text"

local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
local folder, seconds, link = arg[1] or here .. "/h1", tonumber(arg[2]) or 60, arg[3] or "torso_link"
local servos, pushed = arg[4] == "servos", arg[4] == "pushed"

--- Search for a push: the greatest, how near to the truth (N), its duration, and how long it is watched (s).
local most, near, lasts, watched = 640, 10, 0.2, 4

--- The pushes of people: N along x (forward) and y (left), one after the other, every so many s.
local shoves, every = { { 60, 0 }, { 0, 120 }, { -60, 0 }, { 0, -120 }, { 40, 80 }, { -40, -80 } }, 20

local function written(path, what)
  local file = assert(io.open(path, "w"))
  file:write(what)
  file:close()
  return path
end

local data = assert(loadfile(folder .. "/robot.lua", "t", {}))()
data.model = paths.absolute(data.model:match "^/" and data.model or folder .. "/" .. data.model)
if servos then data.control, data.stance = nil, nil end
local where = os.tmpname()
os.remove(where)
assert(os.execute("mkdir " .. where))
local robot = written(where .. "/robot.lua", (text.of(data, "robot")))

--- Liveliness in all joints above the legs.
local wants = {}
for _, dof in ipairs(data.dofs) do
  if not dof.name:find "hip" and not dof.name:find "knee" and not dof.name:find "ankle" then
    wants[#wants + 1] = ("want.joint_liveliness { joint = %q, goal = 0.2, frequency = 0.25, weight = 5 }")
      :format(dof.name)
  end
end
local behavior = written(where .. "/lively.lua", ([[
local brio = require "brio"
local want = brio.want
local lively = brio.behavior "lively" { robot = "made", start = "stand", safe = "stand" }
lively.stand = { wants = { %s } }
return lively
]]):format(table.concat(wants, ", ")))

--- A world whose people push the robot.
local function people()
  local events = {}
  for i, shove in ipairs(shoves) do
    events[i] = { at = i * every, every = #shoves * every, what = "shove", id = link,
      force = { shove[1], shove[2], 0 }, seconds = lasts }
  end
  return { events = events }
end

--- Run for `time` s; return when it fell (nil: it stands), and how far its base got from where it began, m.
local function stands(time, push)
  local run, why = runner.new { clock = "fast", seed = 1, physics = "mujoco", robot = robot, file = behavior,
    faults = push and { push } or nil, world_data = pushed and people() or nil, say = function() end }
  if not run then error(why, 0) end
  local first, far = nil, 0
  for _ = 1, math.floor(time * run.rate) do
    if not run.engine:tick() or run.base_fell or run.physics_ended then break end
    local base = run.physics:base()
    if base and run.host.now > 1 then
      first = first or base.position
      far = math.max(far, math.abs(base.position[1] - first[1]), math.abs(base.position[2] - first[2]))
    end
  end
  local fell = (run.base_fell or run.physics_ended) and run.host.now or nil
  run:close()
  return fell, far
end

local good, wrong = pcall(function()
  print(("%s on %s"):format(data.title or data.name,
    servos and "position servos" or "the torques of its stance"))
  local fell, far = stands(seconds)
  print(fell and ("falls after %.1f s with liveliness"):format(fell)
    or ("stands %g s with liveliness; its base stays within %.0f mm"):format(seconds, far * 1e3))
  if pushed then
    print(("people push it %d times, for %g s each, by up to 60 N forward and backward, 120 N to the sides")
      :format(math.floor((fell or seconds) / every), lasts))
  end
  if fell or pushed then return end
  for _, way in ipairs { { "forward", 1, 0 }, { "backward", -1, 0 }, { "left", 0, 1 }, { "right", 0, -1 } } do
    local low, high = 0, most
    while high - low > near do
      local force = (low + high) / 2
      local push = ("push %g,%g of %s at 1.5 for %g"):format(way[2] * force, way[3] * force, link, lasts)
      if stands(1.5 + watched, push) then high = force else low = force end
    end
    print(("%-8s takes a push of %d N for %g s on %s (%.0f N s), not %d"):format(way[1], low, lasts, link,
      low * lasts, high))
  end
end)
os.execute("rm -r " .. where)
if not good then
  print(wrong)
  os.exit(1)
end
