--- Prediction of a link's pose in this tick: a linear extrapolation of its last two poses.
---
--- A link on which something looks, and which others move, must be known before the solver has found the
--- pose. Joints with limits of acceleration leave a small error: at 10 rad/s^2 and 200 Hz 0.015 degrees.
local foresight = {}
local Foresight = {}
Foresight.__index = Foresight

--- A rotation of a link between two ticks above which it was placed, and is not extrapolated, rad.
local jump = 0.15

--- Make it for a link of the host's scene.  After `look`, `p` and `q` are its predicted position and
--- quaternion.
function foresight.new(host, link)
  return setmetatable({ host = host, link = link, turned = { 0, 0, 0, 1 }, moved = { 0, 0, 0 } }, Foresight)
end

--- Extrapolate `q` by the rotation from `last` to it.  Return false after a jump.
local function turn_on(q, last, to)
  local x = q[4] * -last[1] + q[1] * last[4] + q[2] * -last[3] - q[3] * -last[2]
  local y = q[4] * -last[2] - q[1] * -last[3] + q[2] * last[4] + q[3] * -last[1]
  local z = q[4] * -last[3] + q[1] * -last[2] - q[2] * -last[1] + q[3] * last[4]
  local w = q[4] * last[4] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3]
  if w < 0 then x, y, z, w = -x, -y, -z, -w end
  if 2 * math.asin(math.min(1, math.sqrt(x * x + y * y + z * z))) > jump then return false end
  to[1], to[2] = w * q[1] + x * q[4] + y * q[3] - z * q[2], w * q[2] - x * q[3] + y * q[4] + z * q[1]
  to[3], to[4] = w * q[3] + x * q[2] - y * q[1] + z * q[4], w * q[4] - x * q[1] - y * q[2] - z * q[3]
  return true
end

--- Record the current position, once a tick.
function Foresight:look()
  local pose = self.host.scene:frame(self.link)
  local p, last, moved = pose.position, self.last, self.moved
  self.last, self.p, self.q = pose, p, pose.orientation
  if not (last and turn_on(pose.orientation, last.orientation, self.turned)) then return end
  for axis = 1, 3 do moved[axis] = 2 * p[axis] - last.position[axis] end
  self.p, self.q = moved, self.turned
end

--- Clear the recorded positions.
function Foresight:forget() self.last = nil end

return foresight
