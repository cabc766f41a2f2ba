--- How something moves that hangs on a hinge or slides in a rail, from where it was seen: a circle or a line through points.
---
--- The axis of a hinge is known (a door's is upright), or told by how the thing turned, or else by the plane of its points: the
--- direction in which they vary least (Jacobi's method on the covariance). In the plane at right angles to it the circle is
--- Taubin's fit ("Estimation of planar curves, surfaces and nonplanar space curves", 1991, by Newton's method as in Chernov,
--- "Circular and linear regression", 2010), which does not shrink short arcs as the plain algebraic fit does.
local rotation = require "brio.rotation"

local articulation = {}

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

local function unit(a)
  local length = math.sqrt(dot(a, a))
  if length < 1e-12 then return nil end
  return { a[1] / length, a[2] / length, a[3] / length }
end

local function mean(points)
  local x, y, z = 0, 0, 0
  for _, p in ipairs(points) do x, y, z = x + p[1], y + p[2], z + p[3] end
  local n = #points
  return { x / n, y / n, z / n }
end

--- Turn the rows and columns p and q of the symmetric matrix `a` so that a[p][q] is 0, and the vectors `v` with them.
local function rotate(a, v, p, q)
  if math.abs(a[p][q]) < 1e-300 then return end
  local theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
  local t = (theta < 0 and -1 or 1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
  local c = 1 / math.sqrt(t * t + 1)
  local s = t * c
  for k = 1, 3 do
    local x, y = a[k][p], a[k][q]
    a[k][p], a[k][q] = c * x - s * y, s * x + c * y
  end
  for k = 1, 3 do
    local x, y = a[p][k], a[q][k]
    a[p][k], a[q][k] = c * x - s * y, s * x + c * y
    x, y = v[k][p], v[k][q]
    v[k][p], v[k][q] = c * x - s * y, s * x + c * y
  end
end

--- The directions in which points vary, the strongest first: {direction, variance in m^2} each, and their mean.
function articulation.directions(points)
  local m, a, v = mean(points), { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  for _, p in ipairs(points) do
    local d = minus(p, m)
    for i = 1, 3 do
      for j = 1, 3 do a[i][j] = a[i][j] + d[i] * d[j] / #points end
    end
  end
  for _ = 1, 12 do
    rotate(a, v, 1, 2)
    rotate(a, v, 1, 3)
    rotate(a, v, 2, 3)
  end
  local list = {}
  for i = 1, 3 do list[i] = { { v[1][i], v[2][i], v[3][i] }, math.max(0, a[i][i]) } end
  table.sort(list, function(x, y) return x[2] > y[2] end)
  return list, m
end

--- The line that points lie on: {origin, direction (from the first to the last), length, error (root of the mean squared
--- distance)}; nil and why: they are in one place.
function articulation.line(points)
  if #points < 3 then return nil, "it has not moved yet" end
  local list, m = articulation.directions(points)
  local direction = list[1][1]
  local way = dot(minus(points[#points], points[1]), direction)
  if way < 0 then direction, way = { -direction[1], -direction[2], -direction[3] }, -way end
  if way < 1e-9 then return nil, "it has not moved yet" end
  return { origin = m, direction = direction, length = way, error = math.sqrt(list[2][2] + list[3][2]) }
end

--- The circle through points {u, v} of a plane: center and radius; nil: they are on a line.
local function circle(points)
  local n, mu, mv = #points, 0, 0
  for _, p in ipairs(points) do mu, mv = mu + p[1] / n, mv + p[2] / n end
  local uu, vv, uv, uz, vz, zz = 0, 0, 0, 0, 0, 0
  for _, p in ipairs(points) do
    local u, v = p[1] - mu, p[2] - mv
    local z = u * u + v * v
    uu, vv, uv = uu + u * u / n, vv + v * v / n, uv + u * v / n
    uz, vz, zz = uz + u * z / n, vz + v * z / n, zz + z * z / n
  end
  local z = uu + vv
  local cov = uu * vv - uv * uv
  local a3, a2 = 4 * z, -3 * z * z - zz
  local a1 = zz * z + 4 * cov * z - uz * uz - vz * vz - z * z * z
  local a0 = uz * uz * vv + vz * vz * uu - zz * cov - 2 * uz * vz * uv + z * z * cov
  local x, y = 0, a0
  for _ = 1, 30 do
    local slope = a1 + x * (2 * a2 + 3 * a3 * x)
    if slope == 0 then break end
    local next_x = x - y / slope
    if not (next_x >= 0) then break end
    local next_y = a0 + next_x * (a1 + next_x * (a2 + next_x * a3))
    if math.abs(next_y) >= math.abs(y) then break end
    x, y = next_x, next_y
  end
  local det = x * x - x * z + cov
  if math.abs(det) < 1e-18 then return nil end
  local cu, cv = (uz * (vv - x) - vz * uv) / (2 * det), (vz * (uu - x) - uz * uv) / (2 * det)
  return { cu + mu, cv + mv }, math.sqrt(cu * cu + cv * cv + z)
end

--- The axis about which orientations turned, each against the first: nil where they did not by 0.05 rad.
local function axis_of_turns(turns)
  local sum, q = { 0, 0, 0 }, turns[1]
  for _, r in ipairs(turns) do
    local x = r[1] * q[4] - r[4] * q[1] - r[2] * q[3] + r[3] * q[2]
    local y = r[2] * q[4] - r[4] * q[2] - r[3] * q[1] + r[1] * q[3]
    local z = r[3] * q[4] - r[4] * q[3] - r[1] * q[2] + r[2] * q[1]
    local w = r[4] * q[4] + r[1] * q[1] + r[2] * q[2] + r[3] * q[3]
    local sign = w < 0 and -1 or 1
    sum = { sum[1] + sign * x, sum[2] + sign * y, sum[3] + sign * z }
  end
  local most = math.sqrt(dot(sum, sum)) / #turns
  return most > 0.0125 and unit(sum) or nil -- half the mean angle of turns that go up to 0.05
end

--- Two unit vectors at right angles to an axis and to each other.
local function across(axis)
  local other = math.abs(axis[1]) < 0.9 and { 1, 0, 0 } or { 0, 1, 0 }
  local u = unit(cross(axis, other))
  return u, cross(axis, u)
end

--- The hinge about which points turned: {origin (on the axis, beside the last point), axis (unit; it turned the positive way
--- about it), radius, angle (rad, from the first point to the last), error (root of the mean squared distance)}; nil and why.  `axis`:
--- where that is known; `turns`: orientations of the thing at the points.
function articulation.hinge(points, axis, turns)
  if #points < 5 then return nil, "it has not moved yet" end
  local told = axis and unit(axis) or turns and axis_of_turns(turns)
  local normal = told
  if not normal then
    local list = articulation.directions(points)
    normal = list[3][1]
  end
  local u, v = across(normal)
  local m, flat, above = mean(points), {}, 0
  for index, p in ipairs(points) do
    local d = minus(p, m)
    flat[index] = { dot(d, u), dot(d, v) }
    above = above + dot(d, normal) ^ 2 / #points
  end
  local center, radius = circle(flat)
  if not center then return nil, "it moves along a line" end
  local squares, angle, before = 0, 0, nil
  for _, p in ipairs(flat) do
    local du, dv = p[1] - center[1], p[2] - center[2]
    squares = squares + (math.sqrt(du * du + dv * dv) - radius) ^ 2 / #flat
    local now = math.atan(dv, du)
    if before then angle = angle + (now - before + math.pi) % (2 * math.pi) - math.pi end
    before = now
  end
  if angle < 0 then normal, angle = { -normal[1], -normal[2], -normal[3] }, -angle end
  local level = dot(minus(points[#points], m), normal)
  local origin = {}
  for i = 1, 3 do origin[i] = m[i] + center[1] * u[i] + center[2] * v[i] + level * normal[i] end
  return { origin = origin, axis = normal, radius = radius, angle = angle, error = math.sqrt(squares + above) }
end

--- Points remembered of what moves; then every second one is forgotten, and they are taken twice as far apart.
local most = 96

--- Remember where something is, if it is `step` m from where it was last remembered. Return whether it was.
function articulation.watch(memory, pose, step)
  local points, turns = memory.points or {}, memory.turns or {}
  memory.points, memory.turns, memory.step = points, turns, memory.step or step
  local last, p = points[#points], pose.position
  local d = last and minus(p, last)
  if d and dot(d, d) < memory.step * memory.step then return false end
  if #points == most then
    for index = 1, most // 2 do points[index], turns[index] = points[2 * index - 1], turns[2 * index - 1] end
    for index = most // 2 + 1, most do points[index], turns[index] = nil, nil end
    memory.step = 2 * memory.step
  end
  points[#points + 1], turns[#turns + 1] = { p[1], p[2], p[3] }, pose.orientation
  return true
end

--- The orientation whose x axis is `x` and whose y axis is as near to `towards` as that allows; unit vectors.
function articulation.frame(x, towards)
  local along = dot(towards, x)
  local y = unit({ towards[1] - along * x[1], towards[2] - along * x[2], towards[3] - along * x[3] }) or across(x)
  local qx, qy, qz, qw = rotation.from_axes(x, y, cross(x, y))
  return { qx, qy, qz, qw }
end

return articulation
