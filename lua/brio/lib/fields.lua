--- The types of fields of tables that people write, such as nodes of trees and behaviors: the name of a type
--- ("number", "string", "boolean", "function", "table", "any", ...), or a record
---
---     { "number", unit = "s", lower = 0, upper = 3600, value = 4, doc = "about how long" }
---     { "number", above = 0 }                      greater than 0
---     { "whole", lower = 1 }                        an integer
---     { "text" }                                    a string that is not empty
---     { "choice", of = { "left", "right" } }        one of these texts or numbers
---     { "vector", size = 3, unit = "m" }           a list of 3 numbers
---     { "pose" }                                    { position = {x, y, z}, orientation = {x, y, z, w} },
---                                                   both optional
---     { "list", of = "string" }
---     { "map", of = "number" }                      values by name
---     { "record", fields = { ... } }                a table with these fields, each described in this way
---     { "number", fault = function(value) ... end } a check: returns nil, or what follows the field's name
---     "table or string"                             a value of one of these types
---     "node"                                        another node, by name or id
---     { "skill" }                                   a function, or the name of one of the behavior's skills
---
--- `value` is the default. A field that is `needed` must be present. lib/schema.lua checks whole tables.
local suggest = require "brio.lib.suggest"

local fields = {}

--- Stands for a value in an edit of a tree: removes the field.
fields.none = setmetatable({}, { __name = "nothing" })

local huge = math.huge

--- Whether a value is a finite number.
function fields.is_number(value) return type(value) == "number" and value - value == 0 end

local is_number = fields.is_number

local function unit_of(field) return field.unit and field.unit ~= "" and " " .. field.unit or "" end

--- The error in a number, as the text after the field's name in a sentence; nil: valid.
local function number_fault(value, field)
  if type(value) ~= "number" then return "must be a number, not a " .. type(value) end
  local lower, upper, above = field.lower or -huge, field.upper or huge, field.above
  -- most are valid
  if value > -huge and value < huge and value >= lower and value <= upper
    and not (above and value <= above) then return nil end
  if not is_number(value) then return "must be a number, not " .. value end
  local unit = unit_of(field)
  if above and value <= above then return ("must be above %g%s, not %g"):format(above, unit, value) end
  if upper == math.huge then return ("must be at least %g%s, not %g"):format(lower, unit, value) end
  if lower == -math.huge then return ("must be at most %g%s, not %g"):format(upper, unit, value) end
  return ("must be from %g to %g%s, not %g"):format(lower, upper, unit, value)
end

local function vector_fault(value, field)
  local size = field.size or 3
  if type(value) ~= "table" or #value ~= size then return ("must be a list of %d numbers"):format(size) end
  for index = 1, size do -- # of a list with gaps may be that size, too
    local why = number_fault(value[index], field)
    if why then return why, ("[%d]"):format(index) end
  end
end

local function pose_fault(value)
  if type(value) ~= "table" then
    return "must be { position = {x, y, z}, orientation = {x, y, z, w} }, not a " .. type(value)
  end
  for key, part in next, value do
    local size = key == "position" and 3 or key == "orientation" and 4
    if not size then
      return ("has no part '%s'%s"):format(tostring(key),
        suggest.hint(tostring(key), { "position", "orientation" }))
    end
    local why = vector_fault(part, { size = size })
    if why then return key .. " " .. why end
  end
  local q = value.orientation
  local unit = not q or math.abs(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2 - 1) < 1e-3
  return not unit and "orientation must be a unit quaternion" or nil
end

--- Types with a check, by name: fault(value, field) -> the error, or nil; and where inside the value it is.
local types = { number = number_fault, vector = vector_fault, pose = pose_fault }
fields.types = types

function types.whole(value, field)
  if not is_number(value) or value ~= math.floor(value) then return "must be a whole number" end
  return number_fault(value, field)
end

--- Another node: its name, or its id.
function types.node(value)
  if type(value) == "string" or type(value) == "number" and math.tointeger(value) and value >= 0 then
    return nil
  end
  return "must be the name of a node or its id, not a " .. type(value)
end

function types.choice(value, field)
  if suggest.contains(field.of, value) then return nil end
  local names = table.concat(field.of, ", ")
  if type(value) == "number" then return ("must be one of %s, not %g"):format(names, value) end
  if type(value) ~= "string" then return ("must be one of %s, not a %s"):format(names, type(value)) end
  return ("must be one of %s, not '%s'%s"):format(names, value, suggest.hint(value, field.of))
end

function types.text(value)
  if type(value) == "string" and value ~= "" then return nil end
  return value == "" and "must be a text that is not empty" or "must be a text, not a " .. type(value)
end

function types.list(value, field)
  if type(value) ~= "table" then return "must be a list, not a " .. type(value) end
  for index = 1, #value do
    local why, where
    if field.of then why, where = fields.fault(value[index], field.of) end
    if why and where then return why, ("[%d]%s"):format(index, where) end
    if why then return ("item %d %s"):format(index, why) end
  end
end

function types.skill(value)
  if type(value) == "function" or type(value) == "string" then return nil end
  return "must be a function or the name of a skill, not a " .. type(value)
end

--- Whether all values are valid and have names; faster than a sorted check that finds the first fault.
local function is_sound_map(value, of)
  for key, one in next, value do
    if type(key) ~= "string" or of and fields.fault(one, of) then return false end
  end
  return true
end

--- Values by name, each of the type `of` if it is given.
function types.map(value, field)
  if type(value) ~= "table" then return "must be a table, not a " .. type(value) end
  if is_sound_map(value, field.of) then return nil end
  for _, key in ipairs(suggest.keys(value)) do
    local why, where
    if field.of then why, where = fields.fault(value[key], field.of) end
    if why then return why, "." .. key .. (where or "") end
  end
  for key in next, value do
    if type(key) ~= "string" then return "has an item without a name" end
  end
end

--- Whether there is a type of that name.
function fields.is_type(name)
  return types[name] ~= nil or suggest.contains({ "any", "string", "boolean", "function", "table" }, name)
end

--- The error in a field's value, as the text after its name in a sentence, and where inside the value it is
--- (".eyes.yaw", "[2]"; nil: the value itself); nil: valid.
function fields.fault(value, field)
  if type(field) == "string" then
    if not types[field] and (field == "any" or type(value) == field) then return nil end
    field = { field }
  end
  if field.fault then return field.fault(value) end
  local name = field[1]
  if types[name] and (name == "skill" or type(value) ~= "function") then return types[name](value, field) end
  if name == "any" or type(value) == name then return nil end
  if (" " .. name .. " "):find(" " .. type(value) .. " ", 1, true) then return nil end -- "table or string"
  return ("must be a %s, not a %s"):format(name, type(value))
end

--- A node's form (its fields by name) with the defaults of `list` for all missing values; the form itself if
--- none is missing.
function fields.filled(form, list)
  local filled
  for name, field in next, list do
    if type(field) == "table" and field.value ~= nil and form[name] == nil then
      if not filled then
        filled = {}
        for key, value in next, form do filled[key] = value end
      end
      filled[name] = field.value
    end
  end
  return filled or form
end

return fields
