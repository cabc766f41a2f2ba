-- What is in a point cloud: a table with two things on it, and the edge to walk to.
local cloud = require "brio.cloud"

-- A table top 0.72 m high that begins 0.8 m ahead and is turned by 10 degrees, as points 1 cm apart.
local points, turn = {}, math.rad(10)
local function add(x, y, z)
  points[#points + 1] = { 0.8 + x * math.cos(turn) - y * math.sin(turn),
    x * math.sin(turn) + y * math.cos(turn), z }
end
for i = 0, 60 do
  for j = -60, 60 do
    local x, y = 0.01 * i, 0.01 * j
    local low, high = i > 20 and i < 31 and math.abs(j - 20) < 8, i > 30 and i < 46 and math.abs(j + 25) < 6
    local height = low and 0.1 or high and 0.2 or 0
    add(x, y, 0.72 + height)
  end
end
local scene = cloud.new { points = points, viewpoint = { position = { 0, 0, 1.5 } } }

-- Planes, largest first; the second result has each point's plane as its label.
local planes, labelled = scene:planes { labels = true, up = { 0, 0, 1 }, tilt = 0.1 }
local top = planes[1]
print(("the top: %.2f x %.2f m, at %.2f m"):format(top.size[1], top.size[2], top.pose.position[3]))
--> the top: 1.20 x 0.60 m, at 0.72 m
print(#labelled:labelled(1) == top.points)                              --> true

-- What stands on it.
for _, thing in ipairs(scene:clusters { above = top }) do
  print(("%.2f x %.2f m, its top %.2f m over the table"):format(thing.size[1], thing.size[2],
    thing.center[3] + thing.size[3] / 2 - top.pose.position[3]))
end
--> 0.14 x 0.10 m, its top 0.20 m over the table
--> 0.14 x 0.09 m, its top 0.10 m over the table

-- The edge, for somebody who stands at the origin and looks ahead.
local edge = assert(scene:table_edge())
local q = edge.pose.orientation
print(("%.2f m ahead, turned by %.0f degrees, %.2f m high"):format(edge.pose.position[1],
  math.deg(2 * math.atan(q[3], q[4])), edge.height))
--> 0.80 m ahead, turned by 10 degrees, 0.72 m high

-- Where there is none it says why.
local none, why = scene:table_edge { from = { position = { 0, 5, 0 } } }
print(none, why:match "^[^:]+")                                         --> nil	no table edge within 3 m
print((select(2, scene:door_panel())):match "^[^:]+")                   --> no door panel
