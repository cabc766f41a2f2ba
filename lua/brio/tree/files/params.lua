--- Typed parameters of a behavior tree: the arguments of a tree in a file of its own, or of a skill.
---
---     params = { side = { "choice", "left", "right" }, height = { "number", unit = "m", lower = 0, upper =
---       2, value = 1 } }
---
--- In JSON a record is an object: {"type": "choice", "of": ["left", "right"]}.  A parameter without a
--- default `value` is required. A node uses "$height" for the value itself and "{side}" inside a longer
--- text.
local fields = require "brio.lib.fields"
local suggest = require "brio.lib.suggest"

local params = {}

--- The record of a parameter in the form of lib/fields.lua: a choice may also list its values as items, and
--- JSON has `type`.
local function field_of(record)
  if type(record) == "string" then return { record } end
  if not (record.type or record[1] == "choice" and record[2]) then return record end
  local field = {}
  for key, value in next, record do field[key] = value end
  field[1], field.type = record.type or record[1], nil
  if field[1] == "choice" and not field.of then field.of = table.move(record, 2, #record, 1, {}) end
  return field
end

local known = { unit = "string", lower = "number", upper = "number", doc = "string", size = "number",
  of = "any", value = "any" }
local type_names = { "number", "whole", "string", "boolean", "choice", "vector", "pose", "list", "table" }

local function fault_of_choices(field)
  for _, one in ipairs(type(field.of) == "table" and field.of or {}) do
    if type(one) ~= "string" then return "is among texts, not a " .. type(one) end
  end
  if type(field.of) ~= "table" or #field.of == 0 then
    return "is among texts, as in { \"choice\", \"left\", \"right\" }"
  end
end

--- The error in the record of one parameter, in words; nil: none.
local function fault_of_record(name, record)
  local what = ("parameter '%s'"):format(name)
  if not name:match "^[%a_][%w_]*$" then return what .. ": a name is made of letters, digits and '_'" end
  if type(record) ~= "table" and type(record) ~= "string" then
    return ("%s must be a type's name or a table, not a %s"):format(what, type(record))
  end
  local field = field_of(record)
  if not suggest.contains(type_names, field[1]) then
    local said = type(field[1]) == "string" and field[1] or "a " .. type(field[1])
    return ("%s: there is no type '%s'%s: known are %s"):format(what, said, suggest.hint(said, type_names),
      table.concat(type_names, ", "))
  end
  for _, key in ipairs(suggest.keys(field)) do
    local expected = known[key]
    if not expected then
      return ("%s has no '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(known)))
    end
    local fault = fields.fault(field[key], expected)
    if fault then return ("%s: %s %s"):format(what, key, fault) end
  end
  local fault = field[1] == "choice" and fault_of_choices(field)
  if fault then return ("%s %s"):format(what, fault) end
  if field[1] == "list" and field.of ~= nil
      and not (type(field.of) == "string" and fields.is_type(field.of)) then
    return what .. ": a list is of a type's name"
  end
  fault = field.value ~= nil and fields.fault(field.value, field)
  return fault and ("%s: its value %s"):format(what, fault) or nil
end

--- The error in a table of parameters: a list of sentences.
function params.faults(said)
  if type(said) ~= "table" then
    return { ("params is a table of parameters by name, not a %s"):format(type(said)) }
  end
  local list = {}
  if #said > 0 then list[1] = "params: each parameter has a name" end
  for _, name in ipairs(suggest.keys(said)) do list[#list + 1] = fault_of_record(name, said[name]) end
  return list
end

local samples = { string = "...", boolean = false, table = {}, list = {}, pose = {} }

--- A valid value of a parameter.
local function sample_of(field)
  if field[1] == "choice" then return field.of[1] end
  if field[1] == "vector" then
    local value = {}
    for index = 1, math.min(field.size or 3, 100) do value[index] = 0 end
    return value
  end
  local value = samples[field[1]]
  if value ~= nil then return value end
  return math.min(math.max(0, field.lower or 0), field.upper or math.huge)
end

--- The values of parameters with `given` arguments: {name = value}, and a list of sentences on errors.
--- `sample`: missing ones get a valid value, so that a tree can be shown by itself.
function params.values(said, given, sample)
  local values, faults = {}, {}
  for _, name in ipairs(suggest.keys(given or {})) do
    if not said[name] then
      faults[#faults + 1] = ("there is no parameter '%s'%s"):format(name,
        suggest.hint(name, suggest.keys(said)))
    end
  end
  for _, name in ipairs(suggest.keys(said)) do
    local field = field_of(said[name])
    local value = given and given[name]
    if value == nil then value = field.value end
    if value == nil and sample then value = sample_of(field) end
    if value == nil then
      faults[#faults + 1] = ("parameter '%s' is not given, and has no value of its own"):format(name)
    else
      local fault = fields.fault(value, field)
      if fault then faults[#faults + 1] = ("parameter '%s' %s"):format(name, fault) end
      values[name] = value
    end
  end
  return values, faults
end

--- Maximum number of values that are shown of one, in all its parts.
params.most_shown = 40

--- A value in words; `left`: the number of values that may still be shown.
local function shown(value, left)
  left.values = left.values - 1
  if type(value) == "number" then return ("%.6g"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  local function add(label, item)
    if left.values > 0 then parts[#parts + 1] = label .. shown(item, left)
    elseif parts[#parts] ~= "..." then parts[#parts + 1] = "..." end
  end
  for _, item in ipairs(value) do add("", item) end
  for _, key in ipairs(suggest.keys(value)) do add(key .. " ", value[key]) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

--- A short text of a value for people.
function params.shown(value) return shown(value, { values = params.most_shown }) end

--- The parameters for people, one line each.
function params.lines(said)
  local lines = {}
  for _, name in ipairs(suggest.keys(said)) do
    local field = field_of(said[name])
    local words = { field[1] == "choice" and table.concat(field.of, " or ") or field[1] }
    if field.unit then words[1] = words[1] .. " in " .. field.unit end
    if field.lower or field.upper then
      words[#words + 1] = ("from %g to %g"):format(field.lower or -math.huge, field.upper or math.huge)
    end
    if field.value ~= nil then words[#words + 1] = params.shown(field.value) .. " unless given" end
    if field.doc then words[#words + 1] = "-- " .. field.doc end
    lines[#lines + 1] = ("param %s: %s"):format(name, table.concat(words, ", "))
  end
  return lines
end

-- Replacing names by values ---------------------------------------------------------------------------------

--- Maximum depth of nested values.
local deepest = 16

local function inside_text(text, values, fault)
  return (text:gsub("({?){([%a_][%w_]*)}", function(escaped, name)
    if escaped ~= "" then return nil end
    local value = values[name]
    if value == nil then
      local hint = suggest.hint(name, suggest.keys(values))
      fault(("'{%s}' is no parameter here%s; a brace itself is written twice"):format(name, hint))
    elseif type(value) == "number" then return math.type(value) == "integer" and tostring(value)
        or ("%.14g"):format(value)
    elseif type(value) == "string" or type(value) == "boolean" then return tostring(value)
    else fault(("'{%s}' is inside a text, but is not a text or number"):format(name)) end
  end):gsub("{{([%a_][%w_]*)}}?", "{%1}"))
end

--- A value with all names of parameters in it replaced; the same value if there are none.  Errors are
--- reported to fault(sentence).
function params.resolve(value, values, fault, depth)
  if type(value) == "string" then
    if value:byte() == 36 then -- a dollar
      if value:byte(2) == 36 then return value:sub(2) end
      local name = value:match "^%$([%a_][%w_]*)$"
      if name and values[name] ~= nil then return values[name] end
      if name then
        fault(("'$%s' is no parameter here%s"):format(name,
          suggest.hint(name, suggest.keys(values)))) return nil
      end
    end
    return value:find("{", 1, true) and inside_text(value, values, fault) or value
  elseif type(value) ~= "table" or (depth or 0) > deepest then
    return value
  end
  local made
  for key, item in next, value do
    local now = params.resolve(item, values, fault, (depth or 0) + 1)
    if now ~= item then
      if not made then
        made = {}
        for k, v in next, value do made[k] = v end
      end
      made[key] = now
    end
  end
  return made or value
end

return params
