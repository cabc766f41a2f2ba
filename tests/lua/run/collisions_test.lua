--- Collisions that the motor side finds by the torques of its motors: no false alarm in fast motion, a push
--- is found, reaches the behavior and the record, and holds the robot where its file wants that.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local physical = require "physical"
local replay = require "brio.replay"
local runner = require "brio.runner"
local store = require "brio.store"

local needs_library, written = physical.needs_library, physical.written

local thresholds = "thresholds = { arm = 3, wrist = 1.5 }"
local springs = "control = { arm = { stiffness = 600 }, wrist = { stiffness = 120 } },"

local moving = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "panda", start = "wave", safe = "wave" }
made.wave = { on = { collision = function(self, event)
  print(("felt %s %.3f %.3f"):format(event.axis, event.torque, self.now))
end }, wants = {
  want.joint_match { joint = "panda_joint1", goal = function(self) return 0.8 * math.sin(2 * self.now) end, weight = 20 },
  want.joint_match { joint = "panda_joint2", goal = function(self) return -0.6 + 0.5 * math.sin(2.5 * self.now) end, weight = 20 },
  want.joint_match { joint = "panda_joint4", goal = function(self) return -2 + 0.5 * math.sin(2 * self.now) end, weight = 20 },
} }
return made
]]

--- Run it on a robot for `seconds`; return the run, its log, and its newest report of the motors.
local function ran(t, robot, seconds, options)
  local lines, report = {}, nil
  local made = { clock = "fast", seed = 3, physics = "mujoco", robot = robot,
    file = written(t, "made.lua", moving),
    say = function(level, sentence) lines[#lines + 1] = level .. ": " .. sentence end }
  for key, value in next, options or {} do made[key] = value end
  local run, why = runner.new(made)
  t:ok(run, "%s", tostring(why))
  for _ = 1, math.floor(seconds * run.rate + 0.5) do
    if not run.engine:tick() then break end
    report = run.engine:motors()
  end
  run:close()
  return run, table.concat(lines, "\n"), report
end

test("an arm in fast motion raises no alarm, on servos and on torques", function(t)
  needs_library(t)
  for _, control in ipairs { "", springs } do
    local _, log, report = ran(t,
      physical.robot(t, "panda", control .. "collisions = {" .. thresholds .. "},"), t:long() and 60 or 2)
    t:equal(report.collisions, 0)
    t:ok(not log:find("collision", 1, true), "%s", log)
  end
end)

test("a push on the hand is found within a tenth of a second, and reaches behavior, status and \z
  record", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local robot = physical.robot(t, "panda", springs .. "collisions = {" .. thresholds .. "},")
  local _, log, report = ran(t, robot, 1.5,
    { faults = { "push 30 of panda_hand at 1 for 0.2" }, store = path })
  t:match(log, "warning: collision: something acts on what panda_joint%d carries, with")
  t:equal(report.collisions, 1)
  t:equal(report.collision, nil) -- it is over
  local torque, at = log:match "felt panda_joint%d ([-%d.]+) ([%d.]+)"
  t:ok(at and tonumber(at) > 1 and tonumber(at) < 1.1, "at %s s", at)
  t:ok(torque and math.abs(tonumber(torque)) > 1.5, "%s N m", torque)
  local rows = assert(store.open(path)):query "SELECT message FROM faults WHERE message LIKE 'collision:%'"
  t:equal(#rows, 1)
  local again = assert(replay.open { store = path, say = function() end })
  t:equal(again:go().equal, true)
  again:close()
end)

test("a collision holds the robot where its file wants that", function(t)
  needs_library(t)
  local robot = physical.robot(t, "panda", "collisions = { reaction = 'hold'," .. thresholds .. "},")
  local _, log, report = ran(t, robot, 1.6, { faults = { "push 40 of panda_hand at 1 for 0.2" } })
  t:match(log, "the robot stops and holds")
  t:equal(table.concat(report.held_by, " "), "fault")
  t:equal(report.rests, true)
end)

test("without torques it is said that nothing is watched", function(t)
  local _, log, report = ran(t, physical.robot(t, "panda", "collisions = {" .. thresholds .. "},"), 1.2,
    { physics = "none" })
  t:match(log, "nothing watches for collisions: some joint's device reports no torque")
  t:equal(report.collisions, 0)
end)

test("what a file says wrongly of collisions is told", function(t)
  local robots = require "brio.robots"
  local function why(fields) return select(2, robots.find(physical.robot(t, "panda", fields))) end
  t:match(why "collisions = { thresholds = { leg = 3 } },", "no DOF or group 'leg'")
  t:match(why "collisions = { thresholds = { arm = 0 } },", "thresholds")
  t:match(why "collisions = {},", "thresholds")
  t:equal(why "collisions = { thresholds = { arm = 3 } },", nil)
end)
