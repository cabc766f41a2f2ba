-- A point cloud: how many points are where, and of what color.
local cloud = require "brio.cloud"

-- A table top of 21 x 21 points with a red block on it, as a sensor would send it.
local points, colors = {}, {}
for i = -10, 10 do
  for j = -10, 10 do
    local block = math.abs(i) <= 2 and math.abs(j) <= 2
    points[#points + 1] = { 1 + 0.02 * i, 0.02 * j, block and 0.8 or 0.7 }
    colors[#colors + 1] = block and { 1, 0, 0 } or { 0.6, 0.6, 0.6 }
  end
end
local scene = cloud.new { points = points, colors = colors, width = 21, frame = "camera" }
print(#scene .. " places, organized: " .. tostring(scene:facts().organized))   --> 441 places, organized: true

-- What is above the table, and in which color?
local above = { kind = "box", size = { 0.5, 0.5, 0.2 }, pose = { position = { 1, 0, 0.85 } } }
local count, color = scene:count(above)
print(("%d points, red %.1f, green %.1f"):format(count, color[1], color[2]))
--> 25 points, red 1.0, green 0.0

-- A solid may be a union, and stand anywhere.
local pair = { kind = "union", shapes = {
  { kind = "sphere", size = { 0.03, 0, 0 }, pose = { position = { 0, -0.1, 0 } } },
  { kind = "sphere", size = { 0.03, 0, 0 }, pose = { position = { 0, 0.1, 0 } } },
} }
print((scene:count(pair, { position = { 1, 0, 0.7 } })))                --> 18

-- Thinner, from another frame, and only a part of it.
print(#scene:voxels(0.1) .. ", " .. #scene:crop(above) .. ", " .. #scene:without(above))  --> 34, 25, 416
local seen = scene:transform({ position = { 0, 0, 1 } }, "chest")
print(("%.1f"):format(seen:facts().upper[3]))                           --> 1.8

-- As bytes and back: what a detector sends over a socket.
print(#cloud.parse(scene:frame()))                                      --> 441
print((select(2, cloud.parse "PLY?")))
--> it is no point cloud: PCD, PLY or a raw frame ("BRPC") was expected
