--- The cost on the script thread of swapping in a prepared version of a behavior: CPU time, ms, a line each.
---     build/brio lua scripts/bench/live/swap.lua FILE
local clock = require "brio.clock"
local runner = require "brio.runner"
local sandbox = require "brio.behavior.sandbox.sandbox"

local file = arg[1]
local run = assert(runner.new { file = file, clock = "fast", world_data = {} })
local text = assert(sandbox.read(file))
run:advance(0.1)
local swap = run.host.swap
function run.host.swap(self, prepared)
  local began = clock.cpu()
  swap(self, prepared)
  print(("%.6f"):format((clock.cpu() - began) * 1000))
end
for n = 1, 100 do
  assert(run.reloader:by_hand { [file] = text .. "-- " .. n .. "\n" })
  run:advance(0.05)
end
run:close()
