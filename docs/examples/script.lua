-- A call under watch: a loop without end is stopped.
local script = require "brio.script"

print(script.call(1, function(a, b) return a + b end, 2, 3))  --> true	5
local good, message = script.call(0.05, function() while true do end end)
print(good, message:match "time budget")                     --> false	time budget

-- coroutine.close, whose __close functions stay under the watch of the budget.
local waiting = coroutine.create(function()
  local door <close> = setmetatable({}, { __close = function() print "closed" end })
  coroutine.yield(door)
end)
script.resume(waiting)
print(script.close(waiting), coroutine.status(waiting))
--> closed
--> true	dead
