--- Small geometry that behaviors ask for: directions and orientations as plain tables.
--- x is forward, z up; a quaternion is {x, y, z, w}.
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

--- The level orientation whose x axis points from `from` to `to` (points).
function geometry.towards(from, to)
  local x, y, z = to[1] - from[1], to[2] - from[2], to[3] - from[3]
  return geometry.from_rpy(0, -math.atan(z, math.sqrt(x * x + y * y)), math.atan(y, x))
end

--- Where a point of a pose's own frame is in the parent: {x, y, z}.
function geometry.point(pose, point)
  local x, y, z, w = table.unpack(pose.orientation or { 0, 0, 0, 1 })
  local a, b, c = point[1], point[2], point[3]
  local tx, ty, tz = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
  local p = pose.position
  return {
    p[1] + a + w * tx + y * tz - z * ty, p[2] + b + w * ty + z * tx - x * tz, p[3] + c + w * tz + x * ty - y * tx,
  }
end

--- The inverse of a pose: where the parent is in its own frame.
function geometry.inverse(pose)
  local x, y, z, w = table.unpack(pose.orientation or { 0, 0, 0, 1 })
  local back = { position = { 0, 0, 0 }, orientation = { -x, -y, -z, w } }
  local p = geometry.point(back, pose.position)
  return { position = { -p[1], -p[2], -p[3] }, orientation = back.orientation }
end

--- The distance between two points, m.
function geometry.distance(a, b)
  local x, y, z = a[1] - b[1], a[2] - b[2], a[3] - b[3]
  return math.sqrt(x * x + y * y + z * z)
end

return geometry
