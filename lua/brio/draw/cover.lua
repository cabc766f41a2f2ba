--- Which polygons still show when all is painted: found on a raster, from the nearest to the
--- farthest.  A point of the raster belongs to the first polygon that covers it.
local cover = {}

local fine = 0.3 -- distance of the raster's points, in the paper's unit

--- Where row y of the raster runs through a convex polygon: from, to.
local function span(points, y)
  local from, to = math.huge, -math.huge
  for k, p in ipairs(points) do
    local q = points[k % #points + 1]
    if (p[2] <= y) ~= (q[2] <= y) then
      local x = p[1] + (y - p[2]) / (q[2] - p[2]) * (q[1] - p[1])
      if x < from then from = x end
      if x > to then to = x end
    end
  end
  return from, to
end

--- Cover what is still free of a polygon; whether there was anything.
local function take(rows, points)
  local lower, upper, found = math.huge, -math.huge, false
  for _, p in ipairs(points) do
    lower, upper = math.min(lower, p[2]), math.max(upper, p[2])
  end
  for j = math.ceil(lower / fine), math.floor(upper / fine) do
    local from, to = span(points, j * fine)
    local row = rows[j]
    if not row then
      row = {}
      rows[j] = row
    end
    if from <= to then
      for i = math.ceil(from / fine), math.floor(to / fine) do
        if not row[i] then row[i], found = true, true end
      end
    end
  end
  return found
end

--- Of polygons in painting order (far to near), those that show, in the same order.
---@param polygons table[]
---@return table[]
function cover.visible(polygons)
  local rows, shown = {}, {}
  for index = #polygons, 1, -1 do
    if take(rows, polygons[index].points) then shown[#shown + 1] = polygons[index] end
  end
  for index = 1, #shown // 2 do
    shown[index], shown[#shown + 1 - index] = shown[#shown + 1 - index], shown[index]
  end
  return shown
end

return cover
