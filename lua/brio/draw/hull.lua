--- The faces of a convex hull, in three dimensions and in two.
---
--- Three: points are added one by one; faces that see the new point are removed, and the edge of the hole is
--- joined to it (the incremental method: de Berg et al., "Computational Geometry", ch. 11). Two: Andrew's
--- monotone chain.
local hull = {}

local most = 160 -- corners that a picture can show

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The point with the maximum of `measure`, and that maximum.
local function farthest(points, measure)
  local best, most_far = 1, -math.huge
  for index, p in ipairs(points) do
    local far = measure(p)
    if far > most_far then best, most_far = index, far end
  end
  return best, most_far
end

--- For very many corners: those farthest along directions that are spread evenly (a Fibonacci sphere).
local function thinned(points)
  if #points <= most then return points end
  local kept, list = {}, {}
  for k = 0, most - 1 do
    local z, angle = 1 - (2 * k + 1) / most, k * 2.399963229728653
    local r = math.sqrt(1 - z * z)
    local along = { r * math.cos(angle), r * math.sin(angle), z }
    local index = farthest(points, function(p) return dot(p, along) end)
    if not kept[index] then
      kept[index] = true
      list[#list + 1] = points[index]
    end
  end
  return list
end

--- Four corners that span a volume, or nil for a flat set.
local function first_four(points, size)
  local a = farthest(points, function(p) return -p[1] end)
  local b, ab = farthest(points, function(p) local d = minus(p, points[a]); return dot(d, d) end)
  if ab <= (1e-9 * size) ^ 2 then return nil end
  local along = minus(points[b], points[a])
  local c, area = farthest(points, function(p)
    local n = cross(along, minus(p, points[a]))
    return dot(n, n)
  end)
  if area <= (1e-9 * size) ^ 4 then return nil end
  local normal = cross(along, minus(points[c], points[a]))
  local d, volume = farthest(points, function(p) return math.abs(dot(normal, minus(p, points[a]))) end)
  if volume <= (1e-6 * size) ^ 3 then return nil, a, b, c end
  if dot(normal, minus(points[d], points[a])) > 0 then b, c = c, b end
  return { { a, b, c }, { a, d, b }, { b, d, c }, { c, d, a } }
end

local function with_plane(points, face)
  local a, b, c = points[face[1]], points[face[2]], points[face[3]]
  face.normal = cross(minus(b, a), minus(c, a))
  face.offset = dot(face.normal, a)
  return face
end

--- Add point `index`: remove the faces that see it, join the edge of the hole to it.
local function add(points, faces, index, tolerance)
  local kept, edges, point = {}, {}, points[index]
  for _, face in ipairs(faces) do
    local height = dot(face.normal, point) - face.offset
    if height > tolerance * math.sqrt(dot(face.normal, face.normal)) then
      for k = 1, 3 do edges[face[k] .. " " .. face[k % 3 + 1]] = { face[k], face[k % 3 + 1] } end
    else
      kept[#kept + 1] = face
    end
  end
  if #kept == #faces then return faces end
  for _, face in ipairs(faces) do
    for k = 1, 3 do
      local edge = edges[face[k] .. " " .. face[k % 3 + 1]]
      if edge and not edges[edge[2] .. " " .. edge[1]] then
        kept[#kept + 1] = with_plane(points, { edge[1], edge[2], index })
      end
    end
  end
  return kept
end

--- The hull of points as a solid of triangles, counterclockwise as seen from outside.  A flat set gives one
--- triangle visible from both sides, or nothing.
---@param points number[][] {x, y, z} each
---@return { points: number[][], faces: integer[][] }
function hull.of(points)
  points = thinned(points)
  local size = 0
  for _, p in ipairs(points) do size = math.max(size, math.abs(p[1]), math.abs(p[2]), math.abs(p[3])) end
  if #points < 3 then return { points = points, faces = {} } end
  local start, a, b, c = first_four(points, size)
  if not start then return { points = points, faces = a and { { a, b, c }, { a, c, b } } or {} } end
  local faces = {}
  for index, face in ipairs(start) do faces[index] = with_plane(points, face) end
  for index = 1, #points do faces = add(points, faces, index, 1e-9 * size) end
  return { points = points, faces = faces }
end

--- The outline of points in a plane, counterclockwise.
---@param points number[][] {x, y} each
---@return number[][]
function hull.outline(points)
  local sorted = table.move(points, 1, #points, 1, {})
  table.sort(sorted, function(p, q) return p[1] < q[1] or (p[1] == q[1] and p[2] < q[2]) end)
  local function chain(first, last, step)
    local list = {}
    for index = first, last, step do
      local p = sorted[index]
      while #list > 1 do
        local q, r = list[#list], list[#list - 1]
        if (q[1] - r[1]) * (p[2] - r[2]) - (q[2] - r[2]) * (p[1] - r[1]) > 0 then break end
        list[#list] = nil
      end
      list[#list + 1] = p
    end
    list[#list] = nil
    return list
  end
  local lower, upper = chain(1, #sorted, 1), chain(#sorted, 1, -1)
  return table.move(upper, 1, #upper, #lower + 1, lower)
end

return hull
