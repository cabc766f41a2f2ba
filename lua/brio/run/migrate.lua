--- Transfers the state of a running behavior to another version of it.
---
--- Transferred by name: the active states with their entry times, the history of other states,
--- `self.memory`, tuned values, properties.  A state that the new version does not have is left with the
--- old version's own exit, and the new version starts in its region.  The replaced version is kept until
--- the new one has run for a second, so that it can be restored.
local copy = require "brio.lib.copy"
local dispatch = require "brio.io.dispatch"
local lazy = require "brio.lib.lazy"
local machine = require "brio.behavior.machine"
local sessions = lazy "brio.tree.editing.session"
local shapes = lazy "brio.behavior.shapes"
local shared = lazy "brio.tree.editing.shared"

local carry = {}

--- A version that fails within its first second of robot time is rolled back, and also within its first ticks
--- if they took longer, as on a machine that stalls.
carry.trial, carry.trial_ticks = 1, 20

--- Time constant for fading out objectives that no state of the new version has, s.
carry.blend = 0.1

--- Maximum number of versions that are kept while the versions after them are on trial.
local most_waiting = 8

-- States ------------------------------------------------------------------------------------------

--- The region in `regions` (specs, or running regions with a field `spec`) that has this path.
local function with_path(regions, path)
  for index, region in ipairs(regions) do
    if (region.spec or region).path == path then return region, index end
  end
end

--- Transfer the history of left states that still exist.
local function carry_history(memory, old, new)
  local kept = {}
  for name, inner in next, memory or {} do
    local from, to = old.states[name], new.states[name]
    local list = {}
    for index, region in ipairs(from and to and to.regions or {}) do
      local before, place = with_path(from.regions, region.path)
      local item = place and inner[place]
      if item and region.history and region.states[item.name] then
        list[index] = { name = item.name, deep = carry_history(item.deep, before, region) }
      end
    end
    if next(list) then kept[name] = list end
  end
  return next(kept) and kept or nil
end

--- Leave the states that the new version does not have, with the old version's exits.
local function leave_gone(region, spec, leave)
  local active = region.current
  if not active then return end
  local state = spec.states[active.state.name]
  if not state then return leave(region) end
  for _, inner in ipairs(active.regions) do
    local there = with_path(inner.inside and state.inside or state.regions, inner.spec.path)
    if there then leave_gone(inner, there, leave) else leave(inner) end
  end
end

--- The source lines of a function.
local function text_of(fn, sources)
  local info = debug.getinfo(fn, "S")
  local source, at = sources[info.source:sub(2)] or "", 1
  for _ = 2, info.linedefined do at = (source:find("\n", at, true) or #source) + 1 end
  local last = at
  for _ = info.linedefined, info.lastlinedefined do last = (source:find("\n", last, true) or #source) + 1 end
  return source:sub(at, last - 1)
end

--- Decide on a state's run function: it continues if its text is the same, or if it declares that it
--- finishes on the version in which it began.  Return whether it was cut short.
local function carry_run(active, old, new, sources)
  if not old.run then
    if new.run then active.thread, active.begun, active.data = coroutine.create(new.run), nil, nil end
    return false
  end
  if not active.thread then return false end
  if new.run and (new.finish or text_of(old.run, sources.old) == text_of(new.run, sources.new)) then
    return false
  end
  active.thread, active.waits, active.begun = nil, nil, nil
  return true
end

--- A tree that differs only in its functions continues with the new ones; any other starts again.
local function carry_tree(active, host)
  local spec = active.state.tree
  if active.tree and spec and active.tree:take(spec) then return end
  machine.end_tree(active, host)
  machine.begin_tree(active, host)
end

--- Replace states by the new version's states of the same name.  `todo` collects regions to start in, and
--- states whose run was cut short.
local function adopt(region, spec, host, sources, todo)
  region.memory = carry_history(region.memory, region.spec, spec)
  region.spec = spec
  local previous, active = region.previous, region.current
  if previous then region.previous = { name = previous.name, path = previous.path } end
  if not active then
    todo.start[#todo.start + 1] = region
    return
  end
  local old, new, inner = active.state, spec.states[active.state.name], {}
  active.state = new
  -- inner regions are matched by path; new ones start afterwards
  for index, there in ipairs(new.regions) do
    inner[index] = with_path(active.regions, there.path)
    if inner[index] then
      adopt(inner[index], there, host, sources, todo)
    else
      inner[index] = machine.new(there, host, active)
      todo.start[#todo.start + 1] = inner[index]
    end
  end
  for _, running in ipairs(active.regions) do -- machines of its tree
    local there = running.inside and running.current and with_path(new.inside, running.spec.path)
    if there then
      inner[#inner + 1] = running
      adopt(running, there, host, sources, todo)
    end
  end
  active.regions = inner
  carry_tree(active, host)
  if carry_run(active, old, new, sources) then todo.replaced[#todo.replaced + 1] = active end
end

--- Whether `active` or a state around it handles the replacement of a run.
local function takes_replaced(active)
  while active do
    for _, transition in ipairs(active.state.transitions) do
      if transition.event == "replaced" then return true end
    end
    active = active.region.parent
  end
  return false
end

--- Notify the states whose run was cut short; where no state handles this, the run starts again.
local function tell_replaced(host, list)
  for _, active in ipairs(list) do
    if active.region.current == active then
      host:emit("replaced", { state = active.state.path }, "reload", active.state.path, active)
      if active.state.run and not takes_replaced(active) then
        active.thread, active.data = coroutine.create(active.state.run), nil
      end
    end
  end
end

--- Transfer the machine; take() makes the new version the host's when the old one has finished.
local function swap_machine(host, prepared, take)
  local top = host.top
  leave_gone(top, prepared.machine, function(region)
    local good, why = dispatch.call(host, dispatch.inner, region.leave, region)
    if not good then
      host.recorder:fault(host.tick, host.now, "error", host.definition.name, why:match("^[^\n]*"), why,
        host:version_of(why))
      host.say("error", ("while a state was left for the new version: %s"):format(why:match("^[^\n]*")))
    end
  end)
  local todo = { start = {}, replaced = {} }
  adopt(top, prepared.machine, host, { old = host.sources, new = prepared.sources }, todo)
  take()
  for _, region in ipairs(todo.start) do
    if region == top then
      local fields, states = prepared.definition.fields, prepared.machine.states
      region:enter(states[fields.start] or states.power_on, "reload", "")
    elseif region.parent.region.current == region.parent then
      region:start(nil)
    end
  end
  tell_replaced(host, todo.replaced)
end

-- Restoring the version before -----------------------------------------------------------------------

local function copy_every(every)
  local made = {}
  for seconds, beat in next, every do
    made[seconds] = { next = beat.next, asked = beat.asked, due = beat.due }
  end
  return made
end

--- The position of a region, sufficient to restore it.
local function note(region)
  local active, noted = region.current,
    { spec = region.spec, memory = region.memory, previous = region.previous }
  if active then
    noted.current = { state = active.state, entered = active.entered, seen = 0,
      every = copy_every(active.every),
      record = active.record, thread = active.thread, waits = active.waits, begun = active.begun,
        data = active.data,
      tree = active.tree, origin = active, regions = {} }
    for _, inner in ipairs(active.regions) do
      if not inner.inside then table.insert(noted.current.regions, note(inner)) end
    end
  end
  return noted
end

--- Continue a run where it was cut short, or where it has got to since; restart one that failed.
local function restore_run(active, noted)
  local thread, origin = noted.thread, noted.origin
  active.thread, active.waits, active.begun, active.data = thread, noted.waits, noted.begun, noted.data
  if not thread then return end
  if origin.thread == thread then active.waits, active.begun = origin.waits, origin.begun end
  if coroutine.status(thread) == "dead" then
    local failed = origin.thread == thread
    active.thread, active.waits, active.begun = failed and coroutine.create(active.state.run) or nil, nil, nil
  end
  if active.waits and active.waits.seen then active.waits.seen = 0 end
end

--- Machines in a state's tree are not restored: leave them.  Return whether there were any.
local function leave_machines(origin)
  local any = false
  for _, region in ipairs(origin.regions) do
    if region.inside then any, region.current = true, nil end
  end
  return any
end

--- Restore the noted position of a region.
local function restore(host, noted, parent, alive)
  local region = machine.new(noted.spec, host, parent)
  region.memory, region.previous = noted.memory, noted.previous
  local was = noted.current
  if not was then return region end
  local active = { state = was.state, region = region, entered = was.entered, seen = #host.events,
    every = was.every, record = was.record, regions = {} }
  region.current = active
  restore_run(active, was)
  active.tree = was.tree
  if leave_machines(was.origin) then machine.end_tree(active, host) end
  carry_tree(active, host)
  if not alive[was.record] then host:came_back(active) end
  alive[was.record] = nil
  for index, inner in ipairs(was.regions) do active.regions[index] = restore(host, inner, active, alive) end
  return region
end

-- Versions ----------------------------------------------------------------------------------------

local kept = { "definition", "machine", "version", "sources", "hashes", "properties", "sequences" }

--- Keep values that were tuned while the old version ran, if they are within the new one's range.
local function carry_tune(tune, old, new)
  local made = {}
  for name, param in next, new or {} do
    local value, first = tune[name], old and old[name] and old[name].value
    local tuned = value ~= nil and first ~= nil and value ~= first
    made[name] = tuned and value >= param.lower and value <= param.upper and value or param.value
  end
  return made
end

--- Give new keys of a behavior's memory their first values; all others keep their values.
local function carry_memory(memory, old, new)
  for key, value in next, new or {} do
    if memory[key] == nil and (old or {})[key] == nil then memory[key] = copy.deep(value) end
  end
end

--- Whether the running version is so new that it may be rolled back.
function carry.on_trial(host)
  local before = host.before
  if before and host.now > before.till + 1e-9 and host.tick > before.last_tick then
    host.before, before = nil, nil
  end
  return before and not host.power_off or false
end

--- The version that runs now is on trial; `before` restores the one before it.
local function put_on_trial(host, before)
  before.till, before.last_tick = host.now + carry.trial, host.tick + carry.trial_ticks
end

--- Keep what is needed to restore the running version.
local function remember(host)
  local waiting = carry.on_trial(host) and host.before or nil
  local before = { before = waiting, tune = copy.deep(host.self.tune),
    memory = copy.deep(host.self.memory), top = host.top and note(host.top), shapes = shapes.note(host),
      depth = 1 }
  put_on_trial(host, before)
  for _, field in ipairs(kept) do before[field] = host[field] end
  if before.before then
    before.depth = before.before.depth + 1
    if before.depth > most_waiting then before.before, before.depth = nil, 1 end
  end
  return before
end

--- Replace the version that `host` runs by a prepared one: {definition, machine, version, sources, hashes,
--- properties}.  Calls the behavior's functions, so it may raise.
function carry.swap(host, prepared)
  local before, from, to = remember(host), host.definition.fields, prepared.definition.fields
  host.reacting = true
  if host.shared then shared.carry(host, prepared.machine) end
  if host.sessions then sessions.carry(host, prepared.machine) end
  if not before.top then before = nil end -- it had failed, or not begun: nothing to restore
  local properties = host.properties
  local function take()
    host.before = before
    for _, field in ipairs(kept) do host[field] = prepared[field] end
    host.self.tune = carry_tune(host.self.tune, from.tune, to.tune)
    carry_memory(host.self.memory, from.memory, to.memory)
    host.self.name = prepared.definition.name
    host.properties:take_over(properties, host.now, carry.blend)
    host.changed = true
  end
  -- the old version's exits run before take()
  if host.top then swap_machine(host, prepared, take) else take() end
end

--- Restore the version before, with its state.
function carry.back(host)
  local before, alive, failed = host.before, {}, host.properties
  host.failed_hashes = host.hashes
  -- stays that the failed version has begun: those that are not restored are recorded as left below
  if host.top then host.top:each_inner_first(function(active) alive[active.record] = active end) end
  for _, field in ipairs(kept) do host[field] = before[field] end
  if host.shared then shared.carry(host, host.machine) end
  if host.sessions then sessions.carry(host, host.machine) end
  host.self.tune, host.self.memory = before.tune, before.memory
  host.self.name, host.self._active = before.definition.name, false
  shapes.restore(host, before.shapes)
  host.before = before.before
  -- an earlier version may itself still be on trial
  if host.before then put_on_trial(host, host.before) end
  host.properties:take_over(failed, host.now, carry.blend)
  local here = {}
  for record in next, alive do here[record] = true end
  host.top = restore(host, before.top, nil, here)
  local left = {}
  for record in next, here do left[#left + 1] = record end
  -- in order of their numbers, so that the record repeats
  table.sort(left)
  for _, record in ipairs(left) do host:left(alive[record]) end
  host.changed = true
end

return carry
