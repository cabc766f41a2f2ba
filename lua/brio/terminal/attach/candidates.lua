--- Tab completion: the common prefix of all candidates, and their layout in columns.
local widths = require "brio.terminal.attach.widths"

local candidates = {}

--- The common prefix of all candidates.
function candidates.common_beginning(list)
  local first, length = list[1], #list[1]
  for _, name in ipairs(list) do
    while name:sub(1, length) ~= first:sub(1, length) do length = length - 1 end
  end
  return first:sub(1, length)
end

--- Names side by side, within the given columns.
function candidates.side_by_side(list, columns)
  local width = 0
  for _, name in ipairs(list) do width = math.max(width, widths.width(name) + 2) end
  local across, lines = math.max(1, (columns - 1) // width), {}
  for index, name in ipairs(list) do
    local row = (index - 1) // across + 1
    lines[row] = (lines[row] or "") .. name .. (" "):rep(width - widths.width(name))
  end
  return (table.concat(lines, "\n"):gsub(" +\n", "\n"):gsub(" +$", ""))
end

return candidates
