--- The CPU time of taking over a version of a behavior of 1,000 states: a line each, "check ms" and
--- "preparation ms". A run checks in the loader's thread, and prepares in the slack of its ticks.
---     build/brio lua scripts/bench/live/takeover.lua FILE
local clock = require "brio.clock"
local runner = require "brio.runner"
local sandbox = require "brio.behavior.sandbox.sandbox"

local file = arg[1]
local run = assert(runner.new { file = file, clock = "fast", world_data = {} })
local text = assert(sandbox.read(file))
run:advance(0.1)
assert(run.reloader:by_hand { [file] = text .. "-- first\n" }) -- makes the checker

--- Print the CPU time of each call of object[name].
local function timed(object, name, what)
  local work = object[name]
  object[name] = function(...)
    collectgarbage() -- a run's checker collects when nobody waits, its script thread after its ticks
    collectgarbage "stop"
    local began = clock.cpu()
    local results = table.pack(work(...))
    print(("%s %.6f"):format(what, (clock.cpu() - began) * 1000))
    return table.unpack(results, 1, results.n)
  end
end

timed(run.reloader.checker, "judge_now", "check")
timed(run.reloader, "prepare_on", "preparation")
for n = 1, 40 do
  assert(run.reloader:by_hand { [file] = text .. "-- " .. n .. "\n" })
  collectgarbage "restart"
  run:advance(0.05)
end
run:close()
