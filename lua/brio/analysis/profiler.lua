--- A profile of a behavior's time: by stage, by state and function, and the active objectives.
---
--- A host is profiled by replacing its own `call` and `work`, and its list of stages: without a profile there
--- is no cost.  Only clocks are read, so the run itself does not change.
local clock = require "brio.clock"
local suggest = require "brio.lib.suggest"

local profiler = {}
local Profile = {}
Profile.__index = Profile

--- Names of a state's functions in a profile, by function.
local function kinds_of(state)
  local kinds = {}
  for _, item in ipairs(state.wants) do
    local property = item[1]
    if type(property.goal) == "function" then kinds[property.goal] = "goal of " .. property.kind end
  end
  for _, transition in ipairs(state.transitions) do
    local label = transition.event and "on " .. transition.event or transition.after and "after"
      or "when " .. (transition.label or "")
    if type(transition.to) == "function" then kinds[transition.to] = label end
    if transition.when then kinds[transition.when] = label end
  end
  for _, field in ipairs { "enter", "tick", "exit" } do
    if state[field] then kinds[state[field]] = field end
  end
  return kinds
end

--- The row of a function: one that is not a field of the state belongs to its `run`, as a part of it or a
--- condition for which it waits.
local function row_of(self, state, fn, first)
  local rows = self.states[state]
  if not rows then
    rows = { kinds = kinds_of(state) }
    self.states[state] = rows
  end
  local kind = rows.kinds[fn] or (type(first) == "thread" and "run" or "await_until")
  local row = rows[kind]
  if not row then
    row = { state = state.path, kind = kind, calls = 0, total = 0, most = 0 }
    rows[kind] = row
    self.rows[#self.rows + 1] = row
  end
  return row
end

--- Count a finished call; pass on its results.
local function count(row, began, ...)
  local seconds = clock.cpu() - began
  row.calls, row.total, row.most = row.calls + 1, row.total + seconds, math.max(row.most, seconds)
  return ...
end

--- Add the time until `now` to the objectives that were active since the last change.
local function count_objectives(self, now)
  local number = {}
  for _, entry in next, self.active do
    local kind = entry.property.kind
    number[kind] = (number[kind] or 0) + 1
  end
  for kind, active in next, number do
    local row = self.kinds[kind] or { kind = kind, most = 0, seconds = 0 }
    self.kinds[kind] = row
    row.most, row.seconds = math.max(row.most, active), row.seconds + active * (now - self.since)
  end
  self.since = now
end

--- A stage that does the same, and whose time is counted in `rows`.
local function counted_stage(stage, rows)
  local row = { name = stage.name, calls = 0, total = 0, most = 0 }
  rows[#rows + 1] = row
  return setmetatable({ work = function(...)
    local began = clock.cpu()
    return count(row, began, stage.work(...))
  end }, { __index = stage })
end

--- Profile a host from now on; returns the profile.
function profiler.watch(host)
  local self = setmetatable({ states = {}, rows = {}, kinds = {}, active = {}, since = host.now,
    host = host, stage_rows = {} }, Profile)
  local call, work, stages = host.call, host.work, host.stages
  host.stages = {}
  for index, stage in ipairs(stages) do host.stages[index] = counted_stage(stage, self.stage_rows) end
  function host.call(host_, active, fn, ...)
    local row, began = row_of(self, active.state, fn, (...)), clock.cpu()
    return count(row, began, call(host_, active, fn, ...))
  end
  function host.work(host_, now, ...)
    local goes_on = work(host_, now, ...)
    if host_.properties.active ~= self.active then
      count_objectives(self, now)
      self.active = host_.properties.active
    end
    return goes_on
  end
  return self
end

--- The stages of the scripts' part of a tick that were executed, in their order: a list of {name, calls,
--- total, most}, in seconds of CPU time.  Failed calls are not counted.
function Profile:stages()
  local list = {}
  for _, row in ipairs(self.stage_rows) do
    if row.calls > 0 then list[#list + 1] = row end
  end
  return list
end

--- The functions that were called, by total time: a list of {state, kind, calls, total, most}, in seconds of
--- CPU time.
function Profile:functions()
  table.sort(self.rows, function(a, b)
    if a.total ~= b.total then return a.total > b.total end
    return a.state .. "\0" .. a.kind < b.state .. "\0" .. b.kind
  end)
  return self.rows
end

--- The kinds of active objectives, sorted: a list of {kind, mean, most}: their number at a time.
function Profile:objectives()
  count_objectives(self, self.host.now)
  local list = {}
  for _, kind in ipairs(suggest.keys(self.kinds)) do
    local row = self.kinds[kind]
    list[#list + 1] = { kind = kind, mean = row.seconds / math.max(self.host.now, 1e-9), most = row.most }
  end
  return list
end

return profiler
