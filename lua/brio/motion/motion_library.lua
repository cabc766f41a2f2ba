--- The library of motions for robots that stand and walk: entries, each a Lua file of plain data, with an id,
--- an emotion, a control mode, trajectories and where they are from. After Li, Cummings, Sreenath, "Animated
--- Cassie", 2020.
local data_file = require "brio.io.data_file"
local disk = require "brio.io.files"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local library = {}

--- Maximum size of an entry's file, bytes.
local most_bytes = 1 << 26

--- Where an entry is from.
library.provenance_fields = {
  source = { "text", doc = "the file of the animation" },
  robot = { "text", doc = "digest of the robot's model" },
  rig = { "text", doc = "name of the rig" },
  version = { "text", doc = "of brio" },
  finish = { "text", doc = "how the optimization ended" },
  cost = { "number", doc = "of it" },
  violation = { "number", lower = 0, doc = "of constraints, scaled" },
  simulated = { "list", of = "string", doc = "what physics says of it" },
  notes = { "list", of = "string", doc = "about the import" },
}

--- The trajectory of one value.
local values = { "list", of = "number" }

--- An entry.
library.fields = {
  id = { "text", needed = true, doc = "unique in its library" },
  emotion = { "text", doc = "what it shows" },
  mode = { "choice", of = { "standing", "walking" }, needed = true, doc = "control mode" },
  feasible = { "boolean", needed = true,
    doc = "whether constraints hold; what is not feasible is an attempt, and no robot may play it" },
  robot = { "text", needed = true, doc = "what it is for" },
  times = { "list", of = "number", needed = true, unit = "s", doc = "of the nodes, rising from 0" },
  base = { "list", of = { "vector", size = 7 }, needed = true,
    doc = "position (m) and orientation (x, y, z, w) of the base at each node" },
  joints = { "map", of = values, needed = true, doc = "variable = values at the nodes, rad or m" },
  speeds = { "map", of = values, doc = "variable = speeds at the nodes, rad/s or m/s" },
  torques = { "map", of = values, doc = "variable = torques at the nodes, N m or N" },
  provenance = { "record", fields = library.provenance_fields, doc = "where it is from" },
}

--- An entry of what `brio feasible` made.
---@param made table { rig, result, good, notes, simulated }
---@param about table { id, emotion, source, version }
function library.of(made, about)
  local rig, motion, result = made.rig, made.result.motion, made.result
  local entry = { id = about.id, emotion = about.emotion, mode = "standing", feasible = made.good,
    robot = rig.name,
    times = {}, base = {}, joints = {}, speeds = {}, torques = {},
    provenance = { source = about.source, robot = rig.robot:hash(), rig = rig.name,
      version = about.version, finish = result.finish, cost = result.cost, violation = result.violation,
        simulated = made.simulated, notes = made.notes } }
  for _, variable in ipairs(rig.variables) do
    entry.joints[variable.name], entry.speeds[variable.name], entry.torques[variable.name] = {}, {}, {}
  end
  for index, node in ipairs(motion) do
    local p, q = node.configuration.base.position, node.configuration.base.orientation
    entry.times[index], entry.base[index] = node.time, { p[1], p[2], p[3], q[1], q[2], q[3], q[4] }
    for _, variable in ipairs(rig.variables) do
      local name = variable.name
      entry.joints[name][index] = node.configuration.joints[name]
      entry.speeds[name][index] = node.velocity.joints[name] or 0
      entry.torques[name][index] = node.torque[name] or 0
    end
  end
  return entry
end

local function number(value) return ("%.10g"):format(value) end

local function name_of(key) return key:match "^[%a_][%w_]*$" and key or ("[%q]"):format(key) end


--- A list of numbers in lines of at most 100 columns.
local function numbers(list, indent)
  local lines, line = {}, indent
  for _, value in ipairs(list) do
    local text = number(value) .. ", "
    if #line + #text > 100 then
      lines[#lines + 1], line = line, indent
    end
    line = line .. text
  end
  lines[#lines + 1] = line
  return "{\n" .. table.concat(lines, "\n") .. "\n" .. indent:sub(3) .. "}"
end

local function write(value, indent)
  if type(value) == "number" then return number(value) end
  if type(value) ~= "table" then return type(value) == "string" and ("%q"):format(value)
    or tostring(value) end
  if type(value[1]) == "number" and #value ~= 7 then return numbers(value, indent .. "  ") end
  local parts = {}
  for _, one in ipairs(value) do
    if type(one) == "table" and #one == 7 then
      local row = {}
      for index = 1, 7 do row[index] = number(one[index]) end
      parts[#parts + 1] = indent .. "  { " .. table.concat(row, ", ") .. " },"
    else
      parts[#parts + 1] = indent .. "  " .. write(one, indent .. "  ") .. ","
    end
  end
  for _, key in ipairs(suggest.keys(value)) do
    parts[#parts + 1] = ("%s  %s = %s,"):format(indent, name_of(key), write(value[key], indent .. "  "))
  end
  return "{\n" .. table.concat(parts, "\n") .. "\n" .. indent .. "}"
end

--- The text of an entry's file.
function library.text(entry)
  local fault = library.fault(entry)
  if fault then error("library.text: " .. fault, 2) end
  return "return " .. write(entry, "") .. "\n"
end

--- The error in an entry, a sentence; nil: valid.
function library.fault(entry)
  local fault = schema.fault(entry, library.fields, "motion")
  if fault then return fault end
  local count = #entry.times
  for index = 2, count do
    if entry.times[index] <= entry.times[index - 1] then
      return ("motion: times[%d] is %g s, expected later than %g s"):format(index, entry.times[index],
        entry.times[index - 1])
    end
  end
  if #entry.base ~= count then
    return ("motion: base has %d rows, expected %d, one for each time"):format(#entry.base, count)
  end
  for _, field in ipairs { "joints", "speeds", "torques" } do
    for _, name in ipairs(suggest.keys(entry[field] or {})) do
      if #entry[field][name] ~= count then
        return ("motion: %s.%s has %d values, expected %d, one for each time"):format(field, name,
          #entry[field][name], count)
      end
    end
  end
end

--- Read an entry's file. Return it, or nil and a sentence.
function library.read(path)
  local text, reason = disk.read(path, most_bytes)
  if not text then return nil, reason end
  local entry, why = data_file.parse(text, path, library.fields)
  if not entry then return nil, why end
  local fault = library.fault(entry)
  if fault then return nil, path .. ": " .. fault end
  return entry
end

--- The entries below a folder: a list of { path, entry } or { path, reason }, by path. Files that are no
--- entries of a library are left out; an id that is there twice is the reason of the second one.
---@param paths string[] of Lua files
---@return table list
function library.list(paths)
  local list, seen = {}, {}
  for _, path in ipairs(paths) do
    local text = disk.read(path, most_bytes)
    if text and text:find("mode = \"", 1, true) and text:find("feasible = ", 1, true) then
      local entry, why = library.read(path)
      if entry and seen[entry.id] then
        entry, why = nil, ("%s: the id '%s' is that of %s, too"):format(path, entry.id, seen[entry.id])
      end
      if entry then seen[entry.id] = path end
      list[#list + 1] = { path = path, entry = entry, reason = why }
    end
  end
  return list
end

return library
