--- The cost of an objective written in Lua in a solve, compared with the same in C: the Panda's hand follows
--- a moving goal with low joint velocities, 2,000 ticks at 200 Hz.
---     build/brio lua scripts/bench/solver/own_objectives.lua
--- prints a line for each way to write it: name, then the CPU times of its solves, us, in ascending order.
local brio = require "brio"
local clock = require "brio.clock"
local robot = require "brio.robot"
local solver = require "brio.solver"

local x, y, z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }

local function residual(self, state, goal)
  local p = state.frames[self.link].position
  return p[1] - goal[1], p[2] - goal[2], p[3] - goal[3]
end

local function jacobian(self, state, _, rows)
  local p = state.frames[self.link].position
  rows[1]:point(self.link, p, x)
  rows[2]:point(self.link, p, y)
  rows[3]:point(self.link, p, z)
end

local function cost(self, state, goal)
  local a, b, c = residual(self, state, goal)
  return 25 * (a * a + b * b + c * c)
end

local function own(name, fields)
  fields.params, fields.goal = { link = "link" }, "translation"
  return brio.objective(name) (fields)
end

local ways = {
  { "position_match, in C", "position_match" },
  { "in Lua, with its Jacobian", own("given", { residual = residual, jacobian = jacobian }) },
  { "in Lua, slopes by differences", own("differed", { residual = residual }) },
  { "in Lua, as a cost", own("cost", { cost = cost }) },
}

--- Times of all solves, us, in ascending order.
local function measure(objective)
  local s = solver.new(assert(robot.load "drivers/robots/panda/model.urdf"), { seed = 1 })
  s:reset({ joints = { panda_joint2 = -0.78, panda_joint4 = -2.35, panda_joint6 = 1.57,
    panda_joint7 = 0.78 } }, true)
  local hand = s:add("hand", objective, { link = "panda_hand" })
  s:add("calm", "joint_velocity_minimization")
  s:ask(nil, { hand = 50, calm = 10 })
  local times = {}
  for tick = 1, 2000 do
    local t = tick / 200
    s:goal(hand, { 0.5 + 0.1 * math.sin(t), 0.1 * math.cos(t), 0.5 + 0.05 * math.sin(2 * t) })
    local began = clock.cpu()
    s:solve(t, 1 / 200)
    times[tick] = (clock.cpu() - began) * 1e6
  end
  table.sort(times)
  return times
end

for _, way in ipairs(ways) do
  local best
  for _ = 1, 3 do -- of three rounds, the one with the lowest median
    local times = measure(way[2])
    if not best or times[#times // 2] < best[#best // 2] then best = times end
  end
  for index, time in ipairs(best) do best[index] = ("%.2f"):format(time) end
  print(way[1] .. "\t" .. table.concat(best, " "))
end
