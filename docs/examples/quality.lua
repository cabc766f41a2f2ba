-- How good a motion looks, as numbers.
local quality = require "brio.quality"

-- A second of minimum jerk, 200 times a second, and the same in a straight line.
local values, straight, speed = {}, {}, {}
for i = 0, 200 do
  local s = i / 200
  values[i + 1], straight[i + 1] = s ^ 3 * (10 - 15 * s + 6 * s ^ 2), s
  speed[i + 1] = 30 * s ^ 2 * (1 - s) ^ 2
end
print(("%.2f %.2f"):format(quality.sparc(speed, 200), quality.ldlj(speed, 200)))  --> -1.41 -5.31
print(("%.2f %.2f"):format(quality.move(values, 200).peak_to_mean, quality.move(straight, 200).peak_to_mean))
--> 1.87 1.00

-- Half a circle of 0.5 m: how it is bent, and how much longer than straight it is.
local points = {}
for i = 0, 100 do
  points[#points + 1] = 0.5 * math.cos(math.pi * i / 100)
  points[#points + 1] = 0.5 * math.sin(math.pi * i / 100)
end
local path = quality.bend(points, 2)
print(("%.2f %.2f"):format(path.curvature, path.arc))  --> 2.00 1.57

-- What follows, by how much; and whether two motions are one whatever their timing.
local first, second = {}, {}
for i = 1, 400 do first[i], second[i] = math.sin(i / 20), math.sin((i - 12) / 20) end
print(("%.3f s"):format(quality.lag(first, second, 200)))  --> 0.060 s
print(quality.warp({ 0, 1, 2, 1 }, { 0, 0, 1, 1, 2, 2, 1 }))  --> 0.0

-- Two sets of vectors of two numbers: how alike they are, and the directions in which the first one spreads.
local set = { 0, 0, 2, 2, 4, 4, 1, 2, 3, 2 }
local moved = {}
for i, value in ipairs(set) do moved[i] = value + i % 2 end
print(("%.3f"):format((quality.frechet(set, moved, 2))))  --> 1.000
local variances = quality.axes(set, 2)
print(("%.2f %.2f"):format(table.unpack(variances)))  --> 4.27 0.23
