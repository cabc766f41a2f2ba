--- Solids as faces: a sphere, capsule, cylinder, box or hull as flat polygons.  A solid is
--- { points = { {x, y, z}, ... }, faces = { { i, j, k, ... }, ... } }, the corners of a face
--- counterclockwise seen from outside.  `grain` is the length wanted for the sides of circles, m.
local hull = require "brio.draw.hull"

local solids = {}

local fewest, most = 12, 48 -- corners of a circle

local function corners_of_circle(radius, grain)
  local count = math.ceil(2 * math.pi * radius / grain)
  return math.max(fewest, math.min(most, count)) // 4 * 4
end

--- A body of revolution about z: `outline` is {radius, z} from the upper end to the lower one.
local function turned(outline, count)
  local points, faces, rings = {}, {}, {}
  for index, at in ipairs(outline) do
    local ring = {}
    for k = 0, at[1] > 0 and count - 1 or 0 do
      local angle = 2 * math.pi * k / count
      points[#points + 1] = { at[1] * math.cos(angle), at[1] * math.sin(angle), at[2] }
      ring[#ring + 1] = #points
    end
    rings[index] = ring
  end
  for index = 1, #rings - 1 do
    local upper, lower = rings[index], rings[index + 1]
    for k = 1, (#upper > 1 or #lower > 1) and count or 0 do
      local face, after = {}, k % count + 1
      face[1] = upper[#upper > 1 and k or 1]
      face[2] = lower[#lower > 1 and k or 1]
      if #lower > 1 then face[#face + 1] = lower[after] end
      if #upper > 1 then face[#face + 1] = upper[after] end
      faces[#faces + 1] = face
    end
  end
  return { points = points, faces = faces }
end

--- Two half spheres at a distance of `length`, and the wall between them.
local function rounded(radius, length, grain)
  local count, outline = corners_of_circle(radius, grain), {}
  local quarter = count // 4
  for k = 0, 2 * quarter do
    local angle = math.pi / 2 * k / quarter
    local z = radius * math.cos(angle) + (k <= quarter and length / 2 or -length / 2)
    outline[#outline + 1] = { k % (2 * quarter) == 0 and 0 or radius * math.sin(angle), z }
    if k == quarter and length > 0 then outline[#outline + 1] = { radius, -length / 2 } end
  end
  return turned(outline, count)
end

local function cylinder(radius, length, grain)
  local solid = turned({ { radius, length / 2 }, { radius, -length / 2 } }, corners_of_circle(radius, grain))
  local count, upper, lower = #solid.points // 2, {}, {}
  for k = 1, count do upper[k], lower[k] = k, 2 * count + 1 - k end
  table.move({ upper, lower }, 1, 2, #solid.faces + 1, solid.faces)
  return solid
end

local function box(size)
  local points = {}
  for k = 0, 7 do
    local signs = { k & 1, k >> 1 & 1, k >> 2 }
    for axis = 1, 3 do signs[axis] = size[axis] * (signs[axis] - 0.5) end
    points[k + 1] = signs
  end
  return { points = points,
    faces = { { 1, 5, 7, 3 }, { 2, 4, 8, 6 }, { 1, 2, 6, 5 }, { 3, 7, 8, 4 }, { 1, 3, 4, 2 },
      { 5, 6, 8, 7 } } }
end

local makers = {
  sphere = function(shape, grain) return rounded(shape.size[1], 0, grain) end,
  capsule = function(shape, grain) return rounded(shape.size[1], shape.size[3], grain) end,
  cylinder = function(shape, grain) return cylinder(shape.size[1], shape.size[3], grain) end,
  box = function(shape) return box(shape.size) end,
  hull = function(shape) return hull.of(shape.points) end,
}

--- The faces of a shape, in the shape's own frame.
---@param shape { kind: string, size?: number[], points?: number[][] } size as brio.robot gives it
---@param grain number wanted length of a circle's sides, m
---@return { points: number[][], faces: integer[][] }
function solids.of(shape, grain)
  local maker = makers[shape.kind]
  if not maker then error("draw: there is no solid of kind '" .. tostring(shape.kind) .. "'", 2) end
  return maker(shape, grain)
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

local function unit(a)
  local length = math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2)
  return { a[1] / length, a[2] / length, a[3] / length }
end

--- A capsule from one point to another: a bone.
---@param from number[]
---@param to number[]
---@param radius number m
---@param grain number m
function solids.bone(from, to, radius, grain)
  local axis = { to[1] - from[1], to[2] - from[2], to[3] - from[3] }
  local length = math.sqrt(axis[1] ^ 2 + axis[2] ^ 2 + axis[3] ^ 2)
  local solid = rounded(radius, length, grain)
  local w = length > 0 and unit(axis) or { 0, 0, 1 }
  local helper = math.abs(w[3]) < 0.9 and { 0, 0, 1 } or { 1, 0, 0 }
  local u = unit(cross(helper, w))
  local v = cross(w, u)
  for index, p in ipairs(solid.points) do
    local placed = {}
    for k = 1, 3 do placed[k] = (from[k] + to[k]) / 2 + p[1] * u[k] + p[2] * v[k] + p[3] * w[k] end
    solid.points[index] = placed
  end
  return solid
end

return solids
