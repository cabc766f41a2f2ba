--- Editing the trees of a behavior while they run: what a state's tree is as a document, whose edits are
--- applied to what runs between two ticks.
---
---     local one, why = session.of(host, state)      of a compiled state's tree, made when it is asked for
---                                                   first
---     session.ask(host, state)                      the same in the time that a line at the prompt has:
---                                                   large trees come later
---     session.all(host)                             those that there are, by the path of their state
---     session.slack(host)                           writes into the store what was edited: one edit; all of
---                                                   them with `true`
---     session.carry(host, machine)                  another version of the behavior is about to run: edits
---                                                   go on there
---
---     one.document, one.path                        what is edited, and the path of its state
---     one:edit(op, who [, base])                    an operation (see author.lua): { seq =, says =, ... } or
---                                                   nil and a sentence
---     one:undo(who [, skip]), one:redo(who [, skip])
---     one:ids()                                     what makes ids for new nodes, for author.lua
---     one:number(id), one:id(number)                a node's number in what runs, and back; nil: it is not
---                                                   of this document
---     one:save([file])                              a sentence on what was written where, or nil and why
---     one.authority                                 what others follow (sync.lua)
---
--- An edit is done as a whole or not at all: when the tree would have faults on this robot with it, its
--- author hears them and nothing is changed.  What runs and is not changed runs on; a leaf that is changed
--- while it runs goes on with its new fields.
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

-- Making the tree that runs ---------------------------------------------------------------------------------

--- Make all of the tree anew from the document.  Return it, or nil and why.
local function compiled_anew(self, doc)
  local made, faults = whole.compile(doc:form(), self.context)
  if not made then return nil, faults[1].message end
  made.document = self.said
  return made
end

--- Whether a form, or something in it, is a tree in another file: its nodes get their ids when the whole tree
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

--- The child before which a node stands, in the order of all children of its parent.
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

--- What each operation is to trees.edit: a list of its edits, as the document stands after it.
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

--- Note what an operation that was just done is to the tree that runs.
function Session:trace(op)
  if not self.edits then return end
  for _, edit in ipairs(verbs[op.op](self.document, op)) do
    local form = edit.form
    if form and (uses_files(form) or self.document.nodes[self.document.root].fields.params ~= nil) then
      self.edits = nil -- all of it is to be made anew
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

--- Give the records of a tree that is not gone over to from the parents that they had.
local function give_back(compiled)
  for number, record in ipairs(compiled.list) do record.parent = compiled.shape:parent(number) end
end

--- Make the tree that the document says now.
local function compile(self, doc)
  local edits, fault = self.edits, self.fault
  if fault then return nil, fault end
  if not edits or self.has_files then return compiled_anew(self, doc) end
  local made, faults = trees.edit(self.compiled, edits)
  if not made then return nil, faults[1].message end
  made.document, made.origins, made.context = self.said, self.compiled.origins, self.context
  return made
end

--- The numbers of the nodes that edits put in or changed, and whether who owns what when may be another than
--- before; nil: all of the tree is new.
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

--- What the leaves of this session's tree are held against.
local function site_of(self)
  return { description = self.host.description, sequences = self.host.sequences, name = self.path }
end

--- Why the document cannot be so on this robot; nil: it can.
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

-- What is edited --------------------------------------------------------------------------------------------

--- The document of a state's tree: of its file's text where it is one; the table that it was read from, and
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

--- What names the subtrees of other files, as the tree that runs has it: so what is in them runs on.
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

--- The file that the tree is written to when nothing else is said, and why not to the one that it came from.
local function target(self)
  local doc = self.document
  if not doc.embedded and not doc.imported then return doc.file end
  local base = (doc.file or self.path):gsub("%.%a+$", "")
  if doc.imported then
    return base .. ".tree.json", ("%s is another program's: the tree is in a file of its own"):format(
      doc.file)
  end
  local file = ("%s.%s.lua"):format(base, (self.path:gsub("[^%w]+", "_")))
  local words = "the tree stands inside %s, which is not written: the tree is in a file of its own; say  \z
    tree = \"%s\"  there"
  return file, words:format(doc.file, file:match "[^/]*$")
end

local thing_mark = "$thing"

--- Plain data with one word for all functions.
local function without_things(value)
  if type(value) ~= "table" then return value end
  if value[thing_mark] then return "a function" end
  local made = {}
  for key, item in next, value do made[key] = without_things(item) end
  return made
end

--- What a document says, to compare it with another's.
local function said_by(doc)
  local things = rawget(doc, "things")
  doc.things = false -- functions stand for themselves
  local plain = without_things(doc:plain(nil, true))
  doc.things = things
  return plain
end

--- The context in which the tree is expanded.
local function context_of(context, keys)
  return forms.context { file = context.file, skills = context.skills, sources = context.sources,
    files = context.files, documents = context.documents, keys = keys }
end

--- Whether something in a tree refers to another by its name, which an edit may change.
local function refers_by_name(compiled)
  for _, record in ipairs(compiled.list) do
    if record.to or record.anchor then return true end
  end
  return false
end

--- Edits of a run are counted over all its trees, so that the last one of a person is known.
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

--- Make a session ready for edits, its first tree that refers by ids, too: little by little.
local function prepare(host, state)
  local one = open(host, state)
  if not one then return nil end
  local made = one.named and compiled_anew(one, one.document) or nil
  owns.faults(made or one.compiled, site_of(one), tostring) -- what leaves own is known from then on
  return one, made
end

--- A slice of making ready by the clock.  Return nil while it is not done, else true.
local function slice(asked, seconds)
  asked.made = table.pack(script.work(asked.worker, seconds))
  return asked.made[1] or nil
end

--- Go on for `seconds` with the session that was asked for.
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

--- The session of a state's tree, for who has little time: one of a large tree is made in the slack, and
--- until then this is nil and a sentence.
function session.ask(host, state)
  local known = host.sessions and host.sessions[state.path]
  local there = known and known.state == state
  if there or not state.tree or #state.tree.list <= session.large then return session.of(host, state) end
  if not host.sessions_asked or host.sessions_asked.state ~= state then
    host.sessions_made = (host.sessions_made or 0) + 1
    host.sessions_asked = { state = state,
      worker = coroutine.create(function() return prepare(host, state) end) }
  end
  return nil, ("the tree of '%s' has %d nodes and is made ready to be edited: say it again"):format(
    state.path, #state.tree.list)
end

--- Trees of more nodes are made ready for edits in the slack.
session.large = 300

function session.all(host) return host.sessions or {} end

--- Seconds of the slack after a tick that may be used.
session.share = 0.0015

function session.slack(host, all)
  if host.sessions_asked and not all then return prepare_on(host, session.share) end
  for _, path in ipairs(suggest.keys(session.all(host))) do
    while versions.work(host.sessions[path].versions, not all and session.share or nil) and all do end
  end
end

-- Edits -----------------------------------------------------------------------------------------------------

--- Those that run this tree go over to what it is now.
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

--- Take back what an edit left half done that was broken off, as one is that takes more time than a line at
--- the prompt has.
local function mend(doc)
  if not doc.journal then return end
  doc:revert(0)
  doc:keep()
end

--- Do an operation and let what runs go over to it: what the authority calls.
function Session:perform(op, who, base)
  local aside = self.host.aside
  if aside and aside:keeps_off() then return nil, "an edit of a tree is under way: say it again" end
  mend(self.document)
  local good, refusal = may_edit(self)
  if not good then return nil, refusal end
  self.made, self.fault = nil, nil
  self.edits = not self.named and {} or nil -- all of it is made anew once, after which it refers by ids
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

function Session:edit(op, who, base) return self.authority:edit(op, who, base) end

function Session:undo(who, skip) return self:edit({ op = "undo", skip = skip or nil }, who) end

function Session:redo(who, skip) return self:edit({ op = "redo", skip = skip or nil }, who) end

function Session:ids()
  local graves = self.editing.graves
  self.make_id = self.make_id or author.ids(self.document, 0, function(id) return graves[id] ~= nil end)
  return self.make_id
end

function Session:number(id) return self.compiled.shape:find(id) end

function Session:id(number)
  local record = self.compiled.list[number]
  return record and self.document.nodes[record.id] and record.id or nil
end

-- Another version of the behavior ---------------------------------------------------------------------------

--- Put a new version's functions in the place of the old ones': where a document has the same.
local function take_things(doc, from, value, other)
  if type(value) ~= "table" or type(other) ~= "table" then return end
  local number, there = value[thing_mark], other[thing_mark]
  if number and there then
    doc.things.list[number] = from.things.list[there]
  elseif not number then
    for key, item in next, value do take_things(doc, from, item, other[key]) end
  end
end

--- Go on in a new version, whose tree is the one that was edited here; nil and why that cannot be.
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

--- What was not saved is kept beside what comes now.
local function keep_aside(self, why)
  local file = target(self):gsub("(%.%a+)$", ".edited%1")
  local made = text.of(self.document, file:match "%.json$" and "json" or "lua")
    or text.of(self.document, "lua")
  local good, trouble = disk.replace(file, made)
  self.host.say("warning", ("the edits of the tree of '%s' that were not saved are %s: %s"):format(self.path,
    good and "in " .. file or "lost, for " .. trouble, why))
end

--- Carry one session over to a state of the new version, nil: there is none.
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

function session.carry(host, machine)
  if not host.sessions then return end
  if host.aside then
    host.aside:cancel "another version of the behavior was taken over meanwhile: say it again"
  end
  for _, one in next, host.sessions do mend(one.document) end
  local states = {}
  behavior.each_state(machine, function(state) states[state.path] = state end)
  for _, path in ipairs(suggest.keys(host.sessions)) do carry(host.sessions[path], states[path]) end
end

-- Saving ----------------------------------------------------------------------------------------------------

--- What is there now is what its file says, unless it is saved to another.
function Session:mark_clean()
  local doc = self.document
  if not doc.embedded and not doc.imported then self.clean = versions.frozen(doc) end
end

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
    said[#said + 1] = ("functions are not written (%s): name them in skills, and say does = \"NAME\""):format(
      table.concat(functions, ", "))
  end
  if self.document.remarks then said[#said + 1] = "comments are not kept: notes are" end
  return table.concat(said, "; ")
end

--- For shared.lua, which edits files that several trees use.
session.Session, session.go_over, session.may_edit, session.keep_aside, session.clock_of = Session, go_over,
  may_edit, keep_aside, clock_of

return session
