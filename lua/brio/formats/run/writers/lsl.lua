--- A run as streams like those recorded with the lab streaming layer: an XDF file (version 1.0 of the format,
--- https://github.com/sccn/xdf), with a stream of markers for each tier, and streams of samples for goals,
--- commands and measured values. A .csv contains only the markers: time, tier, text, length. All streams have
--- one clock: seconds of the run, + --offset.
local columns = require "brio.lib.columns"
local markup = require "brio.lib.markup"
local run_marks = require "brio.formats.run.marks"

local lsl = {
  name = "lsl", extensions = { "xdf" }, takes = { offset = true, dof = true },
  doc = "XDF, as LabRecorder writes it: markers and samples as streams of LSL; to a .csv the markers alone",
}

local tag = { file = 1, stream = 2, samples = 3, offset = 4, boundary = 5, footer = 6 }

--- The boundary marker, which helps readers of damaged files.
local boundary = "\x43\xA5\x46\xDC\xCB\xF5\x41\x0F\xB3\x0E\xD5\x46\x73\x83\xCB\xE4"

--- Interval between boundaries, and between clock offsets, s.
local every = 10

local samples_a_chunk = 500

--- A length in XDF: the number of its bytes, and these bytes.
local function length_of(count)
  if count < 256 then return ("<B B"):pack(1, count) end
  if count < 1 << 32 then return ("<B I4"):pack(4, count) end
  return ("<B I8"):pack(8, count)
end

local function chunk(sink, kind, content)
  sink:write(length_of(#content + 2) .. ("<I2"):pack(tag[kind]) .. content)
end

local function of_stream(id, xml) return ("<I4"):pack(id) .. '<?xml version="1.0"?>' .. xml end

--- The XML elements of a table of names and values, in order.
local function elements(list)
  local parts = {}
  for index = 1, #list, 2 do
    parts[#parts + 1] = markup.element(list[index], {}, markup.escape(list[index + 1]))
  end
  return table.concat(parts)
end

local function begin_stream(sink, run, stream)
  local channels = {}
  for index, channel in ipairs(stream.channels) do
    channels[index] = "<channel>" .. elements { "label", channel[1], "unit", channel[2], "type",
      stream.content } .. "</channel>"
  end
  chunk(sink, "stream", of_stream(stream.id,
    "<info>" .. elements { "name", stream.name, "type", stream.content, "channel_count",
    #stream.channels, "nominal_srate", stream.rate, "channel_format", stream.format,
    "source_id", ("brio-%s-%s"):format(run.run.started_at or "", stream.name), "version", "1.1", "created_at",
      "0", "uid",
    ("brio-%d-%d"):format(run.number, stream.id), "session_id", "default", "hostname", "brio" } .. "<desc>"
    .. elements { "manufacturer", "brio", "behavior", run.run.behavior or "", "robot", run.run.robot or "",
      "run", run.number,
      "started_at", run.run.started_at or "" } .. "<channels>" .. table.concat(channels)
        .. "</channels></desc></info>"))
  stream.pieces, stream.count, stream.offsets = {}, 0, {}
end

local function flush(sink, stream)
  if #stream.pieces == 0 then return end
  chunk(sink, "samples", ("<I4"):pack(stream.id) .. length_of(#stream.pieces) .. table.concat(stream.pieces))
  stream.pieces = {}
end

local function add(sink, stream, time, values)
  stream.pieces[#stream.pieces + 1] = ("<B d"):pack(8, time) .. values
  stream.first, stream.last, stream.count = stream.first or time, time, stream.count + 1
  if #stream.pieces == samples_a_chunk then flush(sink, stream) end
end

--- Write a clock offset: all streams have the same clock, so it is 0.
local function clock(sink, stream, time)
  chunk(sink, "offset", ("<I4 d d"):pack(stream.id, time, 0.0))
  stream.offsets[#stream.offsets + 1] = "<offset>" .. elements { "time", time, "value", 0 } .. "</offset>"
end

local function end_stream(sink, stream)
  flush(sink, stream)
  local facts = elements { "first_timestamp", stream.first or 0, "last_timestamp", stream.last or 0,
    "sample_count", stream.count }
  chunk(sink, "footer", of_stream(stream.id,
    ("<info>%s<clock_offsets>%s</clock_offsets></info>"):format(facts,
    table.concat(stream.offsets))))
end

--- Markers: a stream for each tier.
local function write_markers(run, sink, offset)
  local stream
  local last = 0
  for tier, t0, _, text in run_marks.each(run) do
    if not stream or stream.tier ~= tier then
      if stream then end_stream(sink, stream) end
      last = last + 1
      stream = { id = last, tier = tier, name = "brio " .. tier, content = "Markers", format = "string",
        rate = 0, channels = { { tier, "" } } }
      begin_stream(sink, run, stream)
      clock(sink, stream, run.from + offset)
    end
    add(sink, stream, math.max(t0, run.from) + offset, length_of(#text) .. text)
  end
  if stream then end_stream(sink, stream) end
  return last
end

local no_value = 0 / 0

--- Samples: a stream each for goals, commands and measured values, with a channel for each DOF; missing
--- values are NaN.
local function write_samples(run, sink, offset, last)
  local streams, channels = {}, {}
  for place, dof in ipairs(run.dofs) do channels[place] = { dof.name, dof.unit or "rad" } end
  for index, kind in ipairs { "goal", "command", "measured" } do
    streams[index] = { id = last + index, name = "brio " .. kind, content = "Kinematics", format = "double64",
      rate = run.run.tick_rate or 200, channels = channels }
    begin_stream(sink, run, streams[index])
  end
  local due, format, row = run.from, "<" .. ("d"):rep(#channels), {}
  for t, _, goals, commands, measured in run:ticks() do
    for index, values in ipairs { goals, commands, measured } do
      for place = 1, #channels do row[place] = values[place] or no_value end
      add(sink, streams[index], t + offset, format:pack(table.unpack(row, 1, #channels)))
    end
    if t >= due then
      for _, stream in ipairs(streams) do clock(sink, stream, t + offset) end
      chunk(sink, "boundary", boundary)
      due = t + every
    end
  end
  for _, stream in ipairs(streams) do end_stream(sink, stream) end
end

local function write_csv(run, sink, offset)
  local line_end = "\r\n"
  sink:write("time,tier,text,seconds" .. line_end)
  for tier, t0, t1, text in run_marks.each(run) do
    sink:write(columns.csv_line({ math.max(t0, run.from) + offset, tier, text,
      t1 and math.max(0, t1 - t0) or nil }, 4)
      .. line_end)
  end
end

function lsl.write(run, sink, options)
  local offset = options.offset or 0.0
  if (sink.path or ""):lower():find "%.csv$" then
    write_csv(run, sink, offset)
    return true
  end
  sink:write "XDF:"
  local about = elements { "version", "1.0", "datetime", run.run.started_at or "" }
  chunk(sink, "file", '<?xml version="1.0"?><info>' .. about .. "</info>")
  local last = write_markers(run, sink, offset)
  if #run.dofs > 0 then write_samples(run, sink, offset, last) end
  return true
end

return lsl
