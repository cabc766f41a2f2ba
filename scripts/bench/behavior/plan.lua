--- The cost of planning footsteps.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local plan = {}

--- The rows of the program: name, description, limit in us.
local known = {
  quick = { "steps by rule, to a place 2 to 3 m away" },
  around = { "the same around a pillar" },
  grid = { "a way on a grid of 12 x 12 m in 5 cm, through seven doorways: distances, A*, straight lines, \z
    steps" },
  ["grid slice"] = { "a slice of that", { p99 = 5000 } },
  dijkstra = { "the same grid, beside it: walls made thicker cell by cell, Dijkstra's method over \z
    all cells" },
  scan = { "a scan of 4,800 points carved into that grid, all slices" },
  search = { "a search for steps on level ground, to the same places" },
  stairs = { "the same up three steps of a stair" },
  slice = { "a slice of that, as it is done in a tick of 5 ms; the first takes the memory", { p99 = 5000 } },
}

local function measure_plans(options, list)
  for _, line in ipairs(files.lines(files.quote(options.build .. "/bench/behavior/plan"))) do
    local row = cjson.decode(line)
    local said = known[row.row]
    list[#list + 1] = { name = said[1], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = said[2] }
  end
end

function plan.measure(options) return rows.measure("plan", { { "footsteps", measure_plans } }, options) end

return plan
