--- A run as an MCAP file for Foxglove and similar viewers. Messages are JSON with schemas; times are the wall
--- time of the run's beginning plus robot time.
local mcap, run_topics = require "brio.formats.mcap_writer", require "brio.formats.run.topics"
local markup, store = require "brio.lib.markup", require "brio.store"
local stance = require "brio.formats.run.stance"

local format = {
  name = "mcap", extensions = { "mcap" }, takes = { dof = true, rate = true, robot = true },
  doc = "MCAP for Foxglove: DOFs, frames of the links, states, events, log, ... as JSON with schemas, \z
    compressed",
}

--- Rate of messages on /joint_states and /tf, which are for display, 1/s; /dofs has every tick.
local shown = 30

local levels = { debug = 1, info = 2, warning = 3, error = 4, fatal = 5 }

local function json_text(text) return store.json(markup.utf8(text)) end

local function stamp_json(time)
  return ('{"sec":%d,"nsec":%d}'):format(time // 1000000000, time % 1000000000)
end

--- A number in JSON; NaN and infinity become null.
local function json_number(value)
  if value ~= value or value == math.huge or value == -math.huge then return "null" end
  return store.json(value)
end

local truth = { ["true"] = 1, ["false"] = 0 }

--- A value of a column as fields of a message; nothing for a null. See run_topics on "json" and "value".
local writers = {}

function writers.json(name, value)
  if type(value) == "string" and value:find "^%s*{" then return (',"%s":%s'):format(name, value) end
  return (',"%s_json":%s'):format(name, json_text(tostring(value)))
end

function writers.value(name, value)
  local number = type(value) == "number" and value or truth[value] or tonumber(value)
  if number then return (',"%s":%s'):format(name, json_number(number)) end
  return (',"%s_json":%s'):format(name, json_text(value))
end

local function plain(name, value)
  return (',"%s":%s'):format(name, type(value) == "number" and json_number(value) or json_text(value))
end

local shapes = {}

function shapes.log(row, time)
  return ('{"timestamp":%s,"level":%d,"name":%s,"message":%s,"file":"","line":0}'):format(stamp_json(time),
    levels[row.severity] or 0, json_text(row.name or ""), json_text(row.message or ""))
end

function shapes.pose(row, time)
  local function part(letters, before, rest)
    local out = {}
    for letter in letters:gmatch "." do
      out[#out + 1] = ('"%s":%s'):format(letter,
        json_number(row[before .. letter] or (letter == "w" and 1.0 or rest)))
    end
    return "{" .. table.concat(out, ",") .. "}"
  end
  return ('{"timestamp":%s,"frame_id":"world","pose":{"position":%s,"orientation":%s}}'):format(
    stamp_json(time), part("xyz", "", 0.0), part("xyzw", "q", 0.0))
end

--- The conversion of a table's row to a message.
local function shaper(row)
  if row.shape then return shapes[row.shape] end
  return function(values, time)
    local parts = { '{"timestamp":', stamp_json(time) }
    for index = 1, #row.fields, 2 do
      local name, value = row.fields[index], values[row.fields[index]]
      if value ~= nil then parts[#parts + 1] = (writers[row.fields[index + 1]] or plain)(name, value) end
    end
    parts[#parts + 1] = "}"
    return table.concat(parts)
  end
end

--- The statement for a topic: columns with JSON are returned as JSON or not at all.
local function select_of(run, row)
  local has = run.db:columns(("SELECT * FROM %s LIMIT 0"):format(row.from))
  if not has then return nil end
  local columns, kinds, timed = {}, {}, false
  for index = 1, #(row.fields or {}), 2 do kinds[row.fields[index]] = row.fields[index + 1] end
  for _, name in ipairs(has) do
    timed = timed or name == row.time
    if kinds[name] == "json" then
      columns[#columns + 1] = ('CASE WHEN json_valid("%s") THEN json("%s") END AS "%s"'):format(name, name,
        name)
    elseif kinds[name] or row.shape then columns[#columns + 1] = '"' .. name .. '"' end
  end
  if not timed then return nil end
  return ('SELECT "%s" AS at_time, %s FROM %s WHERE run = ?1 AND at_time >= ?2 AND at_time <= ?3 ORDER BY \z
    at_time')
    :format(row.time, table.concat(columns, ", "), row.from)
end

--- Channels by topic, created for the first message.
local function channels_of(file)
  local schemas, channels = {}, {}
  return function(topic, name, text)
    if not channels[topic] then
      schemas[name] = schemas[name] or file:schema(name, "jsonschema", text)
      channels[topic] = file:channel(topic, schemas[name], "json")
    end
    return channels[topic]
  end
end

--- A source of messages: next() -> time (s), put(). One for each row of the list whose table the store has.
local function table_source(run, file, channel, row)
  local sql = run:columns(row.needs or row.from) and select_of(run, row)
  if not sql then return nil end
  local next_row, shape, text = run:select(sql), shaper(row), run_topics.schema_of(row)
  local values
  local function advance()
    values = next_row()
    return values and values.at_time
  end
  local function put(t)
    local time = run:stamp(t)
    local topic = row.shape == "pose" and row.topic .. markup.plain(values.name) or row.topic
    file:message(channel(topic, row.schema, text), time, shape(values, time))
  end
  return { advance = advance, put = put }
end

local dof_schema =
  '{"type":"object","description":%s,"properties":{"goal":{"type":"number"},"command":{"type":"number"},'
  .. '"measured":{"type":"number"}}}'

--- The schema of /dofs: a field for each DOF.
local function dofs_schema(run)
  local properties = {}
  for _, dof in ipairs(run.dofs) do
    properties[#properties + 1] = json_text(dof.name):sub(2, -2)
    properties[#properties + 1] = dof_schema:format(json_text(dof.unit or "rad"))
  end
  return run_topics.schema("brio.Dofs", properties)
end

local huge = math.huge

--- '"goal":1.5,' if there is a value that JSON can represent.
local function field(name, value)
  return value and value > -huge and value < huge and ('"%s":%.12g,'):format(name, value) or ""
end

--- A function of goals, commands and measured values that returns a message of /dofs. The text of unchanged
--- DOFs, which is most of them, is reused.
local function dofs_writer(names)
  local kept, parts = {}, {}
  for place, name in ipairs(names) do kept[place] = { head = "," .. name .. ":{", text = "" } end
  return function(time, goals, commands, measured)
    parts[1] = '{"timestamp":' .. stamp_json(time)
    for place, one in ipairs(kept) do
      local goal, command, real = goals[place], commands[place], measured[place]
      if goal ~= one.goal or command ~= one.command or real ~= one.real then
        one.goal, one.command, one.real = goal, command, real
        local fields = field("goal", goal) .. field("command", command) .. field("measured", real)
        one.text = fields ~= "" and one.head .. fields:sub(1, -2) .. "}" or ""
      end
      parts[place + 1] = one.text
    end
    parts[#kept + 2] = "}"
    return table.concat(parts)
  end
end

--- The samples of a tick: /dofs, and at a lower rate /joint_states and /tf.
local function samples_source(run, file, channel, options)
  local next_tick, names = run:ticks(), {}
  for place, dof in ipairs(run.dofs) do names[place] = json_text(dof.name) end
  local schema, known, dofs_text = dofs_schema(run), run_topics.known, dofs_writer(names)
  local pose = stance.of_run(run, options)
  local t, goals, commands, measured, shown_at
  local function put_joints(time)
    local list = {}
    for place, name in ipairs(names) do
      local value = measured[place] or commands[place]
      if value and value > -huge and value < huge then
        list[#list + 1] = ('{"name":%s,"position":%.12g}'):format(name, value)
      end
    end
    file:message(channel("/joint_states", "foxglove.JointStates", known["foxglove.JointStates"]), time,
      ('{"timestamp":%s,"joints":[%s]}'):format(stamp_json(time), table.concat(list, ",")))
  end
  local function put_frames(time)
    local stamp, list = stamp_json(time), {}
    for _, frame in ipairs(pose(commands, measured)) do
      local p, q = frame.position, frame.orientation
      list[#list + 1] = ('{"timestamp":%s,"parent_frame_id":%s,"child_frame_id":%s,\z
          "translation":{"x":%.9g,"y":%.9g,"z":%.9g},'
        .. '"rotation":{"x":%.9g,"y":%.9g,"z":%.9g,"w":%.9g}}'):format(stamp, frame.parent, frame.child,
          p[1], p[2], p[3], q[1], q[2], q[3], q[4])
    end
    file:message(channel("/tf", "foxglove.FrameTransforms", known["foxglove.FrameTransforms"]), time,
      '{"transforms":[' .. table.concat(list, ",") .. "]}")
  end
  local function advance()
    local _
    t, _, goals, commands, measured = next_tick()
    return t
  end
  local function put()
    local time = run:stamp(t)
    file:message(channel("/dofs", "brio.Dofs", schema), time, dofs_text(time, goals, commands, measured))
    if shown_at and t < shown_at - 1e-6 then return end
    shown_at = (shown_at or t) + 1 / (options.rate or shown)
    put_joints(time)
    if pose then put_frames(time) end
  end
  return { advance = advance, put = put }
end

--- Write the messages of all sources in order of time.
local function merge(sources)
  local times = {}
  for index, source in ipairs(sources) do times[index] = source.advance() or math.huge end
  while true do
    local first = 1
    for index = 2, #times do
      if times[index] < times[first] then first = index end
    end
    local t = times[first]
    if t == math.huge then return end
    sources[first].put(t)
    times[first] = sources[first].advance() or math.huge
  end
end

--- Facts about the run, as texts.
local function about(run)
  local row, out = run.run, { run = tostring(run.number) }
  for _, name in ipairs { "started_at", "behavior", "robot", "robot_hash", "driver", "clock",
      "engine_version", "outcome",
    "commands_hash" } do
    if row[name] then out[name] = markup.utf8(tostring(row[name])) end
  end
  return out
end

function format.write(run, sink, options)
  local file = mcap.new(function(bytes) sink:write(bytes) end)
  local channel, sources = channels_of(file), {}
  if #run.dofs > 0 then sources[1] = samples_source(run, file, channel, options) end
  for _, row in ipairs(run_topics.list) do sources[#sources + 1] = table_source(run, file, channel, row) end
  merge(sources)
  file:metadata("brio", about(run))
  file:finish()
  return true
end

return format
