--- Tasks: trees that run beside those of the states, such as one arm that reaches for something.
---
--- A behavior starts them with self:task and self:reach, a person with `reach`, `fetch` and `go to` at the
--- prompt.  A task of a state is stopped when the state is left; one of a person runs until its end.  Its
--- leaves are those of any tree, so arms plan their ways around obstacles, and give the reason where there is
--- none.  A new task takes its DOFs from the tasks before it: these fail.
local check = require "brio.tree.model.check"
local dispatch = require "brio.io.dispatch"
local parts = require "brio.robots.parts"
local trees = require "brio.tree.model.tree"

local tasks = {}
local Tasks = {}
Tasks.__index = Tasks
local Task = { __name = "task" }
Task.__index = Task

--- Maximum number of tasks at a time.
local most = 16

--- How the work of a task is called, the behavior's or a person's: an error in it ends this task alone.
local calls = {
  script = { state = false, budget = "inner", owner = false },
  operator = { state = false, budget = "inner", owner = "operator" },
}

--- The tasks of a host, made when the first one begins.
function tasks.new(host) return setmetatable({ host = host, list = {}, waiting = {}, begun = 0 }, Tasks) end

--- Iterate over the tasks that run.
function Tasks:running()
  local place = 0
  return function()
    repeat place = place + 1 until not self.list[place] or self.list[place].result == "running"
    return self.list[place]
  end
end

-- Beginning -------------------------------------------------------------------------------------------------

--- The environment of the leaves (see tree/leaves.lua).
local function site_of(host, active)
  return { host = host, self = host.face, description = host.description, sequences = host.sequences,
    name = active and active.state.path or "prompt", live = true, alone = true,
    call = function(fn, ...)
      if active then return host:call(active, fn, ...) end
      return fn(host.face, ...)
    end,
    machine = function() return nil, "a task has no states: a machine belongs into the tree of a state" end }
end

--- The DOFs that the leaves of a tree move: a set, and a list.
local function dofs_of(compiled, site)
  local set, index, list = {}, nil, {}
  for _, record in ipairs(compiled.list) do
    local leaf, names, outright = trees.kinds[record.is].record, record.form.owns, false
    if not names and leaf and leaf.owns then names, outright = leaf.owns(record.values, site) end
    for _, name in ipairs(names or {}) do
      index = index or parts.index(site.description)
      for _, dof in ipairs(outright and { name } or parts.find(index, name) or {}) do
        list[#list + 1], set[dof] = not set[dof] and dof or nil, true
      end
    end
  end
  return set, list
end

local function place_of(number) return "node " .. number end

--- Why no task can begin now; nil: it can.
local function refusal(self, said)
  local host, count = self.host, 0
  for _ in self:running() do count = count + 1 end
  if count >= most then return ("%d tasks run already: stop one of them first"):format(most) end
  if said.active then return nil end
  if host.halted then return "the behavior has failed: nothing moves until it runs again" end
  if host.power_off then return "the run is ending" end
  if host.held_since then return "the robot is on hold: say `go on` first" end
end

--- Begin a task: {form = a tree or a leaf, name, [active = the state to which it belongs, who = the person
--- who started it, checked = the form needs no check on the robot]}.  Return it; nil and a sentence if the
--- form has an error or no task can begin.
function Tasks:begin(said)
  local why = refusal(self, said)
  if why then return nil, why end
  local compiled, faults = trees.compile(said.form)
  if not compiled then return nil, faults[1].message end
  local host, site = self.host, site_of(self.host, said.active)
  faults = said.checked and {} or check.faults(compiled, site, place_of)
  if faults[1] then return nil, faults[1].message end
  self.begun = self.begun + 1
  local dofs, list = dofs_of(compiled, site)
  local task = setmetatable({ name = said.name or ("task %d"):format(self.begun), who = said.who,
    owner = said.who and "operator" or "script", active = said.active, result = "running",
    dofs = dofs }, Task)
  for other in self:running() do
    for _, dof in ipairs(list) do
      if other.dofs[dof] then self:stop(other, ("'%s' takes %s"):format(task.name, dof)) break end
    end
  end
  task.tree = trees.begin(compiled, site)
  self.list[#self.list + 1], host.tasks = task, self
  host:emit("task_started", { task = task.name, who = task.who }, "tree", task.name, task.active)
  return task
end

--- Begin a task in the next tick, whose form is made then: `said.make()` returns it, or nil and a sentence. A
--- large tree takes longer to make than a line at the prompt may.  Return true; nil and a sentence.
function Tasks:begin_later(said)
  local why = refusal(self, said)
  if why then return nil, why end
  said.dofs = {} -- not known yet
  self.waiting[#self.waiting + 1], self.host.tasks = said, self
  return true
end

--- Begin what waits.
local function begin_waiting(self)
  local waiting = self.waiting
  self.waiting = {}
  for _, said in ipairs(waiting) do
    local good, form, why = dispatch.call(self.host, calls[said.who and "operator" or "script"], said.make)
    said.form = good and form or nil
    if said.form then good, why = self:begin(said) end
    if not said.form or not good then
      self.host.say("warning", ("%s: %s"):format(said.name, why or tostring(form)))
    end
  end
end

-- Ending ----------------------------------------------------------------------------------------------------

--- A task has ended: report it to the behavior, and to people what a person has started.
local function ended(self, task, result, node, why)
  task.result, task.why = result, why
  local host, data = self.host, { task = task.name, who = task.who, node = node, why = why }
  local done = result == "success"
  host:emit(done and "task_done" or "task_failed", data, "tree", why and ("%s: %s"):format(task.name, why)
    or task.name, task.active)
  if task.who then
    host.say(done and "info" or "warning", ("%s: %s"):format(task.name, done and "done" or why))
  end
end

--- Stop a task: what it moves brakes and holds.  `why`: the reason, a sentence.
function Tasks:stop(task, why)
  if task.result ~= "running" then return end
  if not task.tree:halt() then self.host:finish(task.tree) end
  ended(self, task, "failure", nil, why)
end

--- Stop the tasks that `which(task)` selects, also those that wait.  Return how many.
function Tasks:stop_all(why, which)
  local count, waiting = 0, {}
  for _, said in ipairs(self.waiting) do
    if which and not which(said) then waiting[#waiting + 1] = said else count = count + 1 end
  end
  self.waiting = waiting
  for task in self:running() do
    if not which or which(task) then
      self:stop(task, why)
      count = count + 1
    end
  end
  return count
end

--- A state was left: its tasks end with it.
function Tasks:left(active)
  self:stop_all("its state was left", function(task) return task.active == active end)
end

-- A tick ----------------------------------------------------------------------------------------------------

local function work_tree(task, now) return task.tree:work(now) end

--- Work of a tick.
function Tasks:work()
  local host, kept = self.host, {}
  if self.waiting[1] then begin_waiting(self) end
  for task in self:running() do
    local good, result, node, why = dispatch.call(host, calls[task.owner], work_tree, task, host.now)
    if not good then ended(self, task, "failure", nil, tostring(result):match "^[^\n]*")
    elseif result then ended(self, task, result, node, why) end
    if task.result == "running" then kept[#kept + 1] = task end
  end
  self.list = kept
  if #kept == 0 then host.tasks = false end
end

--- Shift the time of all tasks by the duration of a hold, s.
function Tasks:skip(seconds)
  for _, task in ipairs(self.list) do task.tree:skip(seconds) end
end

-- Queries ---------------------------------------------------------------------------------------------------

--- "running", "success" or "failure", and why it failed.
function Task:status() return self.result, self.why end

--- What it does now, in words.
function Task:text()
  local lines, tree = {}, self.tree
  for _, number in ipairs(self.result == "running" and tree.nodes:running() or {}) do
    local progress, name = tree:progress(number) or {}, tree.compiled.list[number].name
    local share = progress.value and ("%.0f %%"):format(100 * progress.value)
    lines[#lines + 1] = table.concat({ name, share or progress.text and "" or nil, progress.text }, " ")
  end
  return #lines > 0 and table.concat(lines, ", ") or self.result
end

return tasks
