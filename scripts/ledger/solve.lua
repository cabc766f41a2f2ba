--- Solves for the ledger: a robot's hand follows a point with low joint velocities, at 200 Hz.
---     build/brio lua scripts/ledger/solve.lua ROBOT COUNT
local clock_rate = 200
local robot, solver = require "brio.robot", require "brio.solver"

--- The controlled link, and its initial position (m).
local hands = {
  pepper = { "r_gripper", { 0.35, -0.2, 1.0 } },
  panda = { "panda_hand", { 0.5, 0, 0.5 } },
  ur3e = { "tool0", { 0.3, 0.1, 0.3 } },
}

local name, count = arg[1], tonumber(arg[2])
local link, middle = table.unpack(hands[name])
local s = solver.new(assert(robot.load(("drivers/robots/%s/model.urdf"):format(name))), { seed = 1 })
local hand = s:add("hand", "position_match", { link = link })
s:add("calm", "joint_velocity_minimization")
s:add("apart", "collision_avoidance")
s:ask(nil, { hand = 50, calm = 10, apart = 1 })
for tick = 1, count do
  local t = tick / clock_rate
  s:goal(hand, { middle[1] + 0.05 * math.sin(t), middle[2] + 0.05 * math.cos(t), middle[3] })
  s:solve(t, 1 / clock_rate)
end
