--- Map files, which people read and edit: a robot's map, kept over runs as a Lua table.
local dispatch = require "brio.io.dispatch"
local fields = require "brio.lib.fields"
local file = require "brio.io.files"
local memory = require "brio.perception.map.memory"
local schema = require "brio.lib.schema"

local kept = {}

--- Maximum size of a file, bytes.
local largest = 4e6

--- Distance to a border of a room that goes on without end, m.
local farthest = 1e9

local header = "-- What the robot remembers of where things are, in m, rad and s. A person may change it \z
  between runs.\n"

-- Writing ---------------------------------------------------------------------------------------------------

local function number(value) return ("%.3f"):format(value) end

local function numbers(list)
  local parts = {}
  for index, value in ipairs(list) do parts[index] = ("%.3f"):format(value) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

local function quoted(text) return (("%q"):format(text):gsub("\\\n", "\\n")) end

--- A border within what a number of the file can say.
local function border(value) return math.max(-farthest, math.min(farthest, value)) end

local function shape_text(shape)
  local list = {}
  if type(shape[1]) == "number" then
    for index, value in ipairs(shape) do list[index] = border(value) end
    return numbers(list)
  end
  for index, corner in ipairs(shape) do list[index] = numbers { border(corner[1]), border(corner[2]) } end
  return "{ " .. table.concat(list, ", ") .. " }"
end

local function room_row(room)
  return ("{ name = %s, shape = %s },"):format(quoted(room.name), shape_text(room.shape))
end

local function place_row(place)
  return ("{ name = %s, position = %s, yaw = %s, time = %s, run = %d },"):format(quoted(place.name),
    numbers(place.position), number(place.yaw), number(place.time), place.run)
end

local function door_row(door)
  local rooms = {}
  for index, name in ipairs(door.rooms) do rooms[index] = quoted(name) end
  return ("{ name = %s, position = %s, yaw = %s, rooms = { %s }, time = %s, run = %d },"):format(
    quoted(door.name),
    numbers(door.position), number(door.yaw), table.concat(rooms, ", "), number(door.time), door.run)
end

local function thing_row(thing)
  local size = thing.size and (", size = %s"):format(numbers(thing.size)) or ""
  return ("{ kind = %s, id = %s, position = %s%s, first = %s, last = %s, count = %d, run = %d },"):format(
    quoted(thing.kind),
    quoted(thing.id), numbers(thing.position), size, number(thing.first), number(thing.last), thing.count,
      thing.run)
end

--- A map's text.
function kept.text(map)
  local lines = { header .. "return {", ("  runs = %d,"):format(map.run) }
  local function list(name, items, row)
    lines[#lines + 1] = ("  %s = {"):format(name)
    for _, item in ipairs(items) do lines[#lines + 1] = "    " .. row(item) end
    lines[#lines + 1] = "  },"
  end
  local rooms, names = {}, {}
  for name in next, map.rooms do names[#names + 1] = name end
  table.sort(names)
  for index, name in ipairs(names) do rooms[index] = map.rooms[name] end
  list("rooms", rooms, room_row)
  list("places", map:list_places(), place_row)
  list("doors", map:list_doors(), door_row)
  list("things", map:list_things {}, thing_row)
  lines[#lines + 1] = "}\n"
  return table.concat(lines, "\n")
end

--- Write a map to its file, atomically. Return true, or nil and a sentence.
function kept.write(path, map) return file.replace(path, kept.text(map)) end

-- Reading ---------------------------------------------------------------------------------------------------

local corners, box = { "list", of = { "vector", size = 2 } }, { "vector", size = 4 }

--- The error in the shape of a room: a box, or three corners and more.
local function shape_fault(value)
  local is_list = type(value) == "table" and type(value[1]) == "table"
  if is_list and #value < 3 then return "must be at least three corners {x, y}" end
  local why, where = fields.fault(value, is_list and corners or box)
  if not why or is_list then return why, where end
  return "must be {least x, least y, most x, most y}, or a list of corners {x, y}"
end

local function name_fault(value)
  return (type(value) ~= "string" or value == "") and "must be a text" or nil
end

--- A field of several lists.
local name_field = { "string", needed = true, fault = name_fault, doc = "of it" }
local position = { "vector", size = 3, unit = "m", needed = true, doc = "in the world" }
local yaw_field = { "number", unit = "rad", value = 0, doc = "how it is turned" }
local time = { "number", unit = "s", value = 0, doc = "when it was put there, of its run" }
local run = { "whole", lower = 0, value = 0, doc = "the number of the run that it is from" }

--- The fields of the items of each list of a map.
local rows = {
  rooms = { name = name_field,
    shape = { "table", needed = true, fault = shape_fault, doc = "a box, or a list of corners, m" } },
  places = { name = name_field, position = position, yaw = yaw_field, time = time, run = run },
  doors = { name = name_field, position = position, yaw = yaw_field, time = time, run = run,
    rooms = { "list", of = "string", needed = true, doc = "names of the rooms that it joins" } },
  things = { position = position, kind = { "string", needed = true, fault = name_fault, doc = "what it is" },
    id = { "string", needed = true, fault = name_fault, doc = "which one" },
    size = { "vector", size = 3, unit = "m", doc = "of its box" },
    first = { "number", unit = "s", needed = true, doc = "when it was seen first" },
    last = { "number", unit = "s", needed = true, doc = "when it was seen last" },
    count = { "whole", lower = 0, needed = true, doc = "how often it was seen" },
    run = { "whole", lower = 0, needed = true, doc = "the number of the run that saw it last" } },
}

--- The fields of a map.
kept.fields = {
  runs = { "whole", lower = 0, value = 0, doc = "how many runs it was kept over" },
  rooms = { "list", of = { "record", fields = rows.rooms }, doc = "parts of the floor with names" },
  places = { "list", of = { "record", fields = rows.places }, doc = "places with names" },
  doors = { "list", of = { "record", fields = rows.doors }, doc = "doors between rooms" },
  things = { "list", of = { "record", fields = rows.things }, doc = "what was seen" },
}

--- The error in a map's table; nil: none.
local function fault_of(data)
  if type(data) ~= "table" then return "a map's file must return a table" end
  for _, list in ipairs { "rooms", "places", "doors", "things" } do
    if type(data[list]) == "table" and #data[list] > memory.most[list] then
      return ("%s must be a list of at most %d"):format(list, memory.most[list])
    end
  end
  return schema.fault(data, kept.fields, "a map")
end

local function take(data)
  local map = memory.new()
  for _, row in ipairs(data.rooms or {}) do map:room(row.name, row.shape) end
  for _, row in ipairs(data.places or {}) do
    local place = map:remember(row.name, row.position, row.yaw or 0, row.time or 0)
    place.run = row.run or 0
  end
  for _, row in ipairs(data.doors or {}) do
    local yaw = row.yaw or 0
    local door = map:door(row.name, { position = row.position,
      orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } },
      row.rooms, row.time or 0)
    door.run = row.run or 0
  end
  for _, row in ipairs(data.things or {}) do
    map.things[#map.things + 1] = { kind = row.kind, id = row.id, position = row.position, size = row.size,
      first = row.first, last = row.last, count = row.count, run = row.run, room = map:room_of(row.position) }
  end
  map.run = (data.runs or 0) + 1
  return map
end

--- Parse a map's text: plain data, executed without access to anything. Return it, or nil and a sentence.
function kept.parse(text, name)
  local chunk, fault = load(text, "@" .. name, "t", {})
  if not chunk then return nil, fault end
  local good, data = dispatch.call(nil, dispatch.load, chunk)
  if not good then return nil, ("%s: %s"):format(name, (tostring(data):match "^[^\n]*")) end
  local why = fault_of(data)
  if why then return nil, ("%s: %s"):format(name, why) end
  return take(data)
end

--- Read a map from its file. Return it, or nil, a sentence and a code ("no_file" if there is none yet).
function kept.read(path)
  local text, why, code = file.read(path, largest)
  if not text then return nil, why, code end
  local map
  map, why = kept.parse(text, path)
  if not map then return nil, why, "format" end
  return map
end

return kept
