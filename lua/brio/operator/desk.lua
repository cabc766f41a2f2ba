--- The wizard's desk of a run: the session script, the queue of delayed lines, undo, notes and marks, and the
--- run's status for the panel at people's prompts.  It works in robot time and is independent of terminals:
--- queued lines are executed even after a person leaves.
local lazy = require "brio.lib.lazy"
local clock = require "brio.clock"
local files = require "brio.operator.desk.files"
local load = lazy "brio.operator.session.load"
local match = require "brio.operator.session.match"
local operators = require "brio.operator.desk.operators"
local player = lazy "brio.operator.session.player"
local pretty = require "brio.lib.pretty"
local queue = require "brio.operator.desk.queue"
local seen = require "brio.operator.desk.view_record"
local session = require "brio.operator.session"
local status = lazy "brio.operator.desk.status"
local stop = require "brio.operator.desk.stop"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local undo = lazy "brio.operator.prompt.undo"

local desk = {}
local Desk = {}
Desk.__index = Desk

--- Maximum number of actions that are kept for undo and marks; minimum and maximum interval of the panel's
--- updates, s.
desk.kept, desk.period, desk.heartbeat = 200, 0.2, 1

--- Maximum length of a line to a client, bytes (runtime/front/front.h).
desk.longest = 65536

--- Make the desk of a prompt.
function desk.new(prompt)
  local run = prompt.run
  local self = setmetatable({ prompt = prompt, run = run, heard = {}, entered = {}, deeds = {}, marks = 0,
    steps = 0, watchers = {}, seen = { faults = 0 }, due = 0, told = 0 }, Desk)
  self.queue = queue.new {
    now = function() return run.host.now end,
    perform = function(entry)
      self:perform(entry.line, { who = entry.who, role = entry.role, device = "queue" }, "#" .. entry.number)
    end,
    busy = function() return self:busy() end,
  }
  self.stop = stop.new(self)
  self.files, self.shown = files.new(run), seen.new(run.recorder)
  return self
end

--- Whether an utterance is active, and whether a source that people have started is playing.
function Desk:busy()
  local host, moving = self.run.host, false
  local speech = host.speech
  for _, playing in next, host.tracks.playing do
    if playing.owner == "operator" and not playing.live then moving = true end
  end
  return speech ~= nil and (speech.current ~= nil or #speech.queue > 0), moving
end

--- Begin a run's desk, if it has one: with the session script and scripted operators of `options`. Return
--- true, or nil and the reason.
function desk.begin(run, options)
  local self = run.prompt and run.prompt.desk
  if not self then return true end
  run.host.desk = self
  run.recorder.on_fault = function(message) self:fault(message) end
  self.operators = options.operators and operators.of(options.operators)
  self.rehearses = options.rehearse
  self.watches = options.reload ~= false
  if not options.session then return true end
  return self:load_session(options.session)
end

-- Lines -------------------------------------------------------------------------------------------------

--- Execute a line for a caller that does not wait for its answer: errors are reported to everybody.
function Desk:perform(line, request, why)
  if self.queue.held and request.device == "script" then
    local entry = self.queue:append(line, request.who) -- a cue of the session script is queued too
    if entry then return {} end
  end
  request.kind, request.text, request.received = "say", line, clock.monotonic()
  local fields = self.prompt:perform(request)
  if fields.error then self.run:tell("warning", ("%s: %s: %s"):format(why, line, fields.error)) end
  return fields
end

--- The inverse of a word is computed before it is executed.
function Desk:before(word, rest, request)
  if request.undoes or word.apart then return nil end
  return undo.of(self.prompt, word.name, rest, request) or false
end

--- The session script's expectation for the acting person now: {expected, step, t_cue}; nil: none.
function Desk:expectation(word, request)
  if not self.session or request.device == "script" or word.apart then return nil end
  return self.session:expectation(request.who) or { step = self.session:step_name() }
end

--- A word that changes something was executed.  `takes_back`: the result of Desk:before.
function Desk:after(word, rest, request, takes_back)
  if request.undoes or word.apart then return end
  local line = word.name .. (rest ~= "" and " " .. rest or "")
  local deed = { line = line, who = request.who, t = self.run.host.now, action = request.action,
    number = self.marks + 1 }
  self.marks = deed.number
  if takes_back then
    local good, back, why = pcall(takes_back)
    deed.back, deed.why = good and back or nil, why
  else
    deed.why = "there is no way back from it"
  end
  self.deeds[#self.deeds + 1] = deed
  if #self.deeds > desk.kept then table.remove(self.deeds, 1) end
  if self.session and request.device ~= "script" then self.session:acted(line, request.who) end
end

--- Whether two lines are equal apart from spaces.
local function same_line(a, b) return a:gsub("%s+", "") == b:gsub("%s+", "") end

--- Undo the person's last action that was not undone; `line`: only if it is that one ("": any). Return the
--- result, or nil and the reason.
function Desk:take_back(who, line)
  for place = #self.deeds, 1, -1 do
    local deed = self.deeds[place]
    if deed.who == who and not deed.undone then
      if line ~= "" and not same_line(line, deed.line) then
        return nil, ("your last action was not %s but %s"):format(line, deed.line)
      end
      if not deed.back then
        deed.undone = true -- set in any case: the next undo is for the action before
        return nil, ("%s cannot be taken back: %s"):format(deed.line, deed.why)
      end
      deed.undone = true
      if type(deed.back) == "function" then
        local answer, why = deed.back()
        return answer and ("%s: %s"):format(deed.line, answer) or nil,
          why and ("%s: %s"):format(deed.line, why)
      end
      local fields = self.prompt:perform { kind = "say", text = deed.back, who = who,
        received = clock.monotonic(), undoes = true,
        device = "queue", role = (self.run.host.operators.speaker or {}).role }
      if fields.error then return nil, ("%s: %s"):format(deed.back, fields.error) end
      return ("%s is taken back: %s"):format(deed.line, deed.back)
    end
  end
  return nil, "you have done nothing that could be taken back"
end

--- Actions of people, the newest last: rows {number, t, who, line, back}.
function Desk:rows()
  local rows = {}
  for place = math.max(1, #self.deeds - 19), #self.deeds do
    local deed = self.deeds[place]
    rows[#rows + 1] = { number = deed.number, t = ("%.1f"):format(deed.t), who = deed.who or "",
      line = deed.line,
      back = deed.undone and "taken back" or type(deed.back) == "string" and deed.back
        or deed.back and deed.why or "",
      marked = deed.class or "" }
  end
  return rows
end

--- Mark an action as an error: the newest, or the one of that number.  Return it, or nil and why not.
function Desk:mark(number, class, who)
  local found
  for _, deed in ipairs(self.deeds) do
    if not number or deed.number == number then found = deed end
  end
  if not found then
    return nil, number and ("nothing was done under the number %d: mark-wrong lists what was"):format(number)
      or "nothing was done yet"
  end
  found.class = class
  local now = self.run.host.now
  if found.action then
    self.run.recorder:put("action_mark",
      { id = found.action, error_class = class, marked_by = who, marked_t = now })
  end
  self.run.recorder:put("annotations", { tier = "error", t0 = found.t, t1 = now,
    label = ("%s: %s"):format(class or "no error", found.line), coder = who, live = 1 })
  return found
end

--- A person's note, with the time.
function Desk:note(text, who)
  local now = self.run.host.now
  local recorder = self.run.recorder
  local kept = recorder:put("annotations", { tier = "note", t0 = now, label = text, coder = who, live = 1 })
  return recorder:put("notes", { t = now, text = text }) and kept
end

-- The session script ------------------------------------------------------------------------------------

--- The recorder of a script's steps: they are numbered after those of earlier scripts in the run.
local function record_of(self)
  local recorder, before = self.run.recorder, self.steps
  return {
    begin = function(row)
      row.session, row.id = self.run.study_session, before + row.id
      self.steps = row.id
      recorder:put("session_steps", row)
    end,
    cue = function(id, t) recorder:put("session_step_cue", { id = before + id, t_cue = t }) end,
    finish = function(id, t, outcome, branch)
      recorder:put("session_step_end", { id = before + id, t_ended = t, outcome = outcome, branch = branch })
    end,
  }
end

--- A text for every slot, for checks.
local any = setmetatable({}, { __index = function() return "x" end })

--- Lines of a script that are invalid in this run: a list of sentences.
function Desk:faults_of(fields)
  local list = {}
  session.each_line(fields, function(line, where)
    local why = self.prompt:line_fault((match.fill(line, fields.slots or {}, any)))
    if why then list[#list + 1] = ("%s: %s"):format(where, why) end
  end)
  return list
end

--- Install a session script, or remove the current one (nil).
function Desk:use_session(loaded)
  if self.watches then self.files:follow(loaded) end
  if not loaded then
    if self.session then self.session:close() end
    self.session = nil
    return
  end
  local before = self.session
  self.run.recorder:version(loaded.file, loaded.source, before and before.loaded.hash or nil,
    self.run.host.now or 0)
  if before and before.loaded.file == loaded.file then
    before:use(loaded)
    return
  end
  if before then before:close() end
  self.session = player.new(loaded, {
    now = function() return self.run.host.now end,
    state = function() return self.run.host:state() end,
    tell = function(level, text) self.run:tell(level, text) end,
    perform = function(line, step)
      self:perform(line, { who = "session " .. loaded.fields.name, device = "script" },
        ("step '%s'"):format(step))
    end,
    record = record_of(self),
  })
end

--- Load a session script from a file; a relative path is searched beside the behavior, then in the folder in
--- which the run was started.  Return true, or nil and the reason: then the present script continues.
function Desk:load_session(file)
  local loaded, fault = load.file(file)
  if not loaded then return nil, load.sentence(fault) end
  self:use_session(loaded)
  self.unsure = true
  return true
end

-- Events ------------------------------------------------------------------------------------------------

--- An event occurred.
function Desk:hear(event)
  self.heard[event.name] = true
  self.prompt.subscriptions:event(event)
  self.stop:hear(event)
end

--- A state was entered.
function Desk:enter(path)
  self.entered[#self.entered + 1] = path
  self.prompt.subscriptions:state(path)
end

--- A fault was recorded.
function Desk:fault(message) self.seen.faults, self.seen.last_fault = self.seen.faults + 1, message end

-- The panel ---------------------------------------------------------------------------------------------

--- The session script's part of the panel.
local function session_view(self)
  local on = self.session
  if not on then return nil end
  local current, said = on.current, on.current and on.current.said or {}
  local view = { name = on.fields.name, phase = on.phase, of = #on.fields.steps, keys = {},
    list = on:checklist() }
  for _, name in ipairs(suggest.keys(on.slots)) do
    if not on.values[name] and not on.slots[name].default then
      view.empty = view.empty or {}
      table.insert(view.empty, { name, on.slots[name].ask })
    end
  end
  for _, key in ipairs(suggest.keys(on:bindings())) do
    local bound = on:bindings()[key]
    view.keys[#view.keys + 1] = { key, bound.line, bound.label }
  end
  if not current then return view end
  view.step, view.index, view.begun, view.text = current.name, current.index, current.begun, said.text
  view.who = type(said.who) == "table" and table.concat(said.who, ", ") or said.who
  view.expected, view.met, view.other = on:expected_lines(), current.met, current.other
  if type(said.expect) == "function" and not view.expected[1] then view.expected = { "(see the script)" } end
  view.warn, view.cued = said.warn, current.cued ~= nil
  view.ends = said.after and current.begun + said.after[1] or nil
  local branches = said.go or said.on or said.states
  local next_one = on.fields.steps[current.index + 1]
  view.next = type(said.next) == "string" and said.next or nil
  if said.next == nil and not branches then view.next = next_one and next_one[1] or "end" end
  return view
end

--- All data of the panel.
function Desk:view()
  local view = status.now(self.run, self.seen, self.stop)
  view.session, view.queue = session_view(self), {}
  for index, row in ipairs(self.queue:rows()) do
    if index <= 8 then view.queue[index] = { row.number, row.when, row.line } end
  end
  view.waiting, view.queue_held = #self.queue.list, self.queue.held ~= nil or nil
  local life = self.run.host.life
  view.bound = suggest.keys(life and life.bound or {})
  return view
end

--- Send a client the run's status whenever it changes.
function Desk:watch(client, on)
  self.watchers[client] = on or nil
  self.due, self.last = 0, nil
end

--- A view without fields that change with time alone, for comparison.
local function essence(view)
  local t, p99 = view.t, view.tick_p99_us
  view.t, view.tick_p99_us = nil, nil
  for _, row in ipairs(view.queue) do row[2] = row[2]:gsub("in [%d.]+ s", "in") end
  local text = store.json(view)
  view.t, view.tick_p99_us = t, p99
  return text
end

local function tell(self, now)
  if next(self.watchers) == nil or now < self.due or not self.run.front then return end
  self.due = now + desk.period
  local view = self:view()
  local line = store.json { desk = view }
  local what = essence(view)
  if what == self.last and now < self.told + desk.heartbeat then return end
  local changed, people, present = what ~= self.last, {}, self.run.host.operators.present
  self.last, self.told = what, now
  if #line > desk.longest then return end
  for client in next, self.watchers do
    if not self.run.front:reply(client, line) then self.watchers[client] = nil
    elseif present[client] then people[present[client].who] = true end
  end
  if changed then self.shown:note(now, view, people) end
end

--- Update the size of the store, twice a second.
local function look_at_store(self, now)
  if now < (self.next_look or 0) then return end
  self.next_look = now + 0.5
  self.seen.store_mb, self.seen.disk_mb = self.files.store_mb, self.files.disk_mb
end

--- Check a new session script: the names that it uses must exist.  Reported once the behavior runs, when its
--- sequences are known.
local function look_at_session(self)
  self.unsure = nil
  for _, sentence in ipairs(self.session and self:faults_of(self.session.fields) or {}) do
    self.run:tell("warning", ("%s: %s"):format(self.session.loaded.file, sentence))
  end
end

--- The file of the session script has changed, and was read between two ticks.
local function take_changed(self)
  local changed = self.files:take()
  if not changed then return end
  if not changed.loaded then
    return self.run:tell("error", changed.why .. ": the current script stays")
  end
  self:use_session(changed.loaded)
  self.unsure = true
  self.run:tell("info", ("the session script was taken over%s"):format(
    self.session.current and "; the step is " .. self.session.current.name or ""))
end

local function work(self)
  take_changed(self)
  if self.unsure and self.run.host.tick > 0 then look_at_session(self) end
  local now = self.run.host.now
  local heard, entered = self.heard, self.entered
  self.heard, self.entered = {}, {}
  if self.operators then
    self.operators:work(self, heard, entered)
    if self.rehearses and self.operators:is_over() then self.run.engine:stop "script" end
  end
  self.stop:work(now)
  self.queue:work(heard, entered)
  if self.session then self.session:work(heard, entered) end
  look_at_store(self, now)
  if self.before_end then self.before_end(self.run) end
  tell(self, now)
end

--- Work of a tick, before people's lines.  If it fails, the robot continues without a desk.
function Desk:work()
  if self.failed then return end
  local good, why = pcall(work, self)
  if good then return end
  self.failed = true
  self.run.recorder:fault(self.run.host.tick, self.run.host.now, "error", "desk", tostring(why), nil,
    self.run.host.version)
  self.run:tell("error", "the desk failed, and the robot goes on without it: " .. tostring(why))
end

--- The run has ended.
function Desk:close()
  if self.session then self.session:close() end
  self.files:close()
end

--- A line for people about an utterance, shortened.
function desk.shown(line)
  return #line > 60 and pretty.visible(line):sub(1, 57) .. "..." or pretty.visible(line)
end

return desk
