--- Objectives, goal kinds and features written in Lua: described like a behavior, checked here, and
--- converted to the solver's own records by brio.extension.
---
---     local centered = brio.objective "centered" {
---       goal = "translation",
---       residual = function(self, state, goal)
---         local com = state.center_of_mass
---         return com[1] - goal[1], com[2] - goal[2]
---       end,
---     }
---     ...
---     wants = { centered { goal = {0, 0, 0} } }
---
--- The description is a value: calling it makes a property, as want.<objective> does, and solver:add
--- accepts it in place of a name.  Nothing is registered globally, so versions of a file do not affect each
--- other.
local extension = require "brio.extension"
local lazy = require "brio.lib.lazy"
local records = lazy "brio.behavior.wants.records"
local solver = require "brio.solver"
local store = require "brio.store"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"
local want = require "brio.behavior.wants.want"

local objective = {}

local Objective = { __name = "objective" }
local GoalKind = { __name = "goal kind" }
local Feature = { __name = "feature" }

local function fail(level, ...) error(string.format(...), level + 1) end

--- Check the name of a description, and the fields after it.
local function check_name(what, name)
  if type(name) ~= "string" or not name:match("^[%a_][%w_]*$") or #name > 60 then
    fail(3, "brio.%s expects a name of letters, digits and '_'", what)
  end
end

--- A copy of a description and of its lists, which the author may change: the C side refers to its texts.
local function copy(fields)
  local own = {}
  for key, value in next, fields do
    own[key] = type(value) == "table" and not getmetatable(value) and copy(value) or value
  end
  return own
end

--- Make a record; errors of the C side are raised at the line of the description.
local function make(maker, fields)
  local good, record, why = pcall(maker, fields)
  if good and record then return record end
  fail(3, "%s", (tostring(good and why or record):gsub("^[^\n]-%.lua:%d+: ", "")))
end

-- Arguments ---------------------------------------------------------------------------------------------

local is_type = { link = true, joint = true }

--- The parameter for a short form: "link", "optional joint", brio.param(...), true, {0, 0, 1}.
local function param_of(what, name, short)
  local param = { name = name, unit = "", doc = ("The %s it is given."):format(name), optional = true }
  if type(short) == "string" then
    local optional, kind = short:match("^(optional )(.+)$")
    param.type, param.optional, param.unit = kind or short, optional ~= nil, "name"
    if not is_type[param.type] then
      fail(4, "%s: argument '%s' must be \"link\", \"joint\" or \"optional ...\", not \"%s\"", what, name,
        short)
    end
  elseif type(short) == "boolean" then
    param.type, param.default = "flag", short
  elseif type(short) == "table" and type(short.value) == "number" and type(short.unit) == "string" then
    param.type, param.default, param.lower, param.upper = "number", short.value, short.lower, short.upper
    param.unit = short.unit
  elseif type(short) == "table" and #short == 3 and type(short[1]) == "number" then
    param.type, param.default, param.lower, param.upper = "vector", short, -1e9, 1e9
  else
    fail(4, "%s: argument '%s' must be \"link\", \"joint\", brio.param(...), true, false or a vector {x, y, \z
      z}", what, name)
  end
  return param
end

local reserved = { goal = true, weight = true, name = true, seed = true }

local function params_of(what, given)
  local list = {}
  for _, name in ipairs(suggest.keys(given)) do
    if reserved[name] then fail(3, "%s: an argument cannot be called '%s'", what, name) end
    list[#list + 1] = param_of(what, name, given[name])
  end
  local count = 0
  for _ in next, given do count = count + 1 end
  if count > #list then fail(3, "%s: params must be { name = ... }", what) end
  return list
end

--- An example of its arguments, for messages.
local function example_of(params)
  local parts = {}
  for _, param in ipairs(params) do
    if not param.optional then parts[#parts + 1] = ("%s = \"...\""):format(param.name) end
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Goals -------------------------------------------------------------------------------------------------

--- brio.goal_kind(name) { doc, example, fields = {names}, items = {names}, least, most, check(goal) }: a
--- kind of goal.  `fields` names its numbers, `items` the numbers of each item of a list at its end.
function objective.goal_kind(name)
  check_name("goal_kind", name)
  for _, kind in ipairs(solver.goals()) do
    if kind.name == name then fail(2, "there is a goal kind '%s' already", name) end
  end
  return function(fields)
    schema.check(fields, records.goal_kind, ("goal kind '%s'"):format(name))
    local full = { name = name, doc = "A goal of one's own." }
    for key, value in next, fields do full[key] = value end
    local record = make(extension.goal_kind, copy(full))
    return setmetatable({ name = name, fields = full, record = record }, GoalKind)
  end
end

--- The goal field of an objective: a kind or its name; return the name and the record for the C side.
local function goal_of(what, given)
  if given == nil then return nil end
  if getmetatable(given) == GoalKind then return given.name, given.record end
  local names = {}
  for _, kind in ipairs(solver.goals()) do
    names[#names + 1] = kind.name
    if kind.name == given then return given, given end
  end
  fail(3, "%s: there is no goal kind '%s'%s", what, tostring(given), suggest.hint(tostring(given), names))
end

-- Features ----------------------------------------------------------------------------------------------

--- brio.feature(name) { doc, unit, count, compute(state) }: numbers that several objectives read as
--- state.features.<name>, computed once for each evaluated pose.
function objective.feature(name)
  check_name("feature", name)
  for _, kind in ipairs(solver.features()) do
    if kind.name == name then fail(2, "there is a feature '%s' already", name) end
  end
  return function(fields)
    schema.check(fields, records.feature, ("feature '%s'"):format(name))
    local full = { name = name, doc = "A feature of one's own." }
    for key, value in next, fields do full[key] = value end
    return setmetatable({ name = name, fields = full, record = make(extension.feature, copy(full)) }, Feature)
  end
end

local function features_of(what, given)
  local made = {}
  for index, feature in ipairs(given) do
    if getmetatable(feature) ~= Feature then
      fail(3, "%s: item %d of features was not made by brio.feature", what, index)
    end
    made[feature.name] = feature.record
  end
  return made
end

-- Objectives --------------------------------------------------------------------------------------------

local function check_functions(what, fields)
  if (fields.residual ~= nil) == (fields.cost ~= nil) then
    fail(3, "%s needs residual(self, state, goal) or cost(self, state, goal)", what)
  elseif fields.jacobian and not fields.residual then
    fail(3, "%s: a jacobian goes with a residual; a cost has a gradient", what)
  elseif fields.gradient and not fields.cost then
    fail(3, "%s: a gradient goes with a cost; a residual has a jacobian", what)
  end
end

local function check_taken(name)
  if rawget(want, name) then fail(3, "there is an objective '%s' already", name) end
end

--- brio.objective(name) { fields } -> objective: see docs/engine/extending-the-solver.md.
function objective.define(name)
  check_name("objective", name)
  check_taken(name)
  return function(fields)
    local what = ("objective '%s'"):format(name)
    schema.check(fields, records.objective, what)
    check_functions(what, fields)
    local params = params_of(what, fields.params or {})
    local kind = { name = name, label = name, params = params, example = example_of(params) }
    kind.doc = fields.doc or "An objective of one's own."
    local full = { name = name, doc = kind.doc, example = kind.example, category = "own", params = params }
    for key, value in next, fields do full[key] = full[key] or value end
    kind.goal, full.goal = goal_of(what, fields.goal)
    full.features = features_of(what, fields.features or {})
    local self = { name = name, kind = kind, fields = fields, record = make(extension.objective, copy(full)) }
    self.want = want.constructor(kind, self)
    return setmetatable(self, Objective)
  end
end

--- Calling an objective creates a property with it.
function Objective:__call(fields) return self.want(fields) end

-- Versions ----------------------------------------------------------------------------------------------

--- The text of a function if its file is known, else nil and its place of definition.
local function text_of(fn, sources)
  local info = debug.getinfo(fn, "S")
  local source = sources[info.source:sub(2)]
  if not source then return nil, info.short_src .. ":" .. info.linedefined end
  local lines, number = {}, 0
  for line in (source .. "\n"):gmatch("(.-)\n") do
    number = number + 1
    if number > info.lastlinedefined then break end
    if number >= info.linedefined then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

--- Write everything that affects a value to `out`: functions with their upvalues, tables with their contents.
local write

local function write_function(fn, sources, out, known)
  local text, place = text_of(fn, sources)
  out[#out + 1] = "function " .. (text or place)
  if not text then return end -- brio's own: it does not change while the robot moves
  for index = 1, math.huge do
    local name, value = debug.getupvalue(fn, index)
    if not name then break end
    if name ~= "_ENV" then
      out[#out + 1] = name
      write(value, sources, out, known)
    end
  end
end

function write(value, sources, out, known)
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" then
    out[#out + 1] = kind == "number" and ("%a"):format(value) or kind == "userdata" and kind
      or tostring(value)
  elseif known[value] then
    out[#out + 1] = "again " .. known[value]
  else
    known.count = (known.count or 0) + 1
    known[value] = known.count
    if kind == "function" then return write_function(value, sources, out, known) end
    for _, key in ipairs(suggest.keys(value)) do
      out[#out + 1] = key
      write(rawget(value, key), sources, out, known)
    end
    for index = 1, rawlen(value) do write(rawget(value, index), sources, out, known) end
  end
end

--- A digest that changes when an objective's effect may change; `sources` are the files, {file = text},
--- from which it was loaded.  It is stored with the objective, as it must be computed before anything runs.
function objective.sign(self, sources)
  if not self.signature then
    local out = {}
    write(self.fields, sources, out, {})
    self.signature = store.hash(table.concat(out, "\0"))
  end
  return self.signature
end

return objective
