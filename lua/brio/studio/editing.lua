--- Edits of the run's files by the pages of a studio: each is planned on the text of the disk, judged by the
--- loader, written, and kept for the person's undo.  One after the other, so that none is lost.
local disk = require "brio.file"
local editor = require "brio.behavior.text.editor"
local journal = require "brio.behavior.text.journal"
local message = require "brio.studio.message"
local outline = require "brio.behavior.text.outline"
local snippets = require "brio.behavior.text.snippets"
local history = require "brio.behavior.text.history"
local store = require "brio.store"
local uv = require "luv"

local editing = {}
local Editing = {}
Editing.__index = Editing

--- Texts that pages may still have; tries when others write at the same time; edits that may wait.
editing.most_seen, editing.tries, editing.most_waiting = 64, 5, 32

--- `options`: code (see code.lua), program, tell(kind, value) for all pages.
function editing.new(options)
  return setmetatable({ options = options, seen = {}, order = {}, queue = {} }, Editing)
end

--- Remember a text that a page gets, for its edits.
local function remember(self, text)
  local hash = store.hash(text)
  if self.seen[hash] then return hash end
  self.seen[hash] = text
  self.order[#self.order + 1] = hash
  if #self.order > editing.most_seen then self.seen[table.remove(self.order, 1)] = nil end
  return hash
end

--- What pages get about a text.
local function view_of(self, name, text, who, kept)
  local made, why, line = outline.of(text)
  local undo, redo = history.next(kept, who)
  return { file = name, hash = remember(self, text), outline = made and message.text(made) or nil,
    fault = not made and { line = line, message = why } or nil, undo = undo, redo = redo }
end

--- The parts of a file of the run: {file, hash, outline (JSON), fault, undo, redo}, or {same} if the page has
--- it already; nil, sentence.
---@param name string
---@param who string
---@param known string? hash of the text that the page has
function Editing:outline(name, who, known)
  local place, why = self.options.code:place(name)
  if not place then return nil, why end
  local text, fault = disk.read(place, self.options.code.most_bytes)
  if not text then return nil, fault end
  if known and store.hash(text) == known then return { same = true } end
  return view_of(self, name, text, who, (journal.read(place)))
end

--- Write a plan that the loader has accepted, and answer.
local function write(self, job, place, plan, faults)
  local made, why = self.options.code:write(job.name, plan.after, store.hash(plan.before))
  if not made then
    local now = disk.read(place, self.options.code.most_bytes)
    if now and now ~= plan.before and job.tries < editing.tries then return self:work(job) end
    return job.done { error = why, waits = true, mine = plan.after }
  end
  -- The text was still the one that the plan saw, so the history is, too.
  editor.written(plan, job.said.who, job.kept)
  local good, fault = journal.write(place, job.kept)
  local answer = view_of(self, job.name, plan.after, job.said.who, job.kept)
  answer.what, answer.merged, answer.left = plan.what, plan.merged, plan.left and message.list(plan.left)
  if not good then plan.notes[#plan.notes + 1] = "undo is not kept: " .. tostring(fault) end
  answer.notes, answer.faults = message.list(plan.notes), message.list(faults or {})
  self.options.tell("edited", { file = job.name, hash = answer.hash, who = job.said.who, what = plan.what })
  job.done(answer)
end

--- Ask the loader about a text, later if it is busy: done(faults); nil, sentence.
local function judge(self, name, text, done)
  self.options.code:check(name, text, function(result)
    if result.error ~= "busy" then return done(result.faults, result.error) end
    local timer = uv.new_timer()
    timer:start(100, 0, function()
      timer:close()
      judge(self, name, text, done)
    end)
  end)
end

--- Plan, judge and write an edit.
function Editing:work(job)
  job.tries = job.tries + 1
  local place, why = self.options.code:place(job.name)
  if not place then return job.done { error = why, waits = true } end
  local text, fault = disk.read(place, self.options.code.most_bytes)
  if not text then return job.done { error = fault, waits = true } end
  job.kept = journal.read(place)
  local said = job.said
  -- An error in a plan must not stop the edits behind it.
  local sound, plan, refused = pcall(editor.plan, text, { who = said.who, op = said.op, undo = said.undo,
    redo = said.redo, hash = said.hash, base = said.hash and self.seen[said.hash] }, job.kept)
  if not sound then return job.done { error = "the edit is not possible: " .. tostring(plan) } end
  if not plan then
    if refused.text then remember(self, refused.text) end
    return job.done(refused)
  end
  judge(self, job.name, plan.after, function(faults, wrong)
    if not faults then plan.notes[#plan.notes + 1] = "not checked: " .. tostring(wrong) end
    if not faults or not editor.refusal({}, faults) then return write(self, job, place, plan, faults) end
    judge(self, job.name, plan.before, function(before)
      local sentence = editor.refusal(before or {}, faults)
      if sentence then return job.done { error = sentence, faults = message.list(faults) } end
      write(self, job, place, plan, faults)
    end)
  end)
end

--- Begin the next edit that waits.
local function next_job(self)
  local job = table.remove(self.queue, 1)
  self.busy = job ~= nil
  if job then self:work(job) end
end

--- Edit a file: said {who, op | undo | redo, hash}; done(answer): what `outline` returns, with what, notes,
--- left, faults; or {error, waits, mine, text, conflicts}: `waits`: nothing is wrong with the edit itself.
function Editing:edit(name, said, done)
  if #self.queue >= editing.most_waiting then return done { error = "too many edits wait" } end
  local over = false
  self.queue[#self.queue + 1] = { name = name, said = said, tries = 0, done = function(answer)
    if over then return end
    over = true
    done(answer)
    next_job(self)
  end }
  if not self.busy then next_job(self) end
end

--- Create a behavior beside the run's, from a template: {file}; nil, sentence.
---@param name string
---@param kind string see snippets.lua
---@param robot string
function Editing:create(name, kind, robot)
  if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" or #name > 60 then
    return nil, "a behavior's name has letters, digits and '_'"
  end
  if type(robot) ~= "string" then return nil, "a behavior's robot is a text" end
  local text = snippets.behavior(kind, name, robot)
  if not text then return nil, "there is no such template" end
  local folder, why = self.options.code:folder()
  if not folder then return nil, why end
  local place = ("%s/%s.lua"):format(folder, name)
  -- "x": never in place of a file, also if another program makes it at this moment.
  local handle, fault = uv.fs_open(place, "wx", 420)
  if not handle then return nil, "cannot be created: " .. tostring(fault) end
  local good, wrong = uv.fs_write(handle, text)
  uv.fs_close(handle)
  if good ~= #text then
    uv.fs_unlink(place)
    return nil, "cannot be written: " .. tostring(wrong or "the disk is full")
  end
  self.options.code:allow(name .. ".lua")
  return { file = name .. ".lua" }
end

--- What pages need to make behaviors: done({tables = JSON, snippets}): the schemas of states, behaviors and
--- objectives, and Lua to insert.
function Editing:about(done)
  local function answer()
    local templates = {}
    for kind, row in pairs(snippets.behaviors) do templates[kind] = row.label end
    local rows = {}
    for index, row in ipairs(snippets.rows) do
      rows[index] = { use = row.use, label = row.label, lua = row.lua, values = message.list(row.values) }
    end
    done { tables = self.tables, snippets = rows, goals = snippets.goals, templates = templates }
  end
  if self.tables then return answer() end
  self.options.code:program({ "schema", "--json" }, function(output)
    local list, kept = message.read(output), {}
    if not list then return done { error = "the schemas cannot be read" } end
    for _, row in ipairs(list) do
      if row.name == "state" or row.name:find "^want%." then kept[#kept + 1] = row end
    end
    self.tables = message.text(message.list(kept))
    answer()
  end)
end

return editing
