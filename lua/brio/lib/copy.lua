--- Copies of plain data.
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
function copy.deep(value) return deep(value, {}) end

return copy
