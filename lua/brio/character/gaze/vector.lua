--- Directions and rotations as plain numbers, without tables, for functions that run in every tick. x is
--- ahead, y to the left, z up; a quaternion is {x, y, z, w}.
local rotation = require "brio.lib.rotation"

local vector = {}

--- The direction of a vector, and its length; nil if it is too short, or not finite.
function vector.unit(x, y, z)
  local length = math.sqrt(x * x + y * y + z * z)
  if not (length > 1e-9 and length < math.huge) then return nil end
  return x / length, y / length, z / length, length
end

--- The angle between two directions, rad: accurate for small ones too.
function vector.angle(ax, ay, az, bx, by, bz)
  local x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
  return math.atan(math.sqrt(x * x + y * y + z * z), ax * bx + ay * by + az * bz)
end

--- A direction orthogonal to another one, horizontal if possible.
local function across(x, y, z)
  local sx, sy = -y, x
  if sx * sx + sy * sy < 1e-6 then return 0, z > 0 and 1 or -1, 0 end
  local length = math.sqrt(sx * sx + sy * sy)
  return sx / length, sy / length, 0
end

--- Spherical interpolation of directions; a share beyond 1 extrapolates. Opposite directions go over the
--- left.
function vector.between(ax, ay, az, bx, by, bz, share)
  local angle = vector.angle(ax, ay, az, bx, by, bz)
  if angle < 1e-9 then return bx, by, bz end
  if angle > math.pi - 1e-4 then
    bx, by, bz = across(ax, ay, az)
    angle, share = math.pi / 2, 2 * share
  end
  local whole = math.sin(angle)
  local from, to = math.sin((1 - share) * angle) / whole, math.sin(share * angle) / whole
  return from * ax + to * bx, from * ay + to * by, from * az + to * bz
end

--- A direction rotated towards another one by at most `most` rad.
function vector.towards(ax, ay, az, bx, by, bz, most)
  local angle = vector.angle(ax, ay, az, bx, by, bz)
  if angle <= most then return bx, by, bz end
  return vector.between(ax, ay, az, bx, by, bz, most / angle)
end

--- A vector rotated by a quaternion.
function vector.turn(q, x, y, z)
  local qx, qy, qz, w = q[1], q[2], q[3], q[4]
  local a, b, c = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
  return x + w * a + qy * c - qz * b, y + w * b + qz * a - qx * c, z + w * c + qx * b - qy * a
end

--- A vector rotated by the inverse: from the world into a frame with this orientation.
function vector.back(q, x, y, z)
  local qx, qy, qz, w = -q[1], -q[2], -q[3], q[4]
  local a, b, c = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
  return x + w * a + qy * c - qz * b, y + w * b + qz * a - qx * c, z + w * c + qx * b - qy * a
end

--- The orientation `q` of a link as one whose x axis is ahead and whose z axis is up at neutral: turned by
--- `level` (nil: it is so), written to `out`.
function vector.leveled(q, level, out)
  if not level then return q end
  out[1], out[2], out[3], out[4] = rotation.times(q[1], q[2], q[3], q[4],
    level[1], level[2], level[3], level[4])
  return out
end

--- Yaw to the left and pitch upwards of a direction, rad.
function vector.bearing(x, y, z) return math.atan(y, x), math.atan(z, math.sqrt(x * x + y * y)) end

--- The direction of a yaw and a pitch.
function vector.direction(yaw, pitch)
  local level = math.cos(pitch)
  return level * math.cos(yaw), level * math.sin(yaw), math.sin(pitch)
end

--- Whether these are three finite numbers, as a position must be.
function vector.finite(x, y, z)
  return type(x) == "number" and type(y) == "number" and type(z) == "number"
    and math.abs(x) + math.abs(y) + math.abs(z) < 1e6
end

function vector.clamp(value, least, most) return math.max(least, math.min(most, value)) end

return vector
