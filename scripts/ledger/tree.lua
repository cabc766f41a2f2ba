--- Passes over a tree for the ledger: conditions that are all evaluated, of which one in a hundred changes.
---     build/brio lua scripts/ledger/tree.lua NODES COUNT
local trees = require "brio.tree"

local nodes, count = tonumber(arg[1]), tonumber(arg[2])
local tick, form = 0, { "parallel", failures = 1e6 }
local function changes() return tick % 2 == 0 end
local function stays() return true end
for index = 1, nodes do
  form[index + 1] = { "condition", name = "c" .. index, holds = index % 100 == 0 and changes or stays }
end
local site = { call = function(fn, ...) return fn(nil, ...) end }
local tree = trees.begin(assert(trees.compile { "loop", { "selector", form, { "succeed" } } }), site,
  function() end)
for index = 1, count do
  tick = index
  tree:work(index)
end
