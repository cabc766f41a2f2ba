--- The timing of a path: the highest speed of its parameter, sigma = ds/dt, within limits of speed and
--- acceleration, and never above 1.
---
--- A path is sampled at even steps of its own parameter s. With x = sigma² and u = dsigma/dt, a DOF has the
--- speed q' sigma and the acceleration q'' x + q' u, where q' and q'' are its derivatives by s. The latter is
--- linear in x and u, so that a step, whose u is constant (x grows by 2 u ds), permits a convex set of them.
--- A pass from the end to the start finds the largest x of each step from which the end can still be reached;
--- a pass back takes the largest u within that. Pham and Pham, "A new approach to time-optimal path
--- parameterization based on reachability analysis", 2018.
local timing = {}

--- Maximum change of sigma, 1/s.
timing.most_change = 4

--- A slope or curve below this does not count.
local least = 1e-12

--- The maximum x at step k.
local function highest(path, k, share)
  local square = 1
  for _, dof in ipairs(path.dofs) do
    local slope = math.abs(dof.slope[k])
    if dof.velocity and slope > least then square = math.min(square, (dof.velocity * share / slope) ^ 2) end
  end
  return square
end

--- Append the rows |gain u + bend x| <= push as |u + bend / gain x| <= push / gain. Return the maximum x that
--- one without a gain permits.
local function add(rows, gain, bend, push)
  if math.abs(gain) > least then
    rows[#rows + 1] = push / math.abs(gain)
    rows[#rows + 1] = bend / gain
  elseif math.abs(bend) > least then
    return push / math.abs(bend)
  end
  return 1
end

--- The rows of the step from k to k + 1, at both of its ends: a flat list of pairs a, b of |u + b x| <= a.
--- Also the maximum x that they permit with any u.
local function rows_of(path, shares, k)
  local rows, most, after = { timing.most_change, 0 }, 1, math.min(k + 1, path.count)
  for _, dof in ipairs(path.dofs) do
    if dof.acceleration then
      most = math.min(most, add(rows, dof.slope[k], dof.curve[k], dof.acceleration * shares[k] ^ 2),
        add(rows, dof.slope[after] + 2 * path.step * dof.curve[after], dof.curve[after],
          dof.acceleration * shares[after] ^ 2))
    end
  end
  return rows, most
end

--- The largest u that rows permit at x, and the smallest, each with its row's b.
local function range(rows, x)
  local above, falls, below, rises = math.huge, 0, -math.huge, 0
  for index = 1, #rows, 2 do
    local a, b = rows[index], rows[index + 1]
    if a - b * x < above then above, falls = a - b * x, b end
    if -a - b * x > below then below, rises = -a - b * x, b end
  end
  return above, falls, below, rises
end

--- The largest x up to `most` with a u that rows permit, and that leads to at most `next_` behind the step.
--- The width of the range of u is concave in x and not negative at 0: Newton's method from the right ends
--- after a few of its pieces.
local function reachable(rows, most, next_, step)
  local x, inverse = most, 1 / (2 * step)
  while x > 0 do
    local above, falls, below, rises = range(rows, x)
    if (next_ - x) * inverse < above then above, falls = (next_ - x) * inverse, inverse end
    if -x * inverse > below then below, rises = -x * inverse, inverse end
    if above >= below - least then return x end
    local zero = x - (below - above) / (falls - rises)
    -- what is left is rounding
    if not (zero < x) then return x end
    x = zero
  end
  return 0
end

--- The speed sigma at each step, from rest to rest, at most 1. `path`: { step (s), count, dofs = { { slope,
--- curve (numbers for each step), velocity, acceleration (per s and s², nil: unlimited) } } }; `shares`: for
--- each step, the share of the speeds (and, squared, of the accelerations) that may be used. O(steps DOFs).
function timing.speeds(path, shares)
  local squares, rows, speeds = {}, {}, {}
  squares[path.count] = 0
  for k = path.count - 1, 1, -1 do
    local own, most = rows_of(path, shares, k)
    rows[k] = own
    squares[k] = reachable(own, math.min(most, highest(path, k, shares[k])), squares[k + 1], path.step)
  end
  squares[1] = 0
  for k = 1, path.count - 1 do
    local above = range(rows[k], squares[k])
    squares[k + 1] = math.max(0, math.min(squares[k + 1], squares[k] + 2 * path.step * above))
  end
  for k = 1, path.count do speeds[k] = math.sqrt(squares[k]) end
  return speeds
end

--- The times of a path's steps with these speeds, from 0.
function timing.times(path, speeds)
  local times = { 0 }
  for k = 1, path.count - 1 do
    times[k + 1] = times[k] + 2 * path.step / math.max(speeds[k] + speeds[k + 1], 1e-4)
  end
  return times
end

return timing
