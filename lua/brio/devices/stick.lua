--- A stick of a gamepad: two axes with one round dead zone, rescaled beyond it, and automatic centering.
---
--- Within the dead zone a stick is at 0; beyond it, its value goes from 0 to 1, in its direction. Default
--- dead zones are those of the Xbox 360's controller, 7849 of 32767 on the left and 8689 on the right
--- (XInput's XINPUT_GAMEPAD_LEFT_THUMB_DEADZONE and ..._RIGHT_...). A stick that rests within its dead zone
--- for a while counts as released: its center is there from then on, so that a worn one does not drift.
local stick = {}
local Stick = {}
Stick.__index = Stick

--- The default dead zones, and the maximum one, as shares of the travel.
stick.left, stick.right, stick.most = 7849 / 32767, 8689 / 32767, 0.3

--- A stick is at rest when it has not moved for this time, s, by more than this share of its range.
stick.rests, stick.still = 1, 0.01

--- dead: share of the travel.
function stick.new(dead)
  return setmetatable({ dead = dead or stick.left, raw = { x = 0, y = 0 }, center = { x = 0, y = 0 },
    since = 0 }, Stick)
end

--- Deflection of an axis from its center, -1 to 1.
local function way(self, axis)
  local off, center = self.raw[axis] - self.center[axis], self.center[axis]
  return math.max(-1, math.min(1, off / (off > 0 and 1 - center or 1 + center)))
end

--- Set an axis, "x" or "y", to a value from -1 to 1, at this time.
function Stick:put(axis, value, now)
  if math.abs(value - self.raw[axis]) > stick.still then self.since = now end
  self.raw[axis] = value
end

--- Position of the stick: x and y, 0 within the dead zone. Call it regularly: it calibrates the center at
--- rest.
function Stick:read(now)
  local x, y = way(self, "x"), way(self, "y")
  local far = math.sqrt(x * x + y * y)
  if far > self.dead then
    local scale = (far - self.dead) / (1 - self.dead) / far
    return math.max(-1.0, math.min(1.0, x * scale)), math.max(-1.0, math.min(1.0, y * scale))
  end
  if now - self.since >= stick.rests then
    self.center.x, self.center.y = self.raw.x, self.raw.y
    self.since = now
  end
  return 0, 0
end

--- The state is unknown: it counts as released.
function Stick:let_go() self.raw.x, self.raw.y = self.center.x, self.center.y end

return stick
