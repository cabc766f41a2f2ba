-- Torques, accelerations and momentum of an arm.
local dynamics = require "brio.dynamics"
local robot = require "brio.robot"

local arm = assert(robot.load "drivers/robots/ur3e/model.urdf")
local moves = dynamics.new(arm)
local pose = { joints = { shoulder_lift_joint = 0, elbow_joint = 0 } }

-- Stretched out, the shoulder holds the arm up; let go, it falls.
local hold = moves:inverse(pose)
print(("%.2f N m"):format(hold.joints.shoulder_lift_joint))                --> -18.25 N m
local fall = moves:forward(pose)
print(("%.1f rad/s^2"):format(fall.joints.shoulder_lift_joint))            --> 50.8 rad/s^2
print(("%.1e"):format(moves:forward(pose, nil, hold).joints.elbow_joint))  --> 0.0e+00

-- Turning the shoulder at 1 rad/s.
local turning = { joints = { shoulder_pan_joint = 1 } }
print(("%.3f J"):format((moves:energy(pose, turning))))                    --> 0.408 J
print(("%.3f kg m^2/s"):format(moves:momentum(pose, turning).angular[3]))  --> 0.461 kg m^2/s

-- Held at the tool, too: the hold bears a part of the weight.
local tool = { link = "tool0", at = arm:forward(pose).links.tool0 }
local _, forces = moves:constrained(pose, nil, nil, { tool })
print(("%.1f N"):format(forces[1].force[3]))                               --> 28.7 N

-- Pushed at the tool by 10 N, with the motors holding it in place: what the observer makes of it.
local watch = moves:observer { gain = 50, thresholds = 2 }
local jacobian = arm:jacobian(pose, "tool0")
local motors = moves:inverse(pose)
for i, variable in ipairs(arm:variables()) do
  motors.joints[variable.name] = motors.joints[variable.name] - 10 * jacobian[3][6 + i]
end
for _ = 1, 200 do watch:update(pose, nil, motors, 0.002) end
print(("%.1f N"):format(watch:wrench("tool0", nil, true).force[3]))        --> 10.0 N
print(watch:collisions()[1].joint)                                         --> shoulder_lift_joint
