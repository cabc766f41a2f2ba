--- Calls into code that people write: behaviors, session scripts, lines at the prompt, files in Lua.  Every
--- such call goes through `dispatch.call`, that of a stage of a tick through `dispatch.stage`.
---
---     local good, made = dispatch.call(nil, dispatch.load, chunk)
---     local to = dispatch.call(host, active, active.state.tick, host.face, dt)
---
--- The second argument is a record that says how the call is made.  What it leaves out stays as in the call
--- around this one:
---   gate             the replay gate of a run (brio.io.input_gate); false: none.  Such a record has nothing
---                    else
---   budget           CPU time, s, or a name in dispatch.budgets.  The call is protected: it returns true and
---                    the results, or false and the message with its traceback.  Inside another budget the
---                    outer one counts.  Without `budget` an error passes to the call around this one.
---   owner, faculty   to whom the motions and objectives that the call starts belong
---   state            the record is an active state of the host's machine (brio.behavior.machine).  An error
---                    in its function is for the call around it
local door = require "brio.io.input_gate"
local script = require "brio.script"

local dispatch = {}

--- CPU time of a call, s, by what is called; generous, since it guards only against endless loops.
local budgets = {
  tick = 0.1, -- the part of a behavior in a stage of a tick, and each of its objectives tried before a run
  load = 0.5, -- a file, executed once to get its description
  line = 0.02, -- a line of a person at the prompt
  step = 0.005, -- a function of a session script
  leaves = 2, -- the checks of a tree's leaves
  inner = 0, -- part of a call that has a budget: only its errors are caught here
  endless = 0, -- a program of its own, which a person ends
}

dispatch.budgets = budgets

--- Records of calls that need no more than a budget.
for name in next, budgets do dispatch[name] = { state = false, budget = name, owner = false } end

--- A function of a state has returned: set the active state as before, and pass on its results.
local function left(self, before, ...)
  self._active = before
  if before then self.state = before.state.path end
  return ...
end

--- A call under a budget has ended.  What it was in when it failed is put back.
local function ended(host, owner, faculty, active, good, ...)
  if not good then
    local actor = host.solver.actor
    actor.owner, actor.faculty = owner, faculty
    left(host.self, active)
  end
  return good, ...
end

--- A call with an owner has ended.
local function given_back(actor, owner, faculty, ...)
  actor.owner, actor.faculty = owner, faculty
  return ...
end

--- Call fn(...) under a budget.
local function within(host, budget, fn, ...)
  budget = budgets[budget] or budget
  if not host then return script.call(budget, fn, ...) end
  local actor = host.solver.actor
  return ended(host, actor.owner, actor.faculty, host.self._active, script.call(budget, fn, ...))
end

--- Call fn(...) in the replay gate of a run.
local function behind(gate, fn, ...)
  local _ <close> = door.within(gate or nil)
  return fn(...)
end

--- Call fn(...) as the record `as` says.  `host`: of a run (brio.run.host); nil: the call belongs to no
--- run, and has no owner or state.
function dispatch.call(host, as, fn, ...)
  local state = as.state
  if state then -- what is called most is in front
    local self = host.self
    local before = self._active
    self._active, self.state = as, state.path
    return left(self, before, fn(...))
  end
  local budget, owner = as.budget, as.owner
  if owner then
    local actor = host.solver.actor
    local before, faculty = actor.owner, actor.faculty
    actor.owner, actor.faculty = owner, as.faculty or false
    if budget then return given_back(actor, before, faculty, within(host, budget, fn, ...)) end
    return given_back(actor, before, faculty, fn(...))
  elseif budget then
    return within(host, budget, fn, ...)
  end
  if as.gate == nil then return fn(...) end
  return behind(as.gate, fn, ...)
end

--- Call a stage of a tick (brio.run.stages) as dispatch.call does, without lists of arguments and results.
--- Return true, or false and the message.
function dispatch.stage(host, stage, now, dt)
  local owner, actor, good, why = stage.owner, host.solver.actor, true, nil
  local before, faculty, active = actor.owner, actor.faculty, host.self._active
  if owner then actor.owner, actor.faculty = owner, stage.faculty or false end
  local budget = stage.budget
  if budget then good, why = script.call(budgets[budget], stage.work, host, now, dt)
  else stage.work(host, now, dt) end
  if owner or not good then actor.owner, actor.faculty = before, faculty end
  if not good then left(host.self, active) end
  return good, why
end

return dispatch
