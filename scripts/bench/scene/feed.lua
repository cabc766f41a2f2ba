--- Messages of other programs (feed.c): checking them, compared with lua-cjson, which only decodes them; and
--- the lateness of ticks during 10,000 broken messages a second, compared with turns without them.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local feed = {}

--- The rows of the program: name, description, unit, limit.
local known = {
  { "json", "a message of 20 detections as JSON, judged", { p50 = 100, scaled = true } },
  { "packed", "  the same as a binary message" },
  { "broken", "  the same cut off by one byte, refused" },
  { "cloud", "a raw frame of 640 x 480 points with colors, read" },
  { "work idle", "taking frames in a tick, without a flood" },
  { "work flooded", "  with 10,000 broken messages a second" },
  { "idle", "how late a tick begins, without a flood" },
  { "flooded", "  with 10,000 broken messages a second" },
}

--- The time of lua-cjson for the same message, us.
local function decoding(options)
  local message = files.lines(files.quote(options.build .. "/bench/scene/feed") .. " message")[1]
  local times = {}
  for _ = 1, 30 do
    local from = os.clock()
    for _ = 1, 200 do cjson.decode(message) end
    times[#times + 1] = (os.clock() - from) / 200 * 1e6
  end
  table.sort(times)
  return { name = "  lua-cjson, which decodes it into tables and judges nothing", unit = "us",
    p50 = times[15], p95 = times[29], p99 = times[30] }
end

local notes = {}

local function measure_all(options, list)
  local told = {}
  for _, line in ipairs(files.lines(files.quote(options.build .. "/bench/scene/feed"))) do
    local row = cjson.decode(line)
    told[row.row] = row
  end
  for _, one in ipairs(known) do
    local row = told[one[1]]
    list[#list + 1] = { name = one[2], unit = "us", p50 = row.p50 / 1e3, p95 = row.p95 / 1e3,
      p99 = row.p99 / 1e3, limit = one[3] }
    if one[1] == "json" then list[#list + 1] = decoding(options) end
  end
  notes = { ("%.0f messages of 20 detections are judged in a second of CPU time; of a flood's 500 are, the \z
    others are counted")
    :format(1e9 / told.json.p50), ("the flood makes the median tick %.2f times as late as without it")
    :format(told.flooded.p50 / told.idle.p50) }
end

--- Measure; return {rows, notes}.
function feed.measure(options, scale)
  local result = rows.measure("feed", { { "messages and a flood", measure_all } }, options, scale)
  for _, note in ipairs(notes) do result.notes[#result.notes + 1] = note end
  return result
end

return feed
