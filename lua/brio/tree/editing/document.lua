--- A behavior tree as an editable document: nodes by id, as the author wrote them.
---
---     local doc, why = document.of(form [, about])     from a table as brio.tree accepts it; `about`: file,
---                                                      embedded (true: the table is inside a behavior's
---                                                      file, which is not written)
---     local doc, why = document.read(text, file)       from the text of a .json or .lua file of plain data
---
---     doc.root                  the root's id; the root always exists
---     doc.nodes[id]             { id =, kind =, fields =, parent = id, part =, children = ids, try =, catch
---                               =, finally = }; the last three are nil if empty
---     doc:name(id)              the displayed name of a node
---     doc:find(word)            the id of the node that a person means (an id, or a unique name), or nil
---                               and why
---     doc:children(id)          ids of all its children, in all parts
---     doc:path(id)              "open the door/hand/lift the hand"
---     doc:form([id])            the tree as brio.tree.compile accepts it, with ids; unchanged parts are the
---                               same tables as before
---     doc:plain([id])           the tree as its author writes it, references by name where that is
---                               unambiguous
---     doc:text()                that as the file's text (see text.lua), or nil and a sentence
---     doc:unsaved([id])         whether a node, or anything, differs from the saved state; doc:saved() marks
---                               the present state as saved
---
--- A node's table is immutable: an edit (operations.lua) replaces it.  `part` is the list of its parent
--- that contains the node: "children", "try", "catch" or "finally".  `after` and `to` are references: {
--- node = id } or { whole = id }, so that they follow renames and moves; a keyword or an unknown name stays
--- as it is. Functions are stored outside (data.lua).
local data = require "brio.tree.editing.data"
local dispatch = require "brio.io.dispatch"
local references = require "brio.tree.editing.references"
local shape = require "brio.tree.model.form"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local document = {}
local Document = {}
Document.__index = Document

--- The lists of children, in the order in which they run.
document.parts = { "children", "try", "catch", "finally" }

local is_part = {}
for _, part in ipairs(document.parts) do is_part[part] = true end

--- Whether a field of a kind of node refers to another node.
function document.refers(kind, field)
  local record = trees.kinds[kind]
  return field == "after" or field == "to" and record ~= nil and record.fields.to == "node"
end

--- Whether nodes of a kind have `try`, `catch` and `finally`.
function document.has_parts(kind)
  return trees.kinds[kind] ~= nil and trees.kinds[kind].parts and true or false
end

-- Reading ---------------------------------------------------------------------------------------------------

local Fault = {}

--- Abort reading, with a sentence.
local function fail(...) error(setmetatable({ sentence = string.format(...) }, Fault), 0) end

local Reader = {}
Reader.__index = Reader

local function kind_of(form)
  local kind = form.kind or form[1]
  return type(kind) == "string" and kind or nil
end

--- Read a form without its children: the node, and its layout.
function Reader:node(form, kind, parent, part)
  local node = { kind = kind, fields = {}, parent = parent, part = part }
  local layout = { named_kind = form.kind ~= nil or nil, named_children = form.children ~= nil or nil,
    said = {} }
  for key, value in next, form do
    local own = key == "kind" or key == "id"
      or is_part[key] and (key == "children" or document.has_parts(kind))
    if type(key) == "string" and not own then
      local copy, why = data.copy(value, self.document.things)
      if copy == nil then fail("'%s' (%s): %s %s", tostring(form.name or kind), kind, key, why) end
      node.fields[key] = copy
    elseif type(key) ~= "string" and not (math.type(key) == "integer" and key >= 1 and key <= #form) then
      fail("'%s' (%s): what stands at [%s]?", tostring(form.name or kind), kind, tostring(key))
    end
  end
  local id = type(form.id) == "number" and math.tointeger(form.id) or nil
  if form.id ~= nil and not (id and id >= 0 and id < 1 << 31) then
    fail("'%s' (%s): id must be a whole number of at least 0", tostring(form.name or kind), kind)
  end
  if id and self.taken[id] then fail("two nodes have the id %d", id) end
  node.id, layout.id = id, id ~= nil or nil
  if id then self.taken[id] = true end
  return node, layout
end

function Reader:list(list, parent, part, depth)
  if type(list) ~= "table" then
    fail("'%s': %s must be a list of nodes, not a %s", parent.kind, part, type(list))
  end
  if #list > 0 then parent[part] = {} end
  for index, child in ipairs(list) do
    if type(child) ~= "table" then
      fail("child %d of '%s' is no node but a %s", index, tostring(parent.fields.name or parent.kind),
        type(child))
    end
    parent[part][index] = self:add(child, parent, part, depth)
  end
end

function Reader:add(form, parent, part, depth)
  local kind = kind_of(form)
  if not kind then fail "a node without a kind: its first item says it, as in { \"wait\", seconds = 2 }" end
  if depth > trees.deepest or #self.made >= trees.most then
    fail("more than %d nodes, or more than %d inside each other: a table that holds itself?", trees.most,
      trees.deepest)
  end
  local node, layout = self:node(form, kind, parent, part)
  self.made[#self.made + 1], self.layouts[node] = node, layout
  self:list(form.children or table.move(form, type(form[1]) == "string" and 2 or 1, #form, 1, {}), node,
    "children", depth + 1)
  for index = 2, document.has_parts(kind) and #document.parts or 1 do
    local word = document.parts[index]
    if form[word] ~= nil then
      self:list(form[word], node, word, depth + 1)
      layout.empty = layout.empty or not node[word] and {} or nil
      if not node[word] then layout.empty[word] = true end
    end
  end
  return node
end

--- Give nodes without an id the lowest free ids, in order, as brio.tree does.
function Reader:give_ids()
  local id = 0
  for _, node in ipairs(self.made) do
    if not node.id then
      repeat id = id + 1 until not self.taken[id]
      node.id = id
    end
  end
end

--- Replace nodes by ids, and names by references.
function Reader:finish()
  local doc = self.document
  self:give_ids()
  for _, node in ipairs(self.made) do
    node.parent = node.parent and node.parent.id
    doc.nodes[node.id], doc.layouts[node.id] = node, self.layouts[node]
    for _, part in ipairs(document.parts) do
      for index, child in ipairs(node[part] or {}) do node[part][index] = child.id end
    end
    node.children = node.children or {}
  end
  doc.root, doc.size = self.made[1].id, #self.made
  for _, node in ipairs(self.made) do
    for _, field in ipairs { "after", "to" } do
      local value = node.fields[field]
      if value ~= nil and document.refers(node.kind, field) then
        doc.layouts[node.id].said[field] = value
        node.fields[field] = references.read(doc, node.id, field, value)
      end
    end
  end
end

--- Make a document of a tree's table.  Return it, or nil and a sentence.
function document.of(form, about)
  local doc = setmetatable({ nodes = {}, layouts = {}, things = data.things(), forms = {}, touched = {} },
    Document)
  for key, value in next, about or {} do doc[key] = value end
  local reader = setmetatable({ document = doc, made = {}, layouts = {}, taken = {} }, Reader)
  local good, why = pcall(function()
    if type(form) ~= "table" then fail("a tree is a table, not a %s", type(form)) end
    reader:add(form, nil, nil, 0)
    reader:finish()
  end)
  if not good then
    if getmetatable(why) ~= Fault then error(why, 0) end
    return nil, why.sentence
  end
  doc:saved()
  return doc
end

--- The document of nodes as they were sent: {root =, nodes = a list {id, kind, fields, parent, part},
--- parents first}.
function document.from_nodes(sent)
  local doc = setmetatable({ nodes = {}, layouts = {}, things = data.things(), forms = {}, touched = {},
    root = sent.root, file = sent.file, format = sent.format, size = #sent.nodes }, Document)
  for _, said in ipairs(sent.nodes) do
    doc.nodes[said.id] = { id = said.id, kind = said.kind, fields = said.fields, parent = said.parent,
      part = said.part, children = {} }
    local parent = doc.nodes[said.parent]
    if parent then
      parent[said.part] = parent[said.part] or {}
      table.insert(parent[said.part], said.id)
    end
  end
  doc:saved()
  return doc
end

--- The layout of a node of a JSON text: the order of its keys, and their values as texts.
local function keep_json(doc, id, item)
  local names, layout = {}, doc.layouts[id]
  if item.kind ~= "object" then return end
  for name, inner in next, item.of do names[inner] = name end
  layout.keys, layout.items = {}, {}
  for _, inner in ipairs(item) do
    local name = names[inner]
    if name then layout.keys[#layout.keys + 1], layout.items[name] = name, inner end
  end
  local node = doc.nodes[id]
  for _, part in ipairs(document.parts) do
    for index, child in ipairs(node[part] or {}) do keep_json(doc, child, item.of[part][index]) end
  end
end

local readers = {}

function readers.json(text, file)
  local clip, ordered = require "brio.formats.clip", require "brio.formats.ordered"
  local good, item = pcall(ordered.json, text, file)
  if not good then return nil, clip.failure(item) or error(item, 0) end
  local doc, why = document.of(data.of_item(item), { file = file, format = "json" })
  if doc then keep_json(doc, doc.root, item) end
  return doc, why and file .. ": " .. why
end

function readers.lua(text, file)
  local chunk, why = load(text, "@" .. file, "t", { pi = math.pi })
  if not chunk then return nil, why end
  local good, form = dispatch.call(nil, dispatch.load, chunk)
  if not good then return nil, tostring(form):match "^[^\n]*" end
  local doc
  doc, why = document.of(form, { file = file, format = "lua", remarks = text:find("--", 1, true) ~= nil })
  if not doc then return nil, file .. ": " .. why end
  if #doc.things.list > 0 then
    return nil, file .. ": a tree in a file is plain data, and names what the behavior's skills do"
  end
  return doc
end

--- Make a document of a file's text.  Return it, or nil and a sentence.
function document.read(text, file)
  local reader = readers[file:match "%.(%a+)$" or ""]
  if not reader then return nil, file .. ": a tree that is edited is in a file .lua or .json" end
  return reader(text, file)
end

-- Queries ---------------------------------------------------------------------------------------------------

--- The displayed name of a node: its name, or a substitute.
function document.name_of(node) return shape.called(node.fields, node.kind) end

function Document:name(id) return document.name_of(self.nodes[id]) end

--- A node in words, for sentences.
function Document:called(id)
  local node = self.nodes[id]
  return node and ("'%s'"):format(document.name_of(node)) or "node " .. tostring(id)
end

--- Call visit(child's id) for each child, in order.
function Document:each_child(id, visit)
  local node = self.nodes[id]
  for _, child in ipairs(node.children) do visit(child) end
  for index = 2, #document.parts do
    for _, child in ipairs(node[document.parts[index]] or {}) do visit(child) end
  end
end

--- The ids of a node's children, in all parts, in order.
function Document:children(id)
  local list = {}
  if id then self:each_child(id, function(child) list[#list + 1] = child end) else list[1] = self.root end
  return list
end

--- The ids of a node and of all its descendants, in order.
function Document:inside(id)
  local list = {}
  local function add(one)
    list[#list + 1] = one
    self:each_child(one, add)
  end
  add(id)
  return list
end

--- The number of nodes.
function Document:count() return self.size end

--- The position of a node among all, as brio.tree.print numbers them, or nil.
function Document:place(id) return references.order(self).at[id] end

--- The names from the root to a node.
function Document:path(id)
  local names = {}
  while id do
    table.insert(names, 1, self:name(id))
    id = self.nodes[id].parent
  end
  return table.concat(names, "/")
end

--- The id of the node that a person means: an id, or a unique name.
function Document:find(word)
  local id = math.tointeger(tonumber(word))
  if id and self.nodes[id] then return id end
  local order, names = references.order(self), {}
  local places = order.named[word]
  if places and #places == 1 then return order.list[places[1]] end
  if places then
    local ids = {}
    for index, place in ipairs(places) do ids[index] = tostring(order.list[place]) end
    return nil, ("there are %d nodes '%s': say the id, %s"):format(#places, word, table.concat(ids, " or "))
  end
  for name in next, order.named do names[#names + 1] = name end
  table.sort(names)
  return nil, ("there is no node '%s'%s"):format(tostring(word), suggest.hint(tostring(word), names))
end

-- Changing: only operations.lua and what stands on it does --------------------------------------------------

--- Set a key of one of the document's tables; revert() can undo it.
function Document:change(map, key, value)
  local journal = self.journal
  if journal then journal[#journal + 1] = { map, key, map[key] } end
  map[key] = value
end

--- Mark the forms of a node and of those around it as outdated.
local function outdate(self, id)
  while id and self.forms[id] do
    self.forms[id] = nil
    id = self.nodes[id] and self.nodes[id].parent
  end
end

--- Replace the node with this id; nil: remove it.
function Document:put(id, node)
  outdate(self, id)
  local more = (node and 1 or 0) - (self.nodes[id] and 1 or 0)
  if more ~= 0 then self:change(self, "size", self.size + more) end
  self:change(self.nodes, id, node)
  self.touched[id], self.order = true, nil
end

--- Begin a journal of changes; return the present position in it.
function Document:mark()
  self.journal = self.journal or {}
  return #self.journal
end

--- Undo all changes since a position that mark() returned.
function Document:revert(place)
  local journal = self.journal
  for index = #journal, place + 1, -1 do
    local map, key, value = journal[index][1], journal[index][2], journal[index][3]
    if map == self.nodes then
      outdate(self, key)
      self.order = nil
    end
    map[key] = value
    journal[index] = nil
  end
end

--- Drop the journal: changes so far can no longer be reverted.
function Document:keep() self.journal = nil end

-- As tables -------------------------------------------------------------------------------------------------

--- Set a node's lists of children in a form; make(id) makes each.  `named`: in a list under the key
--- `children`.
local function add_children(form, node, make, named)
  local before = #form
  local at = named and {} or form
  for index, child in ipairs(node.children) do at[named and index or before + index] = make(child) end
  if named then form.children = at end
  for index = 2, #document.parts do
    local part = document.parts[index]
    if node[part] then
      form[part] = {}
      for place, child in ipairs(node[part]) do form[part][place] = make(child) end
    end
  end
end

--- A node without its children, as brio.tree accepts it.
function Document:own(id)
  local node = self.nodes[id]
  local form = { node.kind, id = id }
  for key, value in next, node.fields do form[key] = data.restored(value, self.things) end
  for _, field in ipairs { "after", "to" } do
    local value = node.fields[field]
    if value ~= nil then form[field] = references.written(self, id, field, value, true) end
  end
  return form
end

local function form_of(self, id)
  local known = self.forms[id]
  if known then return known end
  local node, form = self.nodes[id], self:own(id)
  add_children(form, node, function(child) return form_of(self, child) end)
  self.forms[id] = form
  return form
end

--- The tree, or a node of it, as brio.tree.compile accepts it; unchanged parts are the same tables as before.
function Document:form(id) return form_of(self, id or self.root) end

--- A reference as text: as its author wrote it if that still has the same meaning.
function Document:reference(id, field, value)
  local layout = self.layouts[id]
  local said = layout and layout.said[field]
  if said ~= nil and data.equal(references.read(self, id, field, said), value) then return said end
  return references.written(self, id, field, value)
end

--- The ids that must be written: those that an author wrote, and those by which references name a node.
local function ids_needed(self)
  local needed = {}
  for id, node in next, self.nodes do
    if self.layouts[id] and self.layouts[id].id then needed[id] = true end
    for _, field in ipairs { "after", "to" } do
      local value = node.fields[field]
      local written = value ~= nil and document.refers(node.kind, field) and self:reference(id, field, value)
      if type(written) == "table" then written = written.whole end
      if math.type(written) == "integer" then needed[written] = true end
    end
  end
  return needed
end

--- The fields of a node in a file, other than kind and children: {field = value}.
function Document:written(id, needed)
  local node, fields = self.nodes[id], { id = needed[id] and id or nil }
  for key, value in next, node.fields do
    fields[key] = document.refers(node.kind, key) and self:reference(id, key, value)
      or data.restored(value, self.things)
  end
  return fields
end

--- Which ids are written, for Document:written.
function Document:needed() return ids_needed(self) end

--- `uniform`: independent of the layout of its file.
function Document:plain(id, uniform)
  local needed = ids_needed(self)
  local function make(one)
    local node, layout = self.nodes[one], not uniform and self.layouts[one] or {}
    local form = self:written(one, needed)
    if layout.named_kind then form.kind = node.kind else form[1] = node.kind end
    add_children(form, node, make, layout.named_children)
    for word in next, layout.empty or {} do form[word] = form[word] or {} end
    return form
  end
  return make(id or self.root)
end

--- The text of the document's file (see text.lua), or nil and a sentence.
function Document:text() return require("brio.tree.editing.text").of(self) end

-- Unsaved changes -------------------------------------------------------------------------------------------

--- Mark the present state as saved.
function Document:saved()
  self.clean, self.touched = {}, {}
  for id, node in next, self.nodes do self.clean[id] = node end
end

--- Whether a node (nil: anything) differs from the saved state.
function Document:unsaved(id)
  if id then return not data.equal(self.nodes[id], self.clean[id]) end
  for touched in next, self.touched do
    if not data.equal(self.nodes[touched], self.clean[touched]) then return true end
  end
  return false
end

return document
