--- What an hour of the real clock takes on the tape of replay: a simulated robot of 60 joints, 20 of which swing in two ways at
--- once, is recorded for some seconds without noise of its sensors, with it, and with sensors whose steps are declared.
local files = require "files"
local rows = require "rows"

local tape = {}

local joints, moving, rate = 60, 20, 200
local noise = 1e-4 -- rad, standard deviation

--- The runs: name, robot time in s, options of `brio run`, step of the sensors (nil: not declared), limit in MB an hour.
local runs = {
  { "without noise", {}, nil, 30 },
  { "sensors with 1e-4 rad of noise", { "--noise", tostring(noise) }, nil, nil },
  { "the same, read in declared steps of 5e-5 rad", { "--noise", tostring(noise) }, 5e-5, 30 },
}
local seconds = { short = 20, long = 120 }

local function urdf()
  local text = { '<robot name="sixty"><link name="base"/>' }
  for i = 1, joints do
    text[#text + 1] = ([[<link name="l%d"/><joint name="j%d" type="revolute"><parent link="base"/><child link="l%d"/>
<axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="6" effort="1"/></joint>]]):format(i, i, i)
  end
  return table.concat(text, "\n") .. "</robot>\n"
end

local function robot(step)
  local dofs, steps = {}, {}
  for i = 1, joints do
    dofs[i] = ('{ name = "j%d", label = "joint %d", group = "all" }'):format(i, i)
    if step then steps[#steps + 1] = ("j%d = %g"):format(i, step) end
  end
  return ('return { name = "sixty", model = "model.urdf", default_acceleration = 60, dofs = { %s }, steps = { %s } }\n')
    :format(table.concat(dofs, ",\n"), table.concat(steps, ", "))
end

local behavior = [[
local brio = require "brio"
local made = brio.behavior "swing" { robot = "ROBOT", start = "swings" }
local wants = {}
for i = 1, MOVING do
  local speed, phase = 0.6 + 4.4 * (i * 0.618 % 1), 6 * (i * 0.755 % 1)
  wants[i] = brio.want.joint_match { joint = "j" .. i, weight = 20, goal = function(self)
    local t = self.now
    return 0.4 * math.sin(speed * t + phase) + 0.2 * math.sin(0.77 * speed * t * (1 + 0.01 * i))
  end }
end
made.swings = { wants = wants }
return made
]]

--- Record a run; return its store.
local function record(options, folder, run, lasts)
  local name, words, step = run[1], run[2], run[3]
  local robot_folder = ("%s/robot_%s"):format(folder, step or "plain")
  local store = ("%s/%s.db"):format(folder, (name:gsub("%W+", "_")))
  files.write(robot_folder .. "/model.urdf", urdf())
  files.write(robot_folder .. "/robot.lua", robot(step))
  files.write(folder .. "/swing.lua", (behavior:gsub("ROBOT", robot_folder):gsub("MOVING", moving)))
  local said, code = files.output(("cd %s && %s/brio run %s/swing.lua --for %d --store %s --quiet %s 2>&1"):format(
    files.quote(options.root), files.quote(options.build), folder, lasts, store, table.concat(words, " ")))
  if code ~= 0 then error(said) end
  local again = files.output(("%s/brio replay --store %s --json"):format(files.quote(options.build), store))
  if not again:match '"equal":%s*true' then error("the replay differs: " .. again) end
  return store
end

--- The bytes of noise of so many joints that nothing can leave out, an hour: a normal distribution's entropy in steps.
local function floor_of(step)
  local bits = math.log(noise / step * math.sqrt(2 * math.pi * math.exp(1)), 2)
  return joints * rate * 3600 * bits / 8
end

local function measure_runs(options, list, notes)
  local folder = files.temporary()
  local lasts = options.long and seconds.long or seconds.short
  for _, run in ipairs(runs) do
    local store = record(options, folder, run, lasts)
    local one = files.output(("sqlite3 %s 'SELECT sum(length(bytes)), max(tick), (SELECT duration FROM runs) FROM tapes WHERE tick > 400'")
      :format(store))
    print(one)
  end
  print(folder)
end

function tape.measure(options) return rows.measure("tape", { { "runs of the real clock", measure_runs } }, options) end

return tape
