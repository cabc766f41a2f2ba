--- The cost of a gaze on the script thread in a tick: CPU time, us, a line each.
---     build/brio lua scripts/bench/live/gaze.lua PEOPLE
local clock = require "brio.clock"
local runner = require "brio.runner"

local source = [[
local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { robot = "probo", start = "idle", character = { gaze = true } }
b.idle = { wants = { want.collision_avoidance {}, want.joint_limits {} } }
return b
]]
local path = os.tmpname() .. ".lua"
local file = assert(io.open(path, "w"))
file:write(source)
file:close()
local people = {}
for index = 1, tonumber(arg[1]) do
  local angle, far = 2.4 * index, 0.9 + 0.01 * index
  people[index] = { id = "p" .. index, path = { { 0, far * math.cos(angle), far * math.sin(angle), 1 },
    { 1e6, far * math.cos(angle), far * math.sin(angle), 1 } } }
end
local run = assert(runner.new { file = path, clock = "fast", world_data = { people = people } })
os.remove(path)
run:advance(1)
local gaze = run.host.gaze
local work = gaze.work
collectgarbage "stop" -- a run's collector works in the slack behind a tick
function gaze.work(self, now, dt)
  local began = clock.cpu()
  work(self, now, dt)
  print(("%.3f"):format((clock.cpu() - began) * 1e6))
end
for _ = 1, 40 do
  run:advance(0.25)
  collectgarbage()
  collectgarbage "stop"
end
run:close()
