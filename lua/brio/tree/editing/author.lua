--- Converts a person's edits of a tree into operations (operations.lua) on the document that the person
--- sees.
---
---     local op, why = author.set(doc, id, field, value)         author.rename(doc, id, name)
---       author.notes(doc, id, text)
---     author.fields(doc, id, { field = value })                 several at once; author.none as a value
---                                                               removes the field
---     author.kind(doc, id, kind)                                removes fields that the new kind lacks
---     author.insert(doc, place, form, ids)                      a table as brio.tree takes it
---     author.new(doc, place, kind, ids, fields)                 a node with the inherited fields of the
---                                                               last one of its kind
---     author.duplicate(doc, id, ids)                            after the original
---     author.delete(doc, id [, release])                        release: nodes that wait for it wait for
---                                                               the one before it
---     author.move(doc, id, place)
---
--- A place is { behind = id }, { before = id } or { into = id, part = "children" }: its end; with first =
--- true its beginning. `after` and `to` may be set to a name, a keyword, an id, { node = id }, { whole = id
--- } or { whole = name }.  `ids` is a function that returns an unused id, a whole number: author.ids(doc [,
--- operator]) makes one.
local data = require "brio.tree.editing.data"
local document = require "brio.tree.editing.document"
local fields = require "brio.lib.fields"
local operations = require "brio.tree.editing.operations"
local references = require "brio.tree.editing.references"
local trees = require "brio.tree.model.tree"

local author = {}

--- Means "no value" in author.fields.
author.none = fields.none

--- Distance between the id ranges of different people's new nodes, so that inserting needs no request.
author.block = 1000000

--- A function that returns ids for new nodes of an operator (0: the engine's own).  `also(id)`: whether an
--- id is used elsewhere.
function author.ids(doc, operator, also)
  local first = (operator or 0) * author.block
  local last = first
  for id in next, doc.nodes do
    if id > last and id < first + author.block then last = id end
  end
  return function()
    repeat last = last + 1 until not doc.nodes[last] and not (also and also(last))
    return last
  end
end

--- The function that makes ids for an object with a `document` and its `editing`: one for all calls.
function author.ids_of(self, operator)
  local graves = self.editing.graves
  self.make_id = self.make_id
    or author.ids(self.document, operator, function(id) return graves[id] ~= nil end)
  return self.make_id
end

local function named(doc, id)
  if doc.nodes[id] then return true end
  return nil, ("there is no node %s"):format(tostring(id))
end

--- A reference as a person gives it, in the form of documents; nil, a sentence.
local function reference(doc, id, field, value)
  local target = references.of(value)
  local read = target and value or references.read(doc, id, field, value)
  target = references.of(read)
  if target and not doc.nodes[target] then return nil, ("there is no node %d"):format(target) end
  if target or type(read) == "string" and references.words[field][read] then return read end
  local said = type(value) == "table" and value.whole or value
  if type(said) == "number" then return nil, ("there is no node %g"):format(said) end
  if type(said) ~= "string" or said:sub(1, 1) == "$" then return read end
  return nil, ("%s: there is no node '%s' that %s could mean here"):format(doc:called(id), said, field)
end

--- The operation that sets a field of a node (nil: removes it); nil, a sentence.
function author.set(doc, id, field, value)
  local good, why = named(doc, id)
  if not good then return nil, why end
  if value ~= nil and document.refers(doc.nodes[id].kind, field) then
    value, why = reference(doc, id, field, value)
    if value == nil then return nil, why end
  elseif value ~= nil then
    local copy
    copy, why = data.copy(value, doc.things)
    if copy == nil then return nil, ("%s of %s %s"):format(field, doc:called(id), why) end
    value = copy
  end
  if data.equal(doc.nodes[id].fields[field], value) then
    return nil, ("%s of %s is so already"):format(field, doc:called(id))
  end
  return { op = "set", id = id, field = field, value = value }
end

--- The operation that renames a node; nil, a sentence.
function author.rename(doc, id, name) return author.set(doc, id, "name", name) end

function author.notes(doc, id, text) return author.set(doc, id, "notes", text) end

--- One operation for a list of them; nil, a sentence: the list is empty.
function author.all(ops, says)
  if #ops == 0 then return nil, "nothing would change" end
  return #ops == 1 and not says and ops[1] or { op = "batch", ops = ops, says = says }
end

--- One operation for several fields, {field = value}; nil, a sentence.
function author.fields(doc, id, values, says)
  local ops, names = {}, {}
  for name in next, values do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = values[name]
    if value == author.none then value = nil end
    local op, why = author.set(doc, id, name, value)
    if op then ops[#ops + 1] = op elseif not why:find "is so already$" then return nil, why end
  end
  return author.all(ops, says)
end

--- The operation that changes the kind of a node and drops the fields that the new kind lacks; nil, a
--- sentence.
function author.kind(doc, id, kind)
  local good, why = named(doc, id)
  if not good then return nil, why end
  local kept = {}
  for name, value in next, doc.nodes[id].fields do
    if trees.kinds[kind] and not trees.field_fault(kind, name, value) then kept[name] = value end
  end
  return { op = "kind", id = id, kind = kind, fields = kept }
end

-- Structure -------------------------------------------------------------------------------------------------

--- A place in the form of operations: {parent, part, behind}; nil, a sentence.
function author.place(doc, place)
  local id = place.behind or place.before or place.into
  local good, why = named(doc, id)
  if not good then return nil, why end
  local node = doc.nodes[id]
  if place.into then
    return { parent = id, part = place.part or "children", behind = place.first and 0 or nil }
  end
  if not node.parent then return nil, ("%s is the root: it has no siblings"):format(doc:called(id)) end
  local behind = id
  if place.before then
    behind = 0
    for _, sibling in ipairs(doc.nodes[node.parent][node.part]) do
      if sibling == id then break end
      behind = sibling
    end
  end
  return { parent = node.parent, part = node.part, behind = behind }
end

--- Nodes for an insert with new ids; references among them are updated.
local function renumbered(nodes, ids)
  local new = {}
  for _, node in ipairs(nodes) do new[node.id] = ids() end
  for _, node in ipairs(nodes) do
    node.id, node.parent = new[node.id], new[node.parent]
    local copied = {}
    for key, value in next, node.fields do copied[key] = value end
    for _, field in ipairs { "after", "to" } do
      local target, how = references.of(copied[field])
      if new[target] then copied[field] = { [how] = new[target] } end
    end
    node.fields = copied
  end
  return nodes
end

local function insert(doc, place, nodes)
  local at, why = author.place(doc, place)
  if not at then return nil, why end
  return { op = "insert", parent = at.parent, part = at.part, behind = at.behind, nodes = nodes }
end

--- The operation that inserts a tree's table at a place; nil, a sentence.
function author.insert(doc, place, form, ids)
  local made, why = document.of(form, { things = doc.things })
  if not made then return nil, why end
  return insert(doc, place, renumbered(operations.pack(made, made.root), ids))
end

--- The last node of a kind before a place, from which a new node there inherits fields.
local function last_like(doc, kind, place)
  local limit = doc:place(place.behind or place.before or place.into)
  if place.into and not place.first then
    local inside = doc:inside(place.into)
    limit = doc:place(inside[#inside])
  end
  local found
  for _, id in ipairs(references.order(doc).list) do
    if doc:place(id) > limit then break end
    if doc.nodes[id].kind == kind then found = id end
  end
  return found
end

--- The operation that inserts a new node, with the fields inherited from the last one of its kind; nil, a
--- sentence.
function author.new(doc, place, kind, ids, values)
  local known = trees.kinds[kind]
  local made = { id = ids(), kind = kind, fields = {} }
  local at, why = author.place(doc, place)
  if not at then return nil, why end
  local last = known and last_like(doc, kind, place)
  for _, field in ipairs(last and known.record and known.record.inherit or {}) do
    made.fields[field] = doc.nodes[last].fields[field]
  end
  for field, value in next, values or {} do
    made.fields[field], why = data.copy(value, doc.things)
    if made.fields[field] == nil then return nil, ("%s %s"):format(field, why) end
  end
  return insert(doc, place, { made })
end

--- The operation that inserts a copy of a node after it; nil, a sentence.
function author.duplicate(doc, id, ids)
  local good, why = named(doc, id)
  if not good then return nil, why end
  return insert(doc, { behind = id }, renumbered(operations.pack(doc, id), ids))
end

--- The operation that deletes a node; with `release`, nodes that wait for it then wait for the one before it.
function author.delete(doc, id, release)
  local good, why = named(doc, id)
  if not good then return nil, why end
  local ops = {}
  for _, other in ipairs(release and references.to(doc, id) or {}) do
    if other.field == "to" then
      return nil, ("%s refers to %s: change that first"):format(doc:called(other.id), doc:called(other.to))
    end
    ops[#ops + 1] = { op = "set", id = other.id, field = "after" }
  end
  ops[#ops + 1] = { op = "delete", id = id }
  return author.all(ops)
end

--- The operation that moves a node to a place; nil, a sentence.
function author.move(doc, id, place)
  local good, why = named(doc, id)
  if not good then return nil, why end
  local at
  at, why = author.place(doc, place)
  if not at then return nil, why end
  if at.behind == id then return nil, ("%s is there already"):format(doc:called(id)) end
  return { op = "move", id = id, parent = at.parent, part = at.part, behind = at.behind }
end

return author
