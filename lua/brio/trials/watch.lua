--- Records the execution of trees: which node ran from when to when, how it ended and why.
---
---     local watched = watch.new()
---     ... run with brio.trials.rehearsal.new { watch = watched } ...
---     for _, tree in ipairs(watched.trees) do for _, one in ipairs(tree.executions) do ... end end
---
--- A tree is {state, compiled, started (s), executions, [over = status, left = true if it was edited]}.  An
--- execution is {node = its number, started, ended (s; nil: it is running), status = "success", "failure" or
--- "stopped", why, times, progress}.  A leaf that is executed in consecutive ticks with the same result is
--- one execution with a count `times`.
local nodes = require "brio.nodes"

local watch = {}
local Watch = {}
Watch.__index = Watch
local Watched = {}
Watched.__index = Watched

local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

--- A new recorder.  options: progress = ticks between two queries of leaves' progress; nil: none.
function watch.new(options)
  return setmetatable({ trees = {}, every = options and options.progress }, Watch)
end

--- A tree begins at a site (see tree/leaves.lua).  Return its watcher.
function Watch:tree(compiled, site)
  local made = setmetatable({ state = site.name, compiled = compiled, started = site.host.now, site = site,
    executions = {}, open = {}, last = {}, every = self.every }, Watched)
  self.trees[#self.trees + 1] = made
  return made
end

--- A running tree is edited: its running nodes continue in the new tree, matched by id.  Return the watcher
--- of the new tree.
function Watch:migrate(old, compiled)
  local made, numbers, left = self:tree(compiled, old.site), {}, {}
  for number, record in ipairs(compiled.list) do numbers[record.id or 0] = number end
  for key, one in next, old.open do
    local number = numbers[old.compiled.list[one.node].id or 0]
    if number then
      one.node, left[one] = number, true
      made.open[key < 0 and -number or key], made.executions[#made.executions + 1] = one, one
    end
  end
  table.sort(made.executions, function(a, b) return a.started < b.started or a.started == b.started
    and a.node < b.node end)
  local kept = {}
  for _, one in ipairs(old.executions) do
    if not left[one] then kept[#kept + 1] = one end
  end
  old.executions, old.open, old.left = kept, {}, true
  return made
end

local function now_of(self) return self.site.host.now end

--- An execution of a node begins.  `key`: the unit of a leaf that is called, or the negative number of a
--- node.
function Watched:began(key, node)
  local one = { node = node, started = now_of(self), times = 1 }
  self.open[key], self.executions[#self.executions + 1] = one, one
  return one
end

--- The end of an execution.  Repeated ones with the same result are merged.
function Watched:ended(key, status, why)
  local one = self.open[key]
  if not one then return end
  local now, before = now_of(self), self.last[one.node]
  self.open[key] = nil
  one.ended, one.status, one.why = now, status, why
  local step = self.site.host.dt or 0
  if before and one.started == now and before.status == status and before.why == why
      and now - before.ended <= 1.5 * step
     and self.executions[#self.executions] == one then
    self.executions[#self.executions] = nil
    before.ended, before.times = now, before.times + 1
  else
    self.last[one.node] = one
  end
end

--- Query a leaf's progress.
local function ask(self, one, leaf, values, memory)
  if not leaf.progress then return end
  local good, said = pcall(leaf.progress, self.site, values, memory)
  if good and type(said) == "table" then one.progress = said end
end

--- A leaf that is called has worked for a tick: `done` is its result, nil if it is still running; `fresh`:
--- whether its execution began in this tick.
function Watched:worked(node, unit, fresh, done, why, leaf, values, memory)
  local one = fresh and self:began(unit, node) or self.open[unit]
  if not one then return end
  if self.every then
    one.ticks = (one.ticks or 0) + 1
    if done ~= nil or one.ticks % self.every == 0 then ask(self, one, leaf, values, memory) end
  end
  if done == nil then return end
  self:ended(unit, done and "success" or "failure", not done and why or nil)
end

--- A leaf that is called was stopped from outside.
function Watched:stopped(unit) self:ended(unit, "stopped") end

--- The changes of a tick: a list of {node, status, why}.  `called(node)`: whether it is a leaf that is
--- called; these are recorded by `worked` and `stopped`.
function Watched:changed(changes, called)
  for _, change in ipairs(changes) do
    local node, status = change[1], change[2]
    if not called(node) then
      local key = -node
      if status == "running" then
        if self.open[key] then self:ended(key, "stopped") end
        self:began(key, node)
      elseif self.open[key] then
        self:ended(key, status == "idle" and "stopped" or status, change[3])
      elseif status ~= "idle" then
        self:began(key, node)
        self:ended(key, status, change[3])
      end
    end
  end
end

--- Whether nodes of this record's kind only group others, and never run themselves.
function watch.is_open(record) return kinds[record.kind].open end

return watch
