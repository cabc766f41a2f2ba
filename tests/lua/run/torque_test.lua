--- Runs whose robot controls the torque of its motors: the behavior of position servos on them, compliance,
--- weight, limits, replay; and that without physics they are position servos.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local physical = require "physical"
local replay = require "brio.replay"
local runner = require "brio.runner"

local needs_library, written = physical.needs_library, physical.written

local springs = "control = { arm = { stiffness = 600 }, wrist = { stiffness = 120 } },"

local moving = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "panda", start = "wave", safe = "wave" }
made.wave = { wants = {
  want.joint_match { joint = "panda_joint2", goal = function(self) return -0.6 + 0.3 * math.sin(1.5 * self.now) end, weight = 20 },
  want.joint_match { joint = "panda_joint4", goal = function(self) return -2 + 0.3 * math.sin(1.2 * self.now) end, weight = 20 },
  want.joint_match { joint = "panda_joint6", goal = 1.6, weight = 5 },
} }
return made
]]

local still = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "panda", start = "still", safe = "still" }
made.still = { wants = {} }
return made
]]

--- Run a behavior on a robot for `seconds`; `each` sees every tick.  Return the run and its log.
local function ran(t, text, robot, seconds, options, each)
  local lines = {}
  local made = { clock = "fast", seed = 3, physics = "mujoco", robot = robot,
    file = written(t, "made.lua", text),
    say = function(level, sentence) lines[#lines + 1] = level .. ": " .. sentence end }
  for key, value in next, options or {} do made[key] = value end
  local run, why = runner.new(made)
  t:ok(run, "%s", tostring(why))
  for _ = 1, math.floor(seconds * run.rate + 0.5) do
    if not run.engine:tick() then break end
    if each then each(run) end
  end
  run:close()
  return run, table.concat(lines, "\n")
end

--- How far a run's joints are from their commands at most, after its first second.
local function off(t, text, robot, seconds, options)
  local worst, who = 0, "nothing"
  ran(t, text, robot, seconds, options, function(run)
    if run.host.now < 1 then return end
    for index = 1, 7 do
      local state = run.actuator:state("panda_joint" .. index)
      local by = math.abs(state.position - state.command)
      if by > worst then worst, who = by, index end
    end
  end)
  return worst, who
end

test("an arm that controls its torque follows the same behavior, and sags less than servos", function(t)
  needs_library(t)
  local carried, who = off(t, moving, physical.robot(t, "panda", springs), 3)
  local sagging = off(t, moving,
    physical.robot(t, "panda", springs:gsub("stiffness", "gravity = false, stiffness")), 2)
  t:ok(carried < 0.02, "joint %s is off by %g rad", who, carried)
  t:ok(sagging > 2 * carried and sagging > 0.02, "without its weight carried it is off by %g rad", sagging)
end)

test("a push bends the arm by what its springs say", function(t)
  needs_library(t)
  local force, before, after = 20, nil, nil
  local robot = physical.robot(t, "panda", springs)
  local jacobian, names = nil, {}
  for index = 1, 7 do names[index] = "panda_joint" .. index end
  local function places(run)
    local list = {}
    for index, name in ipairs(names) do list[index] = run.actuator:state(name).position end
    return list
  end
  ran(t, still, robot, 4, { faults = { "push 20 of panda_hand at 1.5" } }, function(run)
    if run.host.now < 1.5 then
      before = places(run)
      local joints = {}
      for index, name in ipairs(names) do joints[name] = before[index] end
      -- the push is at the centre of mass, 4 cm before the hand's origin
      local motion = require "brio.dynamics".new(run.description.robot)
      jacobian = motion:point({ joints = joints }, nil, "panda_hand", { 0, 0, 0.04 }).jacobian
    end
    after = places(run)
  end)
  for index = 1, 7 do
    local stiffness = index <= 4 and 600 or 120
    local wanted = jacobian[1][6 + index] * force / stiffness
    t:near(after[index] - before[index], wanted, 0.05 * math.abs(wanted) + 1e-3)
  end
end)

test("scripts may soften an axis and add a torque, never beyond the file's limits", function(t)
  needs_library(t)
  local robot = physical.robot(t, "panda",
    "control = { arm = { stiffness = 600, torque = 30 }, wrist = { stiffness = 120 } },")
  local most, said = 0, {}
  ran(t, still, robot, 1.5, nil, function(run)
    local function ask(...) return run.engine:impede(...) end
    if run.host.now < 0.5 then
      if not said.servo then
        said.servo = select(2, pcall(ask, { panda_finger_joint1 = { torque = 1 } }))
        said.stiff = select(2, pcall(ask, { panda_joint1 = { stiffness = 601 } }))
        said.infinite = select(2, pcall(ask, { panda_joint1 = { torque = 1 / 0 } }))
        said.nan = select(2, pcall(ask, { panda_joint1 = { torque = 0 / 0 } }))
      end
      return
    end
    ask { panda_joint1 = { torque = 1e8, stiffness = 0 } }
    most = math.max(most, math.abs(run.actuator:state("panda_joint1").torque))
  end)
  t:match(said.servo, "'panda_finger_joint1' is a position servo")
  t:match(said.stiff, "up to those of the robot's file, 600")
  t:match(said.infinite, "torque must be a finite number, not inf")
  t:match(said.nan, "torque must be a finite number, not .?nan")
  t:ok(most <= 30 + 1e-9 and most > 20, "%g N m of 30", most)
end)

test("a run on torques is replayed to the bit", function(t)
  needs_library(t)
  local path, robot = t:temporary ".db", physical.robot(t, "panda", springs)
  ran(t, moving, robot, 1, { store = path })
  local made, why = replay.open { store = path, say = function() end }
  t:ok(made, "%s", tostring(why))
  local report = made:go()
  made:close()
  t:ok(report.equal, "%s", report.difference and report.difference.sentence)
end)

test("without physics, axes with impedance are position servos, to the bit", function(t)
  local one = ran(t, moving, physical.robot(t, "panda", springs), 1, { physics = "none" })
  local other = ran(t, moving, physical.robot(t, "panda", ""), 1, { physics = "none" })
  t:equal(one.report.commands, other.report.commands)
end)

test("what a file says wrongly of its control is told", function(t)
  local robots = require "brio.robots"
  local function why(fields) return select(2, robots.find(physical.robot(t, "panda", fields))) end
  t:match(why "control = { leg = { stiffness = 1 } },", "control: the robot has no DOF or group 'leg'")
  t:match(why "control = { arm = {} },", "control.arm.stiffness must be given")
  t:match(why "control = { arm = { stiffness = -1 } },", "stiffness")
  t:equal(why "control = { arm = { mode = \"position\" } },", nil)
end)
