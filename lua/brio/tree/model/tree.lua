--- Behavior trees as plain tables: checked, and compiled for brio.nodes.
---
---     { "sequence",
---       { "play", sequence = "reach" },
---       { "play", sequence = "look", after = "beginning" },
---       { "fallback", try = { { "condition", holds = door_is_open } }, catch = { { "goto", to = "reach" } }
---         } }
---
--- A node is a table: its kind first (or `kind =`), its children after it (or `children =`), its fields by
--- name.  In JSON it has `kind` and `children`.
local attempts = require "brio.tree.execution.attempts"
local fields = require "brio.lib.fields"
local shape = require "brio.tree.model.form"
local nodes = require "brio.nodes"
local running = require "brio.tree.execution.running"
local suggest = require "brio.lib.suggest"

local tree = {}

--- Kinds that brio.nodes runs, by name; those whose leaves call Lua are in `leaves` instead.
local core = {}
for _, row in ipairs(nodes.kinds()) do
  if row.name ~= "call" then core[row.name] = row end
end

--- Leaves that are written in Lua, by name.
local leaves = {}
for _, leaf in ipairs(require "brio.tree.leaves") do leaves[leaf.name] = leaf end

local common = { kind = "string", from = "string", name = "string", id = "number", after = "any",
  children = "table", notes = "string" }
local parts = shape.parts

--- Every kind of node, by name: {doc =, fields = {name = field}, leaf =, parts =, params =, needs =, record
--- = (of leaves written in Lua: see tree/leaves.lua)}.
tree.kinds = {}
for name, row in next, core do
  local own = { to = row.targets and "node" or nil }
  for _, param in ipairs(row.params) do
    own[param.name] = { "number", unit = param.unit, lower = param.lower, upper = param.upper }
  end
  if row.parts then for _, part in ipairs(parts) do own[part] = "table" end end
  if name == "retry" then own.vary = attempts.field end
  tree.kinds[name] = { doc = row.doc, fields = own, leaf = row.leaf, parts = row.parts, params = row.params,
    needs = row.targets and "to" or nil }
end
for name, leaf in next, leaves do
  for field in next, leaf.fields do
    assert(not common[field], ("leaf '%s': every node has a field '%s', the leaf's own needs \z
      another name"):format(name, field))
  end
  tree.kinds[name] = { doc = leaf.doc, fields = leaf.fields, leaf = core[name] == nil, params = {},
    needs = leaf.needs, record = leaf }
end

for _, kind in next, tree.kinds do
  kind.needed = type(kind.needs) == "table" and kind.needs or { kind.needs }
  for _, field in next, kind.fields do
    kind.defaults = kind.defaults or type(field) == "table" and field.value ~= nil
  end
end

--- Maximum depth and number of nodes.
tree.deepest, tree.most = 100, 100000

-- From tables to a list -------------------------------------------------------------------------------------

local Maker = {}
Maker.__index = Maker

function Maker:fault(node, ...)
  self.faults[#self.faults + 1] = { message = string.format(...), name = node and node.name,
    form = node and node.form }
end

local none = {}

local function children_of(form)
  local list, first = shape.list(form)
  if first == 1 then return list end
  return list[first] == nil and none or table.move(list, first, #list, 1, {})
end

--- Values of `after`, in the core's terms.
local afters = { previous = "previous", beginning = "beginning", all = "all" }

--- The id in a value, or nil.
local function id_of(value)
  local id = type(value) == "number" and math.tointeger(value) or nil
  return id and id >= 0 and id < 1 << 31 and id or nil
end

function Maker:read_after(record, form)
  local after = form.after
  if after == nil then return end
  local whole = type(after) == "table" and after.whole
  local anchor = whole or after
  if afters[anchor] and not whole then
    record.after = after
  elseif type(anchor) == "string" then
    record.after, record.anchor = whole and "whole" or "node", anchor
  elseif id_of(anchor) then
    record.after, record.anchor_id = whole and "whole" or "node", id_of(anchor)
  else
    self:fault(record, "'%s': after is \"beginning\", \"all\", a node's name or { whole = name }",
      record.name)
  end
end

--- The error in a field of a node of some kind, as the text after the node's name in a sentence; nil: none.
function tree.field_fault(kind, key, value)
  local own = tree.kinds[kind].fields
  local expected = own[key] or common[key]
  if expected then
    local why = fields.fault(value, expected)
    return why and (" (%s): %s %s"):format(kind, key, why)
  end
  local names = suggest.keys(own)
  table.move(suggest.keys(common), 1, #suggest.keys(common), #names + 1, names)
  return (" (%s) has no field '%s'%s"):format(kind, key, suggest.hint(key, names))
end

--- Whether any field of a node has an error.
local function any_fault(kind, form)
  for key, value in next, form do
    if type(key) == "string" then
      local expected = kind.fields[key] or common[key]
      if not expected or fields.fault(value, expected) then return true end
    end
  end
  return false
end

function Maker:check_fields(record, kind, form)
  for _, key in ipairs(any_fault(kind, form) and suggest.keys(form) or none) do
    local why = tree.field_fault(record.is, key, form[key])
    if why then self:fault(record, "'%s'%s", record.name, why) end
  end
  for _, key in ipairs(kind.needed) do
    if form[key] == nil then self:fault(record, "'%s' (%s) needs '%s'", record.name, record.is, key) end
  end
  for index, name in ipairs(type(form.owns) == "table" and kind.fields.owns and form.owns or none) do
    if type(name) ~= "string" then
      self:fault(record, "'%s' (%s): owns: item %d must be the name of a part, not a %s", record.name,
        record.is, index, type(name))
    end
  end
end

function Maker:record(form, name, parent, part)
  local record = { kind = core[name] and name or "call", is = name, parent = parent, part = part,
    name = shape.name(form),
    form = form, values = tree.kinds[name].defaults and fields.filled(form, tree.kinds[name].fields) or form,
      notes = form.notes,
    id = id_of(form.id), to = type(form.to) == "string" and form.to or nil, to_id = id_of(form.to) }
  if form.id ~= nil and not record.id then
    self:fault(record, "'%s' (%s): id must be a whole number of at least 0", record.name, name)
  end
  for _, param in ipairs(tree.kinds[name].params) do
    if type(form[param.name]) == "number" then record[param.name] = form[param.name] end
  end
  return record
end

function Maker:add_all(list, parent, depth, part)
  for index, child in ipairs(list) do
    if type(child) == "table" then self:add(child, parent, depth, part)
    else self:fault(nil, "child %d of '%s' is no node but a %s", index, self.list[parent].name,
      type(child)) end
  end
end

function Maker:add(form, parent, depth, part)
  local name = shape.kind(form)
  local kind = tree.kinds[name]
  if depth > tree.deepest or #self.list >= tree.most then
    if not self.full then
      self:fault(nil, "more than %d nodes, or more than %d inside each other: a table that holds itself?",
        tree.most, tree.deepest)
    end
    self.full = true
    return
  end
  if not kind then
    local hint = name and suggest.hint(name, suggest.keys(tree.kinds))
    self:fault({ name = name, form = form }, name and ("there is no kind of node '%s'%s"):format(name, hint)
      or "a node without a kind: its first item is the kind, as in { \"wait\", seconds = 2 }")
    return
  end
  local record = self:record(form, name, parent, part)
  self.list[#self.list + 1] = record
  local number, children = #self.list, children_of(form)
  self:check_fields(record, kind, form)
  self:read_after(record, form)
  if kind.leaf and #children > 0 then
    self:fault(record, "'%s' (%s) is a leaf: it has no children", record.name, name) return
  end
  self:add_all(children, number, depth + 1)
  for _, word in ipairs(kind.parts and parts or none) do
    if type(form[word]) == "table" then self:add_all(form[word], number, depth + 1, word) end
  end
end

--- Give nodes without an id the lowest free whole numbers from 1 on, in order.
function Maker:give_ids()
  local taken, id = {}, 0
  for _, record in ipairs(self.list) do
    if record.id then taken[record.id] = true end
  end
  for _, record in ipairs(self.list) do
    if not record.id then
      repeat id = id + 1 until not taken[id]
      record.id = id
    end
  end
end

--- An error of brio.nodes in a list, as a fault of the node with whose number it begins.
local function fault_of_nodes(list, why)
  local name = why:match "^'(.-)'"
  for _, record in ipairs(list) do
    if record.name == name then return { message = why, name = name, form = record.form } end
  end
  return { message = why }
end

--- The signature is computed on first use.
local Compiled = {}
function Compiled.__index(self, key)
  if key ~= "signature" then return nil end
  local text = tree.signature(self.list)
  rawset(self, key, text)
  return text
end

--- A compiled tree from its records and the tree of brio.nodes.
function tree.made(list, made) return setmetatable({ list = list, shape = made }, Compiled) end

--- Compile a tree's table into the list that brio.nodes runs.  Return it, {list =, signature =}, and
--- faults: a list of {message =, name =, form =}.
function tree.compile(form)
  local maker = setmetatable({ list = {}, faults = {} }, Maker)
  if type(form) ~= "table" then
    maker:fault(nil, "a tree is a table, not a %s", type(form))
  else
    maker:add(form, 0, 0)
  end
  maker:give_ids()
  for number, record in ipairs(maker.list) do
    local why = record.kind == "retry" and attempts.fault(maker.list, number, tree.field_fault)
    if why then maker:fault(record, "'%s' (retry): %s", record.name, why) end
  end
  if #maker.faults > 0 then return nil, maker.faults end
  local made, why = nodes.new(maker.list)
  if not made then return nil, { fault_of_nodes(maker.list, why) } end
  return tree.made(maker.list, made), {}
end

--- The record of an inserted or changed node and those of its contents; faults are added to the list.
local function records_of(edit, faults)
  local maker = setmetatable({ list = {}, faults = faults }, Maker)
  if type(edit.form) ~= "table" then
    maker:fault(nil, "a node is a table, not a %s", type(edit.form)) return nil
  end
  maker:add(edit.form, 0, 0, edit.part)
  return maker.list
end

--- The edits in the form of brio.nodes, and the records of all inserted nodes, in order.
local function read_edits(edits, faults)
  local list, put_in = {}, {}
  for index, edit in ipairs(edits) do
    if edit.verb == "insert" then
      local records = records_of(edit, faults) or {}
      table.move(records, 1, #records, #put_in + 1, put_in)
      list[index] = { verb = "insert", parent = edit.parent, before = edit.before, list = records }
    elseif edit.verb == "set" then
      list[index] = { verb = "set", node = edit.node, record = (records_of(edit, faults) or {})[1] }
    else
      list[index] = edit
    end
  end
  return list, put_in
end

--- The records of an edited tree in their new positions.
local function edited_list(old, made, was, put_in)
  local list = {}
  for number, place in ipairs(was) do
    local record = place > 0 and old[place] or put_in[-place]
    record.parent = made:parent(number)
    if place < 0 then record.id = made:id(number) end
    list[number] = record
  end
  return list
end

--- Apply a list of edits to a compiled tree, without compiling all of it; nodes are named by their ids,
---
---     { verb = "insert", parent = id, before = id of a child or nil, form = node, part = "try", "catch",
---       "finally" or nil }
---     { verb = "remove", node = id }
---     { verb = "move", node = id, parent = id, before = id or nil }
---     { verb = "set", node = id, form = node, part = ... }      all fields of a node, not its id and
---                                                               children
---
--- Return it as tree.compile does, and faults.  Running trees change to it with running:migrate.  It takes
--- over the old one's records, whose `parent` is then that of the new tree; queries of the old one's shape
--- stay correct.
function tree.edit(compiled, edits)
  local faults = {}
  local list, put_in = read_edits(edits, faults)
  if #faults > 0 then return nil, faults end
  local made, was = compiled.shape:edited(list)
  if not made then return nil, { { message = was } } end
  local records = edited_list(compiled.list, made, was, put_in)
  for _, edit in ipairs(list) do
    local number = edit.verb == "set" and made:find(edit.node)
    if number then
      edit.record.parent, edit.record.id = records[number].parent, edit.node
      records[number] = edit.record
    end
  end
  return tree.made(records, made), {}
end

--- A text that is equal for two trees that differ only in their functions.
function tree.signature(list)
  local words = {}
  for _, record in ipairs(list) do
    for _, key in ipairs(suggest.keys(record)) do
      local value = record[key]
      if type(value) ~= "table" and type(value) ~= "function" then
        words[#words + 1] = key .. "=" .. tostring(value)
      end
    end
    words[#words + 1] = ";"
  end
  return table.concat(words, " ")
end

--- Begin the tree `compiled` at a site (see tree/leaves.lua); `record`: makes its recorder, see
--- tree/execution/running.lua; nil: none.
function tree.begin(compiled, site, record) return running.new(compiled, site, record, leaves) end

-- Printing --------------------------------------------------------------------------------------------------

--- A leaf's own fields, if they are numbers, texts or booleans.
local function add_own(words, form, own)
  for _, key in ipairs(suggest.keys(own)) do
    local field, value = own[key], form[key]
    if type(field) == "table" and type(value) == "number" then
      local bare = not field.unit or field.unit == "" or field.unit == "1"
      words[#words + 1] = ("%s %g%s"):format(key, value, bare and "" or " " .. field.unit)
    elseif type(field) == "table" and (type(value) == "string" or type(value) == "boolean") then
      words[#words + 1] = key .. " " .. tostring(value)
    end
  end
end

--- The name of the node with an id.
local function name_of_id(compiled, id)
  for _, record in ipairs(compiled.list) do
    if record.id == id then return record.name end
  end
end

--- A node's fields for people, without its name.
local function fields_of(compiled, number)
  local record, words = compiled.list[number], {}
  for _, param in ipairs(tree.kinds[record.is].params) do
    if record[param.name] then
      words[#words + 1] = ("%s %g%s"):format(param.name, record[param.name],
        param.unit ~= "" and " " .. param.unit or "")
    end
  end
  if tree.kinds[record.is].record then add_own(words, record.form, tree.kinds[record.is].fields) end
  local target = compiled.shape:target(number)
  if target then words[#words + 1] = ("to %d %s"):format(target, record.to or compiled.list[target].name)
  elseif record.to then words[#words + 1] = "to " .. record.to end
  if record.after and record.after ~= "previous" then
    local first, last = compiled.shape:waits(number)
    local waits = not first and "nothing" or first == last and tostring(first) or first .. " to " .. last
    local anchor = record.anchor or record.anchor_id and name_of_id(compiled, record.anchor_id)
      or record.after
    words[#words + 1] = ("after %s (waits for %s)"):format(anchor, waits)
  end
  if record.form.vary then words[#words + 1] = ("varies over %d attempts"):format(#record.form.vary) end
  if record.form.owns then words[#words + 1] = "owns " .. table.concat(record.form.owns, " ") end
  if record.form.from then words[#words + 1] = "<" .. record.form.from:gsub("\n", " ") .. ">" end
  if record.notes then words[#words + 1] = "-- " .. record.notes:gsub("\n", " ") end
  return table.concat(words, ", ")
end

--- A node for people: its depth, kind and name, and its fields.
function tree.row(compiled, number)
  local record, depth = compiled.list[number], 0
  local part, parent = compiled.shape:part(number), record.parent
  while parent > 0 do depth, parent = depth + 1, compiled.list[parent].parent end
  local name = record.name ~= record.is and (" '%s'"):format(record.name) or ""
  return depth, (part and part ~= "try" and part .. ": " or "") .. record.is .. name,
    fields_of(compiled, number)
end

--- The tree as lines of text: number, kind, name, fields.
function tree.print(compiled)
  local lines = {}
  for number in ipairs(compiled.list) do
    local depth, name, said = tree.row(compiled, number)
    lines[number] = ("%4d  %s%s%s"):format(number, ("  "):rep(depth), name, said ~= "" and "  " .. said or "")
  end
  return table.concat(lines, "\n")
end

return tree
