--- A session script: the steps of a session with the robot, for the person at the desk.
---
---     local brio = require "brio"
---     return brio.session {
---       name = "greeting", slots = { name = { ask = "the child's first name" } },
---       before = { "consent is there", "the camera runs" },
---       keys = { f1 = "play nod", h = "hush" },
---       steps = {
---         { "welcome", text = "The child sits down.", expect = 'say "hello, {name}"' },
---         { "ask", text = "Ask for its day.", expect = "say how was your day?", go = { y = "glad", n =
---           "sorry" }, warn = 20 },
---         { "glad", cue = "play nod", after = { 5, "goodbye" } },
---         { "sorry", text = "Comfort it.", expect = "feel sad ..." },
---         { "goodbye", expect = "say goodbye" },
---       },
---     }
---
--- It is data and small functions; session/player.lua executes it.  See docs/operators/desk.md.
local field_types = require "brio.lib.fields"
local keynames = require "brio.operator.session.keynames"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local session = {}

local made = { __name = "session" }

--- Mark the value that a session script's file returns.
---@param fields table
---@return table
function session.define(fields)
  if type(fields) ~= "table" then error("brio.session expects a table of fields", 2) end
  return setmetatable({ fields = fields }, made)
end

--- The fields of a result of brio.session; nil for other values.
function session.described(value)
  return type(value) == "table" and getmetatable(value) == made and value.fields or nil
end

-- Checking ------------------------------------------------------------------------------------------------

local function line_fault(value)
  if type(value) ~= "string" or not value:find "%S" or value:find "[%c]" then
    return "must be a line of the prompt"
  end
end

local a_line = { "text", fault = line_fault }

--- The check of a value that may be one item or a list of items.
local function one_or_list(of, expected)
  return function(value)
    if type(value) ~= "table" then
      return field_types.fault(value, of) and "must be " .. expected or nil
    end
    return field_types.fault(value, { "list", of = of })
  end
end

local lines_fault = one_or_list(a_line, "a line, or a list of lines")

--- A line, a list of alternative lines, or a function of the executed line.
local function expectation_fault(value)
  if type(value) ~= "function" then return lines_fault(value) end
end

--- { seconds, "step" }
local function timer_fault(value)
  local good = type(value) == "table" and #value <= 2 and type(value[1]) == "number" and value[1] > 0
    and value[1] < math.huge
    and (value[2] == nil or type(value[2]) == "function" or not field_types.fault(value[2], "text"))
  return not good and "must be { seconds, \"step\" }, with more than 0 s" or nil
end

--- The fields of `when`.
session.when_fields = {
  event = { "text", doc = "it comes when this happens" },
  state = { "text", doc = "it comes in this state" },
  after = { "number", unit = "s", lower = 0, doc = "time from the start of the step" },
  speech = { "boolean", doc = "true: it comes when the robot has spoken" },
}

local function condition_fault(value)
  if type(value) == "function" then return nil end
  return field_types.fault(value, { "record", fields = session.when_fields })
end

--- The check of a table, by name, of values that a record describes: `named(name)` checks a name.
local function named(of, name_fault)
  return function(value)
    local why, where = field_types.fault(value, { "map", of = of })
    if why then return why, where end
    for _, name in ipairs(suggest.keys(value)) do
      local wrong = name_fault(name)
      if wrong then return "must be " .. wrong, "." .. name end
    end
  end
end

local function key_fault(name) return keynames.fault(name) end

--- The name of a branch: a key, or an answer.
local function branch_fault(name)
  local why = not name:match "^%a[%w_%-]+$" and keynames.fault(name)
  return why and why .. ", or an answer of several letters" or nil
end

local function slot_fault(name)
  return not name:find "^[%a_][%w_]*$" and "named with letters, digits and _, as {name} in a line" or nil
end

local target = { "text or function", doc = "a step, or a function that returns its name",
  fault = function(value)
    if type(value) ~= "function" then return field_types.fault(value, "text") end
  end }

local function item_fault(value)
  if type(value) ~= "table" then return field_types.fault(value, "text") end
  local checks = value.check == nil or type(value.check) == "function"
  if field_types.fault(value[1], "text") or #value > 1 or not checks then
    return "must be a text, or { text, check = function }"
  end
end

--- The fields of a slot.
session.slot_fields = { ask = { "text", doc = "description of the slot" },
  default = { "text", doc = "its value until then" } }

--- Words with another meaning after `step` cannot be names of steps.
local taken = { next = true, back = true, ["end"] = true, ["next anyway"] = true }

local function step_name_fault(name)
  local why = field_types.fault(name, "text")
  if why then return why end
  if taken[name] or tonumber(name) or name:find "^%s" or name:find "%s$" or name:find "%c" then
    name = name:gsub("%c", "?")
    return ("must be named otherwise than '%s': step %s means something else"):format(name, name)
  end
end

local function by_name(what) return { "map", of = target, doc = what .. " = the step that it leads to" } end

--- The fields of a step.
session.step_fields = {
  { "text", needed = true, fault = step_name_fault, doc = "its name" },
  text = { "text", doc = "instructions for the person at the desk" },
  who = { "text or list", fault = one_or_list({ "text" }, "a name, or a list of names"),
    doc = "whose step it is" },
  cue = { "text or list", fault = lines_fault, doc = "lines that are done when it begins" },
  when = { "table or function", fault = condition_fault, doc = "when its cue comes" },
  expect = { "text, list or function", fault = expectation_fault, doc = "lines, one of which is expected" },
  keys = { "map", of = a_line, fault = named(a_line, key_fault), doc = "key = line, in this step" },
  go = { "map", of = target, fault = named(target, branch_fault), doc = "key or answer = step" },
  on = by_name "event", states = by_name "state",
  warn = { "number", unit = "s", above = 0, doc = "a warning comes after this" },
  late = { "number", unit = "s", above = 0, doc = "an action later than this after the cue is late" },
  after = { "list", fault = timer_fault, doc = "{ seconds, step }: continues automatically" },
  next = target,
}

--- The fields of a session script.
session.fields = {
  name = { "text", needed = true, doc = "of the script" }, title = { "text", doc = "for people" },
  late = session.step_fields.late,
  slots = { "map", of = { "record", fields = session.slot_fields },
    fault = named({ "record", fields = session.slot_fields }, slot_fault),
    doc = "the slots of its lines: name = value or description" },
  before = { "list", of = { "text or table", fault = item_fault },
    doc = "a checklist before the first step" },
  after = { "list", of = { "text or table", fault = item_fault }, doc = "a checklist after the last" },
  keys = { "map", of = a_line, fault = named(a_line, key_fault), doc = "key = line" },
  start = { "text", doc = "the first step; none: the first of the list" },
  steps = { "list", needed = true, of = { "record", fields = session.step_fields }, doc = "in their order" },
}

--- The targets of a step, except those of functions: rows {where, name}.
local function leads_of(one)
  local list = {}
  local function add(where, name) if type(name) == "string" then list[#list + 1] = { where, name } end end
  add(".next", one.next)
  add(".after", one.after and one.after[2])
  for _, field in ipairs { "go", "on", "states" } do
    for _, name in ipairs(suggest.keys(one[field] or {})) do
      add("." .. field .. "." .. name, one[field][name])
    end
  end
  return list
end

--- Errors between the steps: nil, or the position and the error.
local function fault_between(fields)
  local known, names = {}, {}
  for index, one in ipairs(fields.steps) do
    if known[one[1]] then
      return ("steps[%d]"):format(index), ("the step '%s' is there twice"):format(one[1])
    end
    known[one[1]], names[index] = true, one[1]
  end
  if #names == 0 then return "steps", "there must be a step at least" end
  if fields.start and not known[fields.start] then
    return "start", ("there is no step '%s'%s"):format(fields.start, suggest.hint(fields.start, names))
  end
  for index, one in ipairs(fields.steps) do
    for _, lead in ipairs(leads_of(one)) do
      if not known[lead[2]] and lead[2] ~= "end" then
        return ("steps[%d]%s"):format(index, lead[1]),
          ("there is no step '%s'%s"):format(lead[2], suggest.hint(lead[2], names))
      end
    end
    for _, name in ipairs(suggest.keys(one.keys or {})) do
      if one.go and one.go[name] then
        return ("steps[%d].keys.%s"):format(index, name), "the key has a branch of this step as well"
      end
    end
  end
end

--- The error in a script's fields: nil, or a sentence and its position, as "steps[2].go.y".
function session.fault(script)
  local fault = schema.faults(script, session.fields, "the script")[1]
  if fault then return fault.message, fault.where end
  local place, why = fault_between(script)
  if place then return ("%s: %s"):format(place, why), place end
end

--- Call visit(line, where) for every line that a script executes or expects.
function session.each_line(fields, visit)
  local function look(list, where)
    for _, said in ipairs(type(list) == "table" and list or { list }) do
      if type(said) == "string" then visit(said, where) end
    end
  end
  for _, key in ipairs(suggest.keys(fields.keys or {})) do look(fields.keys[key], "key " .. key) end
  for _, one in ipairs(fields.steps) do
    look(one.cue, ("step '%s', cue"):format(one[1]))
    look(one.expect, ("step '%s', expect"):format(one[1]))
    for _, key in ipairs(suggest.keys(one.keys or {})) do
      look(one.keys[key], ("step '%s', key %s"):format(one[1], key))
    end
  end
end

-- Positions in the text -----------------------------------------------------------------------------------

local function escaped(text) return (text:gsub("%p", "%%%0")) end

local function line_at(source, at) return select(2, source:sub(1, at):gsub("\n", "")) + 1 end

--- The line of a script's text for a position such as "steps[2].go.y", as far as it can be found; otherwise
--- 0.
function session.line(source, where, fields)
  local at, till = 1, #source
  local index = where:match "^steps%[(%d+)%]"
  if index then
    local one = type(fields.steps) == "table" and fields.steps[math.tointeger(tonumber(index))]
    local name = type(one) == "table" and one[1]
    local from = type(name) == "string" and source:find("{%s*[\"']" .. escaped(name) .. "[\"']", 1)
    if not from then
      from = source:find "%f[%w_]steps%s*=" or 1
    elseif source:match("^%b{}", from) then
      till = from + #source:match("^%b{}", from)
    end
    at = from
  end
  local found = at
  for name in where:gsub("^steps%[%d+%]", ""):gmatch "[%a_][%w_]*" do
    local place = source:find("%f[%w_]" .. escaped(name) .. "%f[^%w_][%]\"']*%s*=", found)
    if place and place <= till then found = place end
  end
  return line_at(source, found)
end

return session
