--- Thirty-five features of a path (brio.motion.measures.path), for comparing sets of motions. None depends
--- on where the path is, how its frame is turned, or when it begins, so a person's wrist compares with a
--- robot's.
---
--- docs/animation/quality.md documents each; tests/lua/motion/features_test.lua computes each another way.
--- RMG (docs/animation/quality.md) has 35 features of frequency, motion and shape, but does not list them:
--- these are brio's own.
local path = require "brio.motion.measures.path"
local quality = require "brio.quality"
local shape = require "brio.motion.measures.shape"
local speed = require "brio.motion.measures.speed"

local features = {}

--- Each feature: its name; unit; `log`: it is compared by its logarithm, as its values spread over decades;
--- `scale`: its standard deviation (of its logarithm), by which differences are divided, over the wrists of
--- 72 dances and gestures (CMU motion capture; 232 pieces of 5 s, without the first 0.2 s of each file); and
--- its definition.
local function row(name, unit, kind, scale, doc)
  features.list[#features.list + 1] = { name = name, unit = unit, log = kind == "log", scale = scale,
    doc = doc }
end

features.list = {}
row("frequency_peak", "Hz", "log", 0.586, "frequency of the greatest power of velocity")
row("frequency_mean", "Hz", "log", 0.313, "mean frequency, weighted by power")
row("frequency_spread", "Hz", "log", 0.333, "standard deviation of frequency, weighted by power")
row("frequency_median", "Hz", "log", 0.356, "half of the power is below it")
row("frequency_edge", "Hz", "log", 0.346, "95 % of the power is below it")
row("frequency_entropy", "1", "plain", 0.0921, "entropy of the power over frequencies: 0 one line, 1 noise")
row("frequency_line", "1", "plain", 0.145, "share of the power within one bin (0.23 Hz) of the peak")
row("frequency_low", "1", "plain", 0.207, "share of the power below 1 Hz")
row("frequency_high", "1", "plain", 0.0708, "share of the power above 3 Hz")
row("frequency_slope", "1", "plain", 0.993, "beta of 1/f^beta between 0.5 and 5 Hz")
row("speed_mean", "m/s", "log", 0.563, "mean speed")
row("speed_high", "m/s", "log", 0.533, "speed that is exceeded 5 % of the time")
row("speed_variation", "1", "plain", 0.319, "standard deviation of speed over its mean")
row("speed_skewness", "1", "plain", 0.694, "third standardized moment of speed")
row("speed_rest", "1", "plain", 0.128, "share of time below a twentieth of speed_high")
row("speed_cycles", "1/s", "plain", 0.523, "how often speed rises above its mean")
row("acceleration_mean", "m/s^2", "log", 0.627, "mean magnitude of acceleration")
row("acceleration_high", "m/s^2", "log", 0.699, "magnitude that is exceeded 5 % of the time")
row("acceleration_along", "1", "plain", 0.0784, "mean magnitude along the path over acceleration_mean")
row("jerk_mean", "m/s^3", "log", 0.599, "mean magnitude of jerk")
row("jerk_high", "m/s^3", "log", 0.729, "magnitude that is exceeded 5 % of the time")
row("turn_rate", "rad/s", "plain", 2.02, "mean angular speed of the direction of motion, while it moves")
row("persistence", "1", "plain", 0.197, "mean cosine between directions of motion 0.25 s apart")
row("radius", "m", "log", 0.416, "root mean square of the distance from the mean position")
row("reach", "m", "log", 0.398, "greatest distance from the mean position")
row("radius_variation", "1", "plain", 0.158, "standard deviation of that distance over its mean")
row("axis_first", "1", "plain", 0.121, "share of the variance along the first principal axis")
row("axis_second", "1", "plain", 0.0971, "share of the variance along the second")
row("axis_skewness", "1", "plain", 0.548, "magnitude of the third standardized moment along the first")
row("curvature", "1/m", "log", 0.575, "mean of |d2r/ds2| over the length of the path (CCR)")
row("curvature_change", "1/m^2", "log", 1.16, "mean rate of curvature along the path")
row("speed_curvature", "1", "plain", 0.0636, "correlation of ln speed with ln curvature (-1 in drawing)")
row("straightness", "1", "plain", 0.0923, "distance of the ends over the length")
row("stroke_straightness", "1", "plain", 0.107, "the same of pieces of 0.5 s: their mean")
row("drift", "1", "plain", 0.417, "distance of the mean positions of both halves over radius")

--- A path must last this long, s, and be this long, m (rad), to have features.
features.least_seconds, features.least_length = 1, 1e-3

--- Bins of the spectrum: a segment at the rate of paths, and the highest frequency, Hz.
local segment, highest = 256, 10

--- The power density of velocity summed over its dimensions, by bins from the first above 0 Hz; and their
--- width. A path shorter than a segment is followed by rest.
local function spectrum(velocity, d, rate)
  local total, width = {}, rate / segment
  for column = 1, d do
    local values = {}
    for index = 1, math.max(#velocity // d, segment) do
      values[index] = velocity[d * (index - 1) + column] or 0
    end
    local densities = quality.spectrum(values, rate, segment)
    for bin = 1, highest // width | 0 do total[bin] = (total[bin] or 0) + densities[bin + 1] end
  end
  return total, width
end

--- The frequency below which a share of the power is, between bins by a straight line.
local function quantile(power, width, sum, share)
  local below = 0
  for bin, value in ipairs(power) do
    if below + value >= share * sum then
      return width * (bin - 0.5 + (value > 0 and (share * sum - below) / value or 0))
    end
    below = below + value
  end
  return width * (#power + 0.5)
end

local function share_of(power, sum, first, last)
  local part = 0
  for bin = math.max(1, first), math.min(#power, last) do part = part + power[bin] end
  return part / sum
end

--- Add the features of frequency to `out`.
local function add_frequency(out, velocity, d, rate)
  local power, width = spectrum(velocity, d, rate)
  local sum, first, second, entropy, peak = 0, 0, 0, 0, 1
  for bin, value in ipairs(power) do
    sum, first, second = sum + value, first + bin * value, second + bin ^ 2 * value
    if value > power[peak] then peak = bin end
  end
  for _, value in ipairs(power) do
    if value > 0 then entropy = entropy - value / sum * math.log(value / sum) end
  end
  out.frequency_peak, out.frequency_mean = width * peak, width * first / sum
  out.frequency_spread = width * math.sqrt(math.max(0, second / sum - (first / sum) ^ 2))
  out.frequency_median = quantile(power, width, sum, 0.5)
  out.frequency_edge = quantile(power, width, sum, 0.95)
  out.frequency_entropy = entropy / math.log(#power)
  out.frequency_line = share_of(power, sum, peak - 1, peak + 1)
  out.frequency_low = share_of(power, sum, 1, 1 // width | 0)
  out.frequency_high = share_of(power, sum, (3 // width | 0) + 1, #power)
  for bin, value in ipairs(power) do power[bin] = math.max(value, 1e-12 * sum) end
  table.insert(power, 1, sum) -- the bin of 0 Hz, which is outside of the range
  out.frequency_slope = quality.slope(power, width, 0.5, 5)
end

--- Why a path has no features: a sentence's end; nil: it has.
function features.lacks(one)
  local seconds = path.seconds(one)
  if seconds < features.least_seconds then
    return ("lasts %.2f s, expected at least %g s"):format(seconds, features.least_seconds)
  end
  local length = quality.bend(one.points, one.dimensions).length
  if length < features.least_length then
    return ("moves %.2g mm in all, expected at least %g mm"):format(1000 * length,
      1000 * features.least_length)
  end
end

--- The features of a path for which features.lacks returns nil: {name = value}. Also sparc and ldlj of its
--- speed, and its seconds and length, which are not among the 35.
function features.of(one)
  local out, d = { seconds = path.seconds(one) }, one.dimensions
  local velocity, acceleration, jerk = path.derivatives(one)
  add_frequency(out, velocity, d, one.rate)
  local moving = speed.add(out, d, one.rate, velocity, acceleration, jerk)
  shape.add(out, one, moving)
  local speeds = path.lengths(velocity, d)
  out.sparc, out.ldlj = quality.sparc(speeds, one.rate), quality.ldlj(speeds, one.rate)
  return out
end

--- Least values of features that are compared by their logarithms, by unit: smaller ones differ from nothing
--- by noise.
features.least = { Hz = 0.05, ["m/s"] = 1e-3, ["m/s^2"] = 0.01, ["m/s^3"] = 0.1, m = 1e-3, ["1/m"] = 0.1,
  ["1/m^2"] = 1 }

--- The features as a vector of 35 numbers that are comparable with each other: of some the logarithm, divided
--- by the feature's scale.
function features.vector(values)
  local out = {}
  for index, feature in ipairs(features.list) do
    local value = values[feature.name]
    if feature.log then value = math.log(math.max(value, features.least[feature.unit])) end
    out[index] = value / feature.scale
  end
  return out
end

return features
