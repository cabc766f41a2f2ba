--- Events of luv's loop (streams, timers, ends of programs), delivered in the tick that polls for them,
--- through the run's gate: in a replay no loop runs, and the recorded events are delivered again.
---
---     local source = events.source(function(what, data) ... end)
---     handle:read_start(function(why, bytes) events.push(source, "bytes", bytes) end)
---     events.run "nowait"             -- received events are delivered here
local door = require "brio.io.input_gate"
local uv = require "luv"

local events = {}

--- Pending events: a source and its arguments each.
local queue = {}

--- An event source: handler(...) is called with pushed arguments, only from events.run or events.wait.
function events.source(handler)
  local gate, source = door.gate(), { handler = handler }
  if not gate then return source end
  source.gate, gate.sources = gate, gate.sources or {}
  gate.sources[#gate.sources + 1] = source
  source.number = #gate.sources
  return source
end

--- Add an event: plain values.
function events.push(source, ...) queue[#queue + 1] = { source, table.pack(...) } end

local function tell(list)
  for _, item in ipairs(list) do item[1].handler(table.unpack(item[2], 1, item[2].n)) end
end

--- Deliver pending events; record those of this gate's sources.  Return whether there were any.
local function take(gate)
  if not queue[1] then
    if gate then gate.tape:pass "link" end
    return false
  end
  local came, list = queue, {}
  queue = {}
  if not gate then
    tell(came)
    return #came > 0
  end
  for _, item in ipairs(came) do
    if item[1].gate == gate then list[#list + 1] = { item[1].number, item[2].n, item[2] } end
  end
  if #list > 0 then gate.tape:note("link", list) else gate.tape:pass "link" end
  tell(came)
  return #came > 0
end

--- Deliver recorded events in a replay.
local function tell_again(gate, list)
  for _, item in ipairs(list) do
    local source = gate.sources and gate.sources[item[1]]
    if not source then return gate.tape:deny "link" end
    source.handler(table.unpack(item[3], 1, item[2]))
  end
end

--- Deliver pending events without recording them: the run has ended.
function events.flush() take(nil) end

--- Poll the loop and deliver its events, if there may be any (`busy`).
function events.run(mode, busy)
  local gate = door.gate()
  if gate and gate.replays then
    local came, list = gate.tape:ask "link"
    if came then tell_again(gate, list) end
    return
  end
  if busy ~= false then uv.run(mode) end
  take(gate)
end

--- The same as events.wait, in a replay: until over() is true, or the recorded wait has ended.
local function wait_again(gate, over)
  while not over() do
    local came, list = gate.tape:must "link"
    if not came or list.late then return end
    tell_again(gate, list)
  end
end

--- Wait until over() is true, for `seconds` of real time at most; robot time does not advance.  Return
--- whether it is true.
function events.wait(seconds, over)
  local gate, late = door.gate(), false
  if gate and gate.replays then
    wait_again(gate, over)
    return over()
  end
  uv.update_time()
  local clock = uv.new_timer()
  -- Repeated: one that is due when `uv.run` begins fires first, and then `uv.run` blocks until there is
  -- another event.
  clock:start(math.max(1, math.floor(seconds * 1000)), 10, function() late = true end)
  while not over() and not late do
    uv.run "once"
    if #queue > 0 then take(gate) end
  end
  clock:close()
  if gate and not over() then gate.tape:note("link", { late = true }) end
  uv.run "nowait"
  return over()
end

return events
