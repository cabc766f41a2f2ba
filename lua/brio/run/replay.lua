--- Replays a recorded run: the parts come from its store, the inputs from its tape, and the results are
--- compared with the record, tick by tick, bit by bit.
---
---     local made = assert(replay.open { store = "brio.db", run = 3 })
---     local report = made:go()          {equal, ticks, seconds, difference = {tick, t, sentence, ...}, ...}
local door = require "brio.io.input_gate"
local side = require "brio.record.side_files"
local store = require "brio.store"
local tapes = require "brio.tape"
local version = require "brio.version"

local replay = {}
local Replay = {}
Replay.__index = Replay

-- The record ---------------------------------------------------------------------------------------

--- The run of that number; nil: the newest.
local function find_run(db, number)
  local rows, why = db:query(number and "SELECT * FROM runs WHERE id = ?"
    or "SELECT * FROM runs ORDER BY id DESC LIMIT 1", number)
  if not rows then return nil, why end
  if not rows[1] then
    return nil, number and ("there is no run %d in it"):format(number) or "there is no run in it"
  end
  return rows[1]
end

--- Fill a tape with the rows of a run.  Return it and the number of rows.
local function tape_of(db, run)
  local tape, count = tapes.replay(), 0
  local rows, why = db:rows("SELECT id, tick, bytes FROM tapes WHERE run = ? ORDER BY id", run)
  if not rows then return nil, why end
  for row in rows do
    tape:feed(row.id, row.tick, row.bytes)
    count = count + 1
  end
  return tape, count
end

--- A function that returns the text of a hash: versions of files, and files that only the tape names, in
--- the store at `path` or beside it.
local function texts_of(db, path)
  local known = {}
  return function(hash)
    local kept = side.read(path, hash)
    if kept then return kept end
    if known[hash] == nil then
      local rows = db:query("SELECT source AS text FROM versions WHERE hash = ?1 UNION ALL "
        .. "SELECT bytes FROM files WHERE hash = ?1 AND bytes IS NOT NULL", hash)
      known[hash] = false
      for _, row in ipairs(rows or {}) do
        if store.hash(row.text) == hash then known[hash] = row.text end -- otherwise it was changed
      end
    end
    return known[hash] or nil
  end
end

--- Sentences for damage in the record.
local damages = {
  hole = "rows of its tape are missing there: the store had no room, or they were deleted",
  damaged = "its tape is damaged there: it was changed after it was recorded",
  over = "its tape ends there",
}

local function open_record(options)
  local db, why = store.open(options.store)
  if not db then return nil, why end
  local self = setmetatable({ db = db, options = options, text = texts_of(db, options.store) }, Replay)
  local function fail(...)
    db:close()
    return nil, options.store .. ": " .. string.format(...)
  end
  self.row, why = find_run(db, options.run)
  if not self.row then return fail("%s", why) end
  local count
  self.tape, count = tape_of(db, self.row.id)
  if not self.tape then return fail("its tapes cannot be read: %s", count) end
  if count == 0 then
    return fail("run %d has no tape: it was recorded by brio %s, before there were any", self.row.id,
      self.row.engine_version or "?")
  end
  local good, about = self.tape:must "begin"
  local also, looks = self.tape:must "texts"
  if not (good and also and type(about) == "table" and type(looks) == "table") then
    local parted = self.tape:parted()
    return fail("run %d cannot be replayed: %s", self.row.id,
      damages[parted and parted.fault] or "its tape does not begin as one does")
  end
  self.about, self.looks = about, looks
  return self
end

-- The run ------------------------------------------------------------------------------------------

--- Remarks on differences of build that may change bits.
local function remark_of_build(self)
  local remarks, about, taped = {}, self.about, require "brio.io.run_tape"
  if about.engine_version ~= version then
    remarks[#remarks + 1] = ("it was recorded by brio %s, this is %s"):format(tostring(about.engine_version),
      version)
  end
  if about.machine ~= taped.machine then
    remarks[#remarks + 1] = ("it was recorded on %s, this is %s"):format(tostring(about.machine),
      taped.machine)
  end
  for index, object in ipairs(taped.objects(self.options.load or about.options.load)) do
    local was = about.load and about.load[index]
    if was and was.hash ~= object.hash then remarks[#remarks + 1] = object.file .. " has changed since" end
  end
  return remarks
end

--- The recorded options of the run, for the replay.
local function options_of(self)
  local made = {}
  for name, value in next, self.about.options do made[name] = value end
  made.say, made.reload = self.options.say, self.about.reload
  made.front = self.about.front and {} or nil
  made.replay = self.gate
  made.unmoved = not self.about.simulated
  made.store = self.options.record
  return made
end

--- Replace files of the run: a name that the run has not read replaces its behavior.
function Replay:change(files)
  local file = require "brio.file"
  for _, path in ipairs(files) do
    local text, why = file.read(path)
    if not text then
      self:close()
      return nil, why
    end
    local name = self.looks["text " .. path] and path or self.about.file
    self.looks["text " .. name] = { text = text }
  end
  self.tape:loosen()
  return true
end

--- Open a run for replay.  Options: store; run (its number; nil: the newest); say(level, sentence); record
--- (a store in which the replay is recorded); with (files that replace those that ran, with the same
--- inputs); texts ({file = text}: replace recorded texts).  Return it, or nil and a sentence.
function replay.open(options)
  local self, why = open_record(options)
  if not self then return nil, why end
  local about = self.about
  if about.missing and #about.missing > 0 then
    self:close()
    return nil, ("run %d was put together with %s, which is nothing that a store can hold"):format(
      self.row.id, table.concat(about.missing, ", "))
  end
  for name, text in next, options.texts or {} do self.looks["text " .. name] = { text = text } end
  if options.with then
    local good, wrong = self:change(options.with)
    if not good then return nil, wrong end
  end
  self.gate = door.replaying { tape = self.tape, looks = self.looks, text = self.text,
    loose = options.with ~= nil, of = self.row.id }
  self.remarks = remark_of_build(self)
  self.run, why = require("brio.run.runner").new(options_of(self))
  if not self.run then
    self:close()
    local missing = self.gate.missing[1]
    return nil, missing and ("run %d cannot be replayed: the text of %s is not in the store"):format(
      self.row.id, missing) or why
  end
  local hash = self.run.description.robot:hash()
  if about.robot_hash ~= hash then
    self.remarks[#self.remarks + 1] = ("the robot's model has changed since: its digest is \z
      %s, not %s"):format(hash:sub(1, 8), tostring(about.robot_hash):sub(1, 8))
  end
  return self
end

--- Sentences for differences, by kind.
local faults = {
  other = function(d) return ("'%s' was requested, but '%s' is next in the record%s"):format(d.wanted,
    d.found, d.found_tick ~= d.tick and (", in tick %d"):format(d.found_tick) or "") end,
  unheard = function(d) return ("'%s' is in the record, but was not requested"):format(d.found) end,
  over = function(d) return ("'%s' was requested, but the record has ended"):format(d.wanted
    or "?") end,
  changed = function(d)
    if d.wanted == "hash" then return "what was commanded differs" end
    return ("what the record has on '%s' cannot be"):format(d.wanted)
  end,
  hole = function() return "the record has a hole there: rows of its tape are missing" end,
  damaged = function() return "the record is damaged there: it was changed after it was made" end,
}

--- Close everything.  Return what closing the new run returned: its outcome, and what was lost of it.
function Replay:close()
  local outcome, lost
  if self.run then outcome, lost = self.run:close() end
  self.run = nil
  self.tape:close()
  self.db:close()
  return outcome, lost
end

-- What comes of it -------------------------------------------------------------------------------

--- Whether an event is compared.  Another behavior moves its own motors, which stand still without a
--- device: the recorded reports of motors (a stall, for example) tell nothing about the behavior.
local function counts(self, source) return not (self.options.with and source == "motors") end

--- The rule of `counts` as a condition in SQL.
local function that_count(self) return self.options.with and " AND source <> 'motors'" or "" end

--- Collect the events of the replay, and the states that it enters.
local function listen(of)
  local recorder, heard = of.run.recorder, { events = {}, states = {} }
  local event, enter = recorder.event, recorder.enter
  function recorder:event(tick, t, what, version_of) -- luacheck: ignore self
    if counts(of, what.source) then
      heard.events[#heard.events + 1] = { tick = tick, t = t, name = what.name, source = what.source }
    end
    return event(recorder, tick, t, what, version_of)
  end
  function recorder:enter(row) -- luacheck: ignore self
    heard.states[#heard.states + 1] = { t = row.entered, state = row.state, cause = row.cause }
    return enter(recorder, row)
  end
  return heard
end

local function event_words(row)
  return row and ("the event %s in tick %d"):format(row.name, row.tick) or "no more events"
end
local function state_words(row)
  return row and ("the state %s, entered at %.3f s (%s)"):format(row.state, row.t, row.cause)
    or "no more states"
end

--- A sentence on the first difference between two lists of rows, up to `last`; nil: they are equal.
local function first_other(recorded, replayed, key, last, is_same, words)
  for index = 1, math.max(#recorded, #replayed) do
    local a, b = recorded[index], replayed[index]
    if a and a[key] > last then a = nil end
    if b and b[key] > last then b = nil end
    if not a and not b then return nil end
    if not (a and b and is_same(a, b)) then return ("recorded %s; replayed %s"):format(words(a), words(b)) end
  end
end

--- Differences up to a tick at t s which precede the difference of commands: a list of sentences.
local function others(self, tick, t)
  local list = {}
  local events = self.db:query("SELECT tick, t, name, source FROM events WHERE run = ? AND tick <= ?"
    .. that_count(self) .. " ORDER BY id", self.row.id, tick)
  local states = self.db:query("SELECT entered AS t, state, cause FROM states WHERE run = ? AND entered <= \z
    ? ORDER BY id", self.row.id, t)
  list[1] = first_other(events or {}, self.heard.events, "tick", tick, function(a, b)
    return a.tick == b.tick and a.name == b.name and a.source == b.source
  end, event_words)
  list[#list + 1] = first_other(states or {}, self.heard.states, "t", t, function(a, b)
    return a.t == b.t and a.state == b.state and a.cause == b.cause
  end, state_words)
  return list
end

--- Number of ticks after a difference of commands in which a DOF is searched that shows it.
local visible_within = 200

--- The DOF whose goal differs most from the record: {dof, recorded, replayed}; nil: no difference exceeds
--- the resolution of samples.
local function worst_dof(self, tick)
  local rows, worst = self.db:query("SELECT name, goal FROM samples WHERE run = ? AND tick = ?", self.row.id,
    tick), nil
  for _, row in ipairs(rows or {}) do
    local good, state = pcall(self.run.actuator.state, self.run.actuator, row.name)
    local by = good and row.goal and math.abs(row.goal - state.target) or 0
    if by > 2e-6 and (not worst or by > worst.by) then
      worst = { dof = row.name, recorded = row.goal, replayed = state.target, by = by }
    end
  end
  return worst
end

--- Continue until the end of the record, until `seconds` (nil: no limit) have passed, or until a
--- difference. Return the report.
function Replay:go(seconds)
  local run, tape, ticks = self.run, self.tape, 0
  local goes_on, failure, ended = true, nil, nil
  self.heard = listen(self)
  while goes_on and not ended and not tape:parted() and not tape:over() do
    if seconds and run.host.now >= seconds - 1e-9 then
      self.cut = true
      break
    end
    local good, more = pcall(run.engine.again, run.engine)
    if good then goes_on = more else goes_on, failure = false, more end
    ticks = ticks + 1
    ended = select(2, tape:ask "end")
  end
  -- Find out why the record ends here.
  if goes_on and not ended and not tape:parted() and tape:over() then tape:must "end" end
  return self:report(ticks, ended, failure)
end

--- Commands may first differ in bits below the resolution of samples: continue for a while, until a DOF
--- differs by more.
local function worst_soon(self, tick)
  for more = 0, visible_within do
    local worst = worst_dof(self, tick + more)
    if worst then
      worst.tick = tick + more
      return worst
    end
    local good, goes_on = pcall(self.run.engine.again, self.run.engine)
    if not (good and goes_on) then return {} end
  end
  return {}
end

--- The report on a replay with another behavior: the differences, as far as it was replayed.
function Replay:report_of_change(ticks, t, failure)
  local run = self.run
  local last = self.cut and run.host.tick - 1 or math.maxinteger
  local before = others(self, last, self.cut and run.host.now or math.huge)
  local failed = failure and tostring(failure) or run.host.failed
  if failed then before[#before + 1] = "it failed: " .. failed end
  local recorded = self.db:query("SELECT count(*) AS events FROM events WHERE run = ? AND tick <= ?"
    .. that_count(self), self.row.id, last)
  return { run = self.row.id, ticks = ticks, seconds = t, remarks = store.array(self.remarks),
    with = store.array(self.options.with), equal = #before == 0, others = store.array(before),
    events = { recorded = recorded[1].events, replayed = #self.heard.events,
      ["until"] = self.cut and run.host.now or nil },
    states = { replayed = #self.heard.states }, stopped = run.engine:stopping() }
end

function Replay:report(ticks, ended, failure)
  if self.gate.inexact then table.insert(self.remarks, self.gate.inexact) end
  local d, t = self.tape:parted(), self.run.engine:report().time
  if d and d.fault == "over" and d.wanted == "end" then d = nil end -- the run was killed
  if self.options.with then return self:report_of_change(ticks, t, failure) end
  local report = { run = self.row.id, ticks = ticks, seconds = t, remarks = store.array(self.remarks),
    ended = ended ~= nil, equal = d == nil and failure == nil, killed = self.row.ended_at == nil }
  if d then
    local before = others(self, d.tick, t)
    local worst = d.wanted == "hash" and worst_soon(self, d.tick) or {}
    report.difference = { tick = d.tick, t = t, fault = d.fault, wanted = d.wanted, found = d.found,
      sentence = faults[d.fault](d),
      dof = worst.dof,
      recorded = worst.recorded, replayed = worst.replayed, seen_tick = worst.tick,
        before = store.array(before) }
  elseif failure then
    report.difference = { tick = ticks, t = t, fault = "failed", sentence = tostring(failure),
      before = store.array {} }
  end
  return report
end

return replay
