--- Features of shape: size, principal axes, curvature and straightness of a path (see features.lua).
local path = require "brio.motion.measures.path"
local quality = require "brio.quality"
local skewness = require("brio.motion.measures.speed").skewness
local statistics = require "brio.lib.statistics"

local shape = {}

--- Length of the pieces whose straightness is measured, s; the least curvature, times the radius, that
--- speed_curvature counts; and the least number of such samples.
local piece_seconds, least_bend, least_samples = 0.5, 0.01, 10

--- Distances of the points from their mean position.
local function distances(one, center)
  local d, flat = one.dimensions, {}
  for index, value in ipairs(one.points) do flat[index] = value - center[(index - 1) % d + 1] end
  return path.lengths(flat, d), flat
end

--- Add the shares of the principal axes to `out`, and the skewness along the first; `flat`: the points from
--- their mean.
local function add_axes(out, one, flat)
  local d, sum, along = one.dimensions, 0, {}
  local variances, axes = quality.axes(one.points, d)
  for _, variance in ipairs(variances) do sum = sum + variance end
  for index = 1, path.count(one) do
    along[index] = 0
    for column = 1, d do along[index] = along[index] + axes[column] * flat[d * (index - 1) + column] end
  end
  out.axis_first, out.axis_second = variances[1] / sum, (variances[2] or 0) / sum
  out.axis_skewness = math.abs((skewness(along)))
end

--- The mean straightness of consecutive pieces that move; 0: there is none.
local function straightness_of_pieces(one)
  local step, sum, count = math.floor(piece_seconds * one.rate + 0.5), 0, 0
  for first = 1, path.count(one) - step, step do
    local found = quality.bend(path.part(one, first, first + step).points, one.dimensions)
    if found.length > 0 then sum, count = sum + found.chord / found.length, count + 1 end
  end
  return count > 0 and sum / count or 0
end

--- The correlation of ln speed with ln curvature, of samples { speed, curvature } with a curvature above
--- `least`; 0: too few of them, or one of both is constant.
local function speed_curvature(moving, least)
  local speeds, curvatures = {}, {}
  for _, sample in ipairs(moving) do
    if sample[2] > least then
      speeds[#speeds + 1], curvatures[#curvatures + 1] = math.log(sample[1]), math.log(sample[2])
    end
  end
  if #speeds < least_samples then return 0 end
  if math.min(statistics.deviation(speeds), statistics.deviation(curvatures)) < 1e-3 then return 0 end
  return statistics.correlation(curvatures, speeds)
end

--- The distance of the mean positions of both halves of a path.
local function halves_apart(one)
  local count, sum = path.count(one), 0
  local a = path.center(path.part(one, 1, count // 2))
  local b = path.center(path.part(one, count - count // 2 + 1, count))
  for column in ipairs(a) do sum = sum + (a[column] - b[column]) ^ 2 end
  return math.sqrt(sum)
end

--- Add the features of shape to `out`, and its length. `moving`: samples as of speed.add.
function shape.add(out, one, moving)
  local center, radius = path.center(one)
  local away, flat = distances(one, center)
  local _, mean, deviation = skewness(away)
  out.radius, out.reach = radius, 0
  for _, value in ipairs(away) do out.reach = math.max(out.reach, value) end
  out.radius_variation = deviation / mean
  add_axes(out, one, flat)
  local bend = quality.bend(one.points, one.dimensions)
  out.length, out.curvature, out.curvature_change = bend.length, bend.curvature, bend.change
  out.speed_curvature = speed_curvature(moving, least_bend / radius)
  out.straightness, out.stroke_straightness = bend.chord / bend.length, straightness_of_pieces(one)
  out.drift = halves_apart(one) / radius
end

return shape
