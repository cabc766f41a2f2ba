--- A run as tiers of annotations for ELAN (https://archive.mpi.nl/tla/elan): EAF 3.0, with a recording if
--- there is one. ELAN has no overlaps on a tier, so overlapping marks go to another tier of the same name.
local markup, recorded = require "brio.lib.markup", require "brio.record.reader"
local run_marks, version = require "brio.formats.run.marks", require "brio.version"

local element = markup.element

local elan = {
  name = "elan", extensions = { "eaf" }, takes = { media = true, offset = true },
  doc = "ELAN 3.0: states, actions, operator, speech, gaze, events, annotations as tiers",
}

--- Drawn length of a moment, ms, if there is room.
local moment = 200

local kinds = { mp4 = "video/mp4", m4v = "video/mp4", mov = "video/quicktime", mpg = "video/mpeg",
  mpeg = "video/mpeg",
  avi = "video/x-msvideo", webm = "video/webm", wav = "audio/x-wav", mp3 = "audio/mpeg", m4a = "audio/mp4" }

--- A file's name as a URL.
local function address(path)
  return (path:gsub("[^%w%-%._~/]", function(byte) return ("%%%02X"):format(byte:byte()) end))
end

local function media_elements(options)
  local parts = {}
  for _, path in ipairs(options.media or {}) do
    local attributes = { "MEDIA_URL", (path:sub(1, 1) == "/" and "file://" or "./") .. address(path),
      "MIME_TYPE", kinds[(path:match "%.(%w+)$" or ""):lower()] or "unknown" }
    if path:sub(1, 1) ~= "/" then
      table.move({ "RELATIVE_MEDIA_URL", "./" .. address(path) }, 1, 2, 5, attributes)
    end
    parts[#parts + 1] = element("MEDIA_DESCRIPTOR", attributes) .. "\n"
  end
  return table.concat(parts)
end

--- Milliseconds in the recording; negative before it begins.
local function milliseconds(t, offset) return math.floor((recorded.time(t) + offset) * 1000 + 0.5) end

--- The tier of that name on which a mark has room: the first whose last mark has ended.
local function lane_for(lanes, order, name, from)
  local place = 1
  while true do
    local id = place == 1 and name or ("%s (%d)"):format(name, place)
    local lane = lanes[id]
    if not lane then
      lane = { id = id, marks = {}, busy = 0 }
      lanes[id], order[#order + 1] = lane, lane
    end
    if from >= lane.busy then return lane end
    place = place + 1
  end
end

--- Merge a moment with the one before it on a tier, if both are at the same time.
local function joined(lane, from, text)
  local last = lane and lane.marks[#lane.marks]
  if not (last and last.moment and last.from == from) then return false end
  last.text = last.text .. "\n" .. text
  return true
end

--- The tiers of a run (brio.record.reader), in the order of their first marks: { id, marks = { { from, to
--- (ms), text, moment } } }.  `offset`: the time in the recording at which the run began, s.
function elan.tiers(run, offset)
  local lanes, order = {}, {}
  for name, t0, t1, text in run_marks.each(run) do
    local from = math.max(0, milliseconds(math.max(t0, run.from), offset))
    local to = t1 and math.max(from + 1, milliseconds(math.min(t1, run.to), offset))
    local seen = milliseconds(t1 or t0, offset) >= 0 -- the recording may begin after the run
    if seen and (t1 or not joined(lanes[name], from, text)) then
      local lane = lane_for(lanes, order, name, from)
      local last = lane.marks[#lane.marks]
      if last and last.moment then last.to = math.max(last.from + 1, math.min(last.to, from)) end
      lane.marks[#lane.marks + 1] = { from = from, to = to or from + moment, text = text, moment = not t1 }
      lane.busy = to or from + 1
    end
  end
  return order
end

--- All times, in order, with their names: a list of { ms, id }, and the names of the times of each mark.
local function slots_of(tiers)
  local slots = {}
  for _, tier in ipairs(tiers) do
    for _, mark in ipairs(tier.marks) do
      slots[#slots + 1] = { at = mark.from, mark = mark, name = "first", place = #slots }
      slots[#slots + 1] = { at = mark.to, mark = mark, name = "last", place = #slots }
    end
  end
  table.sort(slots, function(a, b)
    if a.at ~= b.at then return a.at < b.at end
    return a.place < b.place
  end)
  for index, slot in ipairs(slots) do slot.mark[slot.name] = "ts" .. index end
  return slots
end

local constraints = {
  { "Time_Subdivision", "Time subdivision of parent annotation's time interval, no time gaps allowed within \z
    this interval" },
  { "Symbolic_Subdivision", "Symbolic subdivision of a parent annotation. Annotations refering to the same \z
    parent are ordered" },
  { "Symbolic_Association", "1-1 association with a parent annotation" },
  { "Included_In", "Time alignable annotations within the parent annotation's time interval, gaps are \z
    allowed" },
}

local function write_head(run, sink, options, last)
  local date = (run.run.started_at or "1970-01-01T00:00:00.000Z"):gsub("%.%d+Z$", "+00:00")
  sink:write('<?xml version="1.0" encoding="UTF-8"?>\n')
  sink:write(('<ANNOTATION_DOCUMENT AUTHOR="%s" DATE="%s" FORMAT="3.0" VERSION="3.0" %s %s>\n'):format(
    markup.escape("brio " .. version), markup.escape(date),
      'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    'xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd"'))
  local said = { { "lastUsedAnnotationId", last }, { "brio.run", run.number },
    { "brio.behavior", run.run.behavior or "" },
    { "brio.robot", run.run.robot or "" }, { "brio.uuid", run.run.uuid or "" }, { "brio.offset",
      options.offset or 0 } }
  local properties = {}
  for index, one in ipairs(said) do
    properties[index] = element("PROPERTY", { "NAME", one[1] }, markup.escape(one[2])) .. "\n"
  end
  sink:write('<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">\n' .. media_elements(options))
  sink:write(table.concat(properties) .. "</HEADER>\n")
end

local function write_slots(sink, slots)
  sink:write "<TIME_ORDER>\n"
  for index, slot in ipairs(slots) do
    sink:write(('<TIME_SLOT TIME_SLOT_ID="ts%d" TIME_VALUE="%d"/>\n'):format(index, slot.at))
  end
  sink:write "</TIME_ORDER>\n"
end

local function write_tiers(sink, tiers)
  local number = 0
  for _, tier in ipairs(tiers) do
    sink:write(('<TIER LINGUISTIC_TYPE_REF="brio" TIER_ID="%s">\n'):format(markup.escape(tier.id)))
    for _, mark in ipairs(tier.marks) do
      number = number + 1
      local inner = element("ALIGNABLE_ANNOTATION",
        { "ANNOTATION_ID", "a" .. number, "TIME_SLOT_REF1", mark.first,
        "TIME_SLOT_REF2", mark.last }, element("ANNOTATION_VALUE", {}, markup.escape(mark.text)))
      sink:write(element("ANNOTATION", {}, inner) .. "\n")
    end
    sink:write "</TIER>\n"
  end
end

function elan.write(run, sink, options)
  local tiers, count = elan.tiers(run, options.offset or 0), 0
  for _, tier in ipairs(tiers) do count = count + #tier.marks end
  write_head(run, sink, options, count)
  write_slots(sink, slots_of(tiers))
  write_tiers(sink, tiers)
  sink:write '<LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="brio" TIME_ALIGNABLE="true"/>\n'
  for _, one in ipairs(constraints) do
    sink:write(element("CONSTRAINT", { "DESCRIPTION", one[2], "STEREOTYPE", one[1] }) .. "\n")
  end
  sink:write "</ANNOTATION_DOCUMENT>\n"
  return true
end

return elan
