--- Rotations as four numbers x, y, z, w without a table for each, for long sequences of them.
local rotation = {}

--- The product: the rotation by b first, then by a.
function rotation.times(ax, ay, az, aw, bx, by, bz, bw)
  return aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz
end

--- The vector (vx, vy, vz) rotated.
function rotation.turn(x, y, z, w, vx, vy, vz)
  local a, b, c = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
  return vx + w * a + y * c - z * b, vy + w * b + z * a - x * c, vz + w * c + x * b - y * a
end

--- The normalized quaternion; nil for one of length 0.
function rotation.normalized(x, y, z, w)
  local length = math.sqrt(x * x + y * y + z * z + w * w)
  if not (length > 1e-12) then return 0, 0, 0, 1 end
  return x / length, y / length, z / length, w / length
end

--- The rotation by an angle, rad, about an axis "x", "y" or "z".
function rotation.about(axis, angle)
  local s, c = math.sin(angle / 2), math.cos(angle / 2)
  return axis == "x" and s or 0, axis == "y" and s or 0, axis == "z" and s or 0, c
end

--- The rotation by angles, rad, about the axes of `order` ("zxy"), each about the axis as rotated by the
--- ones before.
function rotation.euler(order, angles)
  local x, y, z, w = 0, 0, 0, 1
  for index = 1, #order do
    x, y, z, w = rotation.times(x, y, z, w, rotation.about(order:sub(index, index), angles[index]))
  end
  return x, y, z, w
end

--- Spherical interpolation between two rotations at s (0 to 1), along the shorter arc.
function rotation.between(ax, ay, az, aw, bx, by, bz, bw, s)
  local dot = ax * bx + ay * by + az * bz + aw * bw
  if dot < 0 then bx, by, bz, bw, dot = -bx, -by, -bz, -bw, -dot end
  local from, to = 1 - s, s
  if dot < 0.9995 then
    local angle = math.acos(dot)
    from, to = math.sin(from * angle) / math.sin(angle), math.sin(to * angle) / math.sin(angle)
  end
  return rotation.normalized(from * ax + to * bx, from * ay + to * by, from * az + to * bz,
    from * aw + to * bw)
end

--- The rotation whose columns are three orthogonal unit vectors, each {x, y, z}.
function rotation.from_axes(x, y, z)
  local trace = x[1] + y[2] + z[3]
  if trace > 0 then
    local s = 2 * math.sqrt(trace + 1)
    return (y[3] - z[2]) / s, (z[1] - x[3]) / s, (x[2] - y[1]) / s, s / 4
  elseif x[1] >= y[2] and x[1] >= z[3] then
    local s = 2 * math.sqrt(math.max(1 + x[1] - y[2] - z[3], 0))
    return s / 4, (y[1] + x[2]) / s, (z[1] + x[3]) / s, (y[3] - z[2]) / s
  elseif y[2] >= z[3] then
    local s = 2 * math.sqrt(math.max(1 + y[2] - x[1] - z[3], 0))
    return (y[1] + x[2]) / s, s / 4, (z[2] + y[3]) / s, (z[1] - x[3]) / s
  end
  local s = 2 * math.sqrt(math.max(1 + z[3] - x[1] - y[2], 0))
  return (z[1] + x[3]) / s, (z[2] + y[3]) / s, s / 4, (x[2] - y[1]) / s
end

return rotation
