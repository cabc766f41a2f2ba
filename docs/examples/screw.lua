-- A hand holds a door's handle, 0.8 m from the hinge, and goes with it a quarter of a turn.
local screw = require "brio.screw"

-- the hinge's x axis points up
local hinge = { position = { 0.2, 0.8, 0 }, orientation = { 0, -math.sqrt(0.5), 0, math.sqrt(0.5) } }
local hand = { position = { 0.2, 0, 1 }, orientation = { 1, 0, 0, 0 } }
local door = { frame = hinge, start = hand, rotation = math.pi / 2, max_linear = 0.2 }

local made = screw.plan(door)
print(("%.2f m in %.2f s, %d points"):format(made.way, made.seconds, #made.points))
--> 1.26 m in 7.68 s, 10 points
local last = made.points[#made.points]
print(("%.2f %.2f %.2f"):format(table.unpack(last.position)))  --> 1.00 0.80 1.00
print(("%.2f m/s"):format(math.sqrt(made.points[2].linear[1] ^ 2 + made.points[2].linear[2] ^ 2)))
--> 0.20 m/s

-- Any place on the way, exactly.
print(("%.3f %.3f"):format(table.unpack(screw.pose(door, 0.5).position, 1, 2)))      --> 0.766 0.234
print(pcall(screw.plan, { frame = hinge, start = hand }) == false)                   --> true
