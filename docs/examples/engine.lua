-- A tick by hand: what lua/brio/run/runner.lua does for every run.
local actuator = require "brio.actuator"
local engine = require "brio.engine"
local robot = require "brio.robot"
local scene = require "brio.scene"
local solver = require "brio.solver"

local arm = assert(robot.load "drivers/robots/ur3e/model.urdf")
local axes = {}
for _, v in ipairs(arm:variables()) do
  axes[#axes + 1] = { name = v.name, lower = v.lower, upper = v.upper, velocity = v.velocity,
    acceleration = 10, start = 0 }
end
local s = solver.new(arm)
s:add("elbow", "joint_match", { joint = "elbow_joint" })
s:goal("elbow", 0.5)
s:weight("elbow", 10)

local e = engine.new {
  solver = s, scene = scene.new(), actuator = assert(actuator.open { driver = "sim", axes = axes }),
  rate = 200,
  work = function(time) return time < 2 end,
}
assert(e:run(0, true))
print(e:report().ticks)                                        --> 401
print(("%.2f"):format(s:solve(2.005, 0.005).joints.elbow_joint))  --> 0.50
e:close()
