--- What behavior trees cost.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local tree = {}

--- The rows of the program: name, what it is, limit in us.
local known = {
  small = { "a tick of 20 nodes, ten of which run" },
  large = { "a tick of 1,000 nodes, ten of which run", { p50 = 20 } },
  sequence = { "a pass over 1,000 conditions in a sequence, packed; BehaviorTree.CPP 4.10: 126 to 196", { p50 = 126 } },
  reactive = { "the same in a reactive sequence; BehaviorTree.CPP 4.10: 125 to 228", { p50 = 125 } },
  some = { "1,000 conditions at once, 1 % of them changing, packed", { p50 = 125 } },
  all = { "the same, all of them changing", { p50 = 125 } },
  view = { "an answer to `brio tree --live`: 24 rows of 1,000 nodes, ten of which run", { p50 = 250 } },
  load = { "a tree of 10,000 nodes made", { p50 = 1e5 } },
}

local function measure_trees(options, list)
  local best, order = {}, {}
  for _ = 1, options.rounds do
    local lines = files.lines(files.quote(options.build .. "/bench/tree"))
    lines[#lines + 1] = files.output(("%s lua %s/scripts/bench/tree_view.lua"):format(files.quote(options.build .. "/brio"),
      files.quote(options.root)))
    for _, line in ipairs(lines) do
      local row = cjson.decode(line)
      if not best[row.row] then order[#order + 1] = row.row end
      if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
    end
  end
  for _, name in ipairs(order) do
    local row, said = best[name], known[name]
    list[#list + 1] = { name = said[1], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3, p99 = row.p99 / 1e3,
      limit = said[2] }
  end
end

function tree.measure(options)
  return rows.measure("tree", { { "trees", measure_trees } }, options)
end

return tree
