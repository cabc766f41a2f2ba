--- The prompt's words of the desk: note, mark-wrong, undo, in, after, every, queue, unqueue, status, desk.
local palette_rows = require "brio.operator.desk.palette_rows"
local clock = require "brio.clock"
local columns = require "brio.lib.columns"
local preflight = require "brio.operator.desk.preflight"
local script = require "brio.script"
local status = require "brio.operator.desk.status"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local function by(request) return request.who end

-- Notes and marks -----------------------------------------------------------------------------------------

local function note(prompt, rest, request)
  if rest == "" then return nil, "say what to note, as in note the child laughed" end
  local recorder = prompt.run.recorder
  if not recorder.writer then return nil, "not noted: this run is not recorded (--store)" end
  local kept, loss = prompt.desk:note(rest, by(request)), recorder:loss()
  if not kept then return nil, "NOT noted, there is no room for it: " .. loss.why end
  return ("%s at %.2f s"):format(loss and loss.failing and "taken" or "noted", prompt.run.host.now)
end

local classes = { "slip", "late", "wrong", "omitted", "system" }

local function mark_wrong(prompt, rest, request)
  local desk = prompt.desk
  if rest == "" then
    local rows = desk:rows()
    if #rows == 0 then return "nothing was done yet" end
    return columns.text({ "number", "t", "who", "line", "marked" }, rows)
  end
  local number, class = rest:match "^#?(%d*)%s*(%a*)$"
  local known = suggest.contains(classes, class or "")
  if not known and class ~= "off" then
    return nil, ("say mark-wrong [NUMBER] CLASS: %s, or off%s"):format(
      table.concat(classes, ", "), suggest.hint(class or rest, classes))
  end
  local deed, why = desk:mark(math.tointeger(tonumber(number)), known and class or nil, by(request))
  if not deed then return nil, why end
  return known and ("marked as %s: %s"):format(class, deed.line) or ("no mark: %s"):format(deed.line)
end

local function undo(prompt, rest, request)
  if rest == "list" then
    local rows = prompt.desk:rows()
    return #rows > 0 and columns.text({ "number", "t", "who", "line", "back" }, rows)
      or "nothing was done yet"
  elseif rest:match "^list%s" then
    return nil, "say undo, undo list, or undo and the line"
  end
  return prompt.desk:take_back(by(request), rest)
end

-- Delayed lines ---------------------------------------------------------------------------------------------

--- Queue a line if it is valid.
local function add(prompt, entry, why)
  if not entry then return nil, why end
  local fault = prompt:line_fault(entry.line)
  if fault then
    prompt.desk.queue:remove(entry.number)
    return nil, fault
  end
  local speaker = prompt.run.host.operators.speaker
  entry.role = speaker and speaker.role -- the role when it was entered applies
  return ("#%d %s: %s"):format(entry.number, prompt.desk.queue:said(entry), entry.line)
end

--- Names of states and events, for entries that wait for one.
local function known(prompt)
  return function(kind) return kind == "state" and status.states(prompt.run) or nil end
end

local function later(prompt, rest, request) return add(prompt, prompt.desk.queue:later(rest, by(request))) end
local function every(prompt, rest, request)
  return add(prompt, prompt.desk.queue:every(rest, by(request), known(prompt)))
end
local function after(prompt, rest, request)
  return add(prompt, prompt.desk.queue:after(rest, by(request), known(prompt)))
end

local function queue(prompt, rest, request)
  local waiting = prompt.desk.queue
  if rest == "" then
    local rows = waiting:rows()
    return #rows > 0 and columns.text({ "number", "when", "line", "who" }, rows) or "nothing waits"
  elseif rest == "confirm" then
    return prompt.desk.stop:confirm(by(request))
  elseif rest == "next" then
    local why = prompt.desk.stop:refusal()
    if why then return nil, why end
    local entry = waiting:next()
    if not entry then return nil, "the queue is empty; queue LINE adds a line" end
    return "does " .. entry.line
  end
  return add(prompt, waiting:append(rest, by(request)))
end

local function unqueue(prompt, rest)
  local waiting = prompt.desk.queue
  if rest == "all" then return ("%d taken out"):format(waiting:clear()) end
  local number = math.tointeger(tonumber(rest:match "^#?(%d+)$"))
  if not number then return nil, "say which number, or all; queue lists what waits" end
  local entry, why = waiting:remove(number)
  if not entry then return nil, why end
  return "taken out: " .. entry.line
end

-- Status ----------------------------------------------------------------------------------------------------

local function status_now(prompt, rest)
  if rest == "json" then return store.json(prompt.desk:view()) end
  if rest ~= "" then return nil, "say status, or status json" end
  return table.concat(status.lines(prompt.desk:view()), "\n")
end

local function look_before(prompt)
  local of = prompt.desk.seen
  return table.concat(preflight.lines(
    preflight.look(prompt.run, { store_mb = of.store_mb, disk_mb = of.disk_mb,
    wall = clock.wall(),
    wants_people = prompt.front ~= nil })), "\n")
end

--- desk on|off|find: for the panel of a prompt.
local function desk(prompt, rest, request)
  if rest == "find" then return palette_rows.json(prompt) end
  if rest ~= "on" and rest ~= "off" then return nil, "say desk on, desk off or desk find" end
  if request.client then prompt.desk:watch(request.client, rest == "on") end
  return rest
end

-- What these say depends on the record, which a replay does not write: they are never cut.
script.apart { note, status_now, look_before }

local function says_something(rest) return rest ~= "" end

local words = {
  { name = "note", usage = "note TEXT", run = note, example = "note the child laughed", changes = true,
    apart = true, summary = "add a note with its time: an annotation of the run" },
  { name = "mark-wrong", usage = "mark-wrong [NUMBER] [slip|late|wrong|omitted|system|off]", run = mark_wrong,
    example = "mark-wrong slip", changes = says_something, apart = true,
    summary = "mark the last action, or the one with that number, as an error; alone: list the actions" },
  { name = "undo", usage = "undo [list|LINE]", run = undo, example = "undo", apart = true,
    changes = function(rest) return rest ~= "list" end,
    summary = "undo your last action, if possible (only if it was LINE); list: your actions, and how each \z
      is undone" },
  { name = "in", usage = "in SECONDS LINE", run = later, example = "in 3 say hello", changes = true,
    apart = true, line = 1, summary = "run a line later, in the robot's time, also after you have left" },
  { name = "every", usage = "every SECONDS LINE [until stop|SECONDS|state S|event E]", run = every,
    changes = true, apart = true,
    example = "every 20 play nod until state idle", line = 1,
      summary = "run a line repeatedly, until a condition holds" },
  { name = "after", usage = "after state S|event E|speech|motion|#N LINE", run = after,
    example = "after speech play nod", changes = true, apart = true, line = 1,
    summary = "run a line when a state is entered, an event occurs, speech or motion ends, or entry N of \z
      the queue is done" },
  { name = "queue", usage = "queue [LINE|next|confirm]", run = queue, example = "queue say how are you?",
    apart = true, line = 0, changes = says_something,
    summary = "queue a line until speech and motion have ended; next: run the first now; alone: list all; \z
      confirm: continue after a panic stop" },
  { name = "unqueue", usage = "unqueue N|all", run = unqueue, example = "unqueue all", changes = true,
    apart = true, takes = "waiting", summary = "remove an entry of the queue, by its number" },
  { name = "status", usage = "status [json]", run = status_now, example = "status",
    summary = "what the robot does now and next, who controls which part, faults, recording" },
  { name = "preflight", usage = "preflight", run = look_before, example = "preflight",
    summary = "check everything before a session: rates, devices, store, disk, voice, script, people; and \z
      what to do about problems" },
  { name = "panel", usage = "panel [off|small|on]", run = function() return "" end, example = "panel small",
    by = "client", summary = "the panel above your input line: off, one line, or whole" },
  { name = "desk", usage = "desk on|off|find", run = desk, example = "desk find",
    summary = "for programs: lines {\"desk\":...} at each change; find: all possible lines, as JSON" },
  { name = "subscribe", usage = "subscribe [events[=NAME,...]] [states] [tree] [poses[=HZ]]|off",
    example = "subscribe events=said,touched states poses=20",
    summary = "for programs: lines {\"push\":...} about events (docs/operators/clients.md); off: none; \z
      alone: the subscribers",
    run = function(prompt, rest, request) return prompt.subscriptions:subscribe(request.client, rest) end },
}

return words
