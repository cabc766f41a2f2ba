--- A node with all its contents, as a tree of its own.
---
--- References to the outside cannot be followed: a `goto` to outside succeeds in place, a `gosub` gets a
--- copy of its target, and nodes that wait for outside nodes do not wait.
local suggest = require "brio.lib.suggest"

local piece = {}

--- A deep copy of a form.
function piece.copy(form)
  local made = {}
  for key, value in next, form do made[key] = type(value) == "table" and piece.copy(value) or value end
  return made
end

--- The node that a person means: by its number, its name or its id.  Return its number, or nil and a
--- sentence.
function piece.find(compiled, said)
  local number, found, names = math.tointeger(tonumber(said)), {}, {}
  for node, record in ipairs(compiled.list) do
    names[node] = record.name
    if record.name == said then found[#found + 1] = node end
  end
  if #found == 1 then return found[1] end
  if #found > 1 then
    return nil, ("there are %d nodes called '%s': give its number, as %d"):format(#found, said, found[1])
  end
  if number and compiled.list[number] then return number end
  return nil, ("the tree has no node '%s'%s"):format(said, suggest.hint(tostring(said), names))
end

local Cut = {}
Cut.__index = Cut

--- The numbers of a node's children, in the order of its form: children, then its parts.
local function inner_of(compiled)
  local children = {}
  for number, record in ipairs(compiled.list) do
    children[number] = {}
    if record.parent > 0 then table.insert(children[record.parent], number) end
  end
  return children
end

--- The nodes for which a node of the piece waits, in its form.
function Cut:after(number)
  local after, first = self.list[number].form.after, self.shape:waits(number)
  if number == self.root or after == nil then return nil end
  return first and self:holds(first) and after or "beginning"
end

--- The form of node `number` with its contents, in the piece.
function Cut:form(number)
  local record, made = self.list[number], {}
  local target = (record.kind == "goto" or record.kind == "gosub") and self.shape:target(number)
  if target and not self:holds(target) then return self:elsewhere(record, target) end
  for key, value in next, record.form do
    local named = type(key) == "string" and key ~= "children" and key ~= "try" and key ~= "catch"
      and key ~= "finally"
    if named then made[key] = value end
  end
  made.kind, made.name = record.is, record.name
  made.after = self:after(number)
  for _, child in ipairs(self.children[number]) do
    local part = self.shape:part(child)
    if part then
      made[part] = made[part] or {}
      table.insert(made[part], self:form(child))
    else
      made.children = made.children or {}
      table.insert(made.children, self:form(child))
    end
  end
  return made
end

--- Whether a node is in the piece.
function Cut:holds(number, root)
  while number > 0 do
    if number == (root or self.root) then return true end
    number = self.list[number].parent
  end
  return false
end

--- Replacement for a goto or gosub that leads out.
function Cut:elsewhere(record, target)
  local name = ("%s %s"):format(record.kind, self.list[target].name)
  if record.kind == "gosub" and self:holds(target, self.whole) then
    return { "gosub", to = self.list[target].name }
  end
  if record.kind == "goto" or self.under[target] then return { "succeed", name = name } end
  self.under[target] = true
  local inside = setmetatable({ list = self.list, shape = self.shape, children = self.children,
    under = self.under, root = target, whole = self.whole }, Cut):form(target)
  self.under[target] = nil
  return { "subtree", inside, name = name }
end

--- The form of node `number` of a compiled tree, as a tree of its own.
function piece.cut(compiled, number)
  return setmetatable({ list = compiled.list, shape = compiled.shape, children = inner_of(compiled),
    under = {}, root = number, whole = number }, Cut):form(number)
end

return piece
