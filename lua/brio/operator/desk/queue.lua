--- Delayed lines: once after a time, repeatedly, after an event, or one after the other. They are executed in
--- robot time, even if the person who entered them has left.
---
--- An entry is {number, line, who, kind, said} and, by its kind,
---   "in"      at: due time, s of robot time
---   "every"   period, at (its next time), till (nil: until it is removed; else like `when` of "after")
---   "after"   when: {kind = "state"|"event"|"speech"|"motion"|"entry"|"time", name or number or at}
---   "queue"   due when the entries before it, and what they started, have ended
---
--- While the queue is held (`held`: since when, s of robot time) nothing is executed, and waiting times stand
--- still.
local suggest = require "brio.lib.suggest"

local queue = {}
local Queue = {}
Queue.__index = Queue

--- Maximum number of entries; minimum period of a repeated one, s; maximum delay, s.
queue.most, queue.shortest, queue.longest = 100, 0.1, 86400

--- `now()`: the robot's time.  `perform(entry)`: executes its line.  `busy()`: whether an utterance is
--- active, and whether a source that people have started is playing.
function queue.new(parts)
  return setmetatable({ now = parts.now, perform = parts.perform, busy = parts.busy, list = {},
    next_number = 1 }, Queue)
end

-- Parsing -------------------------------------------------------------------------------------------------

local units = { [""] = 1, s = 1, ms = 0.001, min = 60, h = 3600 }

--- Parse a time span at the beginning of a text: "3", "0.5s", "200ms", "2min".  Return it in s and the rest
--- of the text, or nil and the reason.
function queue.span(text)
  local number, unit, rest = text:match "^([%d.]+)(%a*)%s*(.-)$"
  local value, factor = tonumber(number or ""), units[unit or "?"]
  if not value or not factor then return nil, "say a time in seconds, as 3, 0.5, 200ms or 2min" end
  if value * factor > queue.longest then return nil, "say a time of a day at most" end
  return value * factor, rest
end

--- Parse a condition at the beginning of a text.  Return {kind, ...} and the rest, or nil and the reason.
local function read_when(self, text, known)
  local first, rest = text:match "^(%S+)%s*(.-)$"
  if first == "state" or first == "event" then
    local name, more = rest:match "^(%S+)%s*(.-)$"
    if not name then return nil, ("say which %s"):format(first) end
    local names = known and known(first)
    if first == "state" and names and not suggest.contains(names, name) then
      return nil, ("there is no state '%s'%s"):format(name, suggest.hint(name, names))
    end
    return { kind = first, name = name }, more
  elseif first == "speech" or first == "motion" then
    return { kind = first }, rest
  elseif first and first:match "^#?%d+$" and known == nil or first and first:match "^#%d+$" then
    local number = math.tointeger(tonumber(first:match "%d+"))
    if not self:find(number) then return nil, ("nothing waits under the number %d"):format(number) end
    return { kind = "entry", number = number }, rest
  end
  return nil, "say after what: state NAME, event NAME, speech, motion, or #NUMBER of what waits"
end

local function read_till(self, text, known)
  if text == "stop" then return { kind = "never" } end
  local span = queue.span(text)
  if span then return { kind = "time", at = self.now() + span } end
  local when, rest = read_when(self, text, known)
  return when and rest == "" and when or nil
end

-- Entries -------------------------------------------------------------------------------------------------

--- An entry by its number, and its position in the list; nil: there is none.
function Queue:find(number)
  for place, entry in ipairs(self.list) do
    if entry.number == number then return entry, place end
  end
end

--- Add an entry; return it, or nil and the reason.
local function add(self, entry)
  if #self.list >= queue.most then return nil, ("%d lines wait already: unqueue some"):format(#self.list) end
  if entry.line == "" then return nil, "say what to do then, as in in 3 say hello" end
  entry.number, self.next_number = self.next_number, self.next_number + 1
  entry.since = self.now()
  self.list[#self.list + 1] = entry
  return entry
end

--- in SPAN LINE
function Queue:later(text, who)
  local span, line = queue.span(text)
  if not span then return nil, line end
  return add(self, { kind = "in", at = self.now() + span, line = line, who = who })
end

--- every SPAN LINE [until WHEN]
function Queue:every(text, who, known)
  local span, line = queue.span(text)
  if not span then return nil, line end
  if span < queue.shortest then return nil, ("the shortest period is %g s"):format(queue.shortest) end
  local before, after = line:match "^(.*%S)%s+until%s+(%S.-)$"
  local till = before and read_till(self, after, known)
  if till then line = before end
  return add(self, { kind = "every", period = span, at = self.now() + span, line = line, who = who,
    till = till, until_said = till and after })
end

--- after WHEN LINE
function Queue:after(text, who, known)
  local when, line = read_when(self, text, known)
  if not when then return nil, line end
  return add(self, { kind = "after", when = when, line = line, who = who })
end

--- queue LINE
function Queue:append(line, who) return add(self, { kind = "queue", line = line, who = who }) end

--- Remove an entry by its number; return it, or nil and the reason.
function Queue:remove(number)
  local entry, place = self:find(number)
  if not entry then
    return nil, #self.list == 0 and "nothing waits"
      or ("nothing waits under the number %s; queue lists what does"):format(number)
  end
  table.remove(self.list, place)
  return entry
end

--- Remove all; return how many there were.
function Queue:clear()
  local count = #self.list
  self.list, self.turn = {}, nil
  return count
end

-- Holding -------------------------------------------------------------------------------------------------

--- Execute nothing until go_on.
function Queue:hold() self.held = self.held or self.now() end

--- For how long an entry was held, s.
local function held_for(self, entry)
  return self.held and self.now() - math.max(self.held, entry.since) or 0
end

--- Continue: entries wait for the rest of their times.
function Queue:go_on()
  for _, entry in ipairs(self.list) do
    if entry.at then entry.at = entry.at + held_for(self, entry) end
    entry.was_busy = nil
  end
  self.held = nil
end

-- Execution -----------------------------------------------------------------------------------------------

local happened = {}

function happened.time(self, when) return self.now() >= when.at - 1e-9 end
function happened.never() return false end
function happened.state(self, when)
  for _, path in ipairs(self.entered) do
    if path == when.name or path:sub(-#when.name - 1) == "." .. when.name then return true end
  end
  return false
end
function happened.event(self, when) return self.heard[when.name] == true end
function happened.entry(self, when) return not self:find(when.number) end

--- Whether speech or motion has ended: it is inactive now, and was active since the entry was added, or was
--- inactive from the beginning.
local function over(which)
  return function(self, _, entry)
    local busy = self.saying
    if which == "motion" then busy = self.moving end
    if busy then entry.was_busy = true end
    return not busy and (entry.was_busy or self.now() - entry.since > 0.02)
  end
end
happened.speech, happened.motion = over "speech", over "motion"

--- Whether an entry of this kind is due now.
local due = {}

due["in"] = function(self, entry) return self.now() >= entry.at - 1e-9 end
due.every = due["in"]
function due.after(self, entry) return happened[entry.when.kind](self, entry.when, entry) end
function due.queue(self, entry)
  if self.waits or self.saying or self.moving then return false end
  for _, other in ipairs(self.list) do
    if other.kind == "queue" then return other == entry end
  end
end

--- Execute a due entry; a repeated one stays.
local function act(self, entry)
  if entry.kind == "every" then
    entry.times = (entry.times or 0) + 1
    repeat entry.at = entry.at + entry.period until entry.at > self.now() + 1e-9
  else
    self:remove(entry.number)
  end
  -- until then the effect of the line is visible
  if entry.kind == "queue" then self.waits = self.now() + 0.05 end
  self.perform(entry)
end

--- Execute the next entry of kind "queue" now, whatever is active.  Return it, or nil.
function Queue:next()
  for _, entry in ipairs(self.list) do
    if entry.kind == "queue" then
      act(self, entry)
      return entry
    end
  end
end

--- Work of a tick: `heard` has the events since the last tick by name, `entered` the paths of states that
--- were entered.
function Queue:work(heard, entered)
  if #self.list == 0 then return end
  self.heard, self.entered = heard, entered
  self.saying, self.moving = self.busy()
  if self.waits and self.now() >= self.waits then self.waits = nil end
  for _, entry in ipairs(table.move(self.list, 1, #self.list, 1, {})) do
    if entry.till and happened[entry.till.kind](self, entry.till, entry) then
      self:remove(entry.number)
    elseif not self.held and self:find(entry.number) and due[entry.kind](self, entry) then
      act(self, entry)
    end
  end
end

-- For people ----------------------------------------------------------------------------------------------

local said = {}

--- Time until an entry is due, s.
local function left(self, entry) return math.max(0, entry.at - self.now() + held_for(self, entry)) end

said["in"] = function(self, entry) return ("in %.1f s"):format(left(self, entry)) end
function said.every(self, entry)
  return ("every %g s, in %.1f s%s"):format(entry.period, left(self, entry),
    entry.until_said and ", until " .. entry.until_said or "")
end
function said.after(_, entry)
  local when = entry.when
  if when.kind == "entry" then return ("after #%d"):format(when.number) end
  return "after " .. when.kind .. (when.name and " " .. when.name or "")
end
function said.queue() return "in its turn" end

--- The condition of an entry, in words.
function Queue:said(entry) return (self.held and "held; " or "") .. said[entry.kind](self, entry) end

--- The same without the present time, so that the text of a waiting entry does not change.
function Queue:due_text(entry)
  if entry.kind == "in" then
    return ("in %.1f s from %.1f s on"):format(entry.at - entry.since, entry.since)
  end
  if entry.kind == "every" then return ("every %g s"):format(entry.period) end
  return said[entry.kind](self, entry)
end

--- All entries: rows {number, when, line, who}.
function Queue:rows()
  local rows = {}
  for _, entry in ipairs(self.list) do
    rows[#rows + 1] = { number = ("#%d"):format(entry.number), when = self:said(entry), line = entry.line,
      who = entry.who or "" }
  end
  return rows
end

return queue
