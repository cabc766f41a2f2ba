--- Runs with physics: measured joints have weight, torque and contact; equal runs and replays are equal to
--- the bit; what cannot be simulated is refused, and a simulation that stops ends the run.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local cjson = require "cjson"
local physical = require "physical"
local pages = require "brio.operator.prompt.pages"
local physics = require "brio.physics"
local replay = require "brio.replay"
local runner = require "brio.runner"
local store = require "brio.store"

local needs_library, written = physical.needs_library, physical.written

--- Fail unless `text` contains `piece`.
local function has(t, text, piece) t:ok(text:find(piece, 1, true), "'%s' in '%s'", piece, text) end

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "wave", safe = "wave" WORLD }
made.wave = {
  wants = {
    want.joint_match { joint = "RShoulderPitch", goal = function(self) return 0.4 + 0.5 * math.sin(2 * self.now) end, weight = 20 },
    want.joint_match { joint = "HeadYaw", goal = function(self) return 0.3 * math.sin(3 * self.now) end, weight = 20 },
  },
}
return made
]]

local still = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "biped", start = "still", safe = "still" }
made.still = { wants = {} }
return made
]]

--- Whether the run in a store is replayed to the bit.
local function replays(t, path)
  local made, why = replay.open { store = path, say = function() end }
  t:ok(made, "%s", tostring(why))
  local report = made:go()
  made:close()
  t:ok(report.equal, "%s", report.difference and report.difference.sentence)
end

--- Run for `seconds` of robot time with options; return the run, its lines of the log, and what `each`
--- saw.  In make test the scripts tick at half their usual rate; the simulation has the same steps.
local function ran(t, options, seconds, each)
  local lines = {}
  local made = { clock = "fast", seed = 3, physics = "mujoco", rate = not t:long() and 100 or nil,
    say = function(level, sentence) lines[#lines + 1] = level .. ": " .. sentence end }
  for key, value in next, options do made[key] = value end
  local run, why = runner.new(made)
  t:ok(run, "%s", tostring(why))
  for _ = 1, math.floor(seconds * run.rate + 0.5) do
    if not run.engine:tick() then break end
    if each then each(run) end
  end
  run:close()
  return run, table.concat(lines, "\n")
end

test("joints follow with the weight that they carry, and report the torque that it takes", function(t)
  needs_library(t)
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local places, most, loads = {}, 0, 0
  ran(t, { file = file, physics = "none" }, 3, function(run)
    places[#places + 1] = run.actuator:state("RShoulderPitch").position
  end)
  local tick = 0
  local run, lines = ran(t, { file = file }, 3, function(run)
    local state = run.actuator:state "RShoulderPitch"
    tick = tick + 1
    -- after the first, fast motion, in which the kinematic servo is held to its limit of acceleration
    if run.host.now > 1.2 then most = math.max(most, math.abs(state.position - places[tick])) end
    loads = math.max(loads, math.abs(state.load))
  end)
  t:equal(run.outcome, "stopped")
  -- beside the kinematic servo, which feels no weight: the arm sags by about 0.013 rad
  t:ok(most > 5e-3 and most < 0.025, "off by %g rad", most)
  t:ok(loads > 0.02 and loads <= 1, "load %g", loads)
  has(t, lines, "links that move without a mass have 0.05 kg: l_gripper, r_gripper")
end)

test("every robot that ships and stands on a fixed base holds its home pose", function(t)
  needs_library(t)
  for _, name in ipairs { "pepper", "mycobot280", "panda", "probo", "ur3e" } do
    local file = written(t, name .. ".lua", (still:gsub("biped", name)))
    local worst, who = 0, "nothing"
    ran(t, { file = file }, t:long() and 2 or 1, function(run)
      for _, dof in ipairs(run.description.dofs) do
        local state = not dof.outside and run.actuator:state(dof.name)
        local off = state and math.abs(state.position - state.command) or 0
        if off > worst then worst, who = off, dof.name end
      end
    end)
    t:ok(worst > 1e-4 and worst < 0.03, "%s: %s is off by %g", name, who, worst)
  end
end)

test("the kiosk runs with physics, is recorded, and replays to the bit", function(t)
  needs_library(t)
  local path, seconds = t:temporary ".db", t:long() and 5 or 2 -- make test takes a sample
  local first = ran(t, { file = "behaviors/kiosk.lua", store = path }, seconds)
  local second = ran(t, { file = "behaviors/kiosk.lua" }, seconds)
  t:equal(first.report.commands, second.report.commands)
  replays(t, path)
end)

test("an arm stops at a desk, and presses it with no more than its torque", function(t)
  needs_library(t)
  local down = behavior:gsub("WORLD", ""):gsub("0%.4 %+ 0%.5 %* math%.sin%(2 %* self%.now%)", "1.4")
  local file = written(t, "made.lua", down)
  local start = { RShoulderPitch = 0, RElbowRoll = 0.1, RShoulderRoll = -0.1 }
  local function pitch(world)
    local at, load
    ran(t, { file = file, world_data = world, start = start }, 3, function(run)
      local state = run.actuator:state "RShoulderPitch"
      at, load = state.position, state.load
    end)
    return at, load
  end
  local free = pitch {}
  local met, load = pitch {
    furniture = { { id = "desk", shape = "box", at = { 0.35, -0.2 }, size = { 0.3, 0.5, 0.8 } } } }
  t:near(free, 1.4, 0.05)
  t:ok(met < 1.1 and met > 0.2, "it is at %g rad", met)
  t:ok(load > 0.1 and load <= 1, "load %g", load)
end)

test("a joint behind a spring and a backlash is off by both", function(t)
  needs_library(t)
  local file = written(t, "made.lua", (still:gsub("biped", "panda")))
  local function held(fields)
    local state
    ran(t, { file = file, robot = physical.robot(t, "panda", fields) }, 1, function(run)
      state = run.actuator:state "panda_joint2"
    end)
    return state.position - state.command, -state.torque
  end
  local stiff, weight = held ""
  local off, load = held [[transmissions = {
    panda_joint2 = { stiffness = 2000, damping = 20, backlash = 0.02 } },]]
  -- the servo gives way as before; the spring by load / stiffness; the weight is at the end of the play
  t:near(off, stiff * load / weight + load / 2000 + 0.01, 1e-4)
  -- a group, with rotors alone: nothing gives
  t:near(held "transmissions = { arm = { rotor = 0.3 } },", stiff, 3e-4)
end)

test("a transmission that is none is refused with its field", function(t)
  local robots = require "brio.robots"
  for _, case in ipairs {
    { "panda_joint2 = {}", "transmissions.panda_joint2 must have rotor, stiffness or backlash" },
    { "panda_joint2 = { damping = 1 }", "transmissions.panda_joint2.damping needs a stiffness" },
    { "panda_joint2 = { backlash = -1 }", "transmissions.panda_joint2.backlash must be from 0 to 1" },
    { "joint2 = { rotor = 1 }", "transmissions: the robot has no DOF or group 'joint2'" },
  } do
    local path = physical.robot(t, "panda", "transmissions = { " .. case[1] .. " },")
    has(t, tostring(select(2, robots.find(path))), case[2])
  end
end)

test("an alarm of load holds an arm that presses a desk", function(t)
  needs_library(t)
  local down = behavior:gsub("WORLD", ""):gsub("0%.4 %+ 0%.5 %* math%.sin%(2 %* self%.now%)", "1.4")
  local desk = {
    furniture = { { id = "desk", shape = "box", at = { 0.35, -0.2 }, size = { 0.3, 0.5, 0.8 } } } }
  local held
  local options = { file = written(t, "made.lua", down), world_data = desk,
    start = { RShoulderPitch = 0, RElbowRoll = 0.1, RShoulderRoll = -0.1 },
    motor = { watch = { over_load = { limit = 0.9, after = 0.2, reaction = "hold" } } } }
  local _, lines = ran(t, options, 3, function(run)
    held = table.concat(run.engine:motors().held_by, " ")
  end)
  t:match(lines, "RShoulderPitch is under")
  t:equal(held, "fault")
end)

test("a device that was gone finds the joints where they fell to", function(t)
  needs_library(t)
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local before, after
  local run, lines = ran(t, { file = file, faults = { "unplug all at 1 for 0.5" } }, 4, function(run)
    local state = run.actuator:state "RShoulderPitch"
    if state.valid and run.host.now < 1 then before = state.position end
    if state.valid and run.host.now > 1.5 and not after then after = state.position end
  end)
  t:equal(run.outcome, "stopped")
  t:match(lines, "answers again")
  t:ok(math.abs(before - after) < 0.5 and before ~= after, "%g and %g rad", before, after)
end)

test("a run on the real clock is replayed to the bit, without simulating", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local run = assert(runner.new { file = file, physics = "mujoco", store = path, say = function() end })
  run:go(0.7)
  run:close()
  replays(t, path)
end)

--- A ball that falls onto a desk and rolls off it, a box that a person moves, and one that comes later.
local things = {
  sensor = { pose = { position = { 0, 0, 1 } }, identity = true, rate = 20, occlusion = false },
  furniture = { { id = "desk", shape = "box", at = { 1.5, 0 }, size = { 0.6, 0.6, 0.7 } } },
  things = {
    { id = "ball", kind = "ball", radius = 0.05, at = { 1.75, 0, 1.3 }, mass = 0.2, rolling = 0 },
    { id = "leaning", kind = "box", shape = "box", size = { 0.1, 0.1, 0.1 }, at = { 1.82, 0.2, 0.76 } },
    { id = "late", kind = "box", shape = "box", size = { 0.1, 0.1, 0.1 }, at = { 1.4, 0 }, from = 0.5 },
  },
  doors = { { id = "office", at = { 5, 0 }, angle = 0.6, closer = 15 } },
  events = { { at = 1.5, what = "take", id = "leaning" },
    { at = 2, what = "put", id = "leaning", to = { 2.5, 1, 0.5 } } },
}

test("things fall, are seen, taken and put, recorded, and replayed to the bit", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local heights, seen, door = {}, {}, {}
  local run, lines = ran(t, { file = file, world_data = things, store = path }, 3, function(run)
    local key = math.floor(run.host.now * 200 + 0.5)
    local pose = run.world:pose "leaning"
    heights[key] = pose and pose.position[3] or false
    door = run.world:state "office"
    for _, name in ipairs { "ball", "late" } do
      local at = run.world:pose(name)
      if at then seen[name] = { at.position[1], at.position[3], run.world:state(name).on } end
    end
  end)
  t:equal(run.outcome, "stopped")
  has(t, lines, "physics: things without a mass have 300 kg/m^3: leaning (0.3 kg), late (0.3 kg)")
  -- its middle is 2 cm beyond the edge of the desk: it tips over the edge, and lies on the floor
  t:near(heights[290], 0.05, 0.002)
  t:equal(heights[350], false)
  t:near(heights[404], 0.5, 0.02)
  t:near(seen.late[2], 0.75, 1e-3)
  t:equal(seen.late[3], "desk")
  t:equal(door.latched, "yes")
  local db = assert(store.open(path))
  local rows = db:query "SELECT * FROM sightings WHERE name = 'ball' ORDER BY id"
  t:ok(#rows >= 3, "%d rows of a ball that moves", #rows)
  db:close()
  replays(t, path)
end)

test("a world that changes on the real clock: what stays goes on, and a replay sees the same", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local world = written(t, "world.lua", [[return { things = {
    { id = "old", shape = "box", size = { 0.1, 0.1, 0.1 }, at = { 2, 0, 1 } } } }]])
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local lines, saved, told, poses = {}, false, nil, {}
  local run, reason = runner.new { file = file, physics = "mujoco", store = path, world = world,
    reload = true,
    say = function(_, sentence, at)
      lines[#lines + 1] = sentence
      if sentence:find "the world changes" then told = at end
    end,
    idle = function(run)
      local now = run.host.now
      for _, name in ipairs { "old", "new" } do
        local pose = run.world:pose(name)
        if pose then poses[name] = pose.position[3] end
      end
      if now > 0.5 and not saved then
        saved = true
        local handle = assert(io.open(world, "w"))
        handle:write [[return { things = {
          { id = "new", shape = "box", size = { 0.1, 0.1, 0.2 }, at = { 3, 0, 0.5 } },
          { id = "old", shape = "box", size = { 0.1, 0.1, 0.1 }, at = { 2, 0, 1 } } } }]]
        handle:close()
      end
      if told and now > told + 0.5 or now > 60 then run.engine:stop "script" end
    end }
  t:ok(run, "%s", tostring(reason))
  run:go(0)
  run:close()
  t:ok(told, "it never changed: %s", table.concat(lines, "\n"))
  t:near(poses.old, 0.05, 1e-3)
  t:near(poses.new, 0.1, 1e-3)
  replays(t, path)
end)

local falls = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "biped", start = "still", safe = "still" }
made.still = { wants = {}, on = { fell = function(_, data) print(("it fell: %.1f"):format(data.height)) end } }
return made
]]

test("a biped stands on its servos, falls without its knees, says so, and is replayed to the bit", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local file = written(t, "falls.lua", falls)
  local stood, up
  local lifted, ticks, mass, layers = 0, 0, nil, pages.words()[1]
  local run, lines = ran(t, { file = file, store = path,
    faults = { "refuse left_knee at 0.4", "refuse right_knee at 0.4" } },
    1.9, function(run)
      local now, base = run.host.now, run.physics:base()
      if now >= 0.4 or not base then return end
      stood, up = base, run.inputs.by_name.imu.value
      -- What viewers get: the forces on the soles. A replay, which nobody looks at, is the same to the bit.
      local list = cjson.decode(layers.run({ run = run }, "contacts")).contacts
      if now < 0.2 then return end
      ticks, mass = ticks + 1, run.description.robot:mass()
      for _, one in ipairs(list) do
        t:equal(one.other, "floor")
        t:match(one.link, "foot")
        t:near(one.p[3], 0, 2e-3)
        lifted = lifted + one.force[3]
      end
    end)
  t:near(lifted / ticks, 9.81 * mass, 0.05 * 9.81 * mass, "the soles carry its weight")
  t:equal(run.outcome, "stopped")
  t:near(stood.position[3], 0.9, 0.03)
  t:near(up.acceleration[3], 9.81, 0.3)
  t:near(up.orientation[4], 1, 1e-3)
  has(t, lines, "warning: the robot has fallen: its base leans by")
  has(t, lines, "info: it fell: 0.")
  local db = assert(store.open(path))
  t:equal(#db:query "SELECT message FROM faults WHERE source = 'physics'", 1)
  db:close()
  replays(t, path)
end)

test("a push on the command line throws a biped over, is told, and replayed to the bit", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local file = written(t, "falls.lua", falls)
  local _, lines = ran(t, { file = file, store = path, faults = { "push 500,0,0 of pelvis at 0.2 for 0.3" } },
    1.6)
  has(t, lines, "physics: push 500,0,0 of pelvis at 0.2 for 0.3")
  has(t, lines, "the robot has fallen")
  replays(t, path)
  _, lines = ran(t, { file = file, faults = { "push 20 of pelvis at 0.2 for 0.3" } }, t:long() and 2 or 1)
  t:ok(not lines:find("fallen", 1, true), "20 N throw it over")
end)

test("a push that cannot be is refused with its fault", function(t)
  needs_library(t)
  local file = written(t, "falls.lua", falls)
  for _, case in ipairs {
    { "push 40 of pelvi at 1", "the robot has no link 'pelvi'" },
    { "push of pelvis", "expected push FORCE of LINK [at SECONDS] [for SECONDS]" },
    { "push 4,x of pelvis", "a force must be a number, or three with commas, in N" },
    { "push 4 of pelvis at noon", "'at' needs a number of seconds" },
    { "push 4 of pelvis twice", "'twice' is not understood" },
    { "push 4 of pelvis", "a push needs --physics mujoco", "none" },
  } do
    local run, why = runner.new {
      file = file, clock = "fast", physics = case[3] or "mujoco", faults = { case[1] } }
    t:ok(not run, "it runs: %s", case[1])
    has(t, tostring(why), case[2])
  end
end)

test("a biped in a run on the real clock is replayed from the tape of its base", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local run = assert(runner.new { file = written(t, "falls.lua", falls), physics = "mujoco", store = path,
    faults = { "refuse left_knee at 0.1", "refuse right_knee at 0.1" }, say = function() end })
  run:go(0.7)
  run:close()
  replays(t, path)
end)

test("a behavior that walks is refused with physics", function(t)
  needs_library(t)
  local run, why = runner.new { file = "behaviors/push_door.lua", clock = "fast", physics = "mujoco" }
  t:ok(not run, "it walks")
  has(t, tostring(why), "fixed")
end)

test("what physics does not simulate is refused with its name", function(t)
  needs_library(t)
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local cases = {
    { { world_data = { events = { { at = 1, what = "push", id = "HeadYaw", by = 0.2, seconds = 1 } } } },
      "physics does not simulate the event 'push' (of 'HeadYaw') yet" },
  }
  for _, case in ipairs(cases) do
    local options = { file = file, clock = "fast", physics = "mujoco" }
    for key, value in next, case[1] do options[key] = value end
    local run, why = runner.new(options)
    t:ok(not run, "it runs: %s", case[2])
    has(t, tostring(why), case[2])
  end
end)

test("a simulation that stops ends the run, with body and time, and holds the robot", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  -- a wall where the hands are
  local world = { furniture = { { id = "wall", shape = "box", at = { 0.1, 0.15 }, size = { 0.3, 0.3, 1 } } } }
  local file = written(t, "made.lua", (behavior:gsub("WORLD", "")))
  local run, lines = ran(t, { file = file, world_data = world, store = path }, 3)
  t:equal(run.outcome, "failed")
  t:match(lines, "error: physics: the body '[%w_]+' is too deep in 'wall'")
  has(t, lines, "at 0.0000 s: the simulation has stopped")
  t:ok(run.report.time < 2, "it went on for %g s", run.report.time)
  local db = assert(store.open(path))
  local rows = db:query "SELECT message FROM faults WHERE source = 'physics'"
  t:equal(#rows, 1)
  db:close()
end)
