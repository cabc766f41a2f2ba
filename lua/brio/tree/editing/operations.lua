--- The operations on a tree's document: one row each, as plain data that can be sent, stored and undone.
---
---     { op = "set", id =, field =, value = }             a field of a node; without a value it is removed
---     { op = "kind", id =, kind =, fields = }            another kind of node, with these fields
---     { op = "insert", parent =, part =, behind =, nodes = }   nodes: a list {id, kind, fields, parent,
---                                                              part}, the topmost first, all others after
---                                                              their parents
---     { op = "delete", id = }                            with all its contents
---     { op = "move", id =, parent =, part =, behind = }
---     { op = "batch", ops =, says = }                    all or nothing: one action of a person
---
--- `behind` is the preceding sibling; 0: first; nil: last.  author.lua makes operations, and edits.lua does
--- them.  A row: says(doc, op), a sentence for people; apply(edit, op), which does it and returns the
--- inverse operation, nil, and the operation as it was done if that differs; or nil and a sentence, with
--- changes that the edit's journal reverts.
---
--- Operations may arrive late: changes by others since the state that their author saw (`edit.base`) take
--- precedence.
---   - A field that another person has since set to something else is not set again: the author is told to
---     what and by whom.
---   - The same holds for moving a node that another has since moved, and for changing the kind of a node
---     that another has since changed.
---   - A node that another has since changed, or into which another has inserted, is not deleted; a deleted
---     node cannot be changed.  A node is not deleted while others refer to it.
---   - Of two moves that together would make a cycle, the second is refused.
---   - A node inserted after a deleted sibling is placed where that sibling was.
--- An inverse does not check for changes by others, but whether the state that it undoes still exists
--- (`expects`).
local data = require "brio.tree.editing.data"
local document = require "brio.tree.editing.document"
local references = require "brio.tree.editing.references"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local operations = {}

--- The operations by name.
operations.rows = {}
local rows = operations.rows

--- Keys that are not fields: other operations change them.
local structure = { kind = true, id = true, children = true }

--- Fields that expanding a tree (tree/files/expand.lua) evaluates and removes; by the kind of their node.
local expanded = { params = true, subtree = { file = true, tree = true, with = true, override = true } }

-- Queries ---------------------------------------------------------------------------------------------------

--- The node of an operation, or nil and why there is none.
local function node_of(edit, id)
  local node = edit.document.nodes[id]
  if node then return node end
  local grave = edit.graves[id]
  if grave then return nil, ("'%s' (%d) was deleted by %s"):format(grave.name, id, grave.who) end
  return nil, ("there is no node %s"):format(tostring(id))
end

--- A value in a sentence.
local function shown(value)
  if value == nil then return "nothing" end
  local text = data.lua(value)
  return #text > 60 and text:sub(1, 57):gsub("[\128-\255]+$", "") .. "..." or text
end

--- A field's value in a sentence: references by the name of their node.
local function shown_field(doc, value)
  local target, how = references.of(value)
  if not target or not doc.nodes[target] then return shown(value) end
  return (how == "whole" and "the whole of " or "") .. doc:called(target)
end

--- The error in a field's value for a kind of node, in words; nil: valid.
local function fault_of_field(edit, kind, name, field, value)
  if type(field) ~= "string" or structure[field] or document.has_parts(kind)
      and (field == "try" or field == "catch" or
    field == "finally") then
    return ("'%s' is no field that can be set"):format(tostring(field))
  end
  if value == nil then
    local needs = trees.kinds[kind] and trees.kinds[kind].needs
    for _, needed in ipairs(type(needs) == "table" and needs or { needs }) do
      if needed == field then return ("'%s' (%s) needs '%s'"):format(name, kind, field) end
    end
    return nil
  end
  local copy, why = data.copy(value)
  if copy == nil then return ("%s of '%s' %s"):format(field, name, why) end
  local target = document.refers(kind, field) and references.of(value)
  if target then
    if not edit.document.nodes[target] then return select(2, node_of(edit, target)) end
    return nil
  end
  local parameter = type(value) == "string" and value:sub(1, 1) == "$"
  local later = expanded[field] == true or expanded[kind] and expanded[kind][field]
  if parameter or later or data.has_thing(value) or not trees.kinds[kind] then return nil end
  why = trees.field_fault(kind, field, value)
  return why and "'" .. name .. "'" .. why
end

--- Why a node cannot have children in a part, in words.
local function fault_of_place(edit, parent, part)
  local node, why = node_of(edit, parent)
  if not node then return why end
  local kind = trees.kinds[node.kind]
  if kind and kind.leaf then
    return ("%s is a leaf (%s): it has no children"):format(edit.document:called(parent), node.kind)
  end
  if part ~= "children" and not (part == "try" or part == "catch" or part == "finally") then
    return ("'%s' is no part of a node: children, try, catch or finally"):format(tostring(part))
  end
  if part ~= "children" and not document.has_parts(node.kind) then
    return ("%s (%s) has no part '%s'"):format(edit.document:called(parent), node.kind, part)
  end
end

-- Changing --------------------------------------------------------------------------------------------------

--- A node with some of its keys changed.
local function altered(node, changes)
  local made = {}
  for key, value in next, node do made[key] = value end
  for key, value in next, changes do made[key] = value end
  return made
end

--- A list with an item at a place, or without one.
local function with(list, place, item)
  local made = table.move(list or {}, 1, #(list or {}), 1, {})
  table.insert(made, place, item)
  return made
end

local function without(list, item)
  local made = {}
  for _, one in ipairs(list) do
    if one ~= item then made[#made + 1] = one end
  end
  return made
end

local function place_in(list, item)
  for place, one in ipairs(list or {}) do
    if one == item then return place end
  end
end

--- The sibling before a node; 0: none.
local function before(doc, id)
  local node = doc.nodes[id]
  local list = doc.nodes[node.parent][node.part]
  return list[place_in(list, id) - 1] or 0
end

--- The position after a sibling, which may have been deleted or moved.
local function place_behind(edit, parent, part, behind)
  local list = edit.document.nodes[parent][part] or {}
  if behind == nil then return #list + 1 end
  for _ = 1, 1000 do -- traces of deleted nodes lead to earlier siblings without a cycle; bounded anyway
    if behind == 0 then return 1 end
    local place = place_in(list, behind)
    if place then return place + 1 end
    local trace = edit.graves[behind] or edit.left[behind]
    if not trace or trace.parent ~= parent or trace.part ~= part then return #list + 1 end
    behind = trace.behind
  end
  return #list + 1
end

--- Take a node out of its parent's list.
local function detach(edit, id)
  local doc = edit.document
  local node = doc.nodes[id]
  local parent = doc.nodes[node.parent]
  local rest = altered(parent, { [node.part] = without(parent[node.part], id) })
  if node.part ~= "children" and #rest[node.part] == 0 then rest[node.part] = nil end
  doc:put(node.parent, rest)
end

local function attach(edit, id, parent, part, place)
  local doc = edit.document
  local node = doc.nodes[parent]
  doc:put(parent, altered(node, { [part] = with(node[part], place, id) }))
end

--- A node and all its contents as a list for `insert`.
function operations.pack(doc, id)
  local list = {}
  for index, one in ipairs(doc:inside(id)) do
    local node = doc.nodes[one]
    list[index] = { id = one, kind = node.kind, fields = node.fields,
      parent = index > 1 and node.parent or nil,
      part = index > 1 and node.part or nil }
  end
  return list
end

--- Changes of a node by others since the state that the edit's author saw, in words; nil: none.  `except`:
--- a key that is ignored.
local function others_work(edit, id, except)
  for _, key in ipairs(suggest.keys(edit.stamps[id] or {})) do
    local who = key ~= except and edit:others(id, key)
    if who then
      return key == "place" and ("%s was moved by %s meanwhile"):format(edit.document:called(id),
        who)
        or key == "kind" and ("%s was made another kind of node by %s meanwhile"):format(
          edit.document:called(id), who)
        or ("%s of %s was set to %s by %s meanwhile"):format(key, edit.document:called(id),
          shown_field(edit.document, edit.document.nodes[id].fields[key]), who)
    end
  end
end

--- Resolve the names in a field when it is set.
local function settle(edit, id, kind, field, value)
  if value == nil or not document.refers(kind, field) then return value end
  return references.read(edit.document, id, field, value)
end

-- The rows --------------------------------------------------------------------------------------------------

rows.set = {
  says = function(doc, op)
    if op.field == "name" then return ("%s is called %s"):format(doc:called(op.id), shown(op.value)) end
    if op.value == nil then return ("%s of %s says nothing"):format(op.field, doc:called(op.id)) end
    return ("%s of %s is %s"):format(op.field, doc:called(op.id), shown_field(doc, op.value))
  end,
  apply = function(edit, op)
    local doc = edit.document
    local node, why = node_of(edit, op.id)
    if not node then return nil, why end
    why = fault_of_field(edit, node.kind, document.name_of(node), op.field, op.value)
    if why then return nil, why end
    local value, old = settle(edit, op.id, node.kind, op.field, op.value), node.fields[op.field]
    local who
    if op.expects then who = not data.equal(old, op.expects.value)
        and (edit:last(op.id, op.field) or "somebody")
    else who = not data.equal(old, value) and edit:others(op.id, op.field) end
    if who then
      return nil, ("%s of %s was set to %s by %s meanwhile"):format(op.field, doc:called(op.id),
        shown_field(doc, old), who)
    end
    local changed = altered(node.fields, {})
    changed[op.field] = value
    doc:put(op.id, altered(node, { fields = changed }))
    edit:stamp(op.id, op.field)
    return { op = "set", id = op.id, field = op.field, value = old, expects = { value = value } }
  end,
}

local function unknown_kind(kind)
  return ("there is no kind of node '%s'%s"):format(tostring(kind),
    suggest.hint(tostring(kind), suggest.keys(trees.kinds)))
end

--- Why a node cannot change its kind, in words.
local function fault_of_kind(edit, op, node)
  local kind, doc = trees.kinds[op.kind], edit.document
  if type(op.kind) ~= "string" or not kind then
    return unknown_kind(op.kind)
  end
  local count = #doc:children(op.id)
  if kind.leaf and count > 0 then
    return ("%s has children: a %s has none"):format(doc:called(op.id), op.kind)
  end
  if not document.has_parts(op.kind) and count > #node.children then
    return ("%s has parts (try, catch or finally): a %s has none"):format(doc:called(op.id), op.kind)
  end
  if type(op.fields) ~= "table" then return "the fields of the new kind are missing" end
  for _, field in ipairs(suggest.keys(op.fields)) do
    local why = fault_of_field(edit, op.kind, document.name_of(node), field, op.fields[field])
    if why then return why end
  end
end

rows.kind = {
  says = function(doc, op) return ("%s is a %s"):format(doc:called(op.id), op.kind) end,
  apply = function(edit, op)
    local doc = edit.document
    local node, why = node_of(edit, op.id)
    if not node then return nil, why end
    why = fault_of_kind(edit, op, node)
    if why then return nil, why end
    if op.expects then
      local same = op.expects.kind == node.kind and data.equal(op.expects.fields, node.fields)
      why = not same and ("%s was changed by %s meanwhile"):format(doc:called(op.id),
        edit:last(op.id) or "somebody")
    else
      why = others_work(edit, op.id, "place")
    end
    if why then return nil, why end
    local changed = {}
    for key, value in next, op.fields do changed[key] = settle(edit, op.id, op.kind, key, value) end
    doc:put(op.id, altered(node, { kind = op.kind, fields = changed }))
    edit:stamp(op.id, "kind")
    for _, key in ipairs(suggest.keys(changed)) do edit:stamp(op.id, key) end
    return { op = "kind", id = op.id, kind = node.kind, fields = node.fields,
      expects = { kind = op.kind, fields = changed } }
  end,
}

--- The nodes of an insert as they will be in the document, or nil and the reason why they cannot be
--- inserted.
local function read_nodes(edit, op)
  local made, by_id = {}, {}
  if type(op.nodes) ~= "table" or #op.nodes == 0 then return nil, "nothing to insert" end
  for index, said in ipairs(op.nodes) do
    local is_node = type(said) == "table"
    local id, parent = is_node and said.id, is_node and index > 1 and by_id[said.parent] or nil
    if math.type(id) ~= "integer" or id < 0 or id >= 1 << 31 then return nil, "a node to insert has no id" end
    if by_id[id] or edit.document.nodes[id] then return nil, ("the id %d is taken"):format(id) end
    local kind = trees.kinds[said.kind]
    if not kind then
      return nil, unknown_kind(said.kind)
    end
    if index > 1 and not parent then return nil, ("node %d has no parent among the nodes before \z
      it"):format(id) end
    if type(said.fields) ~= "table" then return nil, ("node %d has no fields"):format(id) end
    local node = { id = id, kind = said.kind, fields = said.fields,
      parent = parent and parent.id or op.parent,
      part = parent and said.part or op.part, children = {} }
    if parent then
      if trees.kinds[parent.kind].leaf then
        return nil, ("%s is a leaf: it has no children"):format(parent.kind)
      end
      local fits = node.part == "children" or document.has_parts(parent.kind)
        and suggest.contains(document.parts, node.part)
      if not fits then return nil, ("a %s has no part '%s'"):format(parent.kind, tostring(node.part)) end
      parent[node.part] = parent[node.part] or {}
      table.insert(parent[node.part], id)
    end
    made[index], by_id[id] = node, node
  end
  return made, by_id
end

--- The error in the fields of nodes to insert, in words.
local function fault_of_nodes(edit, made, by_id)
  for _, node in ipairs(made) do
    for _, field in ipairs(suggest.keys(node.fields)) do
      local value = node.fields[field]
      local target = document.refers(node.kind, field) and references.of(value)
      local why = not by_id[target] and fault_of_field(edit, node.kind, document.name_of(node), field, value)
      if why then return why end
    end
    local needs = trees.kinds[node.kind].needs
    for _, field in ipairs(type(needs) == "table" and needs or { needs }) do
      if node.fields[field] == nil then
        return ("'%s' (%s) needs '%s'"):format(document.name_of(node), node.kind, field)
      end
    end
  end
end

--- The depth of a node in the tree.
local function depth_of(doc, id)
  local depth = 0
  while id do id, depth = doc.nodes[id].parent, depth + 1 end
  return depth
end

--- The height of a list of nodes in which parents precede their children.
local function height_of(list)
  local depths, most = {}, 0
  for _, node in ipairs(list) do
    depths[node.id] = (depths[node.parent] or 0) + 1
    most = math.max(most, depths[node.id])
  end
  return most
end

rows.insert = {
  says = function(doc, op)
    local count, first = #op.nodes, op.nodes[1]
    local more = count > 1 and (" with %d nodes in it"):format(count - 1) or ""
    return ("'%s'%s is new in %s"):format(document.name_of(first), more, doc:called(op.parent))
  end,
  apply = function(edit, op)
    local doc = edit.document
    local why = fault_of_place(edit, op.parent, op.part)
    if why then return nil, why end
    local made, by_id = read_nodes(edit, op)
    if not made then return nil, by_id end
    why = fault_of_nodes(edit, made, by_id)
    if why then return nil, why end
    if depth_of(doc, op.parent) + height_of(made) > trees.deepest then
      return nil, ("nodes stand inside each other at most %d deep"):format(trees.deepest)
    elseif doc:count() + #made > trees.most then
      return nil, ("a tree has at most %d nodes"):format(trees.most)
    end
    local place = place_behind(edit, op.parent, op.part, op.behind)
    for _, node in ipairs(made) do
      doc:put(node.id, node)
      edit:bury(node.id, nil)
      edit:stamp(node.id, "place")
    end
    attach(edit, made[1].id, op.parent, op.part, place)
    for _, node in ipairs(made) do -- names can be resolved now
      for _, field in ipairs { "after", "to" } do
        local value = node.fields[field]
        local settled = settle(edit, node.id, node.kind, field, value)
        if settled ~= value then
          local now = doc.nodes[node.id]
          doc:put(node.id, altered(now, { fields = altered(now.fields, { [field] = settled }) }))
        end
      end
    end
    return { op = "delete", id = made[1].id, expects = { nodes = operations.pack(doc, made[1].id) } }, nil,
      altered(op, { behind = before(doc, made[1].id) })
  end,
}

--- Why a node cannot be deleted, in words.
local function fault_of_delete(edit, op)
  local doc = edit.document
  if op.id == doc.root then return ("%s is the root: it stays"):format(doc:called(op.id)) end
  local list = doc:inside(op.id)
  if op.expects then
    if data.equal(operations.pack(doc, op.id), op.expects.nodes) then list = {} end
    for _, id in ipairs(list) do
      local who = edit:last_other(id)
      if who then return ("%s was changed by %s since"):format(doc:called(id), who) end
    end
    if #list > 0 then return ("%s was changed since"):format(doc:called(op.id)) end
  end
  for _, id in ipairs(list) do
    local why = others_work(edit, id)
    if why then return why end
  end
  local words = {}
  for _, reference in ipairs(references.to(doc, op.id)) do
    words[#words + 1] = ("%s of %s is %s"):format(reference.field, doc:called(reference.id),
      doc:called(reference.to))
  end
  if #words > 3 then words = { words[1], words[2], ("%d more"):format(#words - 2) } end
  if #words > 0 then return ("%s is referred to: %s"):format(doc:called(op.id), table.concat(words, ", ")) end
end

rows.delete = {
  says = function(doc, op)
    local count = #doc:inside(op.id)
    return ("%s is deleted%s"):format(doc:called(op.id),
      count > 1 and (" with %d nodes in it"):format(count - 1) or "")
  end,
  apply = function(edit, op)
    local doc = edit.document
    local node, why = node_of(edit, op.id)
    if not node then return nil, why end
    why = fault_of_delete(edit, op)
    if why then return nil, why end
    local behind, nodes = before(doc, op.id), operations.pack(doc, op.id)
    detach(edit, op.id)
    for _, said in ipairs(nodes) do
      edit:bury(said.id, { name = document.name_of(said), parent = node.parent, part = node.part,
        behind = behind })
      doc:put(said.id, nil)
    end
    return { op = "insert", parent = node.parent, part = node.part, behind = behind, nodes = nodes }
  end,
}

--- Why a node cannot be moved, in words.
local function fault_of_move(edit, op)
  local doc = edit.document
  if op.id == doc.root then return ("%s is the root: it stays"):format(doc:called(op.id)) end
  local why = fault_of_place(edit, op.parent, op.part)
  if why then return why end
  if references.is_inside(doc, op.parent, op.id) then
    return ("%s cannot be moved into itself%s"):format(doc:called(op.id), op.parent ~= op.id and
      (": %s is inside it"):format(doc:called(op.parent)) or "")
  end
  if depth_of(doc, op.parent) + height_of(operations.pack(doc, op.id)) > trees.deepest then
    return ("nodes stand inside each other at most %d deep"):format(trees.deepest)
  end
  local node, who = doc.nodes[op.id], edit:others(op.id, "place")
  if op.expects then
    local same = node.parent == op.expects.parent and node.part == op.expects.part
    who = not same and (edit:last(op.id, "place") or "somebody")
  end
  return who and ("%s was moved by %s meanwhile"):format(doc:called(op.id), who) or nil
end

rows.move = {
  says = function(doc, op)
    local to = op.behind and op.behind ~= 0 and doc.nodes[op.behind] and " behind " .. doc:called(op.behind)
      or ""
    local part = op.part ~= "children" and " (" .. op.part .. ")" or ""
    return ("%s is in %s%s%s"):format(doc:called(op.id), doc:called(op.parent), part, to)
  end,
  apply = function(edit, op)
    local doc = edit.document
    local node, why = node_of(edit, op.id)
    if not node then return nil, why end
    why = fault_of_move(edit, op)
    if why then return nil, why end
    local behind = before(doc, op.id)
    edit:leave(op.id, { parent = node.parent, part = node.part, behind = behind })
    detach(edit, op.id)
    local place = place_behind(edit, op.parent, op.part, op.behind)
    doc:put(op.id, altered(node, { parent = op.parent, part = op.part }))
    attach(edit, op.id, op.parent, op.part, place)
    edit:stamp(op.id, "place")
    return { op = "move", id = op.id, parent = node.parent, part = node.part, behind = behind,
      expects = { parent = op.parent, part = op.part } }, nil, altered(op, { behind = before(doc, op.id) })
  end,
}

rows.batch = {
  says = function(doc, op)
    if type(op.says) == "string" then return op.says end
    local first = op.ops[1]
    return rows[first.op].says(doc, first)
      .. (#op.ops > 1 and (", and %d edits more"):format(#op.ops - 1) or "")
  end,
  apply = function(edit, op)
    if type(op.ops) ~= "table" or #op.ops == 0 then return nil, "nothing to do" end
    local inverses, all = {}, {}
    for index, one in ipairs(op.ops) do
      if type(one) ~= "table" or one.op == "batch" then return nil, "an edit in a batch is a single one" end
      local inverse, why, done = operations.apply(edit, one)
      if not inverse then return nil, why end
      table.insert(inverses, 1, inverse)
      all[index] = done
    end
    return { op = "batch", ops = inverses, says = op.says }, nil, altered(op, { ops = all })
  end,
}

--- Do an operation.  Return its inverse, nil and the operation as it was done (without deleted nodes); or
--- nil and a sentence: a batch may then be half done, and the caller reverts it.
function operations.apply(edit, op)
  local row = type(op) == "table" and rows[op.op]
  if not row then
    return nil, ("there is no edit '%s'"):format(tostring(type(op) == "table" and op.op or op))
  end
  if op.op ~= "batch" and math.type(op.id or op.parent) ~= "integer" then
    return nil, "an edit has the id of its node"
  end
  if op.expects ~= nil and type(op.expects) ~= "table" then return nil, "what an edit expects is a table" end
  local inverse, why, done = row.apply(edit, op)
  if inverse and edit.trace and op.op ~= "batch" then edit.trace(done or op) end
  return inverse, why, done or op
end

--- The effect of an operation as a sentence; called before the operation is done.
function operations.says(doc, op)
  local row = rows[op.op]
  -- an invalid operation is refused later, with the reason
  local good, words = pcall(row and row.says, doc, op)
  return good and words or tostring(op.op)
end

return operations
