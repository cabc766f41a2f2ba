-- How a thing moves that was watched: a cupboard's door, seen 40 times, badly once.
local articulated = require "brio.articulated"

local track = {}
for i = 0, 39 do
  local angle = 0.025 * i -- opened by about a radian, about an upright axis through (1, 0.5)
  local wobble = 0.002 * math.sin(37 * i)
  track[#track + 1] = { 1 - 0.4 * math.sin(angle), 0.5 + (0.4 + wobble) * math.cos(angle), 0.9 + wobble }
end
track[20] = { 3, 3, 3 }

local door = articulated.estimate(track)
print(("%s, radius %.1f, axis z %.1f"):format(door.kind, door.radius, door.axis[3]))
--> hinge, radius 0.4, axis z 1.0
print(("about (%.1f, %.1f), opened by %.1f, %d of %d places count"):format(door.point[1], door.point[2],
  door.high, door.used, door.count))
--> about (1.0, 0.5), opened by 1.0, 39 of 40 places count

-- Where will its handle be when it is open by a quarter turn, and how far is it open now?
local wide = articulated.pose(door, math.pi / 2).position
print(("%.1f %.1f"):format(wide[1], wide[2]))                    --> 0.6 0.5
print(("%.2f"):format(articulated.value(door, track[11])))       --> 0.25

-- A drawer, and too little to tell.
local drawer = {}
for i = 1, 12 do drawer[i] = { 0.03 * i, 0.001 * math.sin(9 * i), 0.7 + 0.001 * math.sin(5 * i) } end
print(articulated.estimate(drawer).kind)                         --> slider
print((select(2, articulated.estimate { { 0, 0, 0 }, { 1, 0, 0 } })))
--> 2 positions do not determine a motion: at least 6 are needed
