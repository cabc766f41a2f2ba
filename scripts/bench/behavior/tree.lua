--- The cost of behavior trees.
local cjson = require "cjson"
local files = require "files"
local process = require "process"
local rows = require "rows"

local tree = {}

--- The rows of the program: name, description, limit in us.
local known = {
  small = { "a tick of 20 nodes, ten of which run" },
  large = { "a tick of 1,000 nodes, ten of which run", { p50 = 20 } },
  sequence = { "a pass over 1,000 conditions in a sequence, packed; BehaviorTree.CPP 4.10: 126 to 196",
    { p50 = 126 } },
  reactive = { "the same in a reactive sequence; BehaviorTree.CPP 4.10: 125 to 228", { p50 = 125 } },
  some = { "1,000 conditions at once, 1 % of them changing, packed", { p50 = 125 } },
  all = { "the same, all of them changing", { p50 = 125 } },
  view = { "an answer to `brio tree --live`: 24 rows of 1,000 nodes, ten of which run", { p50 = 250 } },
  load = { "a tree of 10,000 nodes made", { p50 = 1e5 } },
}

local function measure_trees(options, list)
  local best, order = {}, {}
  for _ = 1, options.rounds do
    local lines = files.lines(files.quote(options.build .. "/bench/behavior/tree"))
    lines[#lines + 1] = files.output(("%s lua %s/scripts/bench/behavior/tree_view.lua")
      :format(files.quote(options.build .. "/brio"), files.quote(options.root)))
    for _, line in ipairs(lines) do
      local row = cjson.decode(line)
      if not best[row.row] then order[#order + 1] = row.row end
      if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
    end
  end
  for _, name in ipairs(order) do
    local row, said = best[name], known[name]
    list[#list + 1] = { name = said[1], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = said[2] }
  end
end

--- The rows of tree_brio.lua: name, description, limit in us.
local whole = {
  some = { "a tick of 1,000 conditions in Lua, 1 % changing, all recorded: 8,000 a second", { p50 = 125 } },
  all = { "the same, all of them changing", { p50 = 125 } },
  close = { "the store closed after that", { p99 = 1e5 } },
  table = { "10,000 nodes loaded from a table", { p50 = 1e5 } },
  json = { "the same from JSON", { p50 = 1e5 } },
  set = { "a field of a running tree of 1,000 nodes edited", { p50 = 1e3 } },
  insert = { "a node put in there, another taken out", { p50 = 1e3 } },
  people_set = { "a field of it edited by a person: checked, kept for undo, gone over to", { p50 = 1e3 } },
  people_insert = { "a node put in by a person, or taken back", { p50 = 1e3 } },
  people_move = { "a node moved by a person", { p50 = 1e3 } },
}

local function measure_whole(options, list)
  local run = process.run({ options.build .. "/brio", "lua", "scripts/bench/behavior/tree_brio.lua" },
    options.root)
  if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
  for name, numbers in run.output:gmatch "([^\t\n]+)\t([^\n]+)" do
    local times = {}
    for number in numbers:gmatch "%S+" do times[#times + 1] = tonumber(number) end
    table.sort(times)
    list[#list + 1] = rows.percentiles(whole[name][1], "us", times, whole[name][2])
  end
end

function tree.measure(options)
  return rows.measure("tree", { { "trees", measure_trees }, { "whole trees", measure_whole } }, options)
end

return tree
