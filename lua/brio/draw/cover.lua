--- Finds the polygons that are visible after painting, on a raster, from the nearest to the farthest.  A
--- point of the raster belongs to the first polygon that covers it.
local cover = {}

local fine = 0.3 -- distance of the raster's points, in the paper's unit

--- Interval of row y of the raster in a convex polygon: from, to.
local function span(points, y)
  local from, to = math.huge, -math.huge
  local p = points[#points]
  for k = 1, #points do
    local q = points[k]
    if (p[2] <= y) ~= (q[2] <= y) then
      local x = p[1] + (y - p[2]) / (q[2] - p[2]) * (q[1] - p[1])
      if x < from then from = x end
      if x > to then to = x end
    end
    p = q
  end
  return from, to
end

--- Cover the points from `first` to `last` of a row; return whether any was free.  A row is the list of its
--- covered runs { from, to, from, to, ... }, in order and not adjacent.
local function cover_run(row, first, last)
  local k = 1
  while row[k] and row[k + 1] < first - 1 do k = k + 2 end -- runs that end before it
  if not row[k] or row[k] > last + 1 then
    table.insert(row, k, first)
    table.insert(row, k + 1, last)
    return true
  end
  if row[k] <= first and row[k + 1] >= last then return false end
  local over = k -- the last run that it touches
  while row[over + 2] and row[over + 2] <= last + 1 do over = over + 2 end
  row[k], row[k + 1] = math.min(row[k], first), math.max(row[over + 1], last)
  if over > k then
    local count = #row
    table.move(row, over + 2, count + over - k, k + 2) -- sets the last ones to nil
  end
  return true
end

--- Cover the free part of a polygon; return whether there was any.
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
      local first, last = math.ceil(from / fine), math.floor(to / fine)
      if first <= last and cover_run(row, first, last) then found = true end
    end
  end
  return found
end

--- The visible ones of polygons in painting order (far to near), in the same order.
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
