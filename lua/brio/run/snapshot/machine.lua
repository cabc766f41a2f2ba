--- Part of a snapshot: the active states and since when, the history of others, and the progress of trees.
---
--- Running functions cannot be saved: a state's function, a leaf in progress. They start again in the
--- resumed run; finished nodes stay finished, and timers keep their elapsed time.
local behavior = require "brio.behavior.define"
local machine = require "brio.behavior.machine"

local part = { name = "machine" }

-- Saving -------------------------------------------------------------------------------------------------

local function beats_of(active)
  local beats = {}
  for seconds, beat in next, active.every do beats[seconds] = beat.next end
  return next(beats) and beats or nil
end

local function tree_of(active)
  local running = active.tree
  if not running or running.over or running.halted then
    return running and { over = running.over or "halted" } or nil
  end
  return { signature = running.compiled.signature, numbers = running.nodes:save(), behind = running.behind }
end

local function tell(region)
  local active = region.current
  local told = { path = region.spec.path, memory = region.memory,
    previous = region.previous and region.previous.path }
  if not active then return told end
  told.state, told.entered, told.every, told.tree = active.state.name, active.entered, beats_of(active),
    tree_of(active)
  for _, inner in ipairs(active.regions) do
    if not inner.inside then
      told.regions = told.regions or {}
      table.insert(told.regions, tell(inner))
    end
  end
  return told
end

function part.save(host)
  if not host.top or host.halted or host.power_off then return nil end
  return tell(host.top)
end

-- Restoring ----------------------------------------------------------------------------------------------

--- The history of left states that still exist.
local function memory_of(told, spec)
  local kept = {}
  for name, inner in next, told or {} do
    local state, list = spec.states[name], {}
    for index, region in ipairs(state and state.regions or {}) do
      local item = inner[index]
      if item and region.history and region.states[item.name] then
        list[index] = { name = item.name, deep = memory_of(item.deep, region) }
      end
    end
    if next(list) then kept[name] = list end
  end
  return next(kept) and kept or nil
end

local function beats_since(told, shift)
  local every = {}
  for seconds, at in next, told.every or {} do every[seconds] = { next = at + shift } end
  return every
end

--- Let the tree of a state continue where it was.
local function restore_tree(active, told, host, shift, say)
  machine.begin_tree(active, host)
  local running, saved = active.tree, told.tree
  if not running or not saved then return end
  if saved.over then
    running.over = saved.over
  elseif saved.signature ~= running.compiled.signature then
    say(("the tree of '%s' is another one than it was: it begins from its root"):format(active.state.path))
  else
    local good, why = running.nodes:restore(saved.numbers, host.now, shift + (saved.behind or 0))
    if not good then say(("the tree of '%s' begins from its root: %s"):format(active.state.path, why)) end
  end
end

local restore

--- Start a state's inner machines where they were, or in their initial states.
local function restore_inner(active, told, host, shift, say)
  local by_path = {}
  for _, inner in ipairs(told.regions or {}) do by_path[inner.path] = inner end
  for index, spec in ipairs(active.state.regions) do
    local region = machine.new(spec, host, active)
    active.regions[index] = region
    if by_path[spec.path] then
      restore(region, by_path[spec.path], host, shift, say)
    else
      region:start(nil)
    end
  end
end

function restore(region, told, host, shift, say)
  local state = told.state and region.spec.states[told.state]
  region.memory = memory_of(told.memory, region.spec)
  if not state then
    if told.state then
      say(("there is no longer a state '%s': it starts at its start state"):format(told.state))
    end
    return region:start(nil)
  end
  local active = { state = state, region = region, entered = told.entered + shift, seen = 0, regions = {},
    every = beats_since(told, shift) }
  region.previous = told.previous and { name = told.previous:match "[^.]*$", path = told.previous } or nil
  region.current = active
  region.came = "resume"
  host:entered(active, "resume", "", region.previous)
  if state.enter then host:call(active, state.enter) end
  if region.current ~= active then return end
  if state.run then active.thread = coroutine.create(state.run) end
  restore_tree(active, told, host, shift, say)
  restore_inner(active, told, host, shift, say)
end

--- Enter the states that were active. Return whether there were any.
function part.restore(host, told, shift, say)
  if not behavior.resolve(host.machine, told.state or "") then
    if told.state then
      say(("there is no longer a state '%s': the behavior starts again"):format(told.state))
    end
    return
  end
  host.top = machine.new(host.machine, host)
  host.self.resumed = true
  restore(host.top, told, host, shift, say)
  host.self.resumed = nil
end

return part
