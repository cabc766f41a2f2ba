--- A session script: what a person at the desk goes through with the robot, step by step.
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
--- It is data and small functions; what it means is session/player.lua's.  See docs/operators/desk.md.
local keynames = require "brio.operator.session.keynames"
local plain = require "brio.io.data_file"
local suggest = require "brio.lib.suggest"

local session = {}

local made = { __name = "session" }

--- Mark what a session script's file returns.
---@param fields table
---@return table
function session.define(fields)
  if type(fields) ~= "table" then error("brio.session expects a table of fields", 2) end
  return setmetatable({ fields = fields }, made)
end

--- The fields of what brio.session made; nil when it is something else.
function session.described(value)
  return type(value) == "table" and getmetatable(value) == made and value.fields or nil
end

-- Checking ------------------------------------------------------------------------------------------------

local function is_function(value) return type(value) == "function" end

local function line(value)
  if type(value) ~= "string" or not value:find "%S" or value:find "[%c]" then
    return "", "a line as it is said at the prompt"
  end
end

local function lines(value)
  if type(value) == "string" then return line(value) end
  return plain.list_of(line, "a line, or a list of lines")(value)
end

--- A line, a list of lines one of which is expected, or a function of what was done.
local function expectation(value)
  if is_function(value) then return end
  return lines(value)
end

--- A person by name, or several.
local function people(value)
  if type(value) ~= "string" then return plain.list_of(plain.text, "a name, or a list of names")(value) end
  return plain.text(value)
end

local function target(value)
  if not is_function(value) then return plain.text(value) end
end

--- { seconds, "step" }
local function timer(value)
  if type(value) ~= "table" or #value > 2 or plain.positive(value[1])
      or value[2] ~= nil and target(value[2]) then
    return "", "{ seconds, \"step\" }, with more than 0 s"
  end
end

local conditions = plain.record({ event = plain.text, state = plain.text, after = plain.not_negative,
  speech = plain.flag }, {})

local function condition(value)
  if not is_function(value) then return conditions(value) end
end

local function keys(value)
  local where, expected = plain.map_of(line, "a table of keys and lines")(value)
  if where then return where, expected end
  for _, name in ipairs(suggest.keys(value)) do
    local why = keynames.fault(name)
    if why then return "." .. name, why end
  end
end

--- Target of a key or an answer.
local function branches(value)
  local where, expected = plain.map_of(target, "a table of keys or answers and steps")(value)
  if where then return where, expected end
  for _, name in ipairs(suggest.keys(value)) do
    local why = not name:match "^%a[%w_%-]+$" and keynames.fault(name)
    if why then return "." .. name, why .. ", or an answer of several letters" end
  end
end

local function item(value)
  if type(value) == "table" then
    if plain.text(value[1]) or #value > 1 or value.check ~= nil and not is_function(value.check) then
      return "", "a text, or { text, check = function }"
    end
    return
  end
  return plain.text(value)
end

local slot = plain.record({ ask = plain.text, default = plain.text }, {})

local step_fields = {
  text = plain.text, who = people, cue = lines, when = condition, expect = expectation, keys = keys,
    go = branches,
  on = plain.map_of(target, "a table of events and steps"),
    states = plain.map_of(target, "a table of states and steps"),
  warn = plain.positive, late = plain.positive, after = timer, next = target,
}

--- Words with another meaning after `step` cannot be names of steps.
local taken = { next = true, back = true, ["end"] = true, ["next anyway"] = true }

local function step(value)
  if type(value) ~= "table" or plain.text(value[1]) or #value > 1 then
    return "", "{ \"name\", text = ..., ... }"
  end
  if taken[value[1]] or tonumber(value[1]) or value[1]:find "^%s" or value[1]:find "%s$"
      or value[1]:find "%c" then
    local name = value[1]:gsub("%c", "?")
    return "", ("named otherwise than '%s': step %s means something else"):format(name, name)
  end
  local rest = {}
  for key, field in next, value do
    if key ~= 1 then rest[key] = field end
  end
  return plain.record(step_fields, {})(rest)
end

local function slots(value)
  local where, expected = plain.map_of(slot, "a table of slots")(value)
  if where then return where, expected end
  for _, name in ipairs(suggest.keys(value)) do
    if not name:find "^[%a_][%w_]*$" then
      return "." .. name, "named with letters, digits and _, as {name} in a line"
    end
  end
end

local check = plain.record({
  name = plain.text, title = plain.text, late = plain.positive, slots = slots,
  before = plain.list_of(item, "a list of texts"), after = plain.list_of(item, "a list of texts"),
    keys = keys,
  start = plain.text, steps = plain.list_of(step, "a list of steps"),
}, { "name", "steps" })

--- Targets of a step other than by functions: rows {where, name}.
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

--- Errors between the steps: nil, or the place and the error.
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

--- The error in a script's fields: nil, or a sentence and where in them, as "steps[2].go.y".
function session.fault(fields)
  local where, expected = check(fields)
  if where then
    where = where:gsub("^%.", "")
    if expected:match "^one of " and where:match "[%a_]$" then
      return ("there is no field %s: it must be %s"):format(where, expected), where
    end
    return ("%s must be %s"):format(where, expected), where
  end
  local place, why = fault_between(fields)
  if place then return ("%s: %s"):format(place, why), place end
end

--- Call visit(line, where) for every line that a script says or expects.
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

-- Where it stands -----------------------------------------------------------------------------------------

local function escaped(text) return (text:gsub("%p", "%%%0")) end

local function line_at(source, at) return select(2, source:sub(1, at):gsub("\n", "")) + 1 end

--- The line of a script's text in which a place such as "steps[2].go.y" stands, as far as that can be told; 0
--- where not.
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
