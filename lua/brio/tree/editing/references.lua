--- Resolves names in a tree's document by the rules of the core (engine/tree/resolve.c): `after` means the
--- nearest earlier node of that name; `to` of a goto or gosub is searched level by level upward.
local references = {}

--- Keywords of `after` and `to`, which are not names.
references.words = { after = { previous = true, beginning = true, all = true }, to = { next = true } }

--- All nodes in depth-first order: {list = ids, at = {id = position}, named = {name = positions}}, computed
--- once for each state of the document.
function references.order(document)
  local order = document.order
  if order then return order end
  order = { list = {}, at = {}, named = {} }
  local function add(id)
    local place, name = #order.list + 1, document:name(id)
    order.list[place], order.at[id] = id, place
    local places = order.named[name]
    if places then places[#places + 1] = place else order.named[name] = { place } end
    document:each_child(id, add)
  end
  add(document.root)
  document.order = order
  return order
end

--- The node that `after` of node `id` means by a name; nil: none.
function references.anchor(document, id, name)
  local order, found = references.order(document), nil
  for _, place in ipairs(order.named[name] or {}) do
    if place >= order.at[id] then break end
    found = order.list[place]
  end
  return found
end

local function is_inside(document, id, around)
  while id do
    if id == around then return true end
    id = document.nodes[id].parent
  end
  return false
end

--- The first node of a name inside `id`, depth first.
local function first_inside(document, order, id, name)
  for _, place in ipairs(order.named[name] or {}) do
    local found = order.list[place]
    if found ~= id and place > order.at[id] and is_inside(document, found, id) then return found end
  end
end

--- Search the siblings of `id`, nearest first, the left one before the right one; then inside them.
local function among_siblings(document, order, id, name)
  local list, own = document:children(document.nodes[id].parent), nil
  for place, child in ipairs(list) do own = child == id and place or own end
  for deep = 0, 1 do
    for distance = 1, #list - 1 do
      for side = -1, 1, 2 do
        local sibling = list[own + side * distance]
        local found = sibling and (deep == 1 and first_inside(document, order, sibling, name)
          or deep == 0 and document:name(sibling) == name and sibling)
        if found then return found end
      end
    end
  end
end

--- The node that `to` of node `id` means by a name; nil: none.
function references.target(document, id, name)
  local order = references.order(document)
  local places = order.named[name]
  if not places then return nil end
  if #places == 1 then -- a unique name is found anywhere, except the node itself
    local only = order.list[places[1]]
    return only ~= id and only or nil
  end
  while document.nodes[id].parent do
    local found = among_siblings(document, order, id, name)
    if found then return found end
    id = document.nodes[id].parent
    if document:name(id) == name then return id end
  end
end

--- The node that a name in a field of node `id` means.
function references.find(document, id, field, name)
  return (field == "after" and references.anchor or references.target)(document, id, name)
end

--- The reference for the text of a field that an author wrote: { node = id } or { whole = id }; a keyword
--- or an unknown name as it is.
function references.read(document, id, field, value)
  local whole = field == "after" and type(value) == "table" and value.whole
  local said = whole or value
  local target
  if type(said) == "number" then
    target = math.tointeger(said)
    if not document.nodes[target] then target = nil end
  elseif type(said) == "string" and (whole or not references.words[field][said]) then
    target = references.find(document, id, field, said)
  end
  if not target then return value end
  return whole and { whole = target } or { node = target }
end

--- The node that a field of a document refers to: its id and how ("node" or "whole"); nil: none.
function references.of(value)
  if type(value) ~= "table" then return nil end
  if value.node then return value.node, "node" end
  if math.type(value.whole) == "integer" then return value.whole, "whole" end
end

--- A reference as an author writes it: by name if that means the same node, else by id; `by_id`: always by
--- id.
function references.written(document, id, field, value, by_id)
  local target, how = references.of(value)
  if not target then return value end
  local name = not by_id and document.nodes[target] and document:name(target)
  if name and (how == "whole" or not references.words[field][name])
      and references.find(document, id, field, name) == target then
    target = name
  end
  return how == "whole" and { whole = target } or target
end

--- The nodes outside of `id` that refer to it or its contents: a list of {id =, field =, to =}.
function references.to(document, id)
  local list = {}
  local function look(other, field, value)
    local target = references.of(value)
    if target and is_inside(document, target, id) and not is_inside(document, other, id) then
      list[#list + 1] = { id = other, field = field, to = target }
    end
  end
  for other, node in next, document.nodes do -- all nodes, in no order, for speed
    local fields = node.fields
    if fields.after then look(other, "after", fields.after) end
    if fields.to then look(other, "to", fields.to) end
  end
  if not list[1] then return list end
  local at = references.order(document).at
  table.sort(list, function(a, b)
    if a.id ~= b.id then return at[a.id] < at[b.id] end
    return a.field < b.field
  end)
  return list
end

references.is_inside = is_inside

return references
