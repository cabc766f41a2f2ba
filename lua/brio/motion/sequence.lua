--- Sequences: motion as keyframes on tracks, one track for each DOF, with events and sounds on the same time
--- line.  A sequence is a plain table, and its file a Lua file that returns one; the fields are described in
--- docs/animation/sequences.md.
---
---     local sequence = require "brio.motion.sequence"
---     local nod = sequence.describe { tracks = { HeadPitch = { { 0, kind = "input" }, { 0.4, 0.2 } } } }
---     print(sequence.text(nod))                         -- the file's text: it reads back as it was
---     local wave, why = sequence.read "sequences/wave.lua"
local dispatch = require "brio.io.dispatch"
local field_types = require "brio.lib.fields"
local file = require "brio.io.files"
local motion = require "brio.motion"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local sequence = {}

--- Maximum number of keys and events of a sequence; maximum size of its file, bytes.
sequence.most_keys = 1000000
sequence.most_bytes = 1 << 26

--- How the text of a sequence is executed: a large one may take longer, as much again for each megabyte.
function sequence.loading(text) return { budget = dispatch.budgets.load * (1 + #text / 1e6) } end

--- Units of values, with their size in rad; metres and plain numbers are the same in "rad" and "deg".
sequence.units = { rad = 1, deg = math.pi / 180, normalized = 1 }

--- Raise an error, which sequence.check catches.
local function refuse(where, ...) error({ where = where, message = string.format(...) }, 0) end

local function shown(value)
  if type(value) == "number" then return ("%.6g"):format(value) end
  if type(value) == "string" then return ("'%s'"):format(value:sub(1, 60)) end
  return "a " .. type(value)
end

-- Fields ------------------------------------------------------------------------------------------

local is_number = field_types.is_number

--- Raise the error in a value by its field's record (lib/fields.lua).
local function must_be(value, where, field)
  local why, at = field_types.fault(value, field)
  if why then refuse(where .. (at or ""), "%s", why) end
end

local function text_fault(value)
  local why = field_types.fault(value, "text")
  return why or not utf8.len(value) and "must be a text in UTF-8" or nil
end

local a_text = { "text", fault = text_fault }
local seconds = { "number", unit = "s", lower = 0, upper = 1e6 }
local pair = { "vector", size = 2, lower = -1e9, upper = 1e9 }

local function table_at(value, where)
  if type(value) ~= "table" then refuse(where, "must be a table, not %s", shown(value)) end
end

--- Raise the error in a table's fields by name; `list`: it may also have items.
local function known_fields(value, where, record, list)
  local count, names, odd = #value, {}, nil
  for key in next, value do
    if type(key) == "string" then names[#names + 1] = key
    elseif not (list and math.type(key) == "integer" and key >= 1 and key <= count) then odd = key end
  end
  if names[2] then table.sort(names) end
  for _, key in ipairs(names) do
    if not record[key] then
      refuse(where, "has no field '%s'%s", key, suggest.hint(key, suggest.keys(record)))
    end
  end
  if odd ~= nil then refuse(where, "has the key %s, which means nothing here", shown(odd)) end
  for _, key in ipairs(names) do must_be(value[key], where .. "." .. key, record[key]) end
end

local function names_of(rows)
  local names = {}
  for index, row in ipairs(rows) do names[index] = row.name end
  return names
end

local kinds = {}
for _, row in ipairs(motion.kinds()) do kinds[row.name] = row end

local curve = { "choice", of = names_of(motion.curves()), value = "linear",
  doc = "interpolation between keys" }
local unit = { "choice", of = suggest.keys(sequence.units), value = "rad", doc = "of values" }

--- The fields of a key other than its time and value.
sequence.key_fields = {
  kind = { "choice", of = names_of(motion.kinds()), value = "normal", doc = "where its value is from" },
  curve = curve,
  into = { "vector", size = 2, doc = "handle of a curve that ends here: { s, value }" },
  out = { "vector", size = 2, doc = "handle of a curve that begins here: { s, value }" },
}
local key_fields = sequence.key_fields

--- Check the value that a key of this kind must have.
local function check_value(key, kind, where)
  local value = key[2]
  if kind.value == "none" then
    if value ~= nil then
      refuse(where, "of kind '%s' has no value, but there is %s", kind.name, shown(value))
    end
  elseif kind.value == "range" then
    if type(value) ~= "table" then
      refuse(where, "of kind '%s' needs a range {least, most}, not %s", kind.name, shown(value))
    end
    must_be(value, where .. "[2]", pair)
    if value[1] > value[2] then
      refuse(where, "has a range upside down: %g is above %g", value[1], value[2])
    end
  elseif not is_number(value) then
    refuse(where, "of kind '%s' needs a finite number as its value, not %s", kind.name, shown(value))
  end
end

local function check_key(key, where, before)
  table_at(key, where)
  if key.kind ~= nil then must_be(key.kind, where .. ".kind", key_fields.kind) end
  local kind = kinds[key.kind or "normal"]
  if not is_number(key[1]) then
    refuse(where, "needs a finite time in seconds first, not %s", shown(key[1]))
  end
  must_be(key[1], where .. "[1]", seconds)
  if before and not (key[1] > before) then
    refuse(where, "is at %g s, which must be after the key before it, at %g s", key[1], before)
  end
  check_value(key, kind, where)
  for field, value in next, key do
    if type(field) == "string" and key_fields[field] then
      must_be(value, where .. "." .. field, key_fields[field])
    elseif field ~= 1 and field ~= 2 then
      refuse(where, "has no field %s%s: there are a time, a value, %s", shown(field),
        suggest.hint(tostring(field), suggest.keys(key_fields)), table.concat(suggest.keys(key_fields), ", "))
    end
  end
  if key.into and key.into[1] > 0 then
    refuse(where .. ".into", "must lead back: its first number is 0 or less, in seconds")
  end
  if key.out and key.out[1] < 0 then
    refuse(where .. ".out", "must lead on: its first number is 0 or more, in seconds")
  end
end

--- Whether a key is a simple one, {time, value} with a kind or without, which needs no further check.
local function is_usual(key, before)
  if type(key) ~= "table" then return false end
  local time, value, kind = key[1], key[2], kinds[key.kind or "normal"]
  local timely = is_number(time) and time >= 0 and time <= 1e6 and (not before or time > before)
  if not (kind and timely) then return false end
  for field in next, key do
    if field ~= 1 and field ~= 2 and field ~= "kind" then return false end
  end
  if kind.value == "none" then return value == nil end
  return kind.value ~= "range" and is_number(value)
end

--- The fields of a track other than its keys.
sequence.track_fields = {
  unit = unit, curve = curve,
  active = { "boolean", value = true, doc = "false: it does not play" },
  follow = { "number", lower = 0.001, upper = 100000, doc = "weight with which joints follow it" },
  alive = { "number", lower = 0, upper = 1, value = 0, doc = "share of liveliness on top of it" },
}

local function check_track(track, where, count)
  table_at(track, where)
  known_fields(track, where, sequence.track_fields, true)
  if #track == 0 then refuse(where, "has no keys") end
  if count + #track > sequence.most_keys then
    refuse(where, "brings the sequence to %d keys, and there may be %d", count + #track, sequence.most_keys)
  end
  local before
  for index = 1, #track do
    local key = track[index]
    if not is_usual(key, before) then check_key(key, ("%s[%d]"):format(where, index), before) end
    before = key[1]
  end
  return count + #track
end

--- A check of a list of {time, name, fields...}, in order of time.
local function check_cues(fields)
  return function(list, where)
    table_at(list, where)
    local before = 0
    for index, cue in ipairs(list) do
      local at = ("%s[%d]"):format(where, index)
      table_at(cue, at)
      known_fields(cue, at, fields, true)
      must_be(cue[1], at .. "[1]", seconds)
      must_be(cue[2], at .. "[2]", a_text)
      if cue[3] ~= nil then refuse(at, "has more than a time and a name") end
      if cue[1] < before then refuse(at, "is at %g s, before the one above it, at %g s", cue[1], before) end
      before = cue[1]
    end
    known_fields(list, where, {}, true)
  end
end

--- Check plain data: numbers, texts, booleans and tables of these.
local function plain(value, where, depth)
  local kind = type(value)
  if kind == "table" then
    if (depth or 0) > 16 then refuse(where, "has tables more than 16 deep") end
    for key, item in next, value do
      if type(key) ~= "string" and math.type(key) ~= "integer" then
        refuse(where, "has a key that is %s", shown(key))
      end
      plain(item, ("%s.%s"):format(where, key), (depth or 0) + 1)
    end
  elseif kind ~= "string" and kind ~= "boolean" and not is_number(value) then
    refuse(where, "must be plain data, not %s", shown(value))
  end
end

local function check_loop(loop, where)
  table_at(loop, where)
  known_fields(loop, where, { times = { "whole", lower = 1, upper = 1e6 } }, true)
  must_be(loop[1], where .. "[1]", seconds)
  must_be(loop[2], where .. "[2]", seconds)
  if loop[3] ~= nil or not (loop[2] > loop[1]) then
    refuse(where, "must be {from, to} in seconds, with to after from")
  end
end

local function check_fade(fade, where)
  local of = { "number", unit = "s", lower = 0, upper = 60 }
  if type(fade) == "table" then of = { "vector", size = 2, unit = "s", lower = 0, upper = 60 } end
  must_be(fade, where, of)
end

local function check_tracks(tracks, where)
  table_at(tracks, where)
  local count = 0
  for key in next, tracks do
    if type(key) ~= "string" or key == "" then
      refuse(where, "must be tracks by the name of their DOF, not %s", shown(key))
    end
  end
  for _, name in ipairs(suggest.keys(tracks)) do
    count = check_track(tracks[name], where .. "." .. name, count)
  end
end

--- A raising check as the `fault` of a field.
local function by(check)
  return function(value)
    local good, why = pcall(check, value, "")
    if good then return nil end
    if type(why) ~= "table" then error(why, 0) end
    return why.message, why.where ~= "" and why.where or nil
  end
end

local function cues(doc, record) return { "list", fault = by(check_cues(record)), doc = doc } end
local function described(doc) return { "text", fault = text_fault, doc = doc } end

--- The fields of a sequence.
sequence.fields = {
  name = described "of the sequence", about = described "what it is", robot = described "it was made for",
  source = described "its source",
  rate = { "number", unit = "Hz", lower = 0.01, upper = 10000, doc = "frames of its editor, for export" },
  unit = unit, curve = curve, follow = sequence.track_fields.follow, alive = sequence.track_fields.alive,
  emotion = { "number", lower = 0, upper = 1, value = 1,
    doc = "how much the emotion changes its speed and size" },
  priority = { "number", lower = -1000, upper = 1000, value = 0, doc = "the higher one is on top" },
  fade = { "number or list", unit = "s", value = 0.25, fault = by(check_fade),
    doc = "of the cross-fade at a jump, or { in, out }" },
  length = { "number", unit = "s", lower = 0, upper = 1e6, doc = "none: until the last key or cue" },
  loop = { "list", fault = by(check_loop), doc = "{ from, to, times = }, s" },
  events = cues("{ s, name, data = }, in the order of time", { data = { "any", fault = by(plain) } }),
  audio = cues("{ s, file, gain = }, in the order of time",
    { gain = { "number", lower = 0, upper = 10 } }),
  tracks = { "map", needed = true, fault = by(check_tracks), doc = "DOF = { { s, value, ... }, ... }" },
}

local function check(description)
  local length, whole = description.length, sequence.length(description)
  if length and whole > length + 1e-9 then
    refuse("sequence.length", "is %g s, but there is something at %g s", length, whole)
  end
  local loop = description.loop
  if loop and loop[2] > math.max(whole, length or 0) + 1e-9 then
    refuse("sequence.loop", "ends at %g s, after the sequence's own end at %g s", loop[2],
      math.max(whole, length or 0))
  end
end

-- Public functions ------------------------------------------------------------------------------------

--- Check a description: nil, or a sentence with the error and its position.
function sequence.fault(description)
  local fault = schema.fault(description, sequence.fields, "sequence")
  if fault then return (fault:gsub("^sequence: ", "")) end
  local good, why = pcall(check, description)
  if good then return nil end
  if type(why) ~= "table" then error(why, 0) end
  return (why.where:gsub("^sequence%.", "")) .. " " .. why.message
end

local function copied(value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, item in next, value do made[key] = copied(item) end
  return made
end

--- A copy of a valid description; raises if it is invalid.
function sequence.describe(description)
  local fault = sequence.fault(description)
  if fault then error("a sequence: " .. fault, 2) end
  return copied(description)
end

--- The time of the last item of a sequence, s; `length`, if given, is its end.
function sequence.length(description)
  local last = 0
  for _, track in next, description.tracks do
    local key = track[#track]
    if key then last = math.max(last, key[1]) end
  end
  for _, list in ipairs { description.events or {}, description.audio or {} } do
    if list[#list] then last = math.max(last, list[#list][1]) end
  end
  return math.max(last, description.length or 0)
end

--- The number of its keys.
function sequence.count(description)
  local count = 0
  for _, track in next, description.tracks do count = count + #track end
  return count
end

--- Parse the text of a sequence's file, named `name`.  Nothing but pi is in its environment.  Return the
--- description, or nil, a sentence and "format".
function sequence.parse(source, name)
  if #source > sequence.most_bytes then
    return nil, ("%s: has %d bytes, and a sequence may have %d"):format(name, #source, sequence.most_bytes),
      "limit"
  end
  local chunk, why = load(source, "@" .. name, "t", { pi = math.pi })
  if not chunk then return nil, why:find(name, 1, true) and why or ("%s: %s"):format(name, why), "format" end
  local good, made = dispatch.call(nil, sequence.loading(source), chunk)
  if not good then
    made = tostring(made):match("^(.-)\nstack traceback") or tostring(made)
    return nil, made:find(name, 1, true) and made or ("%s: %s"):format(name, made), "format"
  end
  local fault
  if type(made) == "table" then
    fault = sequence.fault(made)
  else
    fault = "must return the table of a sequence"
  end
  if fault then return nil, ("%s: %s"):format(name, fault), "format" end
  return made
end

--- Read the text of a sequence's file, for sequence.parse.  Return it, or nil, a sentence and a code.
function sequence.source(path) return file.read(path, sequence.most_bytes) end

--- Read a sequence's file.  Return it, or nil, a sentence and a code.
function sequence.read(path)
  local source, why, code = sequence.source(path)
  if not source then return nil, why, code end
  return sequence.parse(source, path)
end

-- Writing -------------------------------------------------------------------------------------------

--- A number with the fewest digits that read back to the same.
local function written_number(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  for digits = 6, 17 do
    local made = ("%." .. digits .. "g"):format(value)
    if tonumber(made) == value then
      return (digits == 6 or made:find "[.e]") and made or made .. ".0"
    end
  end
  return ("%.17g"):format(value)
end

local function written_text(value) return (("%q"):format(value):gsub("\\\n", "\\n")) end

local reserved = {}
for word in (
  [[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do reserved[word] = true end

local function written_name(name)
  if name:match "^[%a_][%w_]*$" and not reserved[name] then return name end
  return "[" .. written_text(name) .. "]"
end

--- A value on one line: a list's items first, then fields by name.
local function written(value)
  if type(value) == "number" then return written_number(value) end
  if type(value) == "string" then return written_text(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts, others = {}, {}
  for index, item in ipairs(value) do parts[index] = written(item) end
  for key in next, value do
    if math.type(key) == "integer" and not (key >= 1 and key <= #parts) then others[#others + 1] = key end
  end
  table.sort(others)
  for _, key in ipairs(others) do parts[#parts + 1] = ("[%d] = %s"):format(key, written(value[key])) end
  for _, name in ipairs(suggest.keys(value)) do
    parts[#parts + 1] = written_name(name) .. " = " .. written(value[name])
  end
  return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
end

local function put_list(lines, name, list)
  lines[#lines + 1] = ("  %s = {"):format(name)
  for _, item in ipairs(list) do lines[#lines + 1] = "    " .. written(item) .. "," end
  lines[#lines + 1] = "  },"
end

local function put_track(lines, name, track)
  local said = {}
  for _, field in ipairs(suggest.keys(track)) do
    said[#said + 1] = ("%s = %s,"):format(field, written(track[field]))
  end
  lines[#lines + 1] = ("    %s = {%s"):format(written_name(name),
    #said > 0 and " " .. table.concat(said, " ") or "")
  for _, key in ipairs(track) do lines[#lines + 1] = "      " .. written(key) .. "," end
  lines[#lines + 1] = "    },"
end

--- The order of the top-level fields in a file.
local header = { "name", "about", "robot", "source", "unit", "curve", "rate", "follow", "alive", "emotion",
  "priority", "fade", "length", "loop" }

--- The text of a sequence's file: it reads back to the same description.
function sequence.text(description)
  local lines = { "return {" }
  for _, field in ipairs(header) do
    local value = description[field]
    if value ~= nil then lines[#lines + 1] = ("  %s = %s,"):format(field, written(value)) end
  end
  if description.events then put_list(lines, "events", description.events) end
  if description.audio then put_list(lines, "audio", description.audio) end
  lines[#lines + 1] = "  tracks = {"
  for _, name in ipairs(suggest.keys(description.tracks)) do
    put_track(lines, name, description.tracks[name])
  end
  lines[#lines + 1] = "  },"
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end

return sequence
