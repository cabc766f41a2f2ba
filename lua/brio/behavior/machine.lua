--- The state machine: hierarchy with history, parallel regions, events, timers and conditions, and states
--- whose `run` is a sequence of waits.
---
--- Each tick processes everything since the last one in order of time.  All the transitions of a state are
--- considered together (all its timers are armed); the first event or expiry wins; at equal times the
--- declared order decides, inner states before outer ones.  Events that no state handles are dropped at the
--- end of the tick.
local lazy = require "brio.lib.lazy"
local behavior = require "brio.behavior.define"
local context = require "brio.behavior.context"
local script = require "brio.script"
local trees = lazy "brio.tree.model.tree"

local machine = {}

--- Maximum number of state changes in one tick; more count as an endless loop.
machine.most_changes = 32

local Region = {}
Region.__index = Region

--- Make a region that runs `spec` (a compiled machine) for `host`, which provides
---   host.now                              the time, s
---   host:call(active, fn, ...)            calls a function of the behavior with host.face
---   host:entered(active, cause, detail, previous), host:left(active)
---   host:finish(tree)                     a tree that was halted still needs some ticks to end
---   host.events                           the events: list of {name, data, time}
function machine.new(spec, host, parent)
  return setmetatable({ spec = spec, host = host, parent = parent, current = nil, remembered = nil }, Region)
end

--- Begin the tree of an active state, if it has one.
function machine.begin_tree(active, host)
  local spec = active.state.tree
  active.tree = spec and trees.begin(spec, host:site(active), host:tree_record(active))
end

--- Stop the tree of an active state; its finally branches run in the next ticks.
function machine.end_tree(active, host)
  if active.tree and not active.tree:halt() then host:finish(active.tree) end
end

--- Enter `state` of this region.  `seen` is the number of events to which it may no longer react.
function Region:enter(state, cause, detail, data, seen, way)
  local host = self.host
  local active = { state = state, region = self, entered = host.now, seen = seen or 0, regions = {},
    every = {} }
  local previous = self.previous
  self.current = active
  self.came = detail ~= "" and cause .. " " .. detail or cause
  host:entered(active, cause, detail, previous)
  if state.enter then host:call(active, state.enter, data) end
  if self.current ~= active then return end
  if state.run then
    active.thread, active.data = coroutine.create(state.run), data
  end
  machine.begin_tree(active, host)
  for index, spec in ipairs(state.regions) do
    local region = machine.new(spec, host, active)
    active.regions[index] = region
    local memory = self.memory and self.memory[state.name] and self.memory[state.name][index]
    local inner = way and way[spec]
    if inner then
      region.memory = memory and memory.deep
      region:enter(inner, cause, detail, data, seen, way)
    else
      region:start(memory, seen)
    end
  end
end

--- Begin in the state of the history if there is one, else in the initial state.
function Region:start(memory, seen)
  self.memory = memory and memory.deep
  local name = memory and memory.name or self.spec.start
  self:enter(self.spec.states[name], "start", memory and "history" or "", nil, seen)
end

--- The history of this region: {name, deep}; nil if it keeps none.
function Region:remember()
  local kind, current = self.spec.history, self.current
  if not kind or not current then return nil end
  return { name = current.state.name, deep = kind == "deep" and self:remember_deep() or self.memory }
end

--- Update the deep history: inner states of the current state replace what was stored for it.
function Region:remember_deep()
  local memory, current = {}, self.current
  for name, inner in next, self.memory or {} do memory[name] = inner end
  if not current then return memory end
  local inner = {}
  for index, region in ipairs(current.regions) do
    inner[index] = region.current and { name = region.current.state.name, deep = region:remember_deep() }
  end
  memory[current.state.name] = inner
  return memory
end

--- Leave the current state, inner states first.
function Region:leave()
  local active, host = self.current, self.host
  if not active then return end
  local memory
  for index, region in ipairs(active.regions) do
    local kept = region:remember()
    region:leave()
    local shallow = kept and region.spec.history ~= "deep"
    if shallow then kept.deep = region.memory end -- for inner states with a history of their own
    memory = memory or {}
    memory[index] = kept
  end
  if memory and next(memory) then
    self.memory = self.memory or {}
    self.memory[active.state.name] = memory
  end
  self.current = nil
  self.previous = active.state
  active.thread = nil
  host:left(active) -- first: exit may fail
  machine.end_tree(active, host)
  if active.state.exit then host:call(active, active.state.exit) end
end

--- Call visit(active, about) for every active state, inner ones first.
function Region:each_inner_first(visit, about)
  local active = self.current
  if not active then return end
  local regions = active.regions
  for index = 1, #regions do regions[index]:each_inner_first(visit, about) end
  visit(active, about)
end

--- The same, outer ones first.
function Region:each_outer_first(visit, about)
  local active = self.current
  if not active then return end
  visit(active, about)
  local regions = active.regions
  for index = 1, #regions do regions[index]:each_outer_first(visit, about) end
end

--- Shift the times of all active states in a region by the seconds for which it was held.
function machine.shift(region, seconds)
  region:each_outer_first(function(active)
    active.entered = active.entered + seconds
    if active.waits and active.waits.till then active.waits.till = active.waits.till + seconds end
    for _, beat in next, active.every do beat.next = beat.next + seconds end
    if active.tree then active.tree:skip(seconds) end
  end)
end

--- Whether an active state is in a machine that is on hold.
local function is_held(active)
  local region = active.region
  while region do
    if region.held then return true end
    region = region.parent and region.parent.region
  end
  return false
end

--- The region, this one or one further out, that contains `state`.
local function region_of(region, state)
  while region and region.spec ~= state.machine do
    region = region.parent and region.parent.region
  end
  return region
end

--- The active region that runs `spec`: this one, or one inside it.
local function running(region, spec)
  if region.spec == spec then return region end
  for _, inner in ipairs(region.current and region.current.regions or {}) do
    local found = running(inner, spec)
    if found then return found end
  end
end

--- The innermost active region that contains `state`, directly or inside, and the states from there to it,
--- with `state` last.
local function way_to(top, state)
  local way, region = { state }, running(top, state.machine)
  while not region do
    state = state.machine.owner
    table.insert(way, 1, state)
    region = running(top, state.machine)
  end
  return region, way
end

--- Delete from a region's history the entry of the last state of `way`; the first one is in the region.
local function forget(memory, way, at)
  local state = way[at]
  if not (memory and memory[state.name]) then return end
  if at == #way then
    memory[state.name] = nil
    return
  end
  for index, inner in next, memory[state.name] do
    if state.regions[index] == way[at + 1].machine then forget(inner.deep, way, at + 1) end
  end
end

--- Delete the history of `state` and its inner states: it is next entered as for the first time.
function machine.forget(top, state)
  local region, way = way_to(top, state)
  forget(region.memory, way, 1)
  local active = region.current
  if way[2] or not active or active.state ~= state then return end
  for _, inner in ipairs(active.regions) do
    inner:each_outer_first(function(one) one.region.memory = nil end)
  end
end

--- Enter the last state of `way`, whose first is in `region`, and leave the active states there.
local function enter_by(region, way, cause, detail, data, seen, fresh)
  local inner = {}
  region:leave()
  if fresh then forget(region.memory, way, 1) end
  for index = 2, #way do inner[way[index].machine] = way[index] end
  region:enter(way[1], cause, detail, data, seen, inner)
end

--- Go to the state that `to` names, seen from `active`, and leave the states that exclude it; the active
--- states around it stay. `fresh`: its history is deleted.
function machine.go(active, to, cause, detail, data, seen, fresh)
  local state = behavior.resolve(active.region.spec, to)
  if not state then
    error(("state '%s' leads to '%s', which is no state"):format(active.state.path, tostring(to)), 0)
  end
  local region, way = region_of(active.region, state), { state }
  if not region then
    local top = active.region
    while top.parent do top = top.parent.region end
    region, way = way_to(top, state)
  end
  enter_by(region, way, cause, detail, data, seen, fresh)
end

--- Go to the compiled `state` from any position of the machine of `top`: the states around it that are not
--- active are entered first, and no others.
function machine.force(top, state, cause, detail)
  local region, way = way_to(top, state)
  enter_by(region, way, cause, detail)
end

-- Choosing the next transition ----------------------------------------------------------------

--- Whether `active` may see `event`.  Most events are for all states; the end of a `run` is only for its
--- own state and those around it.
local function reaches(event, active)
  local origin = event.origin
  if not origin then return true end
  while origin and origin ~= active do origin = origin.region.parent end
  return origin ~= nil
end

--- The first event of this name after number `seen`, and its number; none of those `taken`.
local function find_event(host, active, name, seen, taken)
  local events = host.events
  for index = seen + 1, #events do
    local event = events[index]
    if event.name == name and reaches(event, active) and not (taken and taken[index]) then
      return event, index
    end
  end
end

--- The time of `transition` of `active`, and the event that causes it; nil: not due yet.
local function time_of(host, active, transition)
  if transition.event then
    local event, index = find_event(host, active, transition.event, active.seen, active.taken)
    if event then return event.time, event, index end
  elseif transition.after then
    local at = active.entered + transition.after
    if at <= host.now + 1e-9 then return at end
  elseif host:call(active, transition.when) then
    return host.now
  end
end

--- Set region.first to the transition of an active state if it precedes the present one.
local function consider(active, region)
  if is_held(active) then return end
  local transitions = active.state.transitions
  for place = 1, #transitions do
    local transition = transitions[place]
    local time, event, index = time_of(region.host, active, transition)
    if time and (not region.first or time < region.first.time) then
      region.first = { active = active, transition = transition, time = time, event = event, index = index }
    end
  end
end

--- The earliest transition: {active, transition, time, event, index}, or nil.
local function first_of(region)
  region.first = nil
  region:each_inner_first(consider, region)
  local first = region.first
  region.first = nil
  return first
end

--- The number of events that a state entered because of `chosen` may no longer see.
local function seen_after(host, chosen)
  local seen = math.max(chosen.active.seen, chosen.active.latest or 0)
  if chosen.index then return seen end
  while host.events[seen + 1] and host.events[seen + 1].time < chosen.time do seen = seen + 1 end
  return seen
end

local function describe(transition)
  if transition.event then return "event", transition.event end
  if transition.after then return "timer", ("%g s"):format(transition.after) end
  return "condition", transition.label
end

--- Mark the event as used for the state that took it and for those around it.  Those before it that came at
--- the same time still wait: the declared order, not theirs, decides which is first.
local function consume(chosen)
  local active, index = chosen.active, chosen.index
  while active and index do
    active.latest = math.max(active.latest or 0, index)
    if index == active.seen + 1 then active.seen = index
    elseif index > active.seen then
      active.taken = active.taken or {}
      active.taken[index] = true
    end
    active = active.region.parent
  end
end

local function take(host, chosen)
  local to, data = chosen.transition.to, chosen.event and chosen.event.data
  consume(chosen)
  local seen = seen_after(host, chosen)
  if type(to) == "function" then
    to = host:call(chosen.active, to, data)
    if to == nil and not chosen.index then
      error(("state '%s': a timer's or condition's function must return a state's name"):format(
        chosen.active.state.path), 0)
    end
  end
  if to == nil then return end
  local cause, detail = describe(chosen.transition)
  if chosen.event and chosen.event.about then detail = detail .. " (" .. chosen.event.about .. ")" end
  machine.go(chosen.active, to, cause, detail, data, seen, chosen.transition.fresh)
end

-- States with a `run` function ----------------------------------------------------------------

--- The waits of a state's `run`: each returns whether it has ended, and the result.
local waits = {}

function waits.wait(host, wait) return host.now >= wait.till - 1e-9 end

function waits.event(host, wait, active)
  local event = find_event(host, active, wait.event, wait.seen)
  if event then return true, event.data == nil or event.data end
  wait.seen = #host.events
  if wait.till and host.now >= wait.till - 1e-9 then return true, nil, "timeout" end
  return false
end

function waits.condition(host, wait, active)
  local value = host:call(active, wait.condition)
  if value then return true, value end
  if wait.till and host.now >= wait.till - 1e-9 then return true, nil, "timeout" end
  return false
end

local function resume(_, thread, ...)
  return script.resume(thread, ...)
end

local function go_on(host, active, ...)
  local thread = active.thread
  local good, value = host:call(active, resume, thread, ...)
  if not good then error(script.traceback(thread, value), 0) end
  if coroutine.status(thread) == "dead" then
    active.thread = nil
    return value or nil, true
  end
  if value ~= nil and not context.is_wait(value) then
    error(("state '%s': run may yield nothing (until the next tick), or wait by self:wait, self:await and \z
      self:await_until")
      :format(active.state.path), 0)
  end
  active.waits = value
end

--- Continue the state's run if its wait has ended.  Return the state to which it leads, if any, and whether
--- it has finished.
local function advance(host, active)
  if not active.thread then return nil end
  local wait = active.waits
  if wait then
    local over, value, why = waits[wait.kind](host, wait, active)
    if not over then return nil end
    active.waits = nil
    return go_on(host, active, value, why)
  elseif active.begun then
    return go_on(host, active)
  end
  active.begun = true
  return go_on(host, active, host.face, active.data)
end

--- Tick the state's tree; its end is an event, once.
local function work_tree(host, active)
  local over, name, why = active.tree:work(host.now)
  if over == "success" then
    host:emit("tree_done", nil, nil, nil, active)
  elseif over == "waits" then
    host:tree_waits(active, name, why)
  elseif over then
    host:emit("tree_failed", { node = name, why = why }, nil, ("%s: %s"):format(name, why), active)
  end
end

-- A tick --------------------------------------------------------------------------------------

--- Do all transitions that are due.
function Region:react()
  local host = self.host
  for _ = 1, machine.most_changes do
    local chosen = first_of(self)
    if not chosen then return end
    take(host, chosen)
  end
  local path = self.current and self.current.state.path or "?"
  error(("the machine changed state %d times in one tick (now in '%s'): its transitions form an endless loop")
    :format(machine.most_changes, path), 0)
end

--- Whether `active` is still active.
local function alive(active) return active.region.current == active end

--- Add an active state to a list, unless it is on hold.
local function add_if_free(active, list)
  if not is_held(active) then list[#list + 1] = active end
end

--- Run the tick functions of every active state.
function Region:work(dt)
  local host, list = self.host, {}
  self:each_outer_first(add_if_free, list)
  for index = 1, #list do
    local active = list[index]
    local to, finished
    local by = "run"
    if active.thread and alive(active) then
      to, finished = advance(host, active)
      if finished and not to then
        host:emit("done", nil, nil, ("the run of %s has ended"):format(active.state.path), active)
      end
    end
    if not to and active.tree and alive(active) then work_tree(host, active) end
    if not to and active.state.tick and alive(active) then
      to, by = host:call(active, active.state.tick, dt), "tick"
    end
    if to and alive(active) then
      if type(to) ~= "string" then
        error(("state '%s': tick and run return a state's name or nothing, not %s"):format(active.state.path,
          type(to)), 0)
      end
      machine.go(active, to, "script", by, nil, #host.events)
    end
  end
end

return machine
