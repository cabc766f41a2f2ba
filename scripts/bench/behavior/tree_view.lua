--- The cost of a live view of a behavior tree in a tick:
---     build/brio lua scripts/bench/behavior/tree_view.lua
--- prints, as JSON, percentiles of the CPU time of one answer, in ns: 24 rows of a tree of 1,000 nodes, ten
--- of which are running.
local clock = require "brio.clock"
local runner = require "brio.runner"
local store = require "brio.store"
local trees = require "brio.operator.prompt.trees"

local behavior = [[
local brio = require "brio"
local b = brio.behavior "big" { robot = "pepper", start = "one" }
local form = { "parallel" }
for i = 1, 10 do
  local part = { "sequence", name = "part " .. i }
  for k = 1, 98 do
    part[#part + 1] = { "wait", name = ("step %d of part %d"):format(k, i), seconds = 1000 }
  end
  form[#form + 1] = { "loop", part }
end
b.one = { tree = form }
return b
]]

local answers, asked = 3000, "view 480 24"

local file = os.tmpname()
os.remove(file)
file = file .. ".lua"
local handle = assert(io.open(file, "w"))
handle:write(behavior)
handle:close()
local run = assert(runner.new { file = file, clock = "fast", world_data = {} })
run:advance(0.5)
local prompt, request, times = { run = run }, { who = "bench", client = 1 }, {}
for index = 1, answers do
  local began = clock.cpu()
  store.json(assert(trees.run(prompt, asked, request)))
  times[index] = (clock.cpu() - began) * 1e9
end
run:close()
os.remove(file)
table.sort(times)
local function percentile(share) return times[math.max(1, math.ceil(share * answers))] end
print(store.json { row = "view", p50 = percentile(0.5), p95 = percentile(0.95), p99 = percentile(0.99) })
