--- A value over time, given by points: { { 0, 1 }, { 2, 0.6 }, { 8, 0 } }, linear between them and constant
--- beyond. Decays of events, and factors for repeated events, are such graphs.
local graph = {}

local is_number = require("brio.lib.fields").is_number

--- The error in a graph; nil: valid.
function graph.fault(points, what)
  if type(points) ~= "table" or #points < 2 then
    return what .. " must be a list of at least two { seconds, value }"
  end
  if #points > 64 then return ("%s has %d points: up to 64 are allowed"):format(what, #points) end
  local before = -1e-12
  for index, point in ipairs(points) do
    if type(point) ~= "table" or not (is_number(point[1]) and is_number(point[2])) then
      return ("%s[%d] must be { seconds, value }"):format(what, index)
    elseif point[1] <= before then
      return ("%s[%d]: seconds must rise, from 0 on: %g does not"):format(what, index, point[1])
    elseif point[2] < 0 or point[2] > 1 then
      return ("%s[%d]: a value must be from 0 to 1, not %g"):format(what, index, point[2])
    end
    before = point[1]
  end
end

--- Its value at a time.
function graph.at(points, time)
  if time <= points[1][1] then return points[1][2] end
  for index = 2, #points do
    local a, b = points[index - 1], points[index]
    if time < b[1] then return a[2] + (time - a[1]) / (b[1] - a[1]) * (b[2] - a[2]) end
  end
  return points[#points][2]
end

return graph
