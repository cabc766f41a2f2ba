--- Expands a tree: parameters are replaced by their values, uses of subtree files by the subtrees, and
--- names of skills by their functions.
---
---     { "subtree", file = "turn_knob.lua", name = "left knob", with = { side = "left" }, override = { turn =
---       { seconds = 3 } } }
---
--- All places that use a file share its definition.  The settings of a place (`with`, `override`) belong to
--- that place and do not change the file, so places do not affect each other.
---
--- A node inside a subtree is identified by the use's id and its own, so that its identity survives edits
--- of the tree around it: forms.id.
local files = require "brio.tree.files.files"
local params = require "brio.tree.files.params"
local shape = require "brio.tree.model.form"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local forms = {}

--- Maximum depth and number of nodes: compile reports an excess.
local deepest, most = 100, 100000

--- Ids from here on are for nodes inside subtrees; authors' ids are below.
forms.first_inner_id = 1 << 20

local Expander = {}
Expander.__index = Expander

--- Add a fault of a node in a document (`scope`).
function Expander:fault(scope, form, ...)
  local document = scope.document
  self.faults[#self.faults + 1] = { message = ("'%s': %s"):format(shape.name(form), string.format(...)),
    name = shape.name(form), form = form, file = document.file, document = document, number = scope.number }
end

-- Ids -------------------------------------------------------------------------------------------------------

--- FNV-1a of a text, continued from the hash of another text.
local function hash_of(text, from)
  local hash = from or 2166136261
  for index = 1, #text do hash = (hash ~ text:byte(index)) * 16777619 & 0xFFFFFFFF end
  return hash
end

--- The id of a node inside a subtree, from its key "use/node": the same in every run.  `taken`: ids in use;
--- `from`: the hash of the beginning of the key, if only its end is given.
function forms.id(key, taken, from)
  local hash = hash_of(key, from)
  local room = (1 << 31) - 1 - forms.first_inner_id
  local id = forms.first_inner_id + hash % room
  while taken[id] do id = forms.first_inner_id + (id - forms.first_inner_id + 1) % room end
  taken[id] = true
  return id
end

-- Skills ----------------------------------------------------------------------------------------------------

--- A skill's functions bound to the arguments `with` of a node.
local bound = {}

function bound.enter(fn, with) return function(self) return fn(self, with) end end
function bound.tick(fn, with) return function(self, elapsed) return fn(self, elapsed, with) end end
bound.exit = bound.enter

--- The fields of a skill that is a table.
forms.skill_fields = {
  enter = { "function", doc = "begins: enter(self, with)" }, exit = { "function",
    doc = "ends: exit(self, with)" },
  tick = { "function", doc = "tick(self, elapsed, with): true when done, or false and why" },
  holds = { "function", doc = "of a condition: holds(self, with)" },
  seconds = { "number", unit = "s", doc = "about how long it takes" },
  owns = { "table", doc = "parts of the body that it moves" }, params = { "table",
    doc = "what a node may give it" },
  doc = { "string", doc = "a sentence for people" },
}

--- The errors in a behavior's skills: a list of {name =, message =}.
function forms.faults_of_skills(skills)
  local list = {}
  local function add(name, ...)
    list[#list + 1] = { name = name, message = ("skill '%s' "):format(name) .. string.format(...) }
  end
  for _, name in ipairs(suggest.keys(skills)) do
    local skill = skills[name]
    if type(skill) ~= "function" and type(skill) ~= "table" then
      add(name, "must be a function or a table, not a %s", type(skill))
    end
    local what = ("skill '%s'"):format(name)
    for _, fault in ipairs(type(skill) == "table" and schema.faults(skill, forms.skill_fields, what) or {}) do
      list[#list + 1] = { name = name, message = fault.message }
    end
    for _, fault in ipairs(type(skill) == "table" and type(skill.params) == "table"
        and params.faults(skill.params) or {}) do
      add(name, "(params): %s", fault)
    end
  end
  return list
end

--- The skill that a node names, and its arguments.
function Expander:skill(form, name, scope)
  local skill = self.context.skills[name]
  if skill == nil then
    self:fault(scope, form, "there is no skill '%s'%s", name,
      suggest.hint(name, suggest.keys(self.context.skills)))
    return nil
  end
  local own = type(skill) == "table" and skill or {}
  local with = form.with
  if own.params then
    local values, faults = params.values(own.params, type(with) == "table" and with or nil)
    for _, fault in ipairs(faults) do self:fault(scope, form, "skill '%s': %s", name, fault) end
    with = values
  end
  return skill, type(with) == "table" and with or nil
end

--- Copy a skill's functions into an action or condition (a copy).
function Expander:do_skill(form, scope)
  local does, holds = form.does, form.holds
  if type(does) == "string" then
    local skill, with = self:skill(form, does, scope)
    local own = type(skill) == "table" and skill or { tick = skill }
    if skill and not (own.tick or own.enter or own.exit) then
      self:fault(scope, form, "skill '%s' does nothing: it has no tick", does)
    end
    for part, bind in next, bound do
      form[part] = own[part] and with and bind(own[part], with) or own[part]
    end
    form.seconds = form.seconds or own.seconds
    form.owns = form.owns or own.owns
  elseif type(holds) == "string" then
    local skill, with = self:skill(form, holds, scope)
    local fn = type(skill) == "table" and skill.holds or skill
    if skill and type(fn) ~= "function" then
      self:fault(scope, form, "skill '%s' is no condition: it has no holds", holds)
    end
    if type(fn) == "function" then
      form.name = form.name or holds
      form.holds = with and bound.enter(fn, with) or fn
    end
  end
end

-- Nodes -----------------------------------------------------------------------------------------------------

local function copy(form)
  local made = {}
  for key, value in next, form do made[key] = value end
  return made
end

--- Fields that are not values of a node: children, and literal ones.
local structure = { children = true, try = true, catch = true, finally = true, params = true, kind = true,
  id = true, from = true }

--- A node with names of parameters replaced by their values; the same table if there are none.
function Expander:resolve(form, scope)
  local made = form
  scope.form = form
  for key, value in next, form do
    if type(key) == "string" and not structure[key] then
      local now = params.resolve(value, scope.values, scope.tell)
      if now ~= value then
        if made == form then made = copy(form) end
        made[key] = now
      end
    end
  end
  return made
end

--- Apply an override to a node (a copy).
local function add_override(form, said)
  for key, value in next, said do
    if (key == "with" or key == "override") and type(form[key]) == "table" and type(value) == "table" then
      local all = copy(form[key])
      for name, one in next, value do all[name] = one end
      form[key] = all
    else
      form[key] = value
    end
  end
end

--- Refuse overrides of the parameters and children of a use.
local function fault_of_override(key, said)
  if type(said) ~= "table" then
    return ("override: '%s' is a table of fields, not a %s"):format(key, type(said))
  end
  for name in next, said do
    if type(name) ~= "string" or structure[name] then
      return ("override: '%s': %s cannot be replaced, only fields can"):format(key,
        type(name) == "string" and name or "a child")
    end
  end
end

--- The nodes of a document that an `override` changes: {number = fields}.
function Expander:overrides(form, scope, document)
  local found, named, given = {}, {}, {}
  for key, said in next, type(form.override) == "table" and form.override or {} do
    given[tostring(key)] = said
  end
  for _, name in ipairs(suggest.keys(given)) do
    local said = given[name]
    local places = document.names[name] or {}
    local number = document.ids[math.tointeger(tonumber(name))] or places[1]
    local fault = fault_of_override(name, said)
    if not fault and not number then
      fault = ("override: %s has no node '%s'%s"):format(form.file, name,
        suggest.hint(name, suggest.keys(document.names)))
    elseif not fault and number == places[1] and #places > 1 then
      fault = ("override: %d nodes of %s are called '%s': give the node an id, and use that"):format(#places,
        form.file, name)
    elseif not fault and found[number] then
      fault = ("override: '%s' and '%s' are the same node of %s: use one of them"):format(named[number], name,
        form.file)
    end
    if fault then self:fault(scope, form, "%s", fault) else found[number], named[number] = said, name end
  end
  return found
end

--- The document that a use names, or nil after a fault.
function Expander:document_of(form, scope)
  if type(form.file) ~= "string" then
    self:fault(scope, form, "file must be a file's name, not a %s", type(form.file))
    return nil
  end
  local path = files.path(form.file, scope.document.file)
  local document, why = files.read(path, self.context)
  if document and not files.index(document) then
    why, document = path .. ": " .. select(2, files.index(document)), nil
  end
  if not document then self:fault(scope, form, "%s", why) return nil end
  local around = scope
  while around do
    if around.document == document then
      self:fault(scope, form, "%s is inside itself: files of trees use each other in a circle", form.file)
      return nil
    end
    around = around.around
  end
  if form.tree == nil then return document end
  local other = document.trees and document.trees[form.tree]
  local own = other and files.document(other, path, document.text)
  if own then
    own.trees, own.line_of = document.trees, document.line_of
    return files.index(own)
  end
  self:fault(scope, form, "%s has no tree '%s'%s", form.file, tostring(form.tree),
    suggest.hint(tostring(form.tree), suggest.keys(document.trees or {})))
end

--- The scope of a document: its parameters' values, and the overrides of the use.
function Expander:scope(document, given, user, form)
  local said = document.form.params
  local scope = { document = document, around = user, count = 0, values = {}, overrides = {}, ids = {} }
  local wrong = said ~= nil and params.faults(said) or {}
  for _, fault in ipairs(wrong) do
    self:fault({ document = document, number = 1 }, document.form, "%s", fault)
  end
  if #wrong > 0 then return scope end
  local faults
  scope.values, faults = params.values(said or {}, given, not user and self.context.sample)
  for _, fault in ipairs(faults) do
    self:fault(user or { document = document, number = 1 }, form, "%s", fault)
  end
  scope.resolves = said ~= nil
  function scope.tell(sentence) self:fault(scope, scope.form, "%s", sentence) end
  return scope
end

--- A use of a subtree file: the node with the file's tree as its child.
function Expander:use(form, scope, depth, key)
  local document = self:document_of(form, scope)
  if not document then return form end
  if form.with ~= nil and type(form.with) ~= "table" then
    self:fault(scope, form, "with is a table of values by name")
    return form
  end
  local inner = self:scope(document, form.with, scope, form)
  inner.key, inner.overrides = key, self:overrides(form, scope, document)
  inner.hash = hash_of(key .. "/")
  local made = { "subtree", self:node(document.form, inner, depth + 1) }
  for _, field in ipairs { "name", "id", "after", "notes" } do made[field] = form[field] end
  made.name = form.name or form.file:match "([^/]+)%.%a+$" or form.file
  local told = { form.file }
  for _, name in ipairs(suggest.keys(form.with or {})) do
    told[#told + 1] = ("%s=%s"):format(name, params.shown(form.with[name]))
  end
  made.from = table.concat(told, " ")
  return made
end

--- The children in a list, expanded; the same list if nothing changes.
function Expander:list(list, first, scope, depth)
  local made
  for index = first, #list do
    local now = self:node(list[index], scope, depth)
    if now ~= list[index] then
      made = made or table.move(list, 1, #list, 1, {})
      made[index] = now
    end
  end
  return made or list
end

--- The children of a node, expanded: the node itself, or a copy with others.
function Expander:children(form, made, scope, depth)
  local function put(key, list)
    if list == form[key] then return end
    if made == form then made = copy(form) end
    made[key] = list
  end
  if type(form.children) == "table" then
    put("children", self:list(form.children, 1, scope, depth))
  else
    local list = self:list(form, select(2, shape.list(form)), scope, depth)
    if list ~= form then
      if made == form then made = copy(form) end
      for index = 1, #list do made[index] = list[index] end
    end
  end
  for _, part in ipairs(shape.parts) do
    if type(form[part]) == "table" then put(part, self:list(form[part], 1, scope, depth)) end
  end
  return made
end

--- The key of a use that survives edits: the uses around it, and its own key.
function Expander:key(form, scope, number)
  if scope.key then return scope.key .. "/" .. scope.document.keys[number] end
  if not next(self.taken) then
    for id in next, (files.index(scope.document) or scope.document).ids do self.taken[id] = true end
  end
  local keys = self.context.keys
  return keys and keys[form.id] or scope.document.keys[number] or "#" .. number
end

--- Record the id of a node inside a subtree, and that it refers to others by id.
function Expander:note_ids(form, made, scope)
  local id = math.tointeger(form.id)
  if id then scope.ids[id] = made.id end
  local whole = type(made.after) == "table" and made.after.whole or nil
  if type(made.to) == "number" or type(made.after) == "number" or type(whole) == "number" then
    table.insert(self.references, { node = made, ids = scope.ids })
  end
end

--- Convert references by a file's own ids to the nodes of each use.
function Expander:settle_ids()
  for _, reference in ipairs(self.references) do
    local node, ids = reference.node, reference.ids
    node.to, node.after = ids[node.to] or node.to, ids[node.after] or node.after
    if type(node.after) == "table" then node.after = { whole = ids[node.after.whole] or node.after.whole } end
  end
end

--- A node with all its contents, expanded; the same table if nothing changes.
function Expander:node(form, scope, depth)
  if type(form) ~= "table" then return form end
  self.count = self.count + 1
  if depth > deepest or self.count > most then return form end
  scope.count = scope.count + 1
  local number = scope.count
  scope.number = number
  local made = scope.resolves and self:resolve(form, scope) or form
  local override = scope.overrides[number]
  if override or scope.key and made == form then made = copy(made) end
  if override then add_override(made, override) end
  if form.params ~= nil and number > 1 then
    self:fault(scope, form, "params belong to a whole file, at its first node")
  end
  if form.params ~= nil and number == 1 then
    if made == form then made = copy(form) end
    made.params = nil
  end
  if scope.key then
    made.id = forms.id(scope.document.keys[number], self.taken, scope.hash)
    self:note_ids(form, made, scope)
  end
  local key
  if shape.kind(made) == "subtree" and made.file ~= nil then
    key = self:key(form, scope, number)
    made = self:use(made, scope, depth, key)
  else
    if self.context.skills and (type(made.does) == "string" or type(made.holds) == "string") then
      if made == form then made = copy(form) end
      self:do_skill(made, scope)
    end
    made = self:children(form, made, scope, depth + 1)
  end
  scope.number = number
  if key or scope.document.text then
    self.origins[made] = { document = scope.document, number = number, key = key }
  end
  return made
end

--- The context for forms.expand: `file` with the tree, or beside which its files are; skills = the
--- behavior's own (nil: names of skills are kept); sources, files: see sandbox.load; sample: parameters of
--- the tree itself without a value get a valid one; keys = {id = the key of that node, in place of
--- own_key}.
function forms.context(said)
  local context = { documents = {}, sources = {}, uses = {} }
  for key, value in next, said or {} do context[key] = value end
  return context
end

--- Expand a tree: a form, or the name of a file beside context.file.  Return the form for compile, a list
--- of faults {message, name, file, line()}, and origins: {node = {document =, number = its position there,
--- key = the key of a use that survives edits}} of nodes in files, and of uses.
function forms.expand(tree, context)
  local self = setmetatable({ context = context, faults = {}, origins = {}, taken = {}, references = {},
    count = 0 }, Expander)
  local document, why
  if type(tree) == "string" then
    document, why = files.read(files.path(tree, context.file), context)
  elseif type(tree) ~= "table" then
    why = ("a tree is a table or the name of a file, not a %s"):format(type(tree))
  else
    document = files.document(tree, context.file)
  end
  if not document then return nil, { { message = why } }, self.origins end
  local scope = self:scope(document, context.with, nil, document.form)
  local made = self:node(document.form, scope, 0)
  self:settle_ids()
  return made, self.faults, self.origins
end

--- The parameters of a tree file, one line each for people.
function forms.params_of(tree, context)
  local document = files.read(files.path(tree, context.file), context)
  local said = document and document.form.params
  return type(said) == "table" and params.lines(said) or {}
end

--- The file and line of a fault of forms.expand, or of {form = an expanded node}; nil if it is not in a
--- tree file.
function forms.place(fault, origins)
  local place = fault.document and fault or origins[fault.form]
  if not place or not place.document.text then return nil end
  return place.document.file, files.line(place.document, place.number)
end

return forms
