--- The cost of sources of tracks in a tick.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local motion = {}

--- The rows of the program: name, description, limit in us.
local known = {
  combine = { "100 sources x 60 DOFs combined and mixed", { p50 = 20 } },
  jump = { "the same in a tick in which a source jumps and all DOFs are bridged", { p50 = 20 } },
  cold_jump = { "the same right after all tracks were sampled, which takes the caches" },
  whole = { "100 sources x 60 DOFs, with all 6,000 tracks sampled" },
  seek = { "16 times found among 100,000 keys, from anywhere" },
}

local function measure_player(options, list)
  local best, order = {}, {}
  for _ = 1, options.rounds do
    for _, line in ipairs(files.lines(files.quote(options.build .. "/bench/behavior/motion"))) do
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

function motion.measure(options)
  return rows.measure("motion", { { "sources", measure_player } }, options)
end

return motion
