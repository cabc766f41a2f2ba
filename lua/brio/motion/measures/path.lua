--- Paths of a point, evenly sampled, for the measures of motion: { rate, dimensions, points }, where `points`
--- is one flat list. Motions of any frame rate become comparable: their derivatives up to the third are taken
--- at one rate, after one filter.
local path = {}

--- Rate at which paths are measured, Hz, and the standard deviation of the filter, s: a Gaussian that halves
--- the amplitude at 7.5 Hz, above the frequencies of voluntary motion.
path.rate, path.sigma = 60, 0.025

--- The derivative of one column at a sample, by the parabola through it and its neighbors; from the two
--- nearest samples at the ends.
local function slope(times, points, d, column, at)
  local function value(index) return points[d * (index - 1) + column] end
  local before, after = math.max(1, at - 1), math.min(#times, at + 1)
  if before == at or after == at then
    return (value(after) - value(before)) / (times[after] - times[before])
  end
  local left, right = times[at] - times[before], times[after] - times[at]
  return (right * (value(at) - value(before)) / left + left * (value(after) - value(at)) / right)
    / (left + right)
end

--- The points at even steps from the first time to the last, by cubic Hermite interpolation. O(n).
local function interpolated(times, points, d)
  local out, at, rate = {}, 1, path.rate
  for index = 0, math.floor((times[#times] - times[1]) * rate + 1e-6) do
    local t = times[1] + index / rate
    while at < #times - 1 and times[at + 1] <= t do at = at + 1 end
    local span = times[at + 1] - times[at]
    local s = math.min(1, (t - times[at]) / span)
    local r = 1 - s
    for column = 1, d do
      local a, b = points[d * (at - 1) + column], points[d * at + column]
      local u, v = slope(times, points, d, column, at), slope(times, points, d, column, at + 1)
      out[#out + 1] = (1 + 2 * s) * r * r * a + s * s * (3 - 2 * s) * b
        + span * s * r * (r * u - s * v)
    end
  end
  return out
end

--- Weights of the filter: the middle one, and those at 1, 2, ... samples from it.
local function weights()
  local reach = math.ceil(4 * path.sigma * path.rate)
  local list, sum = {}, 0
  for k = 0, reach do
    list[k] = math.exp(-0.5 * (k / (path.sigma * path.rate)) ^ 2)
    sum = sum + (k == 0 and 1 or 2) * list[k]
  end
  for k = 0, reach do list[k] = list[k] / sum end
  return list, reach
end

--- Points filtered without delay. Beyond its ends a path is continued by point reflection, which keeps the
--- ends and their velocity. O(n).
local function filtered(points, d)
  local list, reach = weights()
  local count, out = #points // d, {}
  local function value(index, column)
    if index < 1 then return 2 * points[column] - points[d * (math.min(count, 2 - index) - 1) + column] end
    if index > count then
      return 2 * points[d * (count - 1) + column]
        - points[d * (math.max(1, 2 * count - index) - 1) + column]
    end
    return points[d * (index - 1) + column]
  end
  for index = 1, count do
    for column = 1, d do
      local sum = list[0] * value(index, column)
      for k = 1, reach do sum = sum + list[k] * (value(index - k, column) + value(index + k, column)) end
      out[d * (index - 1) + column] = sum
    end
  end
  return out
end

--- The points whose times are later than all before, and their times.
local function ascending(times, points, d)
  local kept, flat = {}, {}
  for index, t in ipairs(times) do
    if not kept[1] or t > kept[#kept] then
      kept[#kept + 1] = t
      table.move(points, d * (index - 1) + 1, d * index, #flat + 1, flat)
    end
  end
  return kept, flat
end

--- The path of points (flat, `d` numbers each) at these times, s; nil: fewer than two different times.
function path.of(times, points, d)
  assert(#points == d * #times, "a point for each time")
  local kept, flat = ascending(times, points, d)
  if #kept < 2 then return nil end
  return { rate = path.rate, dimensions = d, points = filtered(interpolated(kept, flat, d), d) }
end

--- The number of points of a path.
function path.count(one) return #one.points // one.dimensions end

--- The time from its first point to its last, s.
function path.seconds(one) return (path.count(one) - 1) / one.rate end

--- Part of a path: from point `first` to point `last`.
function path.part(one, first, last)
  local d = one.dimensions
  return { rate = one.rate, dimensions = d,
    points = table.move(one.points, d * (first - 1) + 1, d * last, 1, {}) }
end

--- The mean position, and the root mean square of the distance from it.
function path.center(one)
  local d, points, count, center, sum = one.dimensions, one.points, path.count(one), {}, 0
  for column = 1, d do center[column] = 0 end
  for index, value in ipairs(points) do
    local column = (index - 1) % d + 1
    center[column] = center[column] + value / count
  end
  for index, value in ipairs(points) do sum = sum + (value - center[(index - 1) % d + 1]) ^ 2 end
  return center, math.sqrt(sum / count)
end

--- A path moved to its mean position and scaled to a root mean square distance of `radius` from it; nil: it
--- does not move.
function path.normalized(one, radius)
  local center, size = path.center(one)
  if not (size > 0) then return nil end
  local made = { rate = one.rate, dimensions = one.dimensions, points = {} }
  for index, value in ipairs(one.points) do
    made.points[index] = (value - center[(index - 1) % one.dimensions + 1]) * radius / size
  end
  return made
end

--- Every n-th point of a path.
function path.thinned(one, n)
  local d, made = one.dimensions, { rate = one.rate / n, dimensions = one.dimensions, points = {} }
  for index = 0, path.count(one) - 1, n do
    table.move(one.points, d * index + 1, d * index + d, #made.points + 1, made.points)
  end
  return made
end

--- Velocities and accelerations at the inner points, and jerks two points from the ends: three flat lists, by
--- central differences.
function path.derivatives(one)
  local d, p, rate, count = one.dimensions, one.points, one.rate, path.count(one)
  local velocity, acceleration, jerk = {}, {}, {}
  for index = d + 1, d * (count - 1) do
    velocity[index - d] = (p[index + d] - p[index - d]) * rate / 2
    acceleration[index - d] = (p[index + d] - 2 * p[index] + p[index - d]) * rate ^ 2
  end
  for index = 2 * d + 1, d * (count - 2) do
    jerk[index - 2 * d] = (p[index + 2 * d] - 2 * p[index + d] + 2 * p[index - d] - p[index - 2 * d])
      * rate ^ 3 / 2
  end
  return velocity, acceleration, jerk
end

--- The lengths of the vectors in a flat list.
function path.lengths(flat, d)
  local out = {}
  for index = 1, #flat // d do
    local sum = 0
    for column = 1, d do sum = sum + flat[d * (index - 1) + column] ^ 2 end
    out[index] = math.sqrt(sum)
  end
  return out
end

return path
