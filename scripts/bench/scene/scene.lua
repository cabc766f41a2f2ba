--- Tracking of detections: its cost (associate.c), and its quality on recorded detections (follow.lua),
--- compared with simple published trackers.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local scene = {}

local limit = { p99 = 300, scaled = true } -- us: 200 detections against 200 things

--- The rows of the program: name, description, limit.
local known = {
  { "hall", "update: 200 detections, 200 things in 20 x 20 m", limit },
  { "room", "the same in 5 x 5 m: each may be any of several", limit },
  { "crowd", "the same in 1 x 1 m: each may be nearly any" },
  { "flood", "update with 20,000 detections in 5 x 5 m, one picture" },
  { "flood of times", "the same, each of another time" },
  { "hall sparse", "assignment alone, in 20 x 20 m" },
  { "hall dense", "  the Hungarian algorithm on the full matrix" },
  { "room sparse", "assignment alone, in 5 x 5 m" },
  { "room dense", "  the Hungarian algorithm on the full matrix" },
  { "crowd sparse", "assignment alone, in 1 x 1 m" },
  { "crowd dense", "  the Hungarian algorithm on the full matrix" },
}

local function measure_association(options, list)
  local told = {}
  for _, line in ipairs(files.lines(files.quote(options.build .. "/bench/scene/associate"))) do
    local row = cjson.decode(line)
    told[row.row] = row
  end
  for _, one in ipairs(known) do
    local row = told[one[1]]
    list[#list + 1] = { name = one[2], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = one[3], check = row.check }
  end
end

--- Trackers on recordings: {rows, notes}.
local function measure_tracking(options)
  local result = { rows = {}, notes = {} }
  local words = { options.build .. "/brio", "lua", options.root .. "/scripts/bench/scene/follow.lua",
    options.root .. "/tests/lib", options.shared .. "/data/detections" }
  for i, word in ipairs(words) do words[i] = files.quote(word) end
  for _, line in ipairs(files.lines(table.concat(words, " "))) do
    local row = cjson.decode(line)
    if row.absent then result.notes[#result.notes + 1] = "not at hand: " .. row.input
    else result.rows[#result.rows + 1] = row end
  end
  return result
end

function scene.measure(options, scale)
  local result = rows.measure("scene", { { "association", measure_association } }, options, scale)
  io.stderr:write "  scene: trackers on recordings\n"
  local good, tracking = pcall(measure_tracking, options)
  result.tracking = good and tracking or { rows = {}, notes = { "trackers: " .. tostring(tracking) } }
  return result
end

--- The table of trackers: rows of texts.
function scene.table_of(tracking)
  local list = { { "input: tracker", "MOTA", "IDF1", "HOTA", "MOTP", "switches", "fragments", "misses",
    "false", "names", "things", "in frames" } }
  local function share(value) return value and ("%.3f"):format(value) or "-" end
  for _, row in ipairs(tracking.rows) do
    local cells = { row.input .. ": " .. row.tracker, share(row.mota), share(row.idf1), share(row.hota),
      share(row.motp) }
    for _, key in ipairs { "switches", "fragments", "misses", "false_ones", "names", "things", "truths" } do
      cells[#cells + 1] = ("%d"):format(math.floor(row[key]))
    end
    list[#list + 1] = cells
  end
  return list
end

return scene
