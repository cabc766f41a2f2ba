--- Plain data: deep copies, and whether two pieces are equal.
local copy = {}

local function deep(value, known)
  if type(value) ~= "table" then return value end
  if known[value] then return known[value] end
  local made = {}
  known[value] = made
  for key, item in next, value do made[key] = deep(item, known) end
  return made
end

--- A deep copy of plain data, including tables that refer to each other.
---@param value any
---@return any
function copy.deep(value)
  if type(value) ~= "table" then return value end
  return deep(value, {})
end

--- Whether two pieces of plain data are equal, tables by their contents.  No table may contain itself.
---@param a any
---@param b any
---@return boolean
function copy.equal(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in next, a do
    if not copy.equal(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

return copy
