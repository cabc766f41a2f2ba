--- Calls into code that people write: behaviors, session scripts, lines at the prompt, files in Lua.  Every
--- such call goes through `dispatch.call`.
---
---     local good, made = dispatch.call(nil, dispatch.load, chunk)
---     local to = dispatch.call(host, active, active.state.tick, host.face, dt)
---
--- The second argument is a record that says how the call is made.  What it leaves out stays as in the call
--- around this one:
---   gate             the replay gate of a run (brio.io.input_gate); false: none
---   budget           CPU time, s, or a name in dispatch.budgets.  The call is protected: it returns true and
---                    the results, or false and the message with its traceback.  Inside another budget the
---                    outer one counts.  Without `budget` an error passes to the call around this one.
---   owner, faculty   to whom the motions and objectives that the call starts belong
---   state            the record is an active state of the host's machine (brio.behavior.machine)
local door = require "brio.io.input_gate"
local script = require "brio.script"

local dispatch = {}

--- CPU time of a call, s, by what is called; generous, since it guards only against endless loops.
dispatch.budgets = {
  tick = 0.1, -- the part of a behavior in a stage of a tick, and each of its objectives tried before a run
  load = 0.5, -- a file, executed once to get its description
  line = 0.02, -- a line of a person at the prompt
  step = 0.005, -- a function of a session script
  leaves = 2, -- the checks of a tree's leaves
  inner = 0, -- part of a call that has a budget: only its errors are caught here
}

--- Records of calls that need no more than a budget.
for name in next, dispatch.budgets do dispatch[name] = { budget = name } end

--- Set the owner of what is started from now on.
local function act(host, owner, faculty)
  host.tracks:act(owner, faculty)
  host.solver:act(owner, faculty)
end

--- Set the active state whose function runs; nil: none.
local function enter(host, active)
  local self = host.self
  self._active = active
  if active then self.state = active.state.path end
end

--- Set owner and active state as they were before a call, and pass on its results.
local function back(host, owner, faculty, active, ...)
  if owner ~= host.tracks.acting or faculty ~= host.tracks.faculty then act(host, owner, faculty) end
  if active ~= host.self._active then enter(host, active) end
  return ...
end

--- Call fn(...) under a budget, or under none.
local function run(budget, fn, ...)
  if not budget then return fn(...) end
  return script.call(dispatch.budgets[budget] or budget, fn, ...)
end

local function call(host, as, fn, ...)
  if not host then return run(as.budget, fn, ...) end
  local tracks = host.tracks
  local owner, faculty, active = tracks.acting, tracks.faculty, host.self._active
  if as.owner then act(host, as.owner, as.faculty) end
  if as.state then enter(host, as) end
  return back(host, owner, faculty, active, run(as.budget, fn, ...))
end

--- Call fn(...) as the record `as` says.  `host`: of a run (brio.run.host); nil: the call belongs to no
--- run, and has no owner or state.
function dispatch.call(host, as, fn, ...)
  if as.gate == nil then return call(host, as, fn, ...) end
  local _ <close> = door.within(as.gate or nil)
  return call(host, as, fn, ...)
end

return dispatch
