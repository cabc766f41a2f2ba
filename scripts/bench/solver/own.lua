--- User-defined objectives: the cost of one written in Lua in a solve, compared with the same in C.
local process = require "process"
local rows = require "rows"

local own = {}

local function objectives(options, list)
  local run = process.run({ options.build .. "/brio", "lua", "scripts/bench/solver/own_objectives.lua" },
    options.root)
  if run.code ~= 0 then error(("it ended with %d: %s"):format(run.code, run.errors), 0) end
  for name, numbers in run.output:gmatch "([^\t\n]+)\t([^\n]+)" do
    local times = {}
    for number in numbers:gmatch "%S+" do times[#times + 1] = tonumber(number) end
    list[#list + 1] = rows.percentiles(name, "us", times)
  end
end

--- Measure; return {rows, notes}.
function own.measure(options) return rows.measure("own", { { "objectives in Lua", objectives } }, options) end

return own
