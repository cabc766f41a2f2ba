--- Trees of BehaviorTree.CPP, as XML: version 4, version 3 (SequenceStar, <Control ID="...">) and earlier
--- ones.
---
--- Nodes with an equivalent in brio are converted; all others are `foreign`, including those that depend on
--- the blackboard or on a script: `_while="..."` becomes a foreign step before its node. A subtree in the
--- file, or in one that it includes, is inserted where it is used.
local clip = require "brio.formats.clip"
local ordered = require "brio.formats.ordered"
local trees = require "brio.tree.model.tree"

local btcpp = { name = "btcpp", doc = "trees of BehaviorTree.CPP, versions 3 and 4" }

local most_files = 1000

function btcpp.sniff(text) return text:find "<root[%s>/]" ~= nil and text:find "^[\u{FEFF}%s]*<" ~= nil end

function btcpp.parse(text, file) return ordered.xml(text, file) end

btcpp.write = ordered.write_xml

--- An attribute as a valid number of a field in brio, or nil; `scale` converts its unit.
local function number(element, names, kind, field, scale)
  for _, name in ipairs(names) do
    local text = element.values[name]
    if text then
      local value = clip.number(text)
      value = value and value * (scale or 1)
      for _, param in ipairs(trees.kinds[kind].params) do
        if param.name == field and value and value >= param.lower and value <= param.upper then
          return value
        end
      end
      return nil, value
    end
  end
  return nil, nil, true
end

--- A node with one child that is repeated; -1 is without limit.
local function times(kind, attribute)
  return function(element)
    local count, value = number(element, { attribute }, kind, "times")
    if value == -1 then count = 0 elseif count == 0 then return nil end
    return count and { kind, times = count }
  end
end

--- Parallel children: how many must succeed or fail; a negative number counts from all of them, -1 is all.
local function enough(element, names, field, fallback)
  local count, value, absent = number(element, names, "parallel", field)
  if absent then return fallback end
  if value and value < 0 then count = #element + 1 + value end
  return count and count >= 1 and count <= #element and count or nil
end

local function parallel(element)
  if #element == 0 then return nil end
  local successes = enough(element, { "success_count", "success_threshold", "threshold" }, "successes",
    #element)
  local failures = enough(element, { "failure_count", "failure_threshold" }, "failures", 1)
  return successes and failures and { "parallel", successes = successes, failures = failures }
end

local function milliseconds(kind, names)
  return function(element)
    local seconds = number(element, names, kind, "seconds", 1e-3)
    return seconds and { kind, seconds = seconds }
  end
end

local function plain(kind) return function() return { kind } end end

--- Conversion of a node: make(element) returns a form, or nil if it cannot run in brio; `one`: it has one
--- child; `after` and `before`: steps beside its child; `leaf`: it has none.
local types = {
  Sequence = { make = plain "sequence" },
  Fallback = { make = plain "selector" },
  ReactiveSequence = { make = plain "reactive_sequence" },
  ReactiveFallback = { make = plain "reactive_selector" },
  Parallel = { make = parallel },
  Inverter = { make = plain "invert", one = true },
  RetryUntilSuccessful = { make = times("retry", "num_attempts"), one = true },
  RetryUntilSuccesful = { make = times("retry", "num_attempts"), one = true },
  Repeat = { make = times("loop", "num_cycles"), one = true },
  KeepRunningUntilFailure = { make = plain "loop", one = true },
  Timeout = { make = milliseconds("timeout", { "msec" }), one = true },
  ForceSuccess = { make = plain "selector", one = true, after = { "succeed" } },
  ForceFailure = { make = plain "sequence", one = true, after = { "fail" } },
  AlwaysSuccess = { make = plain "succeed", leaf = true },
  AlwaysFailure = { make = plain "fail", leaf = true },
  Sleep = { make = milliseconds("wait", { "msec" }), leaf = true },
}

--- Elements whose ID attribute is the name of their type.
local named_by_id = { Action = true, Condition = true, Control = true, Decorator = true }
local subtrees = { SubTree = true, SubTreePlus = true }

--- Attributes with scripts that affect a node's result.
local scripts = { "_skipIf", "_while", "_successIf", "_failureIf", "_onSuccess", "_onFailure", "_onHalted",
  "_post" }

local Reader = {}
Reader.__index = Reader

function Reader:fail(element, ...) clip.fail(("%s:%d"):format(self.file, element.line), ...) end

--- An element for people.
local function describe(element)
  local said = { element.name }
  for _, attribute in ipairs(element.attributes) do
    said[#said + 1] = ("%s=%q"):format(attribute.name, element.values[attribute.name])
  end
  return table.concat(said, " ")
end

--- The tree of an ID, in this file or an included one.
function Reader:subtree(element)
  local id = element.values.ID
  local found = id and self.trees[id]
  if not found then return { "foreign" } end
  if self.open[id] then self:fail(element, "the tree '%s' is inside itself", id) end
  self.used[id] = true
  return { "subtree", (self:tree(id)) }
end

--- A tree's form: its element's only child.
function Reader:tree(id)
  local element, outer = self.trees[id], self.file
  self.file = element.file
  if #element > 1 then
    self:fail(element, "the tree '%s' has %d nodes at its top, expected one", id, #element)
  end
  self.open[id] = true
  local form = #element == 1 and self:node(element[1])
    or { "foreign", name = id, from = "a tree without a node" }
  self.open[id], self.file = nil, outer
  return form
end

--- A node with the children of its element.
function Reader:known(element, row)
  if row.leaf and #element > 0 or row.one and #element ~= 1 then return nil end
  local form = row.make(element)
  if not form then return nil end
  for _, child in ipairs(element) do form[#form + 1] = self:node(child) end
  form[#form + 1] = row.after
  return form
end

--- An unknown node: one step that fails, before the children if there are any.
function Reader:unknown(element, name)
  if #element == 0 then return { "foreign" } end
  local form = { "sequence", { "foreign", name = name } }
  for _, child in ipairs(element) do form[#form + 1] = self:node(child) end
  return form
end

function Reader:node(element)
  self.count = self.count + 1
  if self.count > trees.most then self:fail(element, "more than %d nodes with all subtrees", trees.most) end
  local kind = named_by_id[element.name] and element.values.ID or element.name
  local row = types[kind]
  local form = subtrees[kind] and self:subtree(element) or row and self:known(element, row)
    or self:unknown(element, kind)
  form.from = describe(element)
  if self.file == self.top then self.lines[form] = element.line end
  form.name = element.values.name or subtrees[kind] and element.values.ID or kind
  for _, script in ipairs(scripts) do
    if element.values[script] and form[1] ~= "foreign" then
      local asked = { "foreign", name = script, from = ("%s=%q"):format(script, element.values[script]) }
      return { "sequence", asked, form, name = form.name }
    end
  end
  return form
end

--- A path without `a/..`, so that a file has only one name.
local function tidy(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then parts[#parts] = nil
    elseif part ~= "." then parts[#parts + 1] = part end
  end
  return (path:sub(1, 1) == "/" and "/" or "") .. table.concat(parts, "/")
end

--- Read the trees of a file, and of those that it includes; those of `own` files are listed.
function Reader:collect(top, file, own)
  local root = top[1]
  if root.name ~= "root" then
    clip.fail(("%s:%d"):format(file, root.line), "<%s>, expected <root>", root.name)
  end
  for _, element in ipairs(root) do
    element.file = file
    if element.name == "include" then self:include(element, file) end
    if element.name == "BehaviorTree" then
      local id = element.values.ID or "BehaviorTree"
      if own and self.trees[id] and self.trees[id].file == file then
        self:fail(element, "a second tree '%s'", id)
      end
      if not self.trees[id] then self.trees[id], self.all[#self.all + 1] = element, id end
      if own then own[#own + 1] = id end
    end
  end
end

--- An included file. If it is in a package, or does not exist, its trees become foreign.
function Reader:include(element, file)
  local name = element.values.path
  if not name or element.values.ros_pkg or name:find "\0" then return end
  local path = tidy(name:sub(1, 1) == "/" and name or (file:match "^(.*/)" or "") .. name)
  if self.files[path] then return end
  self.files[path], self.files[1] = true, self.files[1] + 1
  if self.files[1] > most_files then self:fail(element, "more than %d files are included", most_files) end
  local text = self.read(path)
  if text then self:collect(btcpp.parse(text, path), path) end
end

--- Whether a document declares kinds of nodes: a palette, which needs no tree.
local function has_models(document)
  for _, element in ipairs(document[1]) do
    if element.name == "TreeNodesModel" then return true end
  end
end

function btcpp.trees(document, options)
  local own = {}
  local reader = setmetatable({ file = options.file, read = options.read, trees = {}, all = {}, open = {},
    used = {}, count = 0, top = options.file, lines = options.lines or {},
    files = { 0, [tidy(options.file)] = true } }, Reader)
  reader:collect(document, options.file, own)
  if #own == 0 then own = reader.all end -- a project of Groot, with its trees in included files
  if #own == 0 and not has_models(document) then clip.fail(options.file, "no <BehaviorTree> is in it") end
  local main, found, forms = document[1].values.main_tree_to_execute, {}, {}
  if reader.trees[main] then forms[main] = reader:tree(main) end
  for _, id in ipairs(own) do forms[id] = forms[id] or reader:tree(id) end
  if forms[main] then found[1] = { name = main, form = forms[main] } end
  for _, id in ipairs(own) do
    if id ~= main and not reader.used[id] then found[#found + 1] = { name = id, form = forms[id] } end
  end
  return found
end

return btcpp
