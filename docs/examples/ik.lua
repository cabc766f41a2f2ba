-- A configuration that brings a hand to where it is wanted, found from many starts.
local ik = require "brio.ik"
local robot = require "brio.robot"

local arm = assert(robot.load "drivers/robots/panda/model.urdf")
local reach = ik.new(arm, { links = { "panda_hand" }, seed = 1, watches = true })

-- A pose: position and orientation.
local there = { position = { 0.5, 0.2, 0.4 }, orientation = { 1, 0, 0, 0 } }
local found = assert(reach:solve { goal = there })
local hand = arm:forward({ joints = found.joints }).links.panda_hand
print(("%.3f %.3f %.3f"):format(table.unpack(hand.position)))  --> 0.500 0.200 0.400

-- Half of one: the hand points down, at that place, turned as it likes; several ways to do it.
found = assert(reach:solve {
  goal = { position = { 0.5, 0.2, 0.4 }, axis = "z", along = { 0, 0, -1 } }, solutions = 4 })
print(#found.solutions)  --> 4

-- Around a box, with a finger's breadth to spare.
reach:shapes():shape("box",
  { kind = "box", size = { 0.1, 0.6, 0.3 }, pose = { position = { 0.3, 0, 0.15 } } })
found = assert(reach:solve { goal = there, clear = true, clearance = 0.02 })
print(found.distance >= 0.02)  --> true

-- What cannot be reached is said to be so, with what comes nearest.
local none, why, code, nearest = reach:solve { goal = { position = { 2, 0, 0.4 } } }
print(none, code, ("%.1f m off"):format(nearest.position))  --> nil	unreachable	1.1 m off
print(why:match "the best of (%d+) starts")                 --> 400
