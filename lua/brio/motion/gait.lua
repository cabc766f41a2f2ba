--- Trajectories of walking: the poses of both feet and of the body over time, for a queue of steps.
---
--- A step has two phases. In its transfer the body moves towards the standing foot; in its swing the other
--- foot is lifted, carried and set down, along minimum-jerk curves, and the body moves between the feet. In
--- each phase the body follows a cubic that begins with the final speed of the phase before. This is
--- kinematics, without forces.
local geometry = require "brio.lib.geometry"

local gait = {}
local Gait = {}
Gait.__index = Gait

--- Share of a swing at its beginning, and at its end, in which the foot moves only vertically.
local upright = 0.12

--- Maximum sideways deviation of a swinging foot, m.
local most_bow = 0.08

--- Share of the distance to the standing foot's center that the body moves in a transfer.
local sway = 0.6

local other = { left = "right", right = "left" }

--- Minimum jerk from 0 to 1.
local function smooth(u)
  u = math.max(0, math.min(1, u))
  return u * u * u * (10 + u * (6 * u - 15))
end

local function mix(a, b, s) return a + s * (b - a) end

--- The yaw of a pose: the direction of its x axis in the plane.
function gait.yaw(pose)
  local ahead = geometry.turn(pose.orientation or { 0, 0, 0, 1 }, { 1, 0, 0 })
  return math.atan(ahead[2], ahead[1])
end

local function wrap(angle) return (angle + math.pi) % (2 * math.pi) - math.pi end

--- A gait that stands. `feet`: {left = pose, right = pose} of the soles. `body`: {height = of the pelvis
--- above them, hip = half the distance between the feet, hips = {left = point, right = point}: origins of the
--- legs in the pelvis, leg = maximum length of a leg, lift = height of lifted feet}, m. `at`: pose of the
--- pelvis; nil: upright between the feet.
function gait.new(feet, body, at)
  local self = setmetatable({ feet = { left = feet.left, right = feet.right }, body = body, queue = {},
    rate = { 0, 0, 0, 0 }, sink = 0 }, Gait)
  self.place = self:between("left", self.feet, 0.5)
  if at then self.place = { at.position[1], at.position[2], at.position[3], gait.yaw(at) } end
  return self
end

--- Maximum height (m) of the pelvis at `place`, {x, y, z, yaw}, for which both legs reach `feet`.
function Gait:highest(place, feet)
  local c, s, highest = math.cos(place[4]), math.sin(place[4]), math.huge
  for side, foot in next, feet do
    local hip, p = self.body.hips[side], foot.position
    local x, y = place[1] + c * hip[1] - s * hip[2] - p[1], place[2] + s * hip[1] + c * hip[2] - p[2]
    local up = self.body.leg ^ 2 - x * x - y * y
    highest = math.min(highest, p[3] + math.sqrt(math.max(0.01, up)) - hip[3])
  end
  return highest
end

--- The body's pose between the feet: {x, y, z, yaw}, at `share` of the distance from the foot on one side to
--- the other.
function Gait:between(side, feet, share)
  local a, b = feet[side], feet[other[side]]
  local p, q, yaw = a.position, b.position, gait.yaw(a)
  local place = { mix(p[1], q[1], share), mix(p[2], q[2], share), 0, yaw + wrap(gait.yaw(b) - yaw) / 2 }
  place[3] = math.min(self:highest(place, feet), mix(p[3], q[3], share) + self.body.height)
  return place
end

--- Lower the body by this much below its upright height, m. It applies at once: the caller changes it slowly.
function Gait:lower(sink) self.sink = sink end

--- Whether it walks.
function Gait:walks() return self.step ~= nil or #self.queue > 0 end

--- Append steps, a list of {side, pose = goal of the sole, transfer, swing (s)}.
function Gait:add(steps)
  for _, step in ipairs(steps) do self.queue[#self.queue + 1] = step end
end

--- Drop the steps after the current one for which `which(step)` is true (nil: all).
function Gait:drop_waiting(which)
  local kept = {}
  for _, step in ipairs(self.queue) do
    if which and not which(step) then kept[#kept + 1] = step end
  end
  self.queue = kept
end

--- Drop the steps that have not begun, for which `which(step)` is true (nil: all). A step begins with its
--- swing.
function Gait:drop(which)
  self:drop_waiting(which)
  if self.step and self.phase == "transfer" and (not which or which(self.step)) then
    self.step = nil
    if #self.queue == 0 then self:square() end
  end
end

--- Poses of the feet after all steps: {left =, right =}.
function Gait:ends()
  local feet = { left = self.feet.left, right = self.feet.right }
  if self.step then feet[self.step.side] = self.step.pose end
  for _, step in ipairs(self.queue) do feet[step.side] = step.pose end
  return feet
end

--- Move the body to `place`, {x, y, z, yaw}, within `seconds`; `rate` is its final speed, in m/s and rad/s.
local function head_for(self, place, seconds, rate)
  self.from, self.from_rate = self.place, self.rate
  place[4] = self.place[4] + wrap(place[4] - self.place[4])
  self.to, self.to_rate, self.time, self.seconds = place, rate, 0, seconds
end

--- Speed of the body at the border of two phases: half the mean speed from a to b within `seconds`.
local function rate_between(a, b, seconds)
  if seconds <= 0 then return { 0, 0, 0, 0 } end
  local rate = {}
  for i = 1, 4 do rate[i] = 0.5 * ((i < 4 and b[i] - a[i] or wrap(b[4] - a[4])) / seconds) end
  return rate
end

local phases = {}

--- Maximum sideways deviation of a swinging foot, to pass the standing one: x and y, m.
local function bow_of(self)
  local stands, a, b = self.feet[other[self.step.side]], self.lifted.position, self.step.pose.position
  local yaw, out = gait.yaw(stands), self.step.side == "left" and 1 or -1
  local x, y = (a[1] + b[1]) / 2 - stands.position[1], (a[2] + b[2]) / 2 - stands.position[2]
  local beside = out * (math.cos(yaw) * y - math.sin(yaw) * x)
  local bow = out * math.max(0, math.min(most_bow, 2 * self.body.hip - beside))
  return -math.sin(yaw) * bow, math.cos(yaw) * bow
end

--- The feet after a step.
local function after_step(feet, step)
  local after = { left = feet.left, right = feet.right }
  after[step.side] = step.pose
  return after
end

--- The body moves towards the standing foot.
function phases.transfer(self, step)
  local over = self:between(step.side, self.feet, 0.5 + sway / 2)
  local next_place = self:between(step.side, after_step(self.feet, step), 0.5)
  head_for(self, over, step.transfer, rate_between(self.place, next_place, step.transfer + step.swing))
end

--- The foot is carried.
function phases.swing(self, step)
  local feet, following, rate = after_step(self.feet, step), self.queue[1], { 0, 0, 0, 0 }
  self.lifted = self.feet[step.side]
  self.bow = { bow_of(self) }
  if following then
    local over = self:between(following.side, feet, 0.5 + sway / 2)
    rate = rate_between(self.place, over, step.swing + following.transfer)
  end
  head_for(self, self:between(step.side, feet, 0.5), step.swing, rate)
end

local function begin_phase(self, phase)
  self.phase = phase
  phases[phase](self, self.step)
end

--- The body comes to rest between the feet, after the remaining steps were dropped.
function Gait:square() head_for(self, self:between("left", self.feet, 0.5), 0.5, { 0, 0, 0, 0 }) end

--- A phase has ended: begin the next. Return whether there is one.
local function turn_over(self)
  local over = self.time - self.seconds
  self.place, self.rate = self.to, self.to_rate
  if self.step and self.phase == "transfer" then
    begin_phase(self, "swing")
  else
    if self.step then
      self.feet[self.step.side] = self.step.pose
      self.done = self.step
    end
    self.step, self.lifted = table.remove(self.queue, 1), nil
    if not self.step then
      self.to = nil
      return false
    end
    begin_phase(self, "transfer")
  end
  self.time = over
  return true
end

--- Position and speed of the body on its cubic, at the share `u` of the phase: {x, y, z, yaw} each.
local function place_at(self, u)
  local u2, u3, place, rate = u * u, u * u * u, {}, {}
  local T = self.seconds
  for i = 1, 4 do
    local a, b, v, w = self.from[i], self.to[i], self.from_rate[i] * T, self.to_rate[i] * T
    place[i] = (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * v + (3 * u2 - 2 * u3) * b + (u3 - u2) * w
    rate[i] = ((6 * u2 - 6 * u) * (a - b) + (3 * u2 - 4 * u + 1) * v + (3 * u2 - 2 * u) * w) / T
  end
  return place, rate
end

--- Pose of a swinging foot at the share `u` of the swing.
local function foot_at(self, u)
  local from, to, lift = self.lifted, self.step.pose, self.body.lift
  local s = smooth((u - upright) / (1 - 2 * upright))
  local top = math.max(from.position[3], to.position[3]) + lift
  local z = u < 0.5 and mix(from.position[3], top, smooth(2 * u))
    or mix(top, to.position[3], smooth(2 * u - 1))
  local aside = 16 * s ^ 2 * (1 - s) ^ 2
  local x = mix(from.position[1], to.position[1], s) + aside * self.bow[1]
  local y = mix(from.position[2], to.position[2], s) + aside * self.bow[2]
  return { position = { x, y, z },
    orientation = geometry.between(from.orientation, to.orientation, s) }
end

--- Advance by dt, s. Return the poses of both soles, {left =, right =}, the pose of the pelvis, and the side
--- of the foot that is in the air, or nil.
function Gait:advance(dt)
  self.done = nil
  if not self.to and #self.queue > 0 then
    self.step = table.remove(self.queue, 1)
    begin_phase(self, "transfer")
  end
  local feet = { left = self.feet.left, right = self.feet.right }
  if self.to then
    self.time = self.time + dt
    while self.to and self.time >= self.seconds - 1e-9 do
      if not turn_over(self) then break end
    end
    feet.left, feet.right = self.feet.left, self.feet.right
  end
  if self.to then
    local u = self.time / self.seconds
    self.place, self.rate = place_at(self, u)
    if self.step and self.phase == "swing" then feet[self.step.side] = foot_at(self, u) end
  end
  local at = self.place
  local z = math.min(at[3], self:highest(at, feet)) - self.sink
  return feet, { position = { at[1], at[2], z }, orientation = geometry.from_rpy(0, 0, at[4]) },
    self.step and self.phase == "swing" and self.step.side or nil
end

--- Nominal duration of a list of steps, with `gait.rest` if there is a step, s.
function gait.seconds(steps)
  local sum = #steps > 0 and gait.rest or 0
  for _, step in ipairs(steps) do sum = sum + step.transfer + step.swing end
  return sum
end

--- Time to come to rest after the last step, s.
gait.rest = 0.01

return gait
