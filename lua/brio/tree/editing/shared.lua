--- Editing a tree's file that several trees use: an edit takes effect in all places that use the file, in
--- all states, at once.
---
---     local one, id = shared.of_node(host, state, number)   the session for a node that is in another file,
---                                                           with the interface of session.lua, and the
---                                                           node's id there; or nil and why
---     one:places()                                          the number of places that use the file
---     shared.newest(one, who, "done")                       of a session and all files: the one with the
---                                                           last edit of `who` ("undone": last undo)
---     shared.unsaved(host)                                  those that differ from their files
---
--- Settings of a place (`with`, `override`) belong to that place, and are edited there.
local author = require "brio.tree.editing.author"
local behavior = require "brio.behavior.define"
local check = require "brio.tree.model.check"
local data = require "brio.tree.editing.data"
local document = require "brio.tree.editing.document"
local editings = require "brio.tree.editing.edits"
local files = require "brio.tree.files.files"
local forms = require "brio.tree.files.expand"
local references = require "brio.tree.editing.references"
local session = require "brio.tree.editing.session"
local suggest = require "brio.lib.suggest"
local sync = require "brio.tree.editing.sync"
local trees = require "brio.tree.model.tree"
local versions = require "brio.tree.editing.versions"

local shared = {}
local Shared = setmetatable({}, { __index = session.Session })
Shared.__index = Shared

--- The states whose trees use a file, in order, and the number of places.
local function users(machine, path)
  local list, places = {}, 0
  behavior.each_state(machine, function(state)
    local found = 0
    for _, origin in next, state.tree and state.tree.origins or {} do
      if origin.number == 1 and origin.document.file == path then found = found + 1 end
    end
    if found > 0 then list[#list + 1], places = state, places + found end
  end)
  return list, places
end

--- Make a state's tree with the present content of the file.  Return it, or nil and why.
local function compiled_with(self, state, now)
  local own = self.host.sessions and self.host.sessions[state.path]
  if own and own.state ~= state then own = nil end
  local context = own and own.context or state.tree.context
  local documents = setmetatable({ [self.path] = now }, { __index = context.documents })
  local form, faults, origins = forms.expand(own and own.document:form() or state.tree.document,
    setmetatable({ documents = documents }, { __index = context }))
  local made
  if #faults == 0 then made, faults = trees.compile(form) end
  if not made then return nil, faults[1].message end
  made.document, made.origins, made.context = state.tree.document, origins, context
  local site = { description = self.host.description, sequences = self.host.sequences, name = state.path }
  local fault = check.faults(made, site, function(number) return "node " .. made.list[number].id end)[1]
  if fault then return nil, fault.message end
  return made
end

--- Make all trees that use the file.  Return the fault of one of them; nil: `self.made` has the trees.
local function fault_of(self, doc, machine)
  local now = files.document(doc:plain(), self.path, self.text)
  local made = { now = now }
  for _, state in ipairs((users(machine, self.path))) do
    local compiled, why = compiled_with(self, state, now)
    if not compiled then return ("in the tree of '%s': %s"):format(state.path, why) end
    made[#made + 1] = { state = state, compiled = compiled }
  end
  self.made = made
end

--- Use the present content of the file for trees from now on.
local function settle(self, made)
  for _, item in ipairs(made) do item.compiled.context.documents[self.path] = made.now end
end

local function open(host, path, known)
  local doc, why
  if known.trees or not known.text then
    doc, why = document.of(known.form, { file = path, imported = true })
  else
    doc, why = document.read(known.text, path)
  end
  if not doc then return nil, why end
  local self = setmetatable({ host = host, path = path, document = doc, text = known.text,
    clean = doc:plain(nil, true) }, Shared)
  self.editing = editings.new(doc, function(now) return fault_of(self, now, host.machine) end)
  self.editing.clock = session.clock_of(host)
  self.authority = sync.authority(self.editing, path)
  self.authority.perform = function(op, who, base) return self:perform(op, who, base) end
  self.versions = versions.begin(host, doc, path)
  return self
end

--- The session for a node that is in another file, and the node's id there; nil and why.
function shared.of_node(host, state, number)
  local record = state.tree.list[number]
  local origin = record and state.tree.origins[record.form]
  local path = origin and origin.document.file
  if not path or not origin.document.text then return nil, "it is in no file that can be edited" end
  host.shared = host.shared or {}
  local one, why = host.shared[path], nil
  if not one then one, why = open(host, path, origin.document) end
  if not one then return nil, why end
  host.shared[path], one.compiled = one, state.tree
  return one, references.order(one.document).list[origin.number]
end

--- The number of places that use the file.
function Shared:places() return select(2, users(self.host.machine, self.path)) end

function Shared:perform(op, who, base)
  for _, state in ipairs((users(self.host.machine, self.path))) do
    local good, why = session.may_edit { host = self.host, state = state }
    if not good then return nil, why end
  end
  self.made = nil
  local done, why = self.editing:apply(op, who, base)
  if not done then return nil, why end
  if self.made then
    settle(self, self.made)
    for _, item in ipairs(self.made) do
      local own = self.host.sessions and self.host.sessions[item.state.path]
      session.go_over(own and own.state == item.state and own or { host = self.host, state = item.state },
        item.compiled)
    end
  end
  versions.note(self.versions, self.path, self.document, done)
  return done
end

function Shared:ids() return author.ids_of(self, 0) end

function shared.newest(one, who, list)
  local best, at = one, one.editing:last_of(who, list)
  for _, path in ipairs(suggest.keys(one.host.shared or {})) do
    local other = one.host.shared[path]
    local entry = other.editing:last_of(who, list)
    if entry and (not at or entry.at > at.at) then best, at = other, entry end
  end
  return best
end

--- The sessions of files that differ from the saved ones: a list.
function shared.unsaved(host)
  local list = {}
  for _, path in ipairs(suggest.keys(host.shared or {})) do
    if host.shared[path].document:unsaved() then list[#list + 1] = host.shared[path] end
  end
  return list
end

function Shared:mark_clean() self.clean = self.document:plain(nil, true) end

--- Write edits into the store: one edit of each file; with `true`, all of them.
function shared.slack(host, all)
  for _, path in ipairs(suggest.keys(host.shared or {})) do
    while versions.work(host.shared[path].versions, not all and session.share or nil) and all do end
  end
end

--- The file's content in another version of the behavior, as a document; nil: it is not used there.
local function read_there(machine, path)
  local list = users(machine, path)
  local known = list[1] and list[1].tree.context.documents[path]
  return known and document.of(known.form), known
end

--- Called before another version of the behavior runs: edits continue there if the file has not changed.
function shared.carry(host, machine)
  for _, path in ipairs(suggest.keys(host.shared or {})) do
    local self = host.shared[path]
    local there, known = read_there(machine, path)
    local now = there and there:plain(nil, true)
    local good = there and (data.equal(now, self.clean) or data.equal(now, self.document:plain(nil, true)))
    local why = "the file was changed, too"
    if good then
      self.text = known.text
      why = fault_of(self, self.document, machine)
      if not why then
        settle(self, self.made)
        for _, item in ipairs(self.made) do item.state.tree = item.compiled end
      end
      good = not why
    end
    if not good then
      if self.document:unsaved() then session.keep_aside(self, why) end
      host.shared[path] = nil
    end
  end
end

return shared
