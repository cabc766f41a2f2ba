--- The eyes of a gaze: saccades, smooth pursuit, vergence, and the vestibulo-ocular reflex.
---
--- They are moved by objectives of the solver, a look_at for each eye, with the goal in the frame of the head
--- that carries them: so an eye never pulls the head along, and the limits of its joints apply.  The target
--- is known in the world; the pose of the head in this tick is predicted from its last two poses, whoever
--- moves it, and the target is converted to that frame.  So the eyes counter-rotate in the same tick in which
--- the head turns.
---
--- The solver evaluates the pose in which a joint would come to rest, so an eye lags its goal by its braking
--- distance.  The goal is moved ahead by that distance, as in the objective joint_follow.
---
--- Eyes outside the kinematic tree have no objectives: a live source in the mixer's first stage sets their
--- DOFs.
local foresight = require "brio.character.gaze.foresight"
local vector = require "brio.character.gaze.vector"

local angle, between, turn, back = vector.angle, vector.between, vector.turn, vector.back

local eyes = {}
local Eyes = {}
Eyes.__index = Eyes

--- The main sequence of human saccades: a duration of 21 ms plus 2.2 ms a degree.  Carpenter, "Movements of
--- the Eyes", 1988; the law's name and shape: Bahill, Clark and Stark, Mathematical Biosciences 24, 1975.
eyes.base, eyes.slope = 0.021, 2.2e-3 * 180 / math.pi

--- Maximum speed of pursuit, rad/s (100 deg/s: Meyer, Lasker and Robinson, Vision Research 25, 1985); error
--- above which a catch-up saccade follows, rad (2 deg; our choice); minimum interval between saccades, s.
eyes.pursuit, eyes.catch_up, eyes.refractory = 1.75, 0.035, 0.1

--- Vergence is slower than saccades: its time constant, s.  (Robinson, "Eye movement control in primates",
--- Science 161, 1968)
eyes.vergence = 0.08

--- A nearer target is treated as at this distance, m; one nearer than `inside` has no direction.
eyes.nearest, eyes.inside = 0.12, 0.03

--- Duration of a saccade of `amplitude` rad, s: that of a human one, or longer if the eyes are slower.  A
--- minimum-jerk step over A in T has a peak speed of 1.875 A/T and a peak acceleration of 5.774 A/T^2.
function eyes.duration(amplitude, speed, acceleration)
  return math.max(eyes.base + eyes.slope * amplitude, 1.875 * amplitude / speed,
    math.sqrt(5.774 * amplitude / acceleration))
end

--- Make them for a host: `said` is the eyes' part of body.lua, `aim(name, kind, arguments)` adds an
--- objective.
function eyes.new(host, said, aim)
  local self = setmetatable({ host = host, said = said, slots = {}, goal = { 0, 0, 0 }, inverse = 0.5 }, Eyes)
  self.head = foresight.new(host, said.carrier)
  self.speed, self.acceleration = 0.9 * said.speed, 0.9 * said.acceleration
  for index, link in ipairs(said.links or {}) do
    self.slots[index] = aim(link, "look_at",
      { link = link, target = said.carrier, axis = said.axis, up = said.up, roll = 0 })
  end
  return self
end

--- A direction in the head, limited to the eyes' range; and whether it was within it.
local function within_range(self, x, y, z)
  local said = self.said
  local yaw, pitch = vector.bearing(x, y, z)
  local held_yaw = vector.clamp(yaw, -said.yaw, said.yaw)
  local held_pitch = vector.clamp(pitch, -said.fall, said.rise)
  if held_yaw == yaw and held_pitch == pitch then return x, y, z, false end
  x, y, z = vector.direction(held_yaw, held_pitch)
  return x, y, z, true
end

-- Directions -----------------------------------------------------------------------------------------

--- The direction of the target in the world, limited to the eyes' range, from their center.
local function sight(self, x, y, z)
  local m, q, p = self.said.middle, self.head.q, self.head.p
  local cx, cy, cz = turn(q, m[1], m[2], m[3])
  cx, cy, cz = cx + p[1], cy + p[2], cz + p[3]
  self.cx, self.cy, self.cz = cx, cy, cz
  if x then
    local ux, uy, uz, distance = vector.unit(x - cx, y - cy, z - cz)
    if ux and distance >= eyes.inside then
      self.ux, self.uy, self.uz, self.distance = ux, uy, uz, math.max(distance, eyes.nearest)
    end
  end
  if not self.ux then
    self.ux, self.uy, self.uz = turn(q, 1, 0, 0)
    self.distance = 2
  end
  local hx, hy, hz, held = within_range(self, back(q, self.ux, self.uy, self.uz))
  self.held = held
  return turn(q, hx, hy, hz)
end

local function begin_saccade(self, now, amplitude)
  self.fx, self.fy, self.fz = self.dx, self.dy, self.dz
  self.began, self.lasts = now, eyes.duration(amplitude, self.speed, self.acceleration)
  self.saccades = (self.saccades or 0) + 1
end

--- Move the direction of the eyes to the target by a saccade, in pursuit, or at once if only the head moves.
local function go(self, now, dt, gx, gy, gz, shift)
  if not self.dx then self.dx, self.dy, self.dz = turn(self.head.q, 1, 0, 0) end
  local off = angle(self.dx, self.dy, self.dz, gx, gy, gz)
  local due = not self.began and off > eyes.catch_up and now - (self.ended or -1) >= eyes.refractory
  if (shift or due) and off > 1e-4 then begin_saccade(self, now, off) end
  if self.began then
    local share = (now + dt - self.began) / self.lasts
    if share < 1 then
      local s = share * share * share * (10 - share * (15 - 6 * share))
      self.dx, self.dy, self.dz = between(self.fx, self.fy, self.fz, gx, gy, gz, s)
      return
    end
    self.began, self.ended = nil, now
    self.dx, self.dy, self.dz = gx, gy, gz
  -- as the head turns; a target that passes behind moves them from one end to the other at limited speed
  elseif self.held then
    self.dx, self.dy, self.dz = vector.towards(self.dx, self.dy, self.dz, gx, gy, gz, self.speed * dt)
  else
    self.dx, self.dy, self.dz = vector.towards(self.dx, self.dy, self.dz, gx, gy, gz, eyes.pursuit * dt)
  end
end

--- The braking distance of an axis with this step, in whole ticks at maximum deceleration.
local function way_to_stop(step, most, unit)
  local size = math.min(math.abs(step), most)
  local ticks = math.floor(size / unit)
  local way = ticks * size - unit * ticks * (ticks + 1) / 2
  return step < 0 and -way or way
end

--- Move a direction in the head ahead by the braking distances of the eyes' axes, tilt and then pan, at the
--- present step.
local function led(self, dt, x, y, z)
  local pan, tilt = math.asin(vector.clamp(y, -1, 1)), math.atan(z, x)
  local last_pan, last_tilt = self.pan or pan, self.tilt or tilt
  self.pan, self.tilt = pan, tilt
  local most, unit = self.said.speed * dt, self.said.acceleration * dt * dt
  pan, tilt = pan + way_to_stop(pan - last_pan, most, unit), tilt + way_to_stop(tilt - last_tilt, most, unit)
  return within_range(self, math.cos(pan) * math.cos(tilt), math.sin(pan), math.cos(pan) * math.sin(tilt))
end

--- Set the direction of the eyes: a direction in the head.
local function tell(self, dt, x, y, z, weight)
  local m, far, goal = self.said.middle, 1 / self.inverse, self.goal
  if #self.slots == 0 then return self:say(x * far, y * far, z * far, weight) end
  x, y, z = led(self, dt, x, y, z)
  goal[1], goal[2], goal[3] = m[1] + x * far, m[2] + y * far, m[3] + z * far
  for _, slot in ipairs(self.slots) do
    self.host.solver:goal(slot, goal)
    self.host.solver:weight(slot, weight * self.said.weight, 0.02)
  end
end

--- Set the DOFs of eyes outside the tree, which look at a point seen from their center.
function Eyes:say(x, y, z, weight)
  local said, tracks, m = self.said, self.host.tracks, self.said.middle
  local playing = self.playing
  if weight == 0 then
    if playing then tracks:stop_source(playing, 0.2) end
    self.playing = nil
    return
  end
  if not playing or tracks.playing[playing.source] ~= playing then
    self.playing = tracks:live("gaze", { stage = "merge", owner = "autonomy", faculty = "gaze" })
    if not self.playing then return end
  end
  for _, row in ipairs(said.pan) do
    local at = row.at or m
    local yaw = vector.bearing(x + m[1] - at[1], y + m[2] - at[2], z + m[3] - at[3])
    tracks:say_value(self.playing, row.dof, yaw * (row.scale or 1))
  end
  local _, pitch = vector.bearing(x, y, z)
  for _, row in ipairs(said.tilt or {}) do
    tracks:say_value(self.playing, row.dof, pitch * (row.scale or 1))
  end
end

--- Work of a tick: look at the point x, y, z of the world (nil: straight ahead), by a saccade if the target
--- has changed; with weight 0 they rest.
function Eyes:work(now, dt, x, y, z, shift, weight)
  self.head:look()
  local gx, gy, gz = sight(self, x, y, z)
  go(self, now, dt, gx, gy, gz, shift)
  self.inverse = self.inverse + (1 - math.exp(-dt / eyes.vergence)) * (1 / self.distance - self.inverse)
  local hx, hy, hz = within_range(self, back(self.head.q, self.dx, self.dy, self.dz))
  tell(self, dt, hx, hy, hz, weight)
end

--- Release, smoothly; `work` starts again.
function Eyes:stop()
  for _, slot in ipairs(self.slots) do self.host.solver:weight(slot, 0, 0.1) end
  if self.playing then self:say(1, 0, 0, 0) end
  self.pan, self.tilt, self.dx, self.began, self.ux = nil, nil, nil, nil, nil
  self.head:forget()
end

return eyes
