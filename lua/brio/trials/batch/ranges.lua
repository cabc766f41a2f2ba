--- Sets of numbers as text: "1-20,35".
local ranges = {}

--- The numbers of a text, ascending and once each; nil if it is none, or if a number is beyond `most`.
---@param text string
---@param most integer
---@return integer[]?
function ranges.read(text, most)
  local set, list = {}, {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local first, last = part:match "^%s*(%d+)%s*%-%s*(%d+)%s*$"
    if not first then first = part:match "^%s*(%d+)%s*$" end
    first, last = math.tointeger(tonumber(first)), math.tointeger(tonumber(last or first))
    if not (first and last) or first < 1 or last < first or last > most then return nil end
    for number = first, last do set[number] = true end
  end
  for number in next, set do list[#list + 1] = number end
  table.sort(list)
  return list
end

--- The text of ascending numbers.
---@param list integer[]
---@return string
function ranges.text(list)
  local parts, index = {}, 1
  while index <= #list do
    local first = index
    while list[index + 1] == list[index] + 1 do index = index + 1 end
    parts[#parts + 1] = first == index and tostring(list[first]) or list[first] .. "-" .. list[index]
    index = index + 1
  end
  return table.concat(parts, ",")
end

return ranges
