-- A pose that serves several wants at once, found 200 times a second.
local robot = require "brio.robot"
local solver = require "brio.solver"

local arm = assert(robot.load "drivers/robots/panda/model.urdf")
local s = solver.new(arm, { seed = 1 })
s:reset({ joints = { panda_joint2 = -0.78, panda_joint4 = -2.35, panda_joint6 = 1.57, panda_joint7 = 0.78 } },
  true)

s:add("hand", "position_match", { link = "panda_hand" })
s:add("calm", "joint_velocity_minimization", {})
s:add("safe", "collision_avoidance", {})
s:goal("hand", { 0.5, 0.2, 0.5 })
s:weight("hand", 50)
s:weight("calm", 10)
s:weight("safe", 20)

local found
for tick = 1, 400 do found = s:solve(tick * 0.005, 0.005) end
local hand = s:frames().panda_hand.position
print(("%.2f %.2f %.2f"):format(table.unpack(hand)))  --> 0.50 0.20 0.50
print(found.status)                                   --> converged

-- One call asks for what changes, by key, and returns a state; shapes come, move (a pose) and go (false).
local state = s:solve({ hand = { 0.4, -0.2, 0.5 } }, { calm = 0 }, 2.005, {
  box = { kind = "box", size = { 0.1, 0.1, 0.4 }, pose = { position = { 0.7, -0.2, 0.2 } } },
})
for tick = 1, 400 do state = s:solve(nil, nil, 2.005 + tick / 200) end
print(("%.2f %.2f %.2f"):format(table.unpack(state.frames.panda_hand.position)))  --> 0.40 -0.20 0.50
print(state.costs.calm, state.distance > 0, state.joints.panda_finger_joint2 ~= nil)  --> nil	true	true

-- A floor has no end; what is far is told to who asks.
s:shape("floor", { kind = "half_space", pose = { position = { 0, 0, -0.4 } } })
for _, pair in ipairs(s:proximity(2)) do
  if pair.b == "floor" and pair.a == "panda_hand" then
    print(pair.normal[3], pair.distance > 0.5)  --> -1.0	true
  end
end

-- Every objective describes itself.
for _, kind in ipairs(solver.kinds()) do
  if kind.name == "position_match" then print(kind.category, kind.goal) end  --> matching	translation
end
