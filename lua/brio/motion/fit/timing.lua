--- The timing of a path: the speed of its parameter, sigma = ds/dt, within limits of speed and acceleration.
---
--- A path is sampled at even steps of its own parameter s. With u = dsigma/dt, a DOF has the speed q' sigma
--- and the acceleration q'' sigma² + q' u, where q' and q'' are its derivatives by s. The two terms get fixed
--- shares of the acceleration limit: this bounds sigma and its change at each step, and a forward and a
--- backward pass find the maximum sigma within both.
local timing = {}

--- Maximum change of sigma, 1/s.
timing.most_change = 4

--- The share of an acceleration for the path's curvature; the rest is for changes of speed.
local curve_share = 0.6

--- The maximum sigma² at step k, and the maximum rate of change of sigma.
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

--- The speed sigma at each step, from rest to rest, at most 1. `path`: { step (s), count, dofs = { { slope,
--- curve (numbers for each step), velocity, acceleration (per s and s², nil: unlimited) } } }; `shares`: for
--- each step, the share of the speeds (and, squared, of the accelerations) that may be used.
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

--- The times of a path's steps with these speeds, from 0.
function timing.times(path, speeds)
  local times = { 0 }
  for k = 1, path.count - 1 do
    times[k + 1] = times[k] + 2 * path.step / math.max(speeds[k] + speeds[k + 1], 1e-4)
  end
  return times
end

return timing
