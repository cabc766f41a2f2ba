--- Geometry for behaviors: directions and orientations as plain tables. x is forward, z up; a quaternion is
--- {x, y, z, w}.
local rotation = require "brio.lib.rotation"

local geometry = {}

--- The quaternion of roll, pitch and yaw, rad: about the fixed x, then y, then z axis.
function geometry.from_rpy(roll, pitch, yaw)
  local cr, sr = math.cos(roll / 2), math.sin(roll / 2)
  local cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
  local cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
  return {
    sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy,
  }
end

--- Roll, pitch and yaw of a quaternion, rad: the inverse of `from_rpy`.
function geometry.rpy(q)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local s = math.max(-1, math.min(1, 2 * (w * y - z * x)))
  return math.atan(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), math.asin(s),
    math.atan(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
end

--- The level orientation whose x axis points from `from` to `to` (points).
function geometry.towards(from, to)
  local x, y, z = to[1] - from[1], to[2] - from[2], to[3] - from[3]
  return geometry.from_rpy(0, -math.atan(z, math.sqrt(x * x + y * y)), math.atan(y, x))
end

--- The distance between two points, m.
function geometry.distance(a, b)
  local x, y, z = a[1] - b[1], a[2] - b[2], a[3] - b[3]
  return math.sqrt(x * x + y * y + z * z)
end

--- The vector `v` rotated by the quaternion `q`.
function geometry.turn(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local a, b, c = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
  return { v[1] + w * a + y * c - z * b, v[2] + w * b + z * a - x * c, v[3] + w * c + x * b - y * a }
end

--- The product of two quaternions: the rotation by `b` first, then by `a`.
function geometry.times(a, b)
  return {
    a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2],
      a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
    a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4],
      a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  }
end

--- The angle between two orientations, rad.
function geometry.angle(a, b)
  local same = math.abs(a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4])
  return 2 * math.acos(math.min(1, same))
end

--- Spherical interpolation from orientation `a` (s = 0) to `b` (s = 1), along the shorter arc.
function geometry.between(a, b, s)
  local x, y, z, w = rotation.between(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4], s)
  return { x, y, z, w }
end

local unturned = { 0, 0, 0, 1 }

--- A pose given in a frame, in the coordinates of the frame's own parent: {position, orientation} each,
--- both optional.
function geometry.within(frame, pose)
  local turn, at = frame.orientation or unturned, frame.position or { 0, 0, 0 }
  local moved = geometry.turn(turn, pose.position or { 0, 0, 0 })
  return { position = { at[1] + moved[1], at[2] + moved[2], at[3] + moved[3] },
    orientation = geometry.times(turn, pose.orientation or unturned) }
end

--- The inverse of a pose: within(inverse(frame), pose) expresses a pose of the world in the frame.
function geometry.inverse(pose)
  local q, p = pose.orientation or unturned, pose.position or { 0, 0, 0 }
  local back = { -q[1], -q[2], -q[3], q[4] }
  local at = geometry.turn(back, p)
  return { position = { -at[1], -at[2], -at[3] }, orientation = back }
end

return geometry
