--- Features of motion: speeds, accelerations, jerks and turns of a path (see features.lua).
local path = require "brio.motion.measures.path"
local statistics = require "brio.lib.statistics"

local speed = {}

--- Speeds below this share of speed_high count as rest; the time between directions that persistence
--- compares, s.
local rest_share, apart = 0.05, 0.25

--- The value that a share of a list is below, between values by a straight line.
local function quantile(list, share)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  local at = 1 + share * (#sorted - 1)
  local low = math.floor(at)
  return sorted[low] + (at - low) * ((sorted[low + 1] or sorted[low]) - sorted[low])
end

--- The third standardized moment of a list, 0 of one without variance; and its mean and standard deviation
--- (divided by n).
function speed.skewness(list)
  local mean, second, third = statistics.mean(list), 0, 0
  for _, value in ipairs(list) do
    second, third = second + (value - mean) ^ 2, third + (value - mean) ^ 3
  end
  local deviation = math.sqrt(second / #list)
  -- rounding alone: a constant
  if not (deviation > 1e-9 * math.abs(mean)) or deviation == 0 then return 0, mean, deviation end
  return third / #list / deviation ^ 3, mean, deviation
end

--- How often a list rises above its mean.
local function rises(list, mean)
  local count = 0
  for index = 2, #list do
    if list[index - 1] <= mean and list[index] > mean then count = count + 1 end
  end
  return count
end

--- The product of two vectors of flat lists.
local function dot(a, b, d, at, other)
  local sum = 0
  for column = 1, d do sum = sum + a[d * (at - 1) + column] * b[d * (other - 1) + column] end
  return sum
end

--- The mean cosine between directions that are `lag` samples apart, of those that move; 0: there is no pair.
local function persistence(velocity, speeds, d, lag, least)
  local sum, count = 0, 0
  for index = 1, #speeds - lag do
    local a, b = speeds[index], speeds[index + lag]
    if a > least and b > least then
      sum, count = sum + dot(velocity, velocity, d, index, index + lag) / (a * b), count + 1
    end
  end
  return count > 0 and sum / count or 0
end

--- Add the accelerations along the path, and the angular speeds of its direction, to `out`; return the
--- samples that move: { speed, curvature }.
local function add_turns(out, d, velocity, acceleration, speeds, least)
  local along, turns, moving, whole = 0, 0, {}, path.lengths(acceleration, d)
  for index, v in ipairs(speeds) do
    local tangential = v > 0 and dot(velocity, acceleration, d, index, index) / v or 0
    along = along + math.abs(tangential) / #speeds
    if v > least then
      local turn = math.sqrt(math.max(0, whole[index] ^ 2 - tangential ^ 2)) / v
      turns = turns + turn
      moving[#moving + 1] = { v, turn / v }
    end
  end
  out.acceleration_mean, out.acceleration_high = statistics.mean(whole), quantile(whole, 0.95)
  out.acceleration_along = out.acceleration_mean > 0 and along / out.acceleration_mean or 0
  out.turn_rate = #moving > 0 and turns / #moving or 0
  return moving
end

--- Add the features of motion to `out`, from flat lists of path.derivatives. Return the samples that move, as
--- { speed, curvature }.
function speed.add(out, d, rate, velocity, acceleration, jerk)
  local speeds, jerks = path.lengths(velocity, d), path.lengths(jerk, d)
  local skewness, mean, deviation = speed.skewness(speeds)
  local high, rest = quantile(speeds, 0.95), 0
  local least = rest_share * high
  for _, value in ipairs(speeds) do
    if value < least then rest = rest + 1 end
  end
  out.speed_mean, out.speed_high = mean, high
  out.speed_variation, out.speed_skewness = deviation / mean, skewness
  out.speed_rest, out.speed_cycles = rest / #speeds, rises(speeds, mean) * rate / #speeds
  out.jerk_mean, out.jerk_high = statistics.mean(jerks), quantile(jerks, 0.95)
  out.persistence = persistence(velocity, speeds, d, math.floor(apart * rate + 0.5), least)
  return add_turns(out, d, velocity, acceleration, speeds, least)
end

return speed
