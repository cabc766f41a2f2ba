--- Trees of the IHMC behavior system, as JSON: all generations from lists of actions (2022) to
--- `executeAfterAction` (2026).
---
--- Sequences, fallbacks, checkpoints, gotos, waits and conditions are converted, and actions with equivalent
--- leaves (ihmc_actions.lua); all others are `foreign`. References are by name, to the nearest earlier node
--- of that name. In older files each action declares whether the next one begins with it: then a step waits
--- for the last one that did not.
local actions = require "brio.formats.tree.ihmc_actions"
local clip = require "brio.formats.clip"
local ordered = require "brio.formats.ordered"
local trees = require "brio.tree.model.tree"

local ihmc = { name = "ihmc", doc = "trees of the IHMC behavior system, all generations" }

local most_files = 1000

function ihmc.sniff(text)
  if not text:match "^[\u{FEFF}%s]*{" then return false end
  return text:find '"actions"%s*:%s*%[' ~= nil or text:find '"type"%s*:%s*"[%w_]*Definition"' ~= nil
    or text:find '"type"%s*:%s*"[%w_]*Action"' ~= nil or text:find '"type"%s*:%s*"[%w_]*Node"' ~= nil
end

function ihmc.parse(text, file) return ordered.json(text, file) end

ihmc.write = ordered.write_json

local Reader = {}
Reader.__index = Reader

function Reader:fail(value, ...) clip.fail(("%s:%d"):format(self.file, value.line or 1), ...) end

--- The value of a field of some kind, or nil if it is absent.
function Reader:field(node, key, kind)
  local item = node.of[key]
  if not item or item.raw == "null" then return nil end
  if item.kind ~= kind then self:fail(item, "'%s' is a %s, expected a %s", key, item.kind, kind) end
  return kind == "list" and item or item.value
end

--- A number within the range of a node's field in brio; nil: absent, or out of range.
local function fitting(value, kind, name)
  for _, param in ipairs(trees.kinds[kind].params) do
    local fits = param.name == name and value and value >= param.lower and value <= param.upper
    if fits and value < math.huge then return value end
  end
end

local conditions = {
  ALWAYS_FAIL = function() return { "fail" } end,
  ALWAYS_SUCCEED = function() return { "succeed" } end,
  COUNTER = function(reader, node)
    local limit = fitting(reader:field(node, "countTo", "number"), "counter", "limit")
    return limit and { "counter", limit = limit }
  end,
}

--- Conversion of a type of node: a function(reader, node) that returns a form, or nil if it cannot run in
--- brio.
local types = {
  ActionSequenceDefinition = function() return { "sequence" } end,
  BehaviorTreeNodeDefinition = function() return { "sequence" } end,
  BehaviorTreeRootNodeDefinition = function() return { "sequence" } end,
  FallbackNodeDefinition = function() return { "fallback" } end,
  CheckPointNodeDefinition = function() return { "checkpoint" } end,
  CheckpointNodeDefinition = function() return { "checkpoint" } end,
  GotoNodeDefinition = function(reader, node)
    local to = reader:field(node, "nodeToGoto", "text") or "Next"
    return { "goto", to = to == "Next" and "next" or to }
  end,
  WaitActionDefinition = function(reader, node)
    local seconds = fitting(reader:field(node, "waitDuration", "number") or 4, "wait", "seconds")
    return seconds and { "wait", seconds = seconds }
  end,
  ConditionNodeDefinition = function(reader, node)
    local make = conditions[reader:field(node, "conditionType", "text")]
    return make and make(reader, node)
  end,
}

--- Fields of a node that are not shown, as brio's own fields contain them.
local told = { type = true, name = true, notes = true, description = true, children = true, actions = true,
  executeAfterAction = true, executeWithNextAction = true, file = true }

--- A node's type and its plain fields, as written.
local function describe(node)
  local said = { node.of.type and node.of.type.value or "actions" }
  for _, item in ipairs(node) do
    local key = item.key:sub(2, -2)
    if not told[key] and item.kind ~= "object" and item.kind ~= "list" then
      said[#said + 1] = key .. "=" .. item.raw
    end
  end
  return table.concat(said, " ")
end

function Reader:list_of(node)
  return self:field(node, "children", "list") or self:field(node, "actions", "list")
end

--- A child in a file of its own; a missing file gives a foreign step.
function Reader:include(node)
  local name = self:field(node, "file", "text")
  local text, path = self:find(name)
  if not text then return { "foreign", name = name, from = "file, which is not there" } end
  self.files = self.files + 1
  if self.open[path] then self:fail(node, "'%s' includes itself", name) end
  if self.files > most_files then self:fail(node, "more than %d files inside each other", most_files) end
  local outer, value = self.file, ihmc.parse(text, path)
  self.file, self.open[path] = path, true
  local form = self:node(value)
  self.file, self.open[path] = outer, nil
  return form
end

--- A file's text: names are relative to the folder of trees, which is above the file if its root's name
--- contains a folder.
function Reader:find(name)
  for _, base in ipairs { self.base, "" } do
    local text, path = self.beside(base .. name)
    if text then return text, path end
  end
end

--- The leaf that is `count` before the next one, by an id that it gets: some files of 2024 refer by count.
function Reader:so_far_before(distance)
  if distance == 1 then return nil end
  local leaf = self.leaves[#self.leaves - distance + 1]
  if not leaf then return distance > 1 and "beginning" or false end
  if not leaf.id then self.ids = self.ids + 1 end
  leaf.id = leaf.id or self.ids
  return leaf.id
end

--- The node of `executeAfterAction`; false: there is no earlier node of that name.
function Reader:after(node)
  local item = node.of.executeAfterAction
  if item and item.kind == "number" then return self:so_far_before(item.value) end
  local said = self:field(node, "executeAfterAction", "text")
  if not said or said == "Previous" then return nil end
  if said == "Beginning" then return "beginning" end
  local reserved = said == "previous" or said == "beginning" or said == "all"
  return not reserved and self.seen[said] and said or false
end

function Reader:node(node)
  if node.kind ~= "object" then self:fail(node, "a node is a %s, expected an object", node.kind) end
  if node.of.file and not node.of.type then return self:include(node) end
  local kind, list = self:field(node, "type", "text"), self:list_of(node)
  local make = types[kind] or not kind and list and types.ActionSequenceDefinition
  local form = make and make(self, node)
  if not form and kind then
    form = actions.form(self, node, kind)
    if form then form.from = describe(node) end
  end
  local base = { name = self:field(node, "name", "text") or self:field(node, "description", "text") or kind,
    notes = self:field(node, "notes", "text"), after = self:after(node) }
  if base.notes == "" then base.notes = nil end
  if base.name == "" then base.name = kind end
  local missing = base.after == false
  base.after = base.after or nil
  if not form or missing then
    form = { "foreign", from = describe(node)
      .. (missing and " executeAfterAction=" .. node.of.executeAfterAction.raw or "") }
  end
  form.name, form.notes, form.after = base.name, base.notes, base.after
  if form.name then self.seen[form.name] = true end
  if self.file == self.top then self.lines[form] = node.line end
  if trees.kinds[form[1]].leaf then self.leaves[#self.leaves + 1] = form end
  return list and #list > 0 and self:children(form, list) or form
end

--- Whether a list is of the older kind, in which actions declare whether the next one begins with them.
local function is_old(list)
  for _, item in ipairs(list) do
    if item.of and item.of.executeWithNextAction then return true end
  end
end

--- The older kind: each step waits for the last one that did not declare that the next one begins with it.
local function wait_for_anchors(form, list)
  local anchor, waiting = 0, {}
  for index, item in ipairs(list) do
    local with = item.of.executeWithNextAction
    if anchor == 0 and index > 1 then form[index + 1].after = "beginning" end
    if anchor > 0 and anchor < index - 1 then waiting[index] = anchor end
    if not (with and with.value == true) then anchor = index end
  end
  local looked = {} -- the last position searched, for names that stay unchanged
  for index = 1, #list do -- a reference by a name that occurs in between would mean that node
    local at = waiting[index]
    local name = at and form[at + 1].name
    for between = at and (looked[at] or at) + 1 or index, index - 1 do
      if form[between + 1].name == form[at + 1].name then
        form[at + 1].name = ("%s (%d)"):format(form[at + 1].name, at)
      end
    end
    if at then looked[at] = form[at + 1].name == name and index - 1 or nil end
  end
  for index, at in next, waiting do form[index + 1].after = form[at + 1].name end
end

--- The children of a node; those of a leaf are put into a sequence with it.
function Reader:children(form, list)
  local whole = form
  if trees.kinds[form[1]].leaf then whole = { "sequence", form, name = form.name, after = form.after } end
  if whole ~= form then form.after = nil end
  local inner = {}
  for index, item in ipairs(list) do inner[index + 1] = self:node(item) end
  if is_old(list) then wait_for_anchors(inner, list) end
  table.move(inner, 2, #list + 1, #whole + 1, whole)
  return whole
end

--- Count the nodes of each name.
local function count_names(form, counts)
  if form.name then counts[form.name] = (counts[form.name] or 0) + 1 end
  for index = 2, #form do count_names(form[index], counts) end
  return counts
end

--- Make a goto with a missing target foreign.
local function settle_gotos(form, counts)
  for index = 2, #form do settle_gotos(form[index], counts) end
  if form[1] ~= "goto" or form.to == "next" then return end
  if (counts[form.to] or 0) - (form.name == form.to and 1 or 0) > 0 then return end
  form[1], form.from, form.to = "foreign", "GotoNodeDefinition nodeToGoto=" .. form.to, nil
end

--- The folder of trees, to which names of nodes are relative: above a file whose root's name contains a
--- folder.
local function base_of(document, file)
  local name = document.of.name and document.of.name.value
  if type(name) ~= "string" or not name:find "/" or file:sub(-#name) ~= name then return "" end
  return ("../"):rep(select(2, name:gsub("/", "")))
end

function ihmc.trees(document, options)
  local reader = setmetatable({ file = options.file, beside = options.beside,
    base = base_of(document, options.file),
    files = 0, open = { [options.file] = true }, seen = {}, leaves = {}, ids = 0,
    top = options.file, lines = options.lines or {} }, Reader)
  local form = reader:node(document)
  settle_gotos(form, count_names(form, {}))
  return { { name = form.name or options.file:match "[^/]+$", form = form } }
end

return ihmc
