--- The field `balance` of a robot's file: a run's solver keeps the centre of mass above its area.
require "brio"
local disk = require "brio.io.files"
local paths = require "brio.lib.paths"
local robots = require "brio.robots"
local runner = require "brio.runner"

local function written(t, name, text)
  local path = t:temporary("_" .. name)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

--- A robot's file of Pepper with more fields.
local function pepper(t, fields)
  local folder = "drivers/robots/pepper/"
  local text = disk.read(folder .. "robot.lua"):gsub('model = "model.urdf",',
    ('model = %q, %s'):format(paths.absolute(folder .. "model.urdf"), fields))
  return written(t, "robot.lua", text)
end

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
  local run = assert(runner.new { file = written(t, "made.lua", bow), robot = pepper(t, fields), clock = "fast",
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

test("an area that is none is told at the start", function(t)
  t:match(select(2, robots.find(pepper(t, "balance = {},"))), "balance")
  local run, why = runner.new { file = written(t, "made.lua", bow), clock = "fast", say = function() end,
    robot = pepper(t, "balance = { points = { { 0, 0, 0 }, { 1, 0, 0 } } },") }
  t:equal(run, nil)
  t:match(why, "3 to 64 points on the ground")
end)
