--- Slows motions down that a robot cannot follow: the same path of its DOFs, limited to their ranges, with a
--- timing that keeps speeds and accelerations everywhere. A motion begins and ends at rest.
local clip = require "brio.formats.clip"
local simplify = require "brio.motion.simplify"
local timing = require "brio.motion.fit.timing"

local retime = {}

--- Interval between the samples of a path, s; maximum number of samples.
local step, most_steps = 0.01, 200000

--- Shares of the tolerance: for the path, and for keys before and after it.
local path_share, key_share = 0.7, 0.15

--- Number of smoothing passes of a path: over about 0.05 s.
local smoothings = 20

--- Share of the limits that is used at first, and how often it is reduced where the keys exceed the limits.
local aim, rounds = 0.98, 16

--- Maximum number of passes that move a path further inside its range where its keys overshoot.
local end_rounds = 6

--- Where a DOF exceeds its range, values near the end are compressed: the width of that zone as a share of
--- the range, and its maximum.
local knee_share, most_knee = 0.05, 0.05

--- A finite limit, or nil.
local function bound(value) return value and value < math.huge and value > 0 and value or nil end

-- Ends ------------------------------------------------------------------------------------------------

--- A value limited to `upper`: within `knee` below it, it approaches it asymptotically.
local function kept_below(value, upper, knee)
  local over = value - (upper - knee)
  if over <= 0 then return value end
  local x = math.exp(-2 * over / knee)
  return upper - knee + knee * (1 - x) / (1 + x)
end

--- Limit a DOF's values to its range, reduced by `inside`. Return whether one was beyond, and the largest
--- change.
local function keep_within(values, dof, inside)
  inside = math.min(inside, ((dof.upper or math.huge) - (dof.lower or -math.huge)) / 4)
  local upper, lower = (dof.upper or math.huge) - inside, (dof.lower or -math.huge) + inside
  local knee = math.min(most_knee, knee_share * (upper - lower))
  local above, below, worst = -math.huge, math.huge, 0
  for _, value in ipairs(values) do above, below = math.max(above, value), math.min(below, value) end
  for k, value in ipairs(values) do
    if above > upper then value = kept_below(value, upper, knee) end
    if below < lower then value = -kept_below(-value, -lower, knee) end
    worst, values[k] = math.max(worst, math.abs(values[k] - value)), value
  end
  return above > upper + inside or below < lower - inside, worst
end

-- Paths -----------------------------------------------------------------------------------------------

--- The cubic between two keys: values and slopes at both, and its duration.
local function cubic(a, b)
  return a[2], a.out[2] / a.out[1], b[2], b.into[2] / b.into[1], b[1] - a[1]
end

local function value_of(a, b, t)
  local p0, m0, p1, m1, h = cubic(a, b)
  local x = (t - a[1]) / h
  local x2 = x * x
  local x3 = x2 * x
  return (2 * x3 - 3 * x2 + 1) * p0 + (x3 - 2 * x2 + x) * h * m0 + (3 * x2 - 2 * x3) * p1 + (x3 - x2) * h * m1
end

--- The values of keys at even steps from `first` on; constant before the first and after the last key.
local function sampled(keys, first, count)
  local values, at = {}, 1
  for k = 1, count do
    local t = first + (k - 1) * step
    while at < #keys - 1 and keys[at + 1][1] < t do at = at + 1 end
    if t <= keys[1][1] or #keys == 1 then values[k] = keys[1][2]
    elseif t >= keys[#keys][1] then values[k] = keys[#keys][2]
    else values[k] = value_of(keys[at], keys[at + 1], t) end
  end
  return values
end

--- Smooth even samples, with a maximum change `most`: jitter of a camera is not motion.
local function smoothed(values, most)
  local made, count = table.move(values, 1, #values, 1, {}), #values
  for _ = 1, smoothings do
    local before = made[1]
    for k = 2, count - 1 do
      local value = (before + 2 * made[k] + made[k + 1]) / 4
      before = made[k]
      made[k] = math.max(values[k] - most, math.min(values[k] + most, value))
    end
  end
  return made
end

--- Derivatives of even samples by their own time.
local function derivatives(values)
  local slope, curve, count = {}, {}, #values
  for k = 1, count do
    local before, after = values[k - 1] or values[k], values[k + 1] or values[k]
    slope[k] = (after - before) / ((values[k - 1] and values[k + 1]) and 2 * step or step)
    curve[k] = (values[k - 1] and values[k + 1]) and (after - 2 * values[k] + before) / (step * step) or 0
  end
  return slope, curve
end

--- The time span common to all rows.
local function span_of(rows)
  local first, last = math.huge, -math.huge
  for _, row in ipairs(rows) do
    first, last = math.min(first, row.samples[1][1]), math.max(last, row.samples[#row.samples][1])
  end
  return first, last
end

local function path_of(rows, tolerance)
  local first, last = span_of(rows)
  local count = math.max(2, math.ceil((last - first) / step - 1e-6) + 1)
  if count > most_steps then
    clip.fail(nil, "it lasts %.0f s, and up to %.0f s can be fitted: take a part of it", last - first,
      most_steps * step)
  end
  local path = { step = step, count = count, first = first, dofs = {} }
  for index, row in ipairs(rows) do
    local values = sampled(simplify.keys(row.samples, key_share * tolerance), first, count)
    row.beyond, row.off = keep_within(values, row.dof, row.inside)
    values = smoothed(values, path_share * tolerance)
    local slope, curve = derivatives(values)
    path.dofs[index] = { name = row.dof.name, values = values, slope = slope, curve = curve,
      velocity = bound(row.dof.velocity), acceleration = bound(row.dof.acceleration) }
  end
  return path
end

-- Keys ------------------------------------------------------------------------------------------------

--- Keys of a DOF's values at times, with a rest before and after, so that the speed at both ends is 0.
local function keys_of(values, times, tolerance)
  local samples = { { 0, values[1] } }
  for k, t in ipairs(times) do samples[k + 1] = { t + 2 * step, values[k] } end
  samples[#samples + 1] = { times[#times] + 4 * step, values[#values] }
  return simplify.keys(samples, key_share * tolerance)
end

--- The maximum overshoot of keys beyond a DOF's range, at ten points of each interval.
local function beyond_ends(keys, dof)
  local most = 0
  for place = 1, #keys - 1 do
    local a, b = keys[place], keys[place + 1]
    for tenth = 0, 10 do
      local value = value_of(a, b, a[1] + tenth / 10 * (b[1] - a[1]))
      most = math.max(most, value - (dof.upper or math.huge), (dof.lower or -math.huge) - value)
    end
  end
  return most
end

--- The maximum share of a DOF's limits that the cubic between two keys uses: 1 is all. Accelerations count by
--- their root: slowing down by a factor divides speeds by it, and accelerations by its square.
local function use_of(dof, a, b)
  local p0, m0, p1, m1, h = cubic(a, b)
  local a0 = (6 * (p1 - p0) - 4 * h * m0 - 2 * h * m1) / (h * h)
  local a1 = (-6 * (p1 - p0) + 2 * h * m0 + 4 * h * m1) / (h * h)
  local speed = math.max(math.abs(m0), math.abs(m1))
  if a0 * a1 < 0 then speed = math.max(speed, math.abs(m0 + h * a0 * a0 / (2 * (a0 - a1)))) end
  local by_speed = dof.velocity and speed / dof.velocity or 0
  local by_push = dof.acceleration and math.sqrt(math.max(math.abs(a0), math.abs(a1)) / dof.acceleration) or 0
  return math.max(by_speed, by_push)
end

--- Reduce the shares of the limits where keys exceed them; return the maximum use.
local function lessen(path, times, tracks, shares)
  local most, factors = 0, {}
  for index, keys in ipairs(tracks) do
    local k = 1
    for place = 1, #keys - 1 do
      local used = use_of(path.dofs[index], keys[place], keys[place + 1])
      most = math.max(most, used)
      while k < path.count and times[k] + 2 * step < keys[place][1] do k = k + 1 end
      local at = math.max(1, k - 3)
      while used > 1 and at <= path.count and (times[at] or 0) < keys[place + 1][1] + step do
        factors[at], at = math.max(factors[at] or 1, used), at + 1
      end
    end
  end
  for k, used in next, factors do shares[k] = shares[k] * 0.99 / used end
  return most
end

--- Stretch the times of keys by a factor.
local function stretch(keys, factor)
  for _, key in ipairs(keys) do
    key[1] = key[1] * factor
    for _, side in ipairs { "into", "out" } do
      if key[side] then key[side][1] = key[side][1] * factor end
    end
  end
end

--- Times and keys of a path within the limits.
local function solve(path, tolerance)
  local shares, times, speeds, tracks, most = {}, nil, nil, nil, nil
  for k = 1, path.count do shares[k] = aim end
  for _ = 1, rounds do
    speeds = timing.speeds(path, shares)
    times, tracks = timing.times(path, speeds), {}
    for index, dof in ipairs(path.dofs) do tracks[index] = keys_of(dof.values, times, tolerance) end
    most = lessen(path, times, tracks, shares)
    if most <= 1 then return times, speeds, tracks, 1 end
  end
  for _, keys in ipairs(tracks) do stretch(keys, most) end
  return times, speeds, tracks, most
end

--- Solve a path of rows within the limits: if a row's keys overshoot its range, its path is moved further
--- inside.
local function solve_within(rows, tolerance)
  for round = 1, end_rounds do
    local path, most = path_of(rows, tolerance), 0
    local times, speeds, tracks, factor = solve(path, tolerance)
    for index, row in ipairs(rows) do
      row.keys = tracks[index]
      local over = beyond_ends(row.keys, row.dof)
      if over > 0 then row.inside, most = row.inside + 1.5 * over + 1e-4, math.max(most, over) end
    end
    if most == 0 or round == end_rounds then return path, times, speeds, factor end
  end
end

-- Notes -----------------------------------------------------------------------------------------------

--- The DOF that uses most of its limits at a step of the path with a given speed, and which limit.
local function tightest(path, k, speed)
  local name, what, most = nil, nil, 0
  for _, dof in ipairs(path.dofs) do
    local by_speed = dof.velocity and math.abs(dof.slope[k]) * speed / dof.velocity or 0
    local by_push = dof.acceleration and math.abs(dof.curve[k]) * speed * speed / dof.acceleration or 0
    if by_speed > most then name, what, most = dof.name, "speed", by_speed end
    if by_push > most then name, what, most = dof.name, "acceleration", by_push end
  end
  return name, what
end

--- The slowest step of a path, except near its ends, where it is slow in any case.
local function slowest(path, speeds)
  local margin, best = math.min(math.ceil(1 / timing.most_change / step), path.count // 4 + 1), nil
  for k = margin, path.count - margin do
    if not best or speeds[k] < speeds[best] then best = k end
  end
  return best and speeds[best] < 0.99 and best or nil
end

local function note_slowing(notes, path, speeds, lasts, robot)
  local before, k = (path.count - 1) * step, slowest(path, speeds)
  if not k then
    return clip.note(notes, "%s can follow it everywhere; from rest to rest it takes %.2f s", robot, lasts)
  end
  local name, what = tightest(path, k, speeds[k])
  clip.note(notes, "fitted to %s: it takes %.2f s instead of %.2f s", robot, lasts, before)
  clip.note(notes, "it is slowest at %.2f s, at %.0f %% of its speed, for the %s of %s",
    path.first + (k - 1) * step, 100 * speeds[k], what or "limits", name or "a DOF")
end

-- All together ----------------------------------------------------------------------------------------

--- A function from an old time to the new one.
local function warp_of(path, times, factor)
  return function(t)
    local at = math.max(0, math.min(path.count - 1, (t - path.first) / step))
    local k = math.min(math.floor(at) + 1, path.count - 1)
    return factor * (2 * step + times[k] + (at - (k - 1)) * (times[k + 1] - times[k]))
  end
end

--- Fit rows, { dof (of a description), samples = { { t, value }, ... } }, to their robot. Each row's `keys`
--- are set to the keys of a sequence from 0 s on. Return a function from times of the samples to times of the
--- keys; changes are added to `notes`.
function retime.rows(rows, robot, tolerance, notes)
  for _, row in ipairs(rows) do row.inside = tolerance end
  local path, times, speeds, factor = solve_within(rows, tolerance)
  for _, row in ipairs(rows) do
    if row.beyond then
      clip.note(notes, "%s is kept within its ends: it is off by %.3g at most", row.dof.name, row.off)
    end
    local over = beyond_ends(row.keys, row.dof)
    if over > 0 then clip.note(notes, "%s swings %.3g beyond its end: it stops there", row.dof.name, over) end
  end
  note_slowing(notes, path, speeds, factor * (times[#times] + 4 * step), robot)
  return warp_of(path, times, factor)
end

--- The minimum duration of a minimum-jerk lead from rest to rest over `way` that a DOF can follow, s (its
--- peak speed is 15/8 of the mean one, its peak acceleration 10/sqrt(3) times way / time²).
function retime.lead(dof, way)
  local speed, push = bound(dof.velocity), bound(dof.acceleration)
  return math.max(speed and 1.875 * math.abs(way) / speed or 0,
    push and math.sqrt(10 / math.sqrt(3) * math.abs(way) / push) or 0) * 1.001
end

return retime
