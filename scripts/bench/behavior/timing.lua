--- The cost of timing a path.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local timing = {}

--- The rows of the program: name, description, limit in us: what toppra 0.6.2 (C++) takes for such paths,
--- measured once on a machine where KDL's chain of the Panda took `kinematics.reference` ns.
local known = {
  everywhere = { "100 intervals, limits hold everywhere", { p50 = 68, scaled = true } },
  interpolation = { "100 intervals, interpolation", { p50 = 95, scaled = true } },
  collocation = { "100 intervals, collocation", { p50 = 68, scaled = true } },
  everywhere_1000 = { "1000 intervals, limits hold everywhere", { p50 = 769, scaled = true } },
  transfer = { "state to state, seven joints together" },
  transfer_rest = { "the same from rest to rest" },
  sample = { "positions, velocities and accelerations at a time" },
}

local function measure_paths(options, list)
  for _, line in ipairs(files.lines(files.quote(options.build .. "/bench/behavior/timing"))) do
    local row = cjson.decode(line)
    local said = known[row.row]
    list[#list + 1] = { name = said[1], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = said[2] }
  end
end

--- Measure the rows; limits are multiplied by `scale`, if it is known.
function timing.measure(options, scale)
  return rows.measure("timing", { { "paths", measure_paths } }, options, scale)
end

return timing
