--- The order in which flat polygons must be painted so that nearer ones cover farther ones, even if they
--- intersect.
---
--- A polygon is { points = { {x, y, z}, ... }, edges = { "drawn", "inner", ... }, solid = ..., ... }: x and y
--- on paper, z increasing towards the eye; edges[k] is the kind of the edge from corner k to the next:
--- "drawn" and "inner" are kept if a polygon is cut, "tile" is where the paper was cut. Polygons of one solid
--- never cover each other: solids are convex and show only their near side.
---
--- First the paper is cut into tiles with few polygons each, at integer points; in a tile, polygons are cut
--- by each other's planes (a binary space partition: Fuchs, Kedem, Naylor, "On visible surface generation by
--- a priori tree structures", 1980), and polygons behind a plane come before those in front of it.
local painter = {}

local few, deepest = 32, 14 -- polygons of a tile; cuts of the paper, one inside the other
local too_many = 12000      -- polygons of a picture that are cut
local tries = 6             -- planes looked at to find the one that cuts fewest polygons
local near = 1e-4           -- in the paper's unit: on the plane

--- The plane of a polygon: a unit normal toward the eye and an offset (Newell's method).
local function plane_of(points)
  local x, y, z = 0, 0, 0
  for k, a in ipairs(points) do
    local b = points[k % #points + 1]
    x, y, z = x + (a[2] - b[2]) * (a[3] + b[3]), y + (a[3] - b[3]) * (a[1] + b[1]),
      z + (a[1] - b[1]) * (a[2] + b[2])
  end
  local length = math.sqrt(x * x + y * y + z * z)
  if length < 1e-12 then return nil end
  if z < 0 then length = -length end
  x, y, z = x / length, y / length, z / length
  local p = points[1]
  return { x, y, z, x * p[1] + y * p[2] + z * p[3] }
end

--- Which side of a plane each corner is on, and whether corners are on both.
local function sides(points, plane)
  local heights, least, most = {}, 0, 0
  local x, y, z, offset = plane[1], plane[2], plane[3], plane[4]
  for k = 1, #points do
    local p = points[k]
    local h = x * p[1] + y * p[2] + z * p[3] - offset
    if h < least then least = h elseif h > most then most = h end
    heights[k] = h
  end
  return heights, least < -near, most > near
end

--- Whether a plane cuts a polygon: it has corners on both sides.
local function cuts_through(points, plane)
  local x, y, z, offset, behind, ahead = plane[1], plane[2], plane[3], plane[4], false, false
  for k = 1, #points do
    local p = points[k]
    local h = x * p[1] + y * p[2] + z * p[3] - offset
    if h < -near then behind = true elseif h > near then ahead = true end
    if behind and ahead then return true end
  end
  return false
end

local function piece_of(polygon)
  return { points = {}, edges = {}, solid = polygon.solid, color = polygon.color, ink = polygon.ink }
end

local function put(piece, point, edge)
  piece.points[#piece.points + 1] = point
  piece.edges[#piece.points] = edge
end

--- Cut a polygon in two along a plane: the part behind, the part in front.  `name`: of the new edge.
local function cut(polygon, heights, name)
  local behind, ahead, points = piece_of(polygon), piece_of(polygon), polygon.points
  for k, p in ipairs(points) do
    local after = k % #points + 1
    local h, g, edge = heights[k], heights[after], polygon.edges[k] or "inner"
    if h <= 0 then put(behind, p, (h < 0 or g < 0) and edge or name) end
    if h >= 0 then put(ahead, p, (h > 0 or g > 0) and edge or name) end
    if (h < 0 and g > 0) or (h > 0 and g < 0) then
      local t, q = h / (h - g), points[after]
      local middle = { p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]), p[3] + t * (q[3] - p[3]) }
      put(behind, middle, h > 0 and edge or name)
      put(ahead, middle, h < 0 and edge or name)
    end
  end
  return behind, ahead
end

--- Distribute polygons over both sides of a plane; those in it go to `on`.
local function part(polygons, plane, behind, ahead, on, name)
  for _, polygon in ipairs(polygons) do
    local heights, has_behind, has_ahead = sides(polygon.points, plane)
    if has_behind and has_ahead then
      local one, other = cut(polygon, heights, name)
      if #one.points > 2 then behind[#behind + 1] = one end
      if #other.points > 2 then ahead[#ahead + 1] = other end
    elseif has_behind then
      behind[#behind + 1] = polygon
    elseif has_ahead then
      ahead[#ahead + 1] = polygon
    else
      on[#on + 1] = polygon
    end
  end
end

--- Among a few polygons' planes, the one that cuts the fewest of the others.
local function best_plane(polygons)
  local best, least = nil, math.huge
  for try = 1, math.min(tries, #polygons) do
    local plane = plane_of(polygons[try * #polygons // math.min(tries, #polygons)].points)
    local cuts = plane and 0 or math.huge
    for _, polygon in ipairs(plane and polygons or {}) do
      if cuts_through(polygon.points, plane) then cuts = cuts + 1 end
      if cuts >= least then break end -- not better than the best
    end
    if cuts < least then best, least = plane, cuts end
  end
  return best
end

local function of_one_solid(polygons)
  for _, polygon in ipairs(polygons) do
    if polygon.solid ~= polygons[1].solid then return false end
  end
  return true
end

--- The polygons of one tile, far to near.
local function sort_tile(polygons, out, depth)
  while #polygons > 0 do
    local plane = depth < 150 and not of_one_solid(polygons) and best_plane(polygons)
    local behind, ahead, on = {}, {}, {}
    if plane then
      part(polygons, plane, behind, ahead, on, "inner")
      sort_tile(behind, out, depth + 1)
    else
      on = polygons
    end
    table.move(on, 1, #on, #out + 1, out)
    polygons = ahead
  end
end

--- The line that cuts the paper: across its longer side, at the median polygon.
local function middle_cut(polygons)
  local middles, lower, upper = {}, { math.huge, math.huge }, { -math.huge, -math.huge }
  for index, polygon in ipairs(polygons) do
    local sum = { 0, 0 }
    for _, p in ipairs(polygon.points) do
      for k = 1, 2 do sum[k] = sum[k] + p[k] / #polygon.points end
    end
    for k = 1, 2 do lower[k], upper[k] = math.min(lower[k], sum[k]), math.max(upper[k], sum[k]) end
    middles[index] = sum
  end
  local axis = upper[1] - lower[1] > upper[2] - lower[2] and 1 or 2
  table.sort(middles, function(a, b) return a[axis] < b[axis] end)
  local at = math.floor(middles[#middles // 2 + 1][axis] + 0.5)
  return { axis == 1 and 1 or 0, axis == 2 and 1 or 0, 0, at }
end

local function sort_paper(polygons, out, depth)
  if #polygons > few and depth < deepest and not of_one_solid(polygons) then
    local one, other = {}, {}
    part(polygons, middle_cut(polygons), one, other, one, "tile")
    if math.max(#one, #other) < 0.9 * #polygons then
      sort_paper(one, out, depth + 1)
      return sort_paper(other, out, depth + 1)
    end
  end
  sort_tile(polygons, out, 0)
end

--- Whole polygons from far to near by their centers: for so many that cuts would be invisible.
local function sort_middles(polygons)
  local keyed = {}
  for index, polygon in ipairs(polygons) do
    local sum = 0
    for _, p in ipairs(polygon.points) do sum = sum + p[3] / #polygon.points end
    keyed[index] = { depth = sum, index = index, polygon = polygon }
  end
  table.sort(keyed, function(a, b)
    if a.depth ~= b.depth then return a.depth < b.depth end
    return a.index < b.index
  end)
  for index, item in ipairs(keyed) do keyed[index] = item.polygon end
  return keyed
end

--- The polygons in painting order, cut where necessary.
---@param polygons table[] all of them seen from their outside
---@return table[]
function painter.order(polygons)
  if #polygons > too_many then return sort_middles(polygons) end
  local out = {}
  sort_paper(polygons, out, 0)
  return out
end

return painter
