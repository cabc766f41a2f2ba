-- Objectives of one's own at work: see docs/engine/extending-the-solver.md, which tells how each is written.
package.path = "docs/examples/objectives/?.lua;" .. package.path
local robot = require "brio.robot"
local solver = require "brio.solver"
local my_center_of_mass = require "my_center_of_mass"
local my_perspective = require "my_perspective"
local my_places = require "my_places"

local arm = assert(robot.load "drivers/robots/panda/model.urdf")
local start = { joints = { panda_joint2 = -0.4, panda_joint4 = -2, panda_joint6 = 1.6, panda_joint7 = 0.8 } }

--- A solver with one objective, and then its state after `seconds` at 200 Hz.
local function try(seconds, objective, arguments, goal, watch)
  local s = assert(solver.new(arm, { seed = 1 }))
  s:reset(start, true)
  s:add("mine", objective, arguments)
  local state = s:solve({ mine = goal }, { mine = 30 }, 0)
  for tick = 1, seconds * 200 do
    state = s:solve(tick / 200, 1 / 200)
    if watch then watch(state) end
  end
  return state
end

local com = try(3, my_center_of_mass, {}, { 0.05, 0.02, 0.4 }).center_of_mass
print(("%.3f %.3f %.3f"):format(com[1], com[2], com[3]))      --> 0.050 0.020 0.400

-- It wanders by centimeters, and what it looks at, 0.3 m ahead, stays within two millimeters.
local geometry = require "brio.geometry"
local first, farthest, off = nil, 0, 0
try(20, my_perspective, { link = "panda_hand" }, { focus = 0.3, turn = 0.3, shift = 0.03 }, function(state)
  local hand = state.frames.panda_hand
  local x = geometry.turn(hand.orientation, { 0.3, 0, 0 })
  local p, focus = hand.position, {}
  for i = 1, 3 do focus[i] = p[i] + x[i] end
  first = first or { hand = p, focus = focus }
  farthest = math.max(farthest, geometry.distance(p, first.hand))
  local away = geometry.distance(p, first.focus) -- how far the view passes by the focus
  local passes = geometry.distance(first.focus,
    { p[1] + x[1] * away / 0.3, p[2] + x[2] * away / 0.3, p[3] + x[3] * away / 0.3 })
  off = math.max(off, passes)
end)
print(farthest > 0.03, off < 0.002)                           --> true	true

-- The nearest of a list of places, whose length may change.
local hand = try(3, my_places.nearest, { link = "panda_hand" },
  { { 0.5, 0.2, 0.3 }, { -0.3, -0.4, 0.5 } }).frames.panda_hand
print(("%.2f %.2f %.2f"):format(table.unpack(hand.position))) --> 0.50 0.20 0.30

-- Two objectives that read one feature.
hand = try(3, my_places.close, {}, 0.5).frames.panda_hand.position
print(("%.2f"):format(geometry.distance(hand, { 0, 0, 0 })))  --> 0.50
hand = try(3, my_places.low, {}, 0.3).frames.panda_hand.position
print(("%.2f"):format(hand[3]))                               --> 0.30
