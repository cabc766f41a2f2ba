-- A cart of 1 kg moves by 1 m in 1 s, from rest to rest.
local robot = require "brio.robot"
local trajectory = require "brio.trajectory"

local cart = assert(robot.parse([[<robot name="cart"><link name="rail"/>
  <link name="cart"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="5" velocity="10"/></joint></robot>]], "cart.urdf"))
local from, to = { joints = { x = 0 } }, { joints = { x = 1 } }

-- The least integral of the force squared.
local problem = {
  phases = { { nodes = 21, duration = 1 } },
  terms = {
    { "effort", per = "time" },
    { "pose", node = 1, at = from }, { "rest", node = 1 },
    { "pose", node = "last", at = to }, { "rest", node = "last" },
  },
}
local plan = trajectory.new(cart, problem)
local configurations = {}
for k = 1, 21 do configurations[k] = { joints = { x = (k - 1) / 20 } } end
local first = plan:guess(configurations)
local motion, outcome = plan:solve(first)
print(outcome.finish, outcome.violation < 1e-7)           --> solved	true
print(("%.3f m"):format(motion[11].configuration.joints.x)) --> 0.500 m

-- What is wrong with a motion: the guess ends at speed.
local _, faults = plan:judge(first)
print(faults[1].what, faults[1].node)                       --> rest	21

-- With 1 N at most it takes longer, if time may stretch.
problem.limits = { effort = { x = 1 } }
problem.phases[1].stretch = { 1, 4 }
problem.terms[1] = { "effort", per = "time", weight = 1e-6 }
problem.terms[6] = { "duration", nominal = 0, node = 1 }
plan = trajectory.new(cart, problem)
motion, outcome = plan:solve(plan:guess(configurations))
print(("%s in %.2f s"):format(outcome.finish, motion[21].time)) --> solved in 2.00 s
