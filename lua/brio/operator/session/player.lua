--- Executes a session script during a run: the checklist before, the steps one after the other, the checklist
--- after.  It reports what is expected now, detects whether it was done, selects the next step by actions,
--- keys and answers, events, states and times, executes the cues, and records the result of each step.
--- `parts` of player.new:
---   now()                the robot's time, s
---   perform(line, why)   executes a line for the script
---   tell(level, text)    reports to everybody at the prompt
---   record               {begin(row), cue(id, t), finish(id, t, outcome, branch)}: see the store's
---                        session_steps
---   state()              the path of the innermost active state
local dispatch = require "brio.io.dispatch"
local match = require "brio.operator.session.match"
local suggest = require "brio.lib.suggest"

local player = {}
local Player = {}
Player.__index = Player

--- A player of a loaded session script (session/load.lua), before its first step.  `parts`: see above.
function player.new(loaded, parts)
  local self = setmetatable({ parts = parts, values = {}, ticked = { before = {}, after = {} },
    phase = "before", made = 0, trail = {}, told = {} }, Player)
  self:use(loaded)
  return self
end

--- Use this script from now on: the present step continues if the script has one of its name.  Return whether
--- it has.
function Player:use(loaded)
  local fields, steps = loaded.fields, {}
  for index, one in ipairs(fields.steps) do steps[one[1]] = { index = index, said = one } end
  self.loaded, self.fields, self.steps = loaded, fields, steps
  self.slots = fields.slots or {}
  if #(fields.before or {}) == 0 and self.phase == "before" and not self.current then self.phase = "ready" end
  local current = self.current
  if not current then return true end
  local found = steps[current.name]
  if found then
    current.said, current.index = found.said, found.index
    return true
  end
  self:finish("removed", "the script changed")
  self:enter(fields.steps[math.min(current.index, #fields.steps)][1], "the script changed")
  return false
end

--- Arguments of the script's functions.
local function face_of(self)
  local current = self.current
  return { slots = self.values, step = current and current.name,
    elapsed = current and self.parts.now() - current.begun or 0,
    met = current and current.met or false, state = self.parts.state(), now = self.parts.now() }
end

--- Call a function of the script.  An error is reported once, and counts as no result.
local function call(self, fn, ...)
  local good, value = dispatch.call(nil, dispatch.step, fn, face_of(self), ...)
  if good then return value end
  local why = tostring(value):match "^[^\n]*"
  if not self.told[why] then
    self.told[why] = true
    self.parts.tell("error", "the session script: " .. why)
  end
end

--- The name of the step for a target of the script; nil: there is none.
local function target_of(self, target)
  if type(target) == "function" then target = call(self, target) end
  if target == nil then return nil end
  if target == "end" or self.steps[target] then return target end
  self.parts.tell("error", ("the session script leads to a step '%s', which is not there"):format(
    tostring(target)))
end

-- A step --------------------------------------------------------------------------------------------------

--- The lines that are expected now, with the known slots filled.
function Player:expected_lines()
  local said = self.current and self.current.said.expect
  if said == nil or type(said) == "function" then return {} end
  local list = type(said) == "table" and said or { said }
  local made = {}
  for index, line in ipairs(list) do made[index] = match.fill(line, self.slots, self.values) or line end
  return made
end

--- The same as one text for the record; nil: no lines are expected.
function Player:expected_words()
  local lines = self:expected_lines()
  return lines[1] and table.concat(lines, " | ") or nil
end

--- Whether the step is for this person ("ann (lab)", or the part before the user's name): all if it names
--- nobody.
local function means(current, who)
  local named = current.said.who
  if not named or not who then return true end
  local short = who:match "^(.-) %("
  for _, name in ipairs(type(named) == "table" and named or { named }) do
    if name == who or name == short then return true end
  end
  return false
end

--- The expectation for a person now, for the record of an action: {expected, step, t_cue}; nil: none, or it
--- was met.
function Player:expectation(who)
  local current = self.current
  if not current or not current.said.expect or current.met or not means(current, who) then return nil end
  return { expected = self:expected_words() or "...", step = current.name, t_cue = current.cued }
end

--- The present step, for the record of an action; nil: none.
function Player:step_name() return self.current and self.current.name end

local function cue(self, current)
  current.cued = self.parts.now()
  if current.said.when ~= nil then self.parts.record.cue(current.id, current.cued) end
  local lines = current.said.cue
  if not lines then return end
  for _, line in ipairs(type(lines) == "table" and lines or { lines }) do
    local filled, empty = match.fill(line, self.slots, self.values)
    if filled then self.parts.perform(filled, current.name)
    else self.parts.tell("warning", ("step '%s': fill %s first: its cue was left out"):format(current.name,
      empty)) end
  end
end

--- Go to a step; `why` is recorded.
function Player:enter(name, why)
  local found = self.steps[name]
  if not found then
    self.current, self.phase = nil, #(self.fields.after or {}) > 0 and "after" or "over"
    self.parts.tell("info", self.phase == "after"
      and "the steps are over: the checklist after them is left" or
      "the session is over")
    return
  end
  self.phase = "steps"
  self.made = self.made + 1
  local current = { name = name, index = found.index, said = found.said, begun = self.parts.now(),
    id = self.made, why = why }
  self.current = current
  self.trail[#self.trail + 1] = name
  local waits = found.said.when ~= nil
  self.parts.record.begin { id = current.id, step = name, expected = self:expected_words(),
    t_begun = current.begun,
    t_cue = not waits and current.begun or nil, late_after = found.said.late or self.fields.late }
  if not waits then cue(self, current) end
end

--- State of the session, as plain data: for a run that continues from here.
function Player:standing()
  local current = self.current
  return { name = self.fields.name, file = self.loaded.file, phase = self.phase, values = self.values,
    ticked = self.ticked, step = current and current.name, begun = current and current.begun,
    cued = current and current.cued, met = current and current.met, trail = self.trail }
end

--- Continue at the saved state of a session of that name; its times are shifted by `shift` seconds.  A cue
--- that was executed is not repeated.  Return whether the step exists.
function Player:go_on(told, shift)
  for name in next, self.slots do self.values[name] = told.values[name] end
  local found = told.step and self.steps[told.step]
  if told.step and not found then return false end
  self.phase, self.ticked = told.phase, told.ticked
  self.trail = table.move(told.trail, 1, #told.trail, 1, {})
  if not found then return true end
  self.made = self.made + 1
  self.current = { name = told.step, index = found.index, said = found.said, begun = told.begun + shift,
    id = self.made, why = "resumed", cued = told.cued and told.cued + shift,
    met = told.met and told.met + shift }
  local now = self.parts.now()
  self.parts.record.begin { id = self.made, step = told.step, expected = self:expected_words(), t_begun = now,
    t_cue = told.cued and now or nil, late_after = found.said.late or self.fields.late }
  return true
end

--- The step has ended.
function Player:finish(outcome, branch)
  local current = self.current
  self.current = nil
  if current then self.parts.record.finish(current.id, self.parts.now(), outcome, branch) end
end

--- Result of a step: the expectation was met, or was not.
local function outcome_of(current) return (not current.said.expect or current.met) and "done" or "omitted" end

--- Go from the present step to another; `branch`: the name of the transition.
local function lead(self, to, branch, outcome)
  self:finish(outcome or outcome_of(self.current), branch)
  self:enter(to, branch)
end

--- The step that follows the present one.
local function following(self)
  local current = self.current
  local said = current.said.next ~= nil and target_of(self, current.said.next)
  if said then return said end
  local next_one = self.fields.steps[current.index + 1]
  return next_one and next_one[1] or "end"
end

-- Events --------------------------------------------------------------------------------------------------

--- A person acted on the robot: `line` is their line.
function Player:acted(line, who)
  local current = self.current
  local expect = current and current.said.expect
  if not expect or current.met or not means(current, who) then return end
  local met = false
  if type(expect) == "function" then
    met = call(self, expect, line) == true
  else
    for _, expected in ipairs(self:expected_lines()) do met = met or match.lines(expected, line) end
  end
  if not met then
    current.other = line
    return
  end
  current.met, current.other = self.parts.now(), nil
  local said = current.said
  local stays = said.next == nil and (said.go or said.on or said.states or said.after)
  if not stays then lead(self, following(self), "expected") end
end

--- Whether the condition of a cue is met.
local function is_cued(self, heard, entered)
  local current, when = self.current, self.current.said.when
  if type(when) == "function" then return call(self, when) == true end
  local elapsed = self.parts.now() - current.begun
  if when.after and elapsed < when.after - 1e-9 then return false end
  if when.event and not heard[when.event] then return false end
  if when.speech and not heard.said then return false end
  if not when.state then return true end
  for _, path in ipairs(entered) do
    if path == when.state or path:sub(-#when.state - 1) == "." .. when.state then return true end
  end
  return self.parts.state() == when.state
end

--- Target after an event: a step's name and the branch, or nil.
local function led_by(self, heard, entered)
  local said = self.current.said
  for _, name in ipairs(suggest.keys(said.on or {})) do
    local to = heard[name] and target_of(self, said.on[name])
    if to then return to, "event " .. name end
  end
  for _, path in ipairs(said.states and entered or {}) do
    local to = said.states[path] or said.states[path:match "[^.]+$"]
    to = to and target_of(self, to)
    if to then return to, "state " .. path end
  end
  local after = said.after
  if after and self.parts.now() - self.current.begun >= after[1] - 1e-9 then
    return after[2] and target_of(self, after[2]) or following(self), ("after %g s"):format(after[1])
  end
end

--- Work of a tick: `heard` has the events since the last tick by name, `entered` the paths of states that
--- were entered.
function Player:work(heard, entered)
  for _ = 1, 8 do -- several steps may follow each other in one tick
    local current = self.current
    if not current then return end
    if not current.cued and is_cued(self, heard, entered) then cue(self, current) end
    local to, branch = led_by(self, heard, entered)
    if not to then break end
    lead(self, to, branch)
    heard, entered = {}, {}
  end
  local current = self.current
  if current and current.said.warn and not current.warned and not current.met
    and self.parts.now() - current.begun >= current.said.warn then
    current.warned = true
    self.parts.tell("warning", ("step '%s': %g s have gone by"):format(current.name, current.said.warn))
  end
end

-- Commands of people --------------------------------------------------------------------------------------

--- Begin with the first step, also again.  Return it, or nil and the reason.
function Player:begin(who)
  if self.current then return nil, ("the session is at the step '%s' already"):format(self.current.name) end
  self:enter(self.fields.start or self.fields.steps[1][1], "begun by " .. who)
  return self.current
end

--- Go to a step: by its name, "next", "back" or its number.  Return its name, or nil and the reason.
function Player:go(where, who)
  local current = self.current
  if not current and where == "next" and (self.phase == "after" or self.phase == "over") then
    return nil, "the steps are over: step NAME goes to one of them again"
  end
  if not current and self.phase ~= "steps" and where == "next" then
    local made, why = self:begin(who)
    return made and made.name, why
  end
  local name = where
  if where == "next" then name = following(self)
  elseif where == "back" then
    name = self.trail[#self.trail - (current and 1 or 0)]
    if not name then return nil, "there is no step before this one" end
    if current then table.remove(self.trail) end
    table.remove(self.trail)
  elseif tonumber(where) then
    local one = self.fields.steps[math.tointeger(tonumber(where)) or 0]
    name = one and one[1] or where
  end
  if name ~= "end" and not self.steps[name] then
    return nil, ("there is no step '%s'%s"):format(name, suggest.hint(name, suggest.keys(self.steps)))
  end
  if current then
    local outcome = outcome_of(current)
    if outcome == "done" and where ~= "next" then outcome = current.said.expect and "done" or "skipped" end
    self:finish(outcome, ("%s, by %s"):format(where == "next" and "next" or "step " .. where, who))
  end
  self:enter(name, "by " .. who)
  return name
end

--- Answer the step's question: a key or a word of its `go`.  Return the next step, or nil and the reason.
function Player:answer(word, who)
  local current = self.current
  local go = current and current.said.go
  if not go then
    return nil, current and ("the step '%s' asks for no answer"):format(current.name) or "no step is on"
  end
  local to = go[word]
  if to == nil then
    local known = suggest.keys(go)
    return nil, ("'%s' is no answer here: %s%s"):format(word, table.concat(known, ", "),
      suggest.hint(word, known))
  end
  local name = target_of(self, to)
  if not name then return nil, "the script leads nowhere from here" end
  lead(self, name, ("%s, by %s"):format(word, who))
  return name
end

--- Fill a slot.  Return its text, or nil and the reason.
function Player:fill(name, text)
  if not self.slots[name] then
    return nil, ("the script has no slot '%s'%s"):format(name, suggest.hint(name, suggest.keys(self.slots)))
  end
  local why = match.fault(text)
  if why then return nil, ("%s: %s"):format(name, why) end
  self.values[name] = text
  return text
end

--- A line with the slots filled, or nil and the reason.
function Player:filled(line)
  local filled, empty = match.fill(line, self.slots, self.values)
  if filled then return filled end
  return nil, ("fill %s first, as in fill %s ann"):format(empty, empty)
end

--- The present checklist: its items {text, done, wrong}; nil: there is none.
function Player:checklist()
  local list = self.phase ~= "steps" and self.fields[self.phase]
  if not list then return nil end
  local rows = {}
  for index, said in ipairs(list) do
    local text = type(said) == "table" and said[1] or said
    local wrong
    if type(said) == "table" and said.check then
      local good = call(self, said.check)
      wrong = good ~= true and (type(good) == "string" and good or "not yet") or nil
    end
    rows[index] = { text = text, done = self.ticked[self.phase][index] == true, wrong = wrong }
  end
  return rows
end

--- Check an item, or all: `which` is a number or "all".  Return how many are left, or nil and the reason.
function Player:tick(which)
  local rows = self:checklist()
  if not rows then return nil, "no checklist is due now" end
  local number = math.tointeger(tonumber(which))
  if which ~= "all" and not rows[number or 0] then
    return nil, ("say a number from 1 to %d, or all"):format(#rows)
  end
  local left, ticked = 0, self.ticked[self.phase]
  for index, row in ipairs(rows) do
    if which == "all" or index == number then
      if row.wrong then return nil, ("%s: %s"):format(row.text, row.wrong) end
      ticked[index] = true
    end
    if not ticked[index] then left = left + 1 end
  end
  if left == 0 then self.phase = self.phase == "before" and "ready" or "over" end
  return left
end

--- The present bindings, by key: {line or answer, label}; those of the step override those of the script.
function Player:bindings()
  local map = {}
  for name, line in next, self.fields.keys or {} do map[name] = { line = line } end
  local said = self.current and self.current.said or {}
  for name, line in next, said.keys or {} do map[name] = { line = line } end
  for name, to in next, said.go or {} do
    map[name] = { line = "answer " .. name, label = type(to) == "string" and "-> " .. to or "-> ..." }
  end
  for _, bound in next, map do bound.line = match.fill(bound.line, self.slots, self.values) or bound.line end
  return map
end

--- End of the run: the present step stays open in the record.
function Player:close()
  if self.current then
    self:finish(outcome_of(self.current) == "done" and "done" or "open", "the run ended")
  end
end

return player
