--- A path of joints through points, without a stop between them: positions at any time.
---
--- Between two points each joint follows a polynomial of degree five with the value, speed and acceleration
--- of both ends, so the path is continuous up to the acceleration.  At inner points these are those of the
--- cubic spline through all points (de Boor, "A Practical Guide to Splines", 1978, chapter IV), with rest
--- at both ends; with two points that is the path of minimum jerk (Flash and Hogan 1985).  If the spline
--- would leave a joint's range, speeds after Fritsch and Butland (1984) are used instead, which never
--- overshoot.  A path that would be too fast takes longer instead.
---
--- A joint that moves at the beginning brakes at the same time: its speed decreases smoothly to 0, added to
--- a path that is shifted by the braking distance.
local way = {}
local Way = {}
Way.__index = Way

--- Minimum time between points, s.
local shortest = 1e-3

--- Maximum share of the limits that a path uses: the motor control needs a reserve.
local hard = 0.9

--- Tolerance of limits of speed and acceleration.
local slack = 1 + 1e-9

-- Speeds and accelerations at points ------------------------------------------------------------------------

--- Speeds at the points of the cubic spline through `x` at times `t` that rests at both ends.
local function spline_speeds(t, x)
  local n = #x
  local v, c, d = { 0 }, { 0 }, { 0 }
  for k = 2, n - 1 do
    local before, after = t[k] - t[k - 1], t[k + 1] - t[k]
    local right = 3 * (before / after * (x[k + 1] - x[k]) + after / before * (x[k] - x[k - 1]))
    local middle = 2 * (before + after) - after * c[k - 1]
    c[k], d[k] = before / middle, (right - after * d[k - 1]) / middle
  end
  v[n] = 0
  for k = n - 1, 2, -1 do v[k] = d[k] - c[k] * v[k + 1] end
  return v
end

--- Accelerations of that spline at its inner points; 0 at its ends.
local function spline_accelerations(t, x, v)
  local a = { 0 }
  for k = 2, #x - 1 do
    local h = t[k + 1] - t[k]
    a[k] = (6 * (x[k + 1] - x[k]) / h - 4 * v[k] - 2 * v[k + 1]) / h
  end
  a[#x] = 0
  return a
end

--- Speeds without overshoot: 0 where the joint turns, else the harmonic mean of the slopes.
local function tame_speeds(t, x)
  local v = { 0 }
  for k = 2, #x - 1 do
    local h, g = t[k] - t[k - 1], t[k + 1] - t[k]
    local p, q = (x[k] - x[k - 1]) / h, (x[k + 1] - x[k]) / g
    local share = (h + 2 * g) / (3 * (h + g))
    v[k] = p * q > 0 and p * q / (share * q + (1 - share) * p) or 0
  end
  v[#x] = 0
  return v
end

--- The six coefficients of a piece of duration h, s, between two points, as a polynomial of the share of
--- its time.
local function piece(h, x0, x1, v0, v1, a0, a1)
  local dx, p, q, r, s = x1 - x0, v0 * h, v1 * h, a0 * h * h / 2, a1 * h * h / 2
  return { x0, p, r, 10 * dx - 6 * p - 4 * q - 3 * r + s, -15 * dx + 8 * p + 7 * q + 3 * r - 2 * s,
    6 * dx - 3 * p - 3 * q - r + s }
end

local function value_of(c, u) return c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * (c[5] + u * c[6])))) end

local function speed_of(c, u, h)
  return (c[2] + u * (2 * c[3] + u * (3 * c[4] + u * (4 * c[5] + u * 5 * c[6])))) / h
end

local function acceleration_of(c, u, h)
  return (2 * c[3] + u * (6 * c[4] + u * (12 * c[5] + u * 20 * c[6]))) / (h * h)
end

--- The pieces of one joint.
local function pieces_of(t, x, v, a)
  local made = {}
  for k = 1, #x - 1 do made[k] = piece(t[k + 1] - t[k], x[k], x[k + 1], v[k], v[k + 1], a[k], a[k + 1]) end
  return made
end

--- The largest distance by which the pieces leave a range, sampled at a few places of each.
local function beyond(pieces, lower, upper)
  local most = 0
  for _, c in ipairs(pieces) do
    for place = 1, 7 do
      local x = value_of(c, place / 8)
      most = math.max(most, lower - x, x - upper)
    end
  end
  return most
end

local function zeros(count)
  local list = {}
  for k = 1, count do list[k] = 0 end
  return list
end

local function joint_pieces(self, x, dof, said)
  local t = self.times
  if said then return pieces_of(t, x, said.v, said.a) end
  local v = spline_speeds(t, x)
  local made = pieces_of(t, x, v, spline_accelerations(t, x, v))
  local lower, upper = math.min(dof.lower, table.unpack(self.ends)),
    math.max(dof.upper, table.unpack(self.ends))
  if #x > 2 and beyond(made, lower, upper) > 1e-9 then
    made = pieces_of(t, x, tame_speeds(t, x), zeros(#x))
  end
  return made
end

-- Braking ---------------------------------------------------------------------------------------------------

--- The distance until time t of a joint of speed v that comes to rest within `within` s.
local function braked(v, within, t)
  local u = math.min(t / within, 1)
  return v * within * (u - u ^ 3 + u ^ 4 / 2)
end

local function braked_speed(v, within, t)
  local u = t / within
  return u < 1 and v * (1 - 3 * u * u + 2 * u ^ 3) or 0
end

-- Making ----------------------------------------------------------------------------------------------------

--- The pieces of all joints, each through its points minus the braking distance.
local function make_pieces(self)
  for d, dof in ipairs(self.dofs) do
    local x = {}
    for k, point in ipairs(self.points) do
      x[k] = point[d] - braked(self.speeds[d], self.within, self.times[k])
    end
    self.ends = { x[1], x[#x] }
    self.pieces[d] = joint_pieces(self, x, dof, self.said and self.said[d])
  end
end

--- The factor by which the path must be slowed so that no joint exceeds `share` of its limits.
local function stretch(self, share)
  local most, which, places = 0, nil, #self.points > 40 and 4 or 8
  for d, dof in ipairs(self.dofs) do
    for k, c in ipairs(self.pieces[d]) do
      local h = self.times[k + 1] - self.times[k]
      for place = 0, places do
        local v, a = math.abs(speed_of(c, place / places, h)), math.abs(acceleration_of(c, place / places, h))
        local need = math.max(v / (share * dof.velocity), math.sqrt(a / (share * dof.acceleration)))
        if need > most then most, which = need, dof.name end
      end
    end
  end
  return most, which
end

local function scale_times(self, by)
  for k = 2, #self.times do self.times[k] = self.times[k] * by end
  for _, said in ipairs(self.said or {}) do
    for k = 1, #self.times do said.v[k], said.a[k] = said.v[k] / by, said.a[k] / (by * by) end
  end
end

--- Default times between points: the longest time that any joint needs at its maximum speed.
local function natural_times(points, dofs)
  local times = { 0 }
  for k = 2, #points do
    local need = shortest
    for d, dof in ipairs(dofs) do
      need = math.max(need, math.abs(points[k][d] - points[k - 1][d]) / math.min(dof.velocity, 1e6))
    end
    times[k] = times[k - 1] + need
  end
  return times
end

--- The given times, made strictly increasing.
local function rising(times)
  local made = { 0 }
  for k = 2, #times do made[k] = made[k - 1] + math.max(shortest, times[k] - times[k - 1]) end
  return made
end

--- Make a path: {dofs = list of {name, lower, upper, velocity, acceleration}, points = list of lists of
--- values, the first being the present positions; [times = of the points, s; free = whether these are only
--- shares of the total; seconds = total; speed = share of the limits if neither is given (0.5); speeds = of
--- the joints now; said = {v, a of each point} by joint, in place of a spline's]}.  It never exceeds the
--- limits: `way.seconds` may be longer than requested, and `way.slowest` then names the joint.
function way.through(parts)
  local self = setmetatable({ dofs = parts.dofs, points = parts.points, pieces = {}, said = parts.said,
    at_piece = 1 }, Way)
  self.times = parts.times and rising(parts.times) or natural_times(parts.points, parts.dofs)
  self.speeds = parts.speeds or zeros(#parts.dofs)
  local still = zeros(#parts.dofs)
  local speeds, asked = self.speeds, parts.seconds or parts.times and not parts.free
    and self.times[#self.times] or nil
  self.speeds, self.within = still, 1
  make_pieces(self)
  local need, slowest = stretch(self, asked and hard or parts.speed or 0.5)
  local whole = self.times[#self.times]
  local seconds = math.max(asked or 0, whole * need / slack, shortest * #parts.points)
  if asked and seconds > asked * slack then self.slowest = slowest end
  scale_times(self, seconds / whole)
  self.speeds, self.within = speeds, 0.1
  for d, dof in ipairs(parts.dofs) do
    self.within = math.max(self.within, 1.6 * math.abs(speeds[d]) / (0.9 * dof.acceleration))
  end
  self.seconds = math.max(self.times[#self.times], self.within)
  make_pieces(self)
  return self
end

-- Evaluation ------------------------------------------------------------------------------------------------

--- The piece at a time, and the share of it.
local function place_of(self, t)
  local times, k = self.times, self.at_piece
  while k > 1 and t < times[k] do k = k - 1 end
  while k < #times - 1 and t >= times[k + 1] do k = k + 1 end
  self.at_piece = k
  local h = times[k + 1] - times[k]
  return k, math.max(0, math.min(1, (t - times[k]) / h)), h
end

--- Position of joint number d at time t, s.
function Way:value(d, t)
  local k, u = place_of(self, t)
  local x = value_of(self.pieces[d][k], u)
  if self.speeds[d] ~= 0 then x = x + braked(self.speeds[d], self.within, t) end
  local dof = self.dofs[d]
  return math.max(dof.lower, math.min(dof.upper, x))
end

--- Its speed there.
function Way:speed(d, t)
  local k, u, h = place_of(self, t)
  return speed_of(self.pieces[d][k], u, h) + braked_speed(self.speeds[d], self.within, t)
end

--- Position of joint number d at the end.
function Way:last(d) return self.points[#self.points][d] end

return way
