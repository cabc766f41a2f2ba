--- The channels of an automaton: numbers that change over time within limits of position, velocity and
--- acceleration, joints (rad or m) and the parameters of a gait alike.
---
--- A channel's position q follows a reference r.  In every step its velocity, the difference (q' - q) / dt,
--- changes by at most acceleration * dt and stays within the limit, whatever the reference does; and q can
--- always stop before its bounds.  Where the reference keeps the limits itself, q equals it.
local channels = {}

--- The ratio of greatest to mean speed of a minimum-jerk motion, and of its greatest acceleration to
--- distance / seconds^2.
local peak_speed, peak_acceleration = 15 / 8, 10 / math.sqrt(3)

--- The shortest duration of a transition, s.
channels.least = 0.3

--- Greatest speed of a step from which a channel can stop within `distance`, braking by `a` in steps of dt.
--- Sums of whole steps need up to a dt^2 / 8 more than the parabola; a step that is short enough is the
--- last one.
local function stopping_speed(distance, a, dt)
  if distance <= 0 then return distance < 0 and -stopping_speed(-distance, a, dt) or 0 end
  local last = math.min(distance / dt, a * dt)
  local room, half = distance - a * dt * dt / 8, a * dt / 2
  return room > 0 and math.max(last, math.sqrt(half * half + 2 * a * room) - half) or last
end
channels.stopping_speed = stopping_speed

--- The velocity of the next step: towards the reference, which moves from `before` to `r`.
local function next_velocity(limit, q, v, before, r, dt)
  local a = limit.acceleration
  local exact, drift, off = (r - q) / dt, (r - before) / dt, before - q
  local wanted = exact
  if math.abs(exact - v) > a * dt or math.abs(exact - drift) > a * dt then
    local closing = math.min(stopping_speed(math.abs(off), a, dt), math.abs(off) / dt)
    wanted = drift + (off < 0 and -closing or closing)
  end
  wanted = math.max(-limit.velocity, math.min(limit.velocity, wanted))
  wanted = math.min(wanted, stopping_speed(limit.upper - q, a, dt))
  wanted = math.max(wanted, -stopping_speed(q - limit.lower, a, dt))
  return math.max(v - a * dt, math.min(v + a * dt, wanted))
end

--- A step of one channel.  Return its position and velocity.  One that is out of its bounds, as new limits
--- may have it, comes back within its speed.
function channels.step(limit, q, v, before, r, dt)
  local speed = next_velocity(limit, q, v, before, r, dt)
  local lower, upper = math.min(q, limit.lower), math.max(q, limit.upper)
  local at = math.max(lower, math.min(upper, q + speed * dt))
  return at, (at - q) / dt
end

--- Duration of a transition, s: the longest of all channels, each with its greatest speed (and acceleration)
--- within the limits, and at least `least`.  from, to: positions by name.  Also return the name that takes
--- longest; nil: the least duration is enough for all.
---@param limits table {lower, upper, velocity, acceleration} by name
---@param from table
---@param to table
---@param least? number s
---@return number seconds
---@return string? slowest
function channels.seconds(limits, from, to, least)
  local longest, slowest = least or channels.least, nil
  for name, limit in next, limits do
    local way = to[name] and math.abs(to[name] - from[name]) or 0
    local needed = math.max(way / limit.velocity * peak_speed,
      math.sqrt(way / limit.acceleration * peak_acceleration))
    if needed > longest or needed == longest and slowest and name < slowest then
      longest, slowest = needed, name
    end
  end
  return longest, slowest
end

--- The curves of a transition: share of the way at a share u of the time.
channels.curves = {
  linear = function(u) return u end,
  minimum_jerk = function(u) return u * u * u * (10 + u * (6 * u - 15)) end,
}

--- The greatest |w''| of the decay below, for its duration.
local decay_acceleration = 4

--- Position of a channel in a transition of `seconds` at `time`.  The velocity v at its beginning decays as
--- fast as the acceleration permits, along the quintic from (0, v, 0) to rest: a channel that moves fast is
--- not carried far by a transition that takes long.
function channels.between(curve, limit, q, v, r, time, seconds)
  local at = q + (r - q) * channels.curves[curve](math.min(1, time / seconds))
  local decay = math.min(seconds, decay_acceleration * math.abs(v) / limit.acceleration)
  if time >= decay then return at end
  local u = time / decay
  local rest = 1 - u
  return at + v * time * rest * rest * rest * (1 + 3 * u)
end

return channels
