--- Edits the trees of a behavior while they run: the document of a state's tree, whose edits are applied to
--- the running tree between two ticks.
---
---     local one, why = session.of(host, state)      the session of a compiled state's tree, created on
---                                                   first use
---     session.ask(host, state)                      the same within the time of a line at the prompt:
---                                                   sessions of large trees are ready later
---     session.all(host)                             the existing ones, by the path of their state
---     session.slack(host)                           write one edit into the store; with `true`, all
---                                                   edits
---     session.carry(host, machine)                  called before another version of the behavior runs:
---                                                   sessions continue with it
---
---     one.document, one.path                        the edited document, and the path of its state
---     one:edit(op, who [, base])                    an operation (see author.lua): { seq =, says =, ... } or
---                                                   nil and a sentence
---     one:undo(who [, skip]), one:redo(who [, skip])
---     one:ids()                                     a function that makes ids for new nodes, for author.lua
---     one:number(id), one:id(number)                a node's number in the running tree, and back; nil: it
---                                                   is not of this document
---     one:save([file])                              a sentence on what was written where, or nil and why
---     one.authority                                 the authority that clients follow (sync.lua)
---
--- An edit is atomic: if the tree would have faults on this robot, its author gets them and nothing is
--- changed. Running nodes that are not changed continue; a leaf that is changed while it runs continues
--- with its new fields.
local author = require "brio.tree.editing.author"
local behavior = require "brio.behavior.define"
local check = require "brio.tree.model.check"
local door = require "brio.io.input_gate"
local data = require "brio.tree.editing.data"
local disk = require "brio.io.files"
local document = require "brio.tree.editing.document"
local editings = require "brio.tree.editing.edits"
local files = require "brio.tree.files.files"
local forms = require "brio.tree.files.expand"
local owns = require "brio.tree.model.owns"
local references = require "brio.tree.editing.references"
local suggest = require "brio.lib.suggest"
local script = require "brio.script"
local sync = require "brio.tree.editing.sync"
local text = require "brio.tree.editing.text"
local trees = require "brio.tree.model.tree"
local versions = require "brio.tree.editing.versions"
local whole = require "brio.tree.files.build"

local session = {}
local Session = {}
Session.__index = Session

-- Making the running tree -----------------------------------------------------------------------------------

--- Make the whole tree again from the document.  Return it, or nil and why.
local function compiled_anew(self, doc)
  local made, faults = whole.compile(doc:form(), self.context)
  if not made then return nil, faults[1].message end
  made.document = self.said
  return made
end

--- Whether a form or its contents use a tree in another file: such nodes get their ids when the whole tree
--- is made.
local function uses_files(form)
  if form[1] == "subtree" and form.file ~= nil then return true end
  for index = 2, #form do
    if uses_files(form[index]) then return true end
  end
  for _, part in ipairs { "try", "catch", "finally" } do
    for _, child in ipairs(form[part] or {}) do
      if uses_files(child) then return true end
    end
  end
  return false
end

--- The child before which a node is placed, in the order of all children of its parent.
local function next_sibling(doc, id)
  local list = doc:children(doc.nodes[id].parent)
  for place, child in ipairs(list) do
    if child == id then return list[place + 1] end
  end
end

local function part_of(doc, id)
  local part = doc.nodes[id].part
  return part ~= "children" and part or nil
end

--- Converts each operation to a list of edits for trees.edit, with the document after the operation.
local verbs = {}

function verbs.set(doc, op)
  return { { verb = "set", node = op.id, form = doc:own(op.id), part = part_of(doc, op.id) } }
end

verbs.kind = verbs.set

function verbs.insert(doc, op)
  local id = op.nodes[1].id
  return { { verb = "insert", parent = op.parent, before = next_sibling(doc, id), form = doc:form(id),
    part = part_of(doc, id) } }
end

function verbs.delete(_, op) return { { verb = "remove", node = op.id } } end

function verbs.move(doc, op)
  local move = { verb = "move", node = op.id, parent = op.parent, before = next_sibling(doc, op.id) }
  return { move, verbs.set(doc, op)[1] } -- it may be in another part
end

--- Record the effect of an operation that was just done on the running tree.
function Session:trace(op)
  if not self.edits then return end
  for _, edit in ipairs(verbs[op.op](self.document, op)) do
    local form = edit.form
    if form and (uses_files(form) or self.document.nodes[self.document.root].fields.params ~= nil) then
      self.edits = nil -- the whole tree must be made again
      return
    end
    if form and self.context.skills then
      local faults
      edit.form, faults = forms.expand(form, self.context)
      if #faults > 0 then self.fault = self.fault or faults[1].message end
    end
    self.edits[#self.edits + 1] = edit
  end
end

--- Restore the parents in the records of a tree that stays in use.
local function give_back(compiled)
  for number, record in ipairs(compiled.list) do record.parent = compiled.shape:parent(number) end
end

--- Make the tree from the present document.
local function compile(self, doc)
  local edits, fault = self.edits, self.fault
  if fault then return nil, fault end
  if not edits or self.has_files then return compiled_anew(self, doc) end
  local made, faults = trees.edit(self.compiled, edits)
  if not made then return nil, faults[1].message end
  made.document, made.origins, made.context = self.said, self.compiled.origins, self.context
  return made
end

--- The numbers of the nodes that edits inserted or changed, and whether the ownership of DOFs may have
--- changed; nil: the whole tree is new.
local function news_of(self, made)
  if not self.edits or self.has_files then return nil end
  local numbers, owners = {}, false
  for _, edit in ipairs(self.edits) do
    local before = edit.verb == "set" and self.compiled.list[self.compiled.shape:find(edit.node) or 0]
    local first = edit.form and made.shape:find(edit.form.id)
    local count = edit.verb == "insert" and #self.document:inside(edit.form.id) or 1
    for number = first or 0, first and first + count - 1 or -1 do numbers[#numbers + 1] = number end
    owners = owners or not before or before.form.owns ~= nil or edit.form.owns ~= nil or before.kind == "call"
      or before.is ~= edit.form[1] or not data.equal(before.form.after, edit.form.after)
  end
  if self.owns == nil then self.owns = check.owns_something(self.compiled) end
  self.owns = self.owns or check.owns_something(made, numbers)
  return numbers, owners and self.owns
end

--- The site for checks of this session's tree.
local function site_of(self)
  return { description = self.host.description, sequences = self.host.sequences, name = self.path }
end

--- The fault of the document on this robot; nil: none.
local function fault_of(self, doc)
  local made, why = compile(self, doc)
  if not made then return why end
  local function place(number) return "node " .. made.list[number].id end
  local fault = check.faults(made, site_of(self), place, news_of(self, made))[1]
  if fault then
    give_back(self.compiled)
    return fault.message
  end
  self.made = made
end

-- The edited document ---------------------------------------------------------------------------------------

--- The document of a state's tree: of its file's text if it has one; the table from which it was read, and
--- the context of its files.  nil and why.
local function read(compiled)
  local said, context = compiled.document, compiled.context
  if type(said) ~= "string" then
    local doc, why = document.of(said, { file = context.file, embedded = true })
    return doc, doc and said or why, context
  end
  local path = files.path(said, context.file)
  local known = context.documents[path]
  local inner = setmetatable({ file = path }, { __index = context })
  if not known.trees and known.text then
    local doc = document.read(known.text, path)
    if doc then return doc, known.form, inner end
  end
  local doc, why = document.of(known.form, { file = path, imported = true })
  return doc, doc and known.form or why, inner
end

--- The keys of subtrees in other files, as in the running tree, so that their running nodes continue.
local function keys_of(compiled, form, doc)
  local keys, list = {}, references.order(doc).list
  for _, origin in next, compiled.origins do
    local id = origin.number and list[origin.number]
    if id and origin.document.form == form then keys[id] = origin.key end
  end
  return keys
end

local function has_files(doc)
  for _, node in next, doc.nodes do
    if node.kind == "subtree" and node.fields.file ~= nil then return true end
  end
  return false
end

--- The default file for saving the tree, and the reason if it is not the original one.
local function target(self)
  local doc = self.document
  if not doc.embedded and not doc.imported then return doc.file end
  local base = (doc.file or self.path):gsub("%.%a+$", "")
  if doc.imported then
    return base .. ".tree.json", ("%s is another program's: the tree is in a file of its own"):format(
      doc.file)
  end
  local file = ("%s.%s.lua"):format(base, (self.path:gsub("[^%w]+", "_")))
  local words = "the tree is inside %s, which is not written: the tree is in a file of its own; write  \z
    tree = \"%s\"  there"
  return file, words:format(doc.file, file:match "[^/]*$")
end

local thing_mark = "$thing"

--- Plain data with one placeholder for all functions.
local function without_things(value)
  if type(value) ~= "table" then return value end
  if value[thing_mark] then return "a function" end
  local made = {}
  for key, item in next, value do made[key] = without_things(item) end
  return made
end

--- The contents of a document, for comparison with another one.
local function said_by(doc)
  local things = rawget(doc, "things")
  doc.things = false -- functions are compared as they are
  local plain = without_things(doc:plain(nil, true))
  doc.things = things
  return plain
end

--- The context in which the tree is expanded.
local function context_of(context, keys)
  return forms.context { file = context.file, skills = context.skills, sources = context.sources,
    files = context.files, documents = context.documents, keys = keys }
end

--- Whether any node of a tree refers to another by name, whose meaning an edit may change.
local function refers_by_name(compiled)
  for _, record in ipairs(compiled.list) do
    if record.to or record.anchor then return true end
  end
  return false
end

--- A counter of edits over all trees of a run, which gives the last one of a person.
local function clock_of(host)
  return function()
    host.edits = (host.edits or 0) + 1
    return host.edits
  end
end

local function open(host, state)
  local compiled = state.tree
  local doc, form, context = read(compiled)
  if not doc then return nil, form end
  local self = setmetatable({ host = host, state = state, path = state.path, document = doc,
    compiled = compiled, said = compiled.document }, Session)
  self.context = context_of(context, keys_of(compiled, form, doc))
  self.has_files, self.clean, self.named = has_files(doc), versions.frozen(doc), refers_by_name(compiled)
  self.versions = versions.begin(host, doc, (target(self)))
  self.editing = editings.new(doc, function(now) return fault_of(self, now) end)
  self.editing.trace = function(op) self:trace(op) end
  self.editing.clock = clock_of(host)
  self.authority = sync.authority(self.editing, ("%s#%d"):format(state.path, host.sessions_made or 1))
  self.authority.perform = function(op, who, base) return self:perform(op, who, base) end
  return self
end

--- The session of a compiled state's tree, created on first use; nil, a sentence.
function session.of(host, state)
  host.sessions = host.sessions or {}
  local known = host.sessions[state.path]
  if known and known.state == state then return known end
  if not state.tree then return nil, ("the state '%s' has no tree"):format(state.path) end
  host.sessions_made = (host.sessions_made or 0) + 1
  local made, why = open(host, state)
  host.sessions[state.path] = made
  return made, why
end

--- Prepare a session for edits, including its first tree with references by id, in slices.
local function prepare(host, state)
  local one = open(host, state)
  if not one then return nil end
  local made = one.named and compiled_anew(one, one.document) or nil
  owns.faults(made or one.compiled, site_of(one), tostring) -- afterwards the DOFs of leaves are cached
  return one, made
end

--- A slice of the preparation, limited by the clock.  Return nil while it is not done, else true.
local function slice(asked, seconds)
  asked.made = table.pack(script.work(asked.worker, seconds))
  return asked.made[1] or nil
end

--- Continue preparing the requested session for `seconds`.
local function prepare_on(host, seconds)
  local asked = host.sessions_asked
  if not door.ask("edit", slice, asked, seconds) then return end
  if not (asked.made and asked.made[1]) then slice(asked, math.huge) end -- in a replay
  local _, good, one, made = table.unpack(asked.made, 1, asked.made.n)
  host.sessions_asked = nil
  if not good then error(one, 0) end
  if not one or asked.state.tree ~= one.compiled then return end
  host.sessions = host.sessions or {}
  host.sessions[one.path] = one
  if made then
    one.named = false
    session.go_over(one, made)
  end
end

--- The session of a state's tree, for a caller with little time: a session of a large tree is prepared in
--- the slack, and until then this returns nil and a sentence.
function session.ask(host, state)
  local known = host.sessions and host.sessions[state.path]
  local there = known and known.state == state
  if there or not state.tree or #state.tree.list <= session.large then return session.of(host, state) end
  if not host.sessions_asked or host.sessions_asked.state ~= state then
    host.sessions_made = (host.sessions_made or 0) + 1
    host.sessions_asked = { state = state,
      worker = coroutine.create(function() return prepare(host, state) end) }
  end
  return nil, ("the tree of '%s' has %d nodes and is made ready to be edited: send it again"):format(
    state.path, #state.tree.list)
end

--- Number of nodes above which a tree is prepared for edits in the slack.
session.large = 300

--- The existing sessions, by the path of their state.
function session.all(host) return host.sessions or {} end

--- The share of the slack after a tick that may be used, s.
session.share = 0.0015

--- Write one edit into the store; with `all`, all edits.
function session.slack(host, all)
  if host.sessions_asked and not all then return prepare_on(host, session.share) end
  for _, path in ipairs(suggest.keys(session.all(host))) do
    while versions.work(host.sessions[path].versions, not all and session.share or nil) and all do end
  end
end

-- Edits -----------------------------------------------------------------------------------------------------

--- Let running instances of this tree change to its present version.
local function go_over(self, compiled)
  self.compiled, self.state.tree = compiled, compiled
  local top = self.host.top
  if not top then return end
  top:each_outer_first(function(active)
    if active.state == self.state and active.tree then active.tree:migrate(compiled) end
  end)
end

--- Whether the tree can be edited now; nil, a sentence.
local function may_edit(self)
  local rehearsed
  if self.host.top then
    self.host.top:each_outer_first(function(active)
      rehearsed = rehearsed or active.tree and active.state == self.state and active.tree.site.rehearsal
    end)
  end
  if rehearsed then return nil, "a tree that is rehearsed is not edited" end
  return true
end

--- Revert the changes of an edit that was interrupted, for example by the time limit of a line at the
--- prompt.
local function mend(doc)
  if not doc.journal then return end
  doc:revert(0)
  doc:keep()
end

--- Do an operation and apply it to the running trees: called by the authority.
function Session:perform(op, who, base)
  local aside = self.host.aside
  if aside and aside:keeps_off() then return nil, "an edit of a tree is under way: send it again" end
  mend(self.document)
  local good, refusal = may_edit(self)
  if not good then return nil, refusal end
  self.made, self.fault = nil, nil
  self.edits = not self.named and {} or nil -- made again once; afterwards it has references by id
  local kept = self.edits
  local done, why = self.editing:apply(op, who, base)
  if not done then return nil, why end
  self.has_files = self.has_files or kept ~= nil and self.edits == nil
  self.named = self.named and not self.made
  if not self.edits then self.owns = nil end
  if aside then aside:whole() end
  if self.made then go_over(self, self.made) end
  versions.note(self.versions, self.path, self.document, done)
  return done
end

--- Do an operation of `who`: {seq =, says =, ...}, or nil and a sentence.
function Session:edit(op, who, base) return self.authority:edit(op, who, base) end

function Session:undo(who, skip) return self:edit({ op = "undo", skip = skip or nil }, who) end

function Session:redo(who, skip) return self:edit({ op = "redo", skip = skip or nil }, who) end

function Session:ids() return author.ids_of(self, 0) end

--- The number of a node in the running tree, by its id; nil: not there.
function Session:number(id) return self.compiled.shape:find(id) end

--- The id of a node of the running tree in this document; nil: it is in another file.
function Session:id(number)
  local record = self.compiled.list[number]
  return record and self.document.nodes[record.id] and record.id or nil
end

-- Another version of the behavior ---------------------------------------------------------------------------

--- Replace functions by those of a new version at the same positions of the document.
local function take_things(doc, from, value, other)
  if type(value) ~= "table" or type(other) ~= "table" then return end
  local number, there = value[thing_mark], other[thing_mark]
  if number and there then
    doc.things.list[number] = from.things.list[there]
  elseif not number then
    for key, item in next, value do take_things(doc, from, item, other[key]) end
  end
end

--- Continue in a new version whose tree equals the one that was edited; nil and why if that is impossible.
local function go_on_in(self, state, doc, form, context)
  for id, node in next, self.document.nodes do
    if doc.nodes[id] then take_things(self.document, doc, node.fields, doc.nodes[id].fields) end
  end
  self.document.forms = {}
  local keys = self.context.keys
  for id, key in next, keys_of(state.tree, form, doc) do keys[id] = keys[id] or key end
  self.context = context_of(context, keys)
  local made, why = compiled_anew(self, self.document)
  if not made then return nil, why end
  self.state, self.compiled, state.tree, self.said, self.owns = state, made, made, state.tree.document, nil
  made.document = self.said
  return true
end

--- Store unsaved edits beside the new version.
local function keep_aside(self, why)
  local file = target(self):gsub("(%.%a+)$", ".edited%1")
  local made = text.of(self.document, file:match "%.json$" and "json" or "lua")
    or text.of(self.document, "lua")
  local good, trouble = disk.replace(file, made)
  self.host.say("warning", ("the edits of the tree of '%s' that were not saved are %s: %s"):format(self.path,
    good and "in " .. file or "lost, for " .. trouble, why))
end

--- Transfer one session to a state of the new version; nil: there is none.
local function carry(self, state)
  local unsaved, why = self.document:unsaved(), "the state has no tree any more"
  if state and state.tree then
    local doc, form, context = read(state.tree)
    local now = doc and said_by(doc)
    local same = doc and (data.equal(now, said_by(self.clean)) or data.equal(now, said_by(self.document)))
    why = "the tree was changed in its file, too"
    if same then
      local good
      good, why = go_on_in(self, state, doc, form, context)
      if good then return end
    end
  end
  if unsaved then keep_aside(self, why) end
  self.host.sessions[self.path] = nil
end

--- Transfer all sessions before another version of the behavior runs.
function session.carry(host, machine)
  if not host.sessions then return end
  if host.aside then
    host.aside:cancel "another version of the behavior was taken over meanwhile: send it again"
  end
  for _, one in next, host.sessions do mend(one.document) end
  local states = {}
  behavior.each_state(machine, function(state) states[state.path] = state end)
  for _, path in ipairs(suggest.keys(host.sessions)) do carry(host.sessions[path], states[path]) end
end

-- Saving ----------------------------------------------------------------------------------------------------

--- Mark the present state as that of the file, unless it is saved to another file.
function Session:mark_clean()
  local doc = self.document
  if not doc.embedded and not doc.imported then self.clean = versions.frozen(doc) end
end

--- Write the tree to its file, or to another one.  Return a sentence, or nil and why not.
function Session:save(file)
  mend(self.document)
  local own, note = target(self)
  file = file or own
  local format = file:match "%.json$" and "json" or file:match "%.lua$" and "lua"
  if not format then return nil, file .. ": a tree is written to a file .lua or .json" end
  local made, functions = text.of(self.document, format)
  if not made then return nil, functions end
  local good, why = disk.replace(file, made)
  if not good then return nil, why end
  self.document:saved()
  self:mark_clean()
  local said = { "wrote " .. file }
  if note and file == own then said[2] = note end
  if #functions > 0 then
    said[#said + 1] = ("functions are not written (%s): name them in skills, and write does = \z
      \"NAME\""):format(
      table.concat(functions, ", "))
  end
  if self.document.remarks then said[#said + 1] = "comments are not kept: notes are" end
  return table.concat(said, "; ")
end

--- For shared.lua, which edits files that several trees use.
session.Session, session.go_over, session.may_edit, session.keep_aside, session.clock_of = Session, go_over,
  may_edit, keep_aside, clock_of

return session
