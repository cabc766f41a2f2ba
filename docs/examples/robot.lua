-- What a robot is, and where its links are.
local robot = require "brio.robot"

local arm = assert(robot.load "drivers/robots/ur3e/model.urdf")
print(#arm:links(), #arm:variables())                          --> 11	6
print(("%.1f kg"):format(arm:mass()))                          --> 11.2 kg

local pose = { joints = { shoulder_lift_joint = -math.pi / 2 } }
local tool = arm:forward(pose).links.tool0
print(("%.3f %.3f %.3f"):format(table.unpack(tool.position)))  --> 0.085 0.223 0.609

-- A wrong name is an error that says what was probably meant; a missing file is not.
print(pcall(arm.link, arm, "tool") == false)                   --> true
local none, _, code = robot.load "no_such.urdf"
print(none, code)                                              --> nil	no_file
