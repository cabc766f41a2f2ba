--- Finds the node that a person means: by its number in a printed tree, by #id, or by its name or a part of
--- it.
local suggest = require "brio.lib.suggest"

local find = {}

--- Maximum number of candidates in a message.
local most_told = 8

--- The number of the node with that id, or nil.
function find.number(compiled, id)
  for number, record in ipairs(compiled.list) do
    if record.id == id then return number end
  end
end

local function named(compiled, fits)
  local found = {}
  for number, record in ipairs(compiled.list) do
    if fits(record.name) then found[#found + 1] = number end
  end
  return found
end

--- The nodes for which `prefer(number)` is true, if there is exactly one; else all.
local function preferred(found, prefer)
  local best
  for _, number in ipairs(found) do
    if prefer(number) then
      if best then return nil end
      best = number
    end
  end
  return best
end

local function one_of(compiled, found, text, prefer)
  if #found == 1 then return found[1] end
  local best = prefer and preferred(found, prefer)
  if best then return best end
  local told = {}
  for index = 1, math.min(#found, most_told) do
    told[index] = ("%d %s"):format(found[index], compiled.list[found[index]].name)
  end
  local more = #found > most_told and ", ..." or ""
  return nil, ("'%s' fits %d nodes: give the number: %s%s"):format(text, #found, table.concat(told, ", "),
    more)
end

--- The node that `text` means; among several with the name, the one for which `prefer(number)` is true.
--- Return nil and why if that is ambiguous.
function find.node(compiled, text, prefer)
  local id, number = math.tointeger(text:match "^#(%d+)$"), math.tointeger(text:match "^(%d+)$")
  if id then
    number = find.number(compiled, id)
    if number then return number end
    return nil, ("no node has the id %d"):format(id)
  elseif number then
    if compiled.list[number] then return number end
    return nil, ("there is no node %d: the tree has %d"):format(number, #compiled.list)
  end
  local name = text:match '^"(.*)"$' or text:match "^'(.*)'$" or text
  if name == "" then return nil, "name a node: its number, its name or #id; `tree` prints them" end
  local found = named(compiled, function(other) return other == name end)
  if #found == 0 then
    local piece = name:lower()
    found = named(compiled, function(other) return other:lower():find(piece, 1, true) ~= nil end)
  end
  if #found > 0 then return one_of(compiled, found, name, prefer) end
  local names = {}
  for index, record in ipairs(compiled.list) do names[index] = record.name end
  return nil, ("there is no node '%s'%s"):format(name, suggest.hint(name, names))
end

return find
