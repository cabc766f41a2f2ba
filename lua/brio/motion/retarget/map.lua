--- The table of a mapping, checked: what its fields are stands in docs/animation/importing.md.
local skeleton = require "brio.motion.skeleton"
local suggest = require "brio.lib.suggest"

local map = {}

local angles = { "roll", "pitch", "yaw", "bend" }
local sides = { "left", "right" }

--- Raise a sentence, which map.fault catches.
local function refuse(where, ...) error({ map = where .. " " .. string.format(...) }, 0) end

local function is_number(value) return type(value) == "number" and value - value == 0 end

local function shown(value)
  return type(value) == "string" and ("'%s'"):format(value:sub(1, 40)) or tostring(value)
end

local function need_table(value, where)
  if type(value) ~= "table" then refuse(where, "must be a table, not %s", shown(value)) end
end

local function one_of(value, names, where)
  if not suggest.contains(names, value) then
    refuse(where, "must be one of %s, not %s%s", table.concat(names, ", "), shown(value),
      type(value) == "string" and suggest.hint(value, names) or "")
  end
end

local function text(value, where)
  if type(value) ~= "string" or value == "" then refuse(where, "must be a name, not %s", shown(value)) end
end

local function number(value, where)
  if not is_number(value) then refuse(where, "must be a finite number, not %s", shown(value)) end
end

local function optional(check)
  return function(value, where) if value ~= nil then check(value, where) end end
end

local function place(value, where)
  need_table(value, where)
  for axis = 1, 3 do number(value[axis], ("%s[%d]"):format(where, axis)) end
end

--- Check a table's fields by name; another is refused with the nearest name. A list in it is not checked.
local function fields(value, checks, where)
  need_table(value, where)
  for key in next, value do
    if type(key) == "string" and not checks[key] then
      local names = suggest.keys(checks)
      refuse(where, "has no field '%s'%s: there are %s", key, suggest.hint(key, names),
        table.concat(names, ", "))
    end
  end
  for _, key in ipairs(suggest.keys(checks)) do checks[key](value[key], where .. "." .. key) end
end

local scaled = { scale = optional(number), offset = optional(number) }

--- A track's DOF: its name, { name, scale =, offset = }, or false.
local function check_dof(spec, where)
  if spec == false or type(spec) == "string" then return end
  fields(spec, scaled, where)
  text(spec[1], where .. "[1]")
end

local function check_joint(spec, where, parts)
  local function part(value, at) one_of(value, parts, at) end
  fields(spec, { scale = optional(number), offset = optional(number), node = optional(text),
    to = optional(part) }, where)
  if spec.node then return one_of(spec[1], angles, where .. "[1]") end
  part(spec[1], where .. "[1]")
  one_of(spec[2], angles, where .. "[2]")
end

local function check_limb(spec, where)
  fields(spec, { chest = text, shoulder = text, elbow = text, hand = text }, where)
  one_of(spec[1], sides, where .. "[1]")
end

local function check_reach(spec, where, parts)
  fields(spec, { link = text, at = place, scale = optional(number), weight = optional(number) }, where)
  one_of(spec[1], parts, where .. "[1]")
end

--- A table of items by name, or a list of them, each checked.
local function each(check, is_list)
  return function(value, where, parts)
    if value == nil then return end
    need_table(value, where)
    for key, item in next, value do
      local right = is_list and math.type(key) == "integer" or not is_list and type(key) == "string"
      if not right then
        refuse(where, "has the key %s, expected %s", shown(key), is_list and "a list" or "names")
      end
      check(item, is_list and ("%s[%d]"):format(where, key) or where .. "." .. key, parts)
    end
  end
end

local rows = {
  { "dofs", each(check_dof) }, { "nodes", each(text) }, { "joints", each(check_joint) },
  { "limbs", each(check_limb, true) }, { "reach", each(check_reach, true) },
}

--- Names of parts of a body: the usual ones and those that the mapping itself names.
local function parts_of(value)
  local parts = table.move(skeleton.parts, 1, #skeleton.parts, 1, {})
  parts[#parts + 1] = "upright"
  for _, name in ipairs(suggest.keys(type(value.nodes) == "table" and value.nodes or {})) do
    parts[#parts + 1] = name
  end
  return parts
end

local function check(value)
  need_table(value, "a mapping")
  local names, parts = {}, parts_of(value)
  for index, row in ipairs(rows) do names[index] = row[1] end
  for _, key in ipairs(suggest.keys(value)) do one_of(key, names, "the mapping's field '" .. key .. "'") end
  for _, row in ipairs(rows) do row[2](value[row[1]], row[1], parts) end
end

--- The error in a mapping, a sentence that says where; nil: nothing.
function map.fault(value)
  local good, why = pcall(check, value)
  if good then return nil end
  if type(why) ~= "table" then error(why, 0) end
  return why.map
end

return map
