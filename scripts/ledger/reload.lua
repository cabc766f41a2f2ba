--- Versions of a behavior for the ledger: each is swapped in while the one before is running.
---     build/brio lua scripts/ledger/reload.lua FILE COUNT
--- A number in place of FILE: a behavior of as many states, which is written and removed.
local runner, sandbox = require "brio.runner", require "brio.behavior.sandbox.sandbox"

local file, count = arg[1], tonumber(arg[2])
local states = math.tointeger(tonumber(file))
if states then
  file = os.tmpname() .. ".lua"
  local handle = assert(io.open(file, "w"))
  assert(handle:write(dofile "scripts/bench/live/many_states.lua"(states)))
  assert(handle:close())
end
local run = assert(runner.new { file = file, clock = "fast", world_data = {} })
local text = assert(sandbox.read(file))
run:advance(0.1)
collectgarbage() -- so that collections occur at the same places, whatever was loaded before
for version = 1, count do assert(run.reloader:by_hand { [file] = text .. "-- " .. version .. "\n" }) end
run:close()
if states then
  os.remove(file)
  os.remove((file:gsub("%.lua$", "")))
end
