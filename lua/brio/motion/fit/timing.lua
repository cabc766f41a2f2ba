--- How fast a path may be passed: the speed of its time, sigma = ds/dt, so that speeds and accelerations
--- hold.
---
--- A path is sampled at even steps of its own time s. With u = dsigma/dt, a DOF moves at q' sigma and
--- accelerates by q'' sigma² + q' u, where q' and q'' are its derivatives by s. The two parts of the
--- acceleration get fixed shares of what it can: so sigma has a bound at each step, and so has its change,
--- and a pass forwards and one backwards find the greatest sigma that keeps both.
local timing = {}

--- The speed of time itself changes by at most so much a second.
timing.most_change = 4

--- The share of an acceleration for the path's curve; the rest is for changes of speed along it.
local curve_share = 0.6

--- The greatest sigma² at step k, and the greatest change of sigma a second.
local function bounds(path, k, share)
  local square, change = 1, timing.most_change
  for _, dof in ipairs(path.dofs) do
    local slope, curve = math.abs(dof.slope[k]), math.abs(dof.curve[k])
    if dof.velocity and slope > 1e-12 then square = math.min(square, (dof.velocity * share / slope) ^ 2) end
    local push = dof.acceleration and dof.acceleration * share * share
    if push and curve > 1e-12 then square = math.min(square, curve_share * push / curve) end
    if push and slope > 1e-12 then change = math.min(change, (1 - curve_share) * push / slope) end
  end
  return square, change
end

--- The speed of time at each step, from rest to rest, never above 1. `path`: { step (s), count, dofs = { {
--- slope, curve (numbers for each step), velocity, acceleration (per s and s², nil: without bound) } } };
--- `shares`: for each step, which share of the speeds (and, squared, of the accelerations) may be used.
function timing.speeds(path, shares)
  local squares, changes, speeds = {}, {}, {}
  for k = 1, path.count do squares[k], changes[k] = bounds(path, k, shares[k]) end
  squares[1], squares[path.count] = 0, 0
  for k = 2, path.count do
    local change = math.min(changes[k - 1], changes[k])
    squares[k] = math.min(squares[k], squares[k - 1] + 2 * path.step * change)
  end
  for k = path.count - 1, 1, -1 do
    local change = math.min(changes[k + 1], changes[k])
    squares[k] = math.min(squares[k], squares[k + 1] + 2 * path.step * change)
  end
  for k = 1, path.count do speeds[k] = math.sqrt(squares[k]) end
  return speeds
end

--- The times at which a path's steps are passed at these speeds, from 0.
function timing.times(path, speeds)
  local times = { 0 }
  for k = 1, path.count - 1 do
    times[k + 1] = times[k] + 2 * path.step / math.max(speeds[k] + speeds[k + 1], 1e-4)
  end
  return times
end

return timing
