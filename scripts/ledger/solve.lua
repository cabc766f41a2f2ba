--- Solves for the ledger: a robot's hand follows a point with low joint velocities, at 200 Hz.
---     build/brio lua scripts/ledger/solve.lua ROBOT COUNT
local clock_rate = 200
local robot, solver = require "brio.robot", require "brio.solver"

--- The controlled link, the middle of its goal's path (m), and the link that looks ahead, in which case the
--- robot is the one with many joints.
local hands = {
  pepper = { "r_gripper", { 0.35, -0.2, 1.0 } },
  panda = { "panda_hand", { 0.5, 0, 0.5 } },
  ur3e = { "tool0", { 0.3, 0.1, 0.3 } },
  many = { "left_palm", { 0.5, 0.25, 0.8 }, "head_tilt_link" },
  far = { "left_palm", { 3.5, 0.25, 0.8 }, "head_tilt_link" },
}

--- The robot with 101 joints, with limits of acceleration.
local function many_joints()
  local urdf = dofile "scripts/bench/solver/growth_robot.lua".urdf(101)
  local made = assert(robot.parse(urdf, "many.urdf"))
  for _, variable in ipairs(made:variables()) do made:set_limits(variable.name, { acceleration = 15 }) end
  return made
end

local name, count = arg[1], tonumber(arg[2])
local link, middle, head = table.unpack(hands[name])
local body = head and many_joints() or assert(robot.load(("drivers/robots/%s/model.urdf"):format(name)))
local s = solver.new(body, { seed = 1 })
local hand = s:add("hand", "position_match", { link = link })
local weights = { hand = 50, calm = 10, apart = 1 }
s:add("calm", head and "smoothness_macro" or "joint_velocity_minimization")
s:add("apart", "collision_avoidance")
if head then
  s:goal(s:add("gaze", "look_at", { link = head }), { 2, 0.3, 1 })
  s:add("limits", "joint_limits")
  weights.gaze, weights.limits = 20, 1
end
s:ask(nil, weights)
for tick = 1, count do
  local t = tick / clock_rate
  s:goal(hand, { middle[1] + 0.05 * math.sin(t), middle[2] + 0.05 * math.cos(t), middle[3] })
  s:solve(t, 1 / clock_rate)
end
