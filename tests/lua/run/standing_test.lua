--- A robot with a free base that is held on its feet by the torques of its joints: it stands with liveliness,
--- takes pushes that it does not take without, is replayed, and says what is missing.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local physical = require "physical"
local replay = require "brio.replay"
local runner = require "brio.runner"

local needs_library, written = physical.needs_library, physical.written

local soft = [[control = {
  left_leg = { stiffness = 60, damping = 3 }, right_leg = { stiffness = 60, damping = 3 },
  waist = { stiffness = 100, damping = 6 }, head = { stiffness = 10, damping = 0.5 },
  left_arm = { stiffness = 20, damping = 1 }, right_arm = { stiffness = 20, damping = 1 },
},]]

local sole = "{ { 0.1, 0.045, 0 }, { 0.1, -0.045, 0 }, { -0.1, 0.045, 0 }, { -0.1, -0.045, 0 } }"
local feet = ("stance = { contacts = { left_sole = %s, right_sole = %s } },"):format(sole, sole)

local lively = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "biped", start = "stand", safe = "stand" }
made.stand = { wants = {
  want.joint_liveliness { joint = "left_shoulder_pitch", goal = 0.3, frequency = 0.3, weight = 5 },
  want.joint_liveliness { joint = "right_elbow", goal = 0.3, frequency = 0.3, weight = 5 },
  want.joint_liveliness { joint = "waist_yaw", goal = 0.2, frequency = 0.3, weight = 5 },
} }
return made
]]

--- Run on a robot for `seconds`; return the run, its log, and how high its base is at the end.
local function ran(t, robot, seconds, options)
  local lines, height = {}, nil
  local made = { clock = "fast", seed = 3, physics = "mujoco", robot = robot,
    file = written(t, "made.lua", lively),
    say = function(level, sentence) lines[#lines + 1] = level .. ": " .. sentence end }
  for key, value in next, options or {} do made[key] = value end
  local run, why = runner.new(made)
  t:ok(run, "%s", tostring(why))
  for _ = 1, math.floor(seconds * run.rate + 0.5) do
    if not run.engine:tick() or run.base_fell then break end
    local base = run.physics:base()
    height = base and base.position[3] or height
  end
  run:close()
  return run, table.concat(lines, "\n"), height
end

test("a biped stands with liveliness on soft legs, by the torques of its stance, and falls without \z
  them", function(t)
  needs_library(t)
  local run, log, height = ran(t, physical.robot(t, "biped", soft .. feet), t:long() and 3600 or 1)
  t:ok(not log:find("has fallen", 1, true) and height > 0.8, "%s m: %s", height, log)
  t:near(run.stance.report.com[1], run.stance.goal.com[1], 0.03)
  t:near(run.stance.report.force, 50 * 9.81, 25)
  local _, fallen = ran(t, physical.robot(t, "biped", soft), 3)
  t:match(fallen, "the robot has fallen")
end)

test("it takes a push, and is replayed to the bit", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local _, log = ran(t, physical.robot(t, "biped", soft .. feet), t:long() and 4 or 1,
    { faults = { "push 35,20 of torso at 0.3 for 0.2" }, store = path })
  t:ok(not log:find("has fallen", 1, true), "%s", log)
  local made = assert(replay.open { store = path, say = function() end })
  local report = made:go()
  made:close()
  t:ok(report.equal, "%s", report.difference and report.difference.sentence)
end)

test("on the real clock it stands, too, and its tape is replayed to the bit", function(t)
  needs_library(t)
  local path = t:temporary ".db"
  local run = assert(runner.new { physics = "mujoco", robot = physical.robot(t, "biped", soft .. feet),
    store = path,
    file = written(t, "made.lua", lively), say = function() end })
  run:go(0.5)
  t:ok(run.stance.report, "it stands by torques")
  run:close()
  local made = assert(replay.open { store = path, say = function() end })
  local report = made:go()
  made:close()
  t:ok(report.equal, "%s", report.difference and report.difference.sentence)
end)

test("a stance needs torques, and links that exist", function(t)
  local robots = require "brio.robots"
  local function why(fields) return select(2, robots.find(physical.robot(t, "biped", fields))) end
  t:match(why(feet), "stance: it needs motors that control their torque: give `control`, too")
  t:match(why(soft .. "stance = { contacts = { left_sol = { { 0, 0, 0 } } } },"),
    "stance.contacts: the robot has no link 'left_sol' %(did you mean 'left_sole'")
  t:equal(why(soft .. feet), nil)
end)
