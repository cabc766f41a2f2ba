--- A behavior tree that runs: brio.nodes decides which leaf is next, and this calls them.
local nodes = require "brio.nodes"

local running = {}
local Running = {}
Running.__index = Running

--- Begin what `compiled` says at a site (see leaves.lua).  `told(changes)` is called after each tick in which statuses changed:
--- a list of {node, status, why}; nil: nobody is.  `leaves`: the records of leaves, by name.
function running.new(compiled, site, told, leaves)
  local self = setmetatable({ compiled = compiled, site = site, told = told, leaves = leaves, memory = {}, begun = 0 }, Running)
  self.list, self.played = compiled.list, {}
  if site.rehearsal then
    self.list, self.played = site.rehearsal:begin(compiled)
    self.watch = site.rehearsal.watch and site.rehearsal.watch:tree(compiled, site)
  end
  self.nodes = nodes.new(self.list == compiled.list and compiled.shape or self.list,
    function(node, unit, fresh, elapsed) return self:leaf(node, unit, fresh, elapsed) end,
    function(node, unit) self:tell_leaf("stop", node, unit) end,
    function(node, unit, on) self:tell_leaf("pause", node, unit, on) end)
  site.tree = self
  self.nodes:begin()
  return self
end

--- Do a leaf's work.
function Running:leaf(node, unit, fresh, elapsed)
  local record = self.compiled.list[node]
  if fresh then
    self.begun = self.begun + 1
    self.memory[unit] = { key = ("%s/%s %d"):format(self.site.name or "tree", record.name, self.begun) }
  end
  local leaf = self.played[node] or self.leaves[record.is]
  local done, why = leaf.work(self.site, record.values, self.memory[unit], fresh, elapsed)
  if self.watch then self.watch:worked(node, unit, fresh, done, why, leaf, record.values, self.memory[unit]) end
  return done, why
end

--- Tell a leaf that runs something from outside, if it wants to know.
function Running:tell_leaf(what, node, unit, ...)
  local record = self.compiled.list[node]
  local tell = (self.played[node] or self.leaves[record.is])[what]
  if tell then tell(self.site, record.values, self.memory[unit], ...) end
  if self.watch and what == "stop" then self.watch:stopped(unit) end
end

--- Tell what changed.
function Running:tell()
  local list = (self.told or self.watch) and self.nodes:changes()
  if not list then return end
  for index, node in ipairs(list) do
    local status, _, why = self.nodes:status(node)
    list[index] = { node, status, status == "failure" and why or nil }
  end
  if self.told then self.told(list) end
  if self.watch then self.watch:changed(list, function(node) return self.list[node].kind == "call" end) end
end

--- Do a tick.  Return "success" or "failure" once, when it has come to that; with a failure the name of the leaf that
--- failed and why.
function Running:work(now)
  if self.over then return end
  self.halted = true -- unless the tick comes to its end: an error in a leaf leaves nothing to go on with
  local status = self.nodes:work(now)
  self.halted = false
  self:tell()
  if status == "running" or status == "idle" then return end
  self.over = status
  if self.watch then self.watch.over = status end
  if status == "success" then return status end
  local name, why = self:failure()
  return status, name, why
end

--- The name of the innermost node that failed last, and why.
function Running:failure()
  for number = #self.compiled.list, 1, -1 do
    local status, _, why = self.nodes:status(number)
    if status == "failure" then return self.compiled.list[number].name, why or "" end
  end
end

--- Stop what runs: it is over.
function Running:halt()
  self.halted = true
  self.nodes:halt()
  self:tell()
  if self.watch then self.watch.left = true end
end

--- Go over to an edited version (see tree.edit): what is unchanged runs on.  `again`: ids of nodes that begin anew if they run.
--- Not of a rehearsal.
function Running:migrate(compiled, again)
  assert(self.list == self.compiled.list, "a tree that is rehearsed is not edited")
  self:tell() -- by the old numbers
  self.nodes:migrate(compiled.shape)
  self.compiled, self.list = compiled, compiled.list
  local runs = {}
  for _, number in ipairs(again and self.nodes:running() or {}) do runs[self.nodes:id(number)] = number end
  for _, id in ipairs(again or {}) do
    if runs[id] then self.nodes:again(runs[id]) end
  end
end

--- Go on with the functions of another version of the same tree; false: it is another tree, or was halted.
function Running:take(compiled)
  if self.halted or compiled.signature ~= self.compiled.signature then return false end
  if self.list == self.compiled.list then self.list = compiled.list end
  self.compiled = compiled
  if self.watch then self.watch.compiled = compiled end
  return true
end

return running
