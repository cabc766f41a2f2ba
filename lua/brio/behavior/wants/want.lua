--- Properties of a state's pose: a constructor for each objective of the solver, from the solver's own
--- table, so a new objective needs no change here.
---
---     wants = {
---       want.collision_avoidance {},
---       want.position_liveliness { link = "torso", goal = { 0.02, 0.03, 0.01 }, frequency = 0.25 },
---       want.group("high") { want.orientation_match { link = "Head", goal = towards_visitor } },
---     }
---
--- A goal may be a value, or a function(self) that is called every tick.  `weight` overrides the
--- weight from rank; `name` gives the property a name of its own: two properties of the same kind
--- and arguments are one property, unless their names differ.
local script = require "brio.script"
local solver = require "brio.solver"
local suggest = require "brio.lib.suggest"
local weights = require "brio.behavior.wants.weights"

local want = {}
local Group = { __name = "group of properties" }

local own_fields = { goal = true, weight = true, name = true }

--- The metatables of properties: each has what properties of one kind with the same arguments share.
local made_by = setmetatable({}, { __mode = "k" })

--- Types of arguments that are names: there are few of them, and each is used often.
local is_named = { link = true, joint = true }

local function weak() return setmetatable({}, { __mode = "v" }) end

--- The displayed name of a kind.
local function label(kind) return kind.label or "want." .. kind.name end

--- A metatable for properties of a kind with arguments.
local function shared(kind, objective, args, text)
  local meta = { __name = "property", __index = { kind = kind.name, label = label(kind), args = args,
    objective = objective, key = ("%s(%s)"):format(kind.name, text) } } -- the objective's name in the solver
  made_by[meta] = true
  return meta
end

local function fail(level, ...)
  error(string.format(...), level + 1)
end

--- The expected form of each type of argument, and its check.
local types = {
  number = { "a number", function(value) return type(value) == "number" end },
  link = { "a link's name", function(value) return type(value) == "string" end },
  joint = { "a joint's name", function(value) return type(value) == "string" end },
  flag = { "true or false", function(value) return type(value) == "boolean" end },
  vector = { "a list of three numbers", function(value)
    if type(value) ~= "table" then return false end
    for index = 1, 3 do
      if type(value[index]) ~= "number" then return false end
    end
    return value[4] == nil
  end },
}

local function refuse_argument(kind, params, key)
  local names = suggest.keys(params)
  for field in next, own_fields do names[#names + 1] = field end
  table.sort(names)
  fail(5, "%s has no argument '%s'%s", label(kind), tostring(key), suggest.hint(tostring(key), names))
end

local function check_range(kind, param, key, number)
  if number >= param.lower and number <= param.upper then return end
  local unit = param.unit == "1" and "" or " " .. param.unit
  fail(5, "%s: %s must be from %g to %g%s, not %g", label(kind), key, param.lower, param.upper, unit, number)
end

local function check_argument(kind, params, key, value)
  local param = params[key]
  if not param then refuse_argument(kind, params, key) end
  local expected = types[param.type]
  if not expected[2](value) then
    fail(4, "%s: %s must be %s, not %s", label(kind), key, expected[1], type(value))
  elseif not param.lower then
    return
  elseif type(value) == "table" then
    for _, number in ipairs(value) do check_range(kind, param, key, number) end
  else
    check_range(kind, param, key, value)
  end
end

--- An argument's value as a part of a key.
local function written(value)
  return type(value) == "table" and "{" .. table.concat(value, ",") .. "}" or tostring(value)
end

local function check_own(kind, fields)
  if fields.weight == nil and fields.name == nil and (fields.goal == nil) == not kind.goal then return end
  if fields.weight ~= nil and not (type(fields.weight) == "number" and fields.weight >= 0
      and fields.weight < math.huge) then
    fail(3, "%s: weight must be a number of at least 0", label(kind))
  end
  if fields.name ~= nil and type(fields.name) ~= "string" then
    fail(3, "%s: name must be a text", label(kind))
  end
  if kind.goal and fields.goal == nil then
    fail(3, "%s needs a goal: %s, or a function(self) that returns one", label(kind), kind.goal)
  elseif not kind.goal and fields.goal ~= nil then
    fail(3, "%s takes no goal", label(kind))
  end
end

--- The arguments among `fields`: how many, and the last one's name and value.
local function arguments_among(fields)
  local count, name, value = 0, nil, nil
  for key, one in next, fields do
    if not own_fields[key] and type(key) == "string" then count, name, value = count + 1, key, one end
  end
  return count, name, value
end

--- The arguments among `fields`, checked, and their text in a key, in a fixed order.
local function arguments(kind, params, fields)
  local args, names = {}, {}
  for key in next, fields do
    if not own_fields[key] and type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  for index, key in ipairs(names) do
    local value = fields[key]
    check_argument(kind, params, key, value)
    args[key], names[index] = value, key .. "=" .. written(value)
  end
  return args, table.concat(names, ",")
end

--- The parameters of a kind for its constructor: by name, and a list of the required ones.
local function parameters(kind)
  local params, required = {}, {}
  for _, param in ipairs(kind.params) do
    params[param.name] = param
    if not param.optional then required[#required + 1] = param end
  end
  return params, required
end

--- The function that makes properties of a kind: {name, params, example, goal} as in solver.kinds(); for an
--- objective written in Lua, `objective` is given to the solver in place of its name.  What properties have
--- in common that name one link or joint, or nothing, is made once: a behavior of a thousand states calls it
--- as often.
local function constructor(kind, objective)
  local params, required = parameters(kind)
  local called, known, none = label(kind), {}, weak()
  for _, param in ipairs(kind.params) do known[param.name] = is_named[param.type] and weak() or nil end
  return function(fields)
    if type(fields) ~= "table" then
      fail(2, "%s expects a table of arguments, as in %s", called, kind.example)
    end
    local count, name, value = arguments_among(fields)
    local before, place = none, true -- properties with the same arguments, and where they stand in it
    if count > 0 then before, place = count == 1 and known[name], value end
    local common = before and before[place]
    if not common then
      local args, text = arguments(kind, params, fields)
      for _, param in ipairs(required) do
        if args[param.name] == nil then
          fail(2, "%s needs %s: the name of a %s", called, param.name, param.type)
        end
      end
      common = shared(kind, objective, args, text)
      if before then before[place] = common end
    end
    check_own(kind, fields)
    local file, line = script.caller(2) -- its position in the loaded file
    local made = setmetatable({ goal = fields.goal, file = file, line = line }, common)
    if fields.weight then made.weight = fields.weight end
    if fields.name then made.name, made.key = fields.name, fields.name .. ":" .. made.key end
    return made
  end
end

--- The parameters of each kind of the solver.
local params_by_kind = {}

local function add(kind)
  params_by_kind[kind.name] = kind.params
  rawset(want, kind.name, constructor(kind))
end

for _, kind in ipairs(solver.kinds()) do add(kind) end

want.constructor = constructor

--- The parameters of a kind of the solver, as in solver.kinds().
function want.params_of(kind) return params_by_kind[kind] end

--- A group of properties that share one rank, with a priority: "low", "standard", "high", "critical".
function want.group(priority)
  if not weights.priorities[priority] then
    fail(2, "want.group expects \"low\", \"standard\", \"high\" or \"critical\", not %s", tostring(priority))
  end
  return function(list)
    if type(list) ~= "table" then fail(2, "want.group expects a list of properties, not %s", type(list)) end
    local count = 0
    for _ in next, list do count = count + 1 end
    for index = 1, count do
      if not want.is_property(list[index]) then fail(2, "item %d of want.group is no property", index) end
    end
    return setmetatable({ group = list, priority = priority }, Group)
  end
end

--- Whether a value is a property made here.
function want.is_property(value) return made_by[getmetatable(value) or false] ~= nil end
function want.is_group(value) return getmetatable(value) == Group end

--- An objective that was loaded after this file.
local function loaded_since(name)
  for _, kind in ipairs(solver.kinds()) do
    if kind.name == name then
      add(kind)
      return want[name]
    end
  end
end

return setmetatable(want, {
  __index = function(_, name)
    local found = loaded_since(name)
    if found then return found end
    error(("there is no objective want.%s%s"):format(tostring(name),
      suggest.hint(tostring(name), suggest.keys(want))), 2)
  end,
})
