--- The field `balance` of a robot's file: a run's solver keeps the centre of mass above its area.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local physical = require "physical"
local robots = require "brio.robots"
local runner = require "brio.runner"

local written = physical.written

local bow = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "bow", safe = "bow" }
made.bow = { wants = { brio.want.joint_match { joint = "HipPitch", goal = -1, weight = 20 },
  brio.want.joint_match { joint = "RShoulderPitch", goal = 0, weight = 20 },
  brio.want.joint_match { joint = "LShoulderPitch", goal = 0, weight = 20 } } }
return made
]]

--- How far forward the centre of mass gets, m.
local function farthest(t, fields)
  local most = -1
  local run = assert(runner.new {
    file = written(t, "made.lua", bow), robot = physical.robot(t, "pepper", fields), clock = "fast",
    say = function() end })
  for _ = 1, 600 do
    run.engine:tick()
    most = math.max(most, run.solver:center_of_mass()[1])
  end
  run:close()
  return most
end

test("a robot bows as far as its centre of mass may go, and no farther", function(t)
  local free = farthest(t, "")
  local edge = free - 0.03
  local kept = farthest(t, ([[balance = { margin = 0.01, points = { { %g, -0.2, 0 }, { %g, 0.2, 0 },
    { -0.2, 0.2, 0 }, { -0.2, -0.2, 0 } } },]]):format(edge, edge))
  t:ok(kept <= edge - 0.01 + 1e-3, "%g m, of %g", kept, edge)
  t:ok(kept > edge - 0.03, "%g m, of %g", kept, edge)
end)

test("an invalid area is reported at the start", function(t)
  t:match(select(2, robots.find(physical.robot(t, "pepper", "balance = {},"))), "balance")
  local run, why = runner.new { file = written(t, "made.lua", bow), clock = "fast", say = function() end,
    robot = physical.robot(t, "pepper", "balance = { points = { { 0, 0, 0 }, { 1, 0, 0 } } },") }
  t:equal(run, nil)
  t:match(why, "3 to 64 points on the ground")
end)
