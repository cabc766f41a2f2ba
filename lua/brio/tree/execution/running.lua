--- A running behavior tree: brio.nodes decides which leaf is next, and this module calls the leaves.
--- Operators' actions on a tree are here too; their prompt words are in operator/prompt/trees.lua.
local attempts = require "brio.tree.execution.attempts"
local charge = require "brio.tree.execution.operator_control"
local nodes = require "brio.nodes"

local running = {}

--- Maximum length of the name and reason of a failed node in the tree's result, bytes.
running.longest_words = 200

local Running = {}
Running.__index = Running

--- Begin the tree `compiled` at a site (see tree/leaves.lua).  `record(nodes)` returns its recorder: nil,
--- or a table of functions: `changed`, called with the nodes (of brio.nodes) after each tick, and `edited`,
--- after a change to another plan.  `leaves`: the records of leaves, by name.
function running.new(compiled, site, record, leaves)
  local self = setmetatable({ compiled = compiled, site = site, leaves = leaves, memory = {}, begun = 0,
    units = {}, stops = {}, held = {}, changes = {}, varied = {}, behind = 0,
    charge = site.host and not site.alone and site.host.charge or charge.new() }, Running)
  self.list, self.played = compiled.list, {}
  if site.rehearsal then
    self.list, self.played = site.rehearsal:begin(compiled)
    self.watch = site.rehearsal.watch and site.rehearsal.watch:tree(compiled, site)
  end
  self.nodes = nodes.new(self.list == compiled.list and compiled.shape or self.list,
    function(node, unit, fresh, elapsed) return self:leaf(node, unit, fresh, elapsed) end,
    function(node, unit) self:tell_leaf("stop", node, unit) end,
    function(node, unit, on) self:tell_leaf("pause", node, unit, on) end)
  self:ask()
  self.record = record and record(self.nodes)
  site.tree = self
  self.nodes:begin()
  self.charge:begin(self)
  return self
end

--- Find the leaves that only call a function: brio.nodes calls it itself.
function Running:ask()
  local list
  for number, record in ipairs(self.site.rehearsal and {} or self.list) do
    local leaf = self.leaves[record.is]
    local question = leaf and leaf.question and leaf.question(record.values)
    if question then
      list = list or {}
      list[number] = question
    end
  end
  self.asking = list ~= nil
  self.nodes:asks(list)
end

local function work_asking(face, self, now) return self.nodes:work(now, face) end

--- Do a tick's work of the nodes.
function Running:work_nodes(now)
  if self.asking then return self.site.call(work_asking, self, now - self.behind) end
  return self.nodes:work(now - self.behind)
end

--- Do a leaf's work.
function Running:leaf(node, unit, fresh, elapsed)
  local record = self.compiled.list[node]
  if fresh then
    self.begun = self.begun + 1
    self.memory[unit] = { key = ("%s/%s %d"):format(self.site.name or "tree", record.name, self.begun) }
    self.units[record.id], self.stops[record.id], self.held[record.id] = unit, nil, nil
    self.changes[unit] = attempts.change(self.compiled.list, node,
      function(number) return self.nodes:turn(number) end)
  end
  local leaf, values = self.played[node] or self.leaves[record.is], self:values(record, unit)
  local done, why = leaf.work(self.site, values, self.memory[unit], fresh, elapsed)
  if self.watch then self.watch:worked(node, unit, fresh, done, why, leaf, values, self.memory[unit]) end
  return done, why
end

--- The values of a leaf's fields in an execution; an attempt of a retry may change them (see attempts.lua).
function Running:values(record, unit)
  local change = self.changes[unit]
  if not change then return record.values end
  local values
  values, self.varied[unit] = attempts.values(record.values, change, self.varied[unit])
  return values
end

--- Call a function of a leaf that runs something outside, if the leaf has it.
function Running:tell_leaf(what, node, unit, ...)
  local record = self.compiled.list[node]
  local tell = (self.played[node] or self.leaves[record.is])[what]
  if tell then tell(self.site, self:values(record, unit), self.memory[unit], ...) end
  if self.watch and what == "stop" then self.watch:stopped(unit) end
end

--- Pass the changes to the recorder.
function Running:tell()
  local list = self.watch and self.nodes:changes(self.record ~= nil)
  if self.record then self.record:changed(self.nodes) end
  if not list then return end
  for index, node in ipairs(list) do
    local status, _, why = self.nodes:status(node)
    list[index] = { node, status, status == "failure" and why or nil }
  end
  self.watch:changed(list, function(node) return self.list[node].kind == "call" end)
end

--- Run a tick.  Return "success" or "failure" once, at the end; with a failure the name of the leaf that
--- failed and why.  With an operator it pauses instead: "waits", once, with the name of the next node (nil
--- at the end) and why.
function Running:work(now)
  if self.over then return end
  self.halted = true -- reset at the end of the tick: after an error in a leaf the tree cannot continue
  local status = self:work_nodes(now)
  self.halted = false
  self:tell()
  if self.charge.held then return self:wait(status) end
  if status == "running" or status == "idle" then return end
  self.over = status
  if self.watch then self.watch.over = status end
  if status == "success" then return status end
  local name, why = self:failure()
  return status, name, why
end

--- With an operator: report once that the tree has paused.
function Running:wait(status)
  local stopped = self.was_automatic and not self.nodes:automatic()
  self.was_automatic = self.nodes:automatic()
  local ended = (status == "success" or status == "failure") and status or nil
  local told = self.ended
  self.ended = ended
  if ended and ended ~= told then
    if ended == "success" then return "waits", nil, "it is at its end" end
    local name, why = self:failure()
    return "waits", name, "it failed: " .. why
  elseif not ended and stopped then
    local next_one = self:coming()[1]
    return "waits", next_one and self.compiled.list[next_one].name, "a breakpoint"
  end
end

--- One past the last descendant of a node.
local function end_of(list, number)
  local last = number + 1
  while list[last] and list[last].parent >= number do last = last + 1 end
  return last
end

--- Whether a node around another has succeeded, so that the failure inside was handled.
local function is_mended(self, number)
  local parent = self.compiled.list[number].parent
  while parent and parent > 0 do
    if self.nodes:status(parent) == "success" then return true end
    parent = self.compiled.list[parent].parent
  end
  return false
end

--- The name of the innermost node that failed last, and why: it is the next node, or inside of it.
function Running:failure()
  local list, first = self.compiled.list, self.nodes:next() or 1
  for number = end_of(list, first) - 1, 1, -1 do
    local status, _, why = self.nodes:status(number)
    if status == "failure" and not is_mended(self, number) then
      return list[number].name, why or "", number
    end
  end
  return list[first].name, ""
end

-- Actions of operators --------------------------------------------------------------------------------------

--- Continue automatically, or end if it is finished: there is no operator any more.
function Running:go_on()
  if self.ended or self.over then return end
  self:automatic(true)
end

--- Let leaves start automatically, or not.
function Running:automatic(on)
  self.ended = nil
  self.nodes:automatic(on)
  self.was_automatic = on
end

--- Let the next concurrent set begin.
function Running:step()
  self.ended = nil
  self.nodes:step()
end

--- Whether a node is running.
function Running:runs(number) return self.nodes:status(number) == "running" end

--- The numbers of the nodes that a step would start.
function Running:coming() return self.nodes:coming() end

--- Set the next node.  Return true, or nil and the reason.
function Running:set_next(number)
  local found, why = self.nodes:next(number)
  if not found and why then return nil, why end
  self.ended = nil
  return true
end

--- The running units of a node, or inside one that only groups; a sentence if there are none.
function Running:units_of(number)
  local list, found = self.compiled.list, {}
  local last = end_of(list, number) - 1
  for _, node in ipairs(self.nodes:running()) do
    if node == number then return { node } end
    if node > number and node <= last then found[#found + 1] = node end
  end
  if #found == 0 then return nil, ("'%s' does not run"):format(list[number].name) end
  return found
end

--- Hold a running node, or let it continue.  Return true, or nil and the reason.
function Running:pause(number, on)
  local units, why = self:units_of(number)
  for _, node in ipairs(units or {}) do
    self.nodes:pause(node, on)
    self.held[self.compiled.list[node].id] = on or nil
  end
  return units and true, why
end

--- End a running node, as failed, after `seconds`.  Return true, or nil and the reason.
function Running:stop(number, delay)
  local units, why = self:units_of(number)
  for _, node in ipairs(units or {}) do
    self.nodes:stop(node, delay)
    self.stops[self.compiled.list[node].id] = (self.site.host and self.site.host.now or 0) + delay
  end
  return units and true, why
end

--- Clear failures; running nodes stop.
function Running:reset()
  self.ended = nil
  self.nodes:reset()
end

--- Shift the tree's time by the duration of a hold.
function Running:skip(seconds) self.behind = self.behind + seconds end

-- Queries ---------------------------------------------------------------------------------------------------

--- The approximate duration of a leaf, s; nil: unknown.
function Running:nominal(number)
  local record = self.compiled.list[number]
  if record.is == "wait" then return record.form.seconds or 4 end
  local leaf = self.leaves[record.is]
  if not (leaf and leaf.seconds) then return nil end
  local good, seconds = pcall(leaf.seconds, record.values, self.site)
  return good and tonumber(seconds) or nil
end

--- Whether a running node is held, and when it is to end, s; nil: neither.
function Running:is_held(number) return self.held[self.compiled.list[number].id] end

function Running:stops_at(number) return self.stops[self.compiled.list[number].id] end

--- Progress of a running leaf, or of a coming condition: {value =, error =, tolerance =, unit =, nominal =,
--- text =}, or nil.
function Running:progress(number)
  local record = self.compiled.list[number]
  local leaf = self.leaves[record.is]
  local runs = self:runs(number)
  if not (leaf and leaf.progress and (runs or leaf.asks)) then return nil end
  local unit = runs and self.units[record.id] or nil
  local good, said = pcall(leaf.progress, self.site, self:values(record, unit),
    unit and self.memory[unit] or {})
  if not good then return { text = tostring(said):sub(1, running.longest_words) } end
  return type(said) == "table" and said or nil
end

--- Stop running nodes.  Return whether the tree has ended; otherwise finally branches run, with
--- running:finish.
function Running:halt()
  self.halted = true
  self.nodes:halt()
  self:tell()
  if self.watch then self.watch.left = true end
  return #self.nodes:running() == 0
end

--- Run a tick of a tree that was halted; return whether it has ended.
function Running:finish(now)
  local status = self:work_nodes(now)
  self:tell()
  return status ~= "running"
end

--- Change to an edited version (see tree.edit): unchanged nodes continue.  `again`: ids of nodes that start
--- again if they are running.
function Running:migrate(compiled, again)
  local list, played = compiled.list, {}
  if self.site.rehearsal then list, played = self.site.rehearsal:begin(compiled) end
  local plan = list == compiled.list and compiled.shape or nodes.new(list)
  self.nodes:prepare(plan)
  self:tell() -- report stopped nodes by their old numbers
  self.nodes:migrate(plan)
  if self.record then self.record:edited(self.nodes) end
  self.compiled, self.list, self.played = compiled, list, played
  self:ask()
  if self.watch then self.watch = self.site.rehearsal.watch:migrate(self.watch, compiled) end
  local runs = {}
  for _, number in ipairs(again and self.nodes:running() or {}) do runs[self.nodes:id(number)] = number end
  for _, id in ipairs(again or {}) do
    if runs[id] then self.nodes:again(runs[id]) end
  end
end

--- Continue with the functions of another version of the same tree; false: the tree differs, or was halted.
function Running:take(compiled)
  if self.halted or compiled.signature ~= self.compiled.signature then return false end
  if self.list == self.compiled.list then self.list = compiled.list end
  self.compiled = compiled
  self:ask()
  if self.watch then self.watch.compiled = compiled end
  return true
end

return running
