--- Writes docs/behaviors/objectives.md and the annotations of `want` from the solver's own tables.
---     build/brio lua scripts/docs_objectives.lua [--check]
--- --check writes nothing and fails if a file is out of date.  The descriptions of objectives, arguments,
--- goals and losses are in their C records: change them there.
package.path = "scripts/make/?.lua;" .. package.path
local generated = require "generated"
local solver = require "brio.solver"

local categories = {
  { "matching", "Matching", "A goal is one best value." },
  { "mirroring", "Mirroring", "Two links or joints keep a relation to each other." },
  { "bounding", "Bounding", "All values within the goal's region cost nothing; values outside do." },
  { "basic", "Basic", "For nearly every state: smoothness, joint limits, no collisions." },
  { "force", "Force", "Gravity: torques of the joints, and the center of mass." },
  { "liveliness", "Liveliness", "Liveliness: smooth, seeded noise about the pose that other objectives \z
    hold." },
}

local introduction = [[
# Objectives

Made by `scripts/docs_objectives.lua` from the solver's tables.

An objective is a term of the cost of a pose. Each tick the solver finds the pose with the minimum

    cost = sum over objectives of  weight * loss(|r|^2)

where *r* is the objective's residual: the distance of the pose from its goal. In a behavior
each is a constructor of `brio.want` ([how weights come from rank](behaviors.md#what-the-robot-wants)); in a
script it is added by name with `solver:add` ([brio.solver](../reference/solver.md)). The limits of position,
velocity and acceleration are not objectives: they hold in every solve, whatever the weights.

Besides its own arguments each takes `weight` (instead of the one from its rank) and `name` (two
properties of the same kind and arguments are one, unless their names differ). A link may be named by
its role on the robot (`head`, `tool`, ...). A goal may be a value, or a `function(self)` that is asked every
tick and may return nil: then the objective rests.
]]

-- ------------------------------------------------------------------ reading

--- The kinds of objectives by category, in the solver's order; an unknown category is last, under its own
--- name.
local function by_category(kinds)
  local lists, known = {}, {}
  for _, row in ipairs(categories) do
    lists[#lists + 1] = { title = row[2], about = row[3], name = row[1] }
    known[row[1]] = lists[#lists]
  end
  for _, kind in ipairs(kinds) do
    local list = known[kind.category]
    if not list then
      list = { title = kind.category:gsub("^%l", string.upper), name = kind.category }
      known[kind.category], lists[#lists + 1] = list, list
    end
    list[#list + 1] = kind
  end
  return lists
end

local goals = {}
for _, goal in ipairs(solver.goals()) do goals[goal.name] = goal end

--- "{link = "Head"}" and a goal become "{ link = "Head", goal = {0, 0, 1} }".
local function arguments(kind)
  local inner = kind.example:match "^%s*{%s*(.-)%s*}%s*$"
  if kind.goal then
    inner = inner .. (inner == "" and "" or ", ") .. "goal = " .. goals[kind.goal].example
  end
  return inner == "" and "{}" or "{ " .. inner .. " }"
end

-- ------------------------------------------------------------------ the page

local function overview(lists)
  local out = { "| objective | what it does | goal |", "| --- | --- | --- |" }
  for _, list in ipairs(lists) do
    for _, kind in ipairs(list) do
      local goal = kind.goal and ("[%s](#goal-%s)"):format(kind.goal, kind.goal) or "–"
      out[#out + 1] = ("| [`%s`](#%s) | %s | %s |"):format(kind.name, kind.name, kind.doc, goal)
    end
  end
  return table.concat(out, "\n") .. "\n"
end

--- The text of a default or of an end of a range.
local function written(value)
  if type(value) == "number" then return ("%g"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for index, number in ipairs(value) do parts[index] = ("%g"):format(number) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

--- The description of each type of argument for readers, and its type for the language server.
local types = {
  number = { nil, "number" }, vector = { "list of three", "number[]" }, flag = { "true or false", "boolean" },
  link = { "name of a link", "string" }, joint = { "name of a joint", "string" },
}

local function parameter_row(param)
  local what = types[param.type][1]
  if param.type == "vector" then what = what .. ", " .. param.unit end
  local default = param.default == nil and (param.optional and "–" or "required") or written(param.default)
  local range = param.lower and written(param.lower) .. " to " .. written(param.upper) .. " " or ""
  return ("| `%s` | %s | %s | %s| %s |"):format(param.name, what or param.unit, default, range, param.doc)
end

local function section(kind)
  local out = { ("### %s\n\n%s\n"):format(kind.name, kind.doc) }
  if #kind.params > 0 then
    local rows = { "| argument | unit | default | range | what it is |", "| --- | --- | --- | --- | --- |" }
    for _, param in ipairs(kind.params) do rows[#rows + 1] = parameter_row(param) end
    out[#out + 1] = table.concat(rows, "\n") .. "\n"
  end
  if kind.goal then
    out[#out + 1] = ("Goal: [%s](#goal-%s). %s\n"):format(kind.goal, kind.goal, goals[kind.goal].doc)
  end
  out[#out + 1] = ("```lua\nwant.%s %s\n```\n"):format(kind.name, arguments(kind))
  local kinks = kind.kinks and (" Its slope jumps %s."):format(kind.kinks) or ""
  out[#out + 1] = ("Loss: `%s`; with `lively_losses`: `%s`.%s\n"):format(kind.loss, kind.lively_loss, kinks)
  if kind.differs then out[#out + 1] = kind.differs .. "\n" end
  return table.concat(out, "\n")
end

local function goals_section()
  local out = { "## Goals\n\nHow each kind of goal is written in Lua. A goal that is changed is approached \z
    with the time\n"
    .. "constant of the state's `blend`, rotations on the shortest arc.\n" }
  for _, goal in ipairs(solver.goals()) do
    out[#out + 1] = ("### goal %s\n\n%s\n\n```lua\ngoal = %s\n```\n"):format(goal.name, goal.doc,
      goal.example)
  end
  return table.concat(out, "\n")
end

local function losses_section()
  local out = { "## Losses\n\nHow the squared length of a residual becomes cost. The groove is that of \z
    Lively 1.1,\n"
    .. "-exp(-s / (2 c^2)) + f s with s = |r|^2; c = 0.1 and f = 10 for places, turns and smoothness, c = \z
      0.3295 and\n"
    .. "f = 0.1 for joint values. Ours are the same curves raised by 1: the best cost of each is 0 and \z
      every slope is\n"
    .. "the same. `solver.new(robot, { lively_losses = true })` takes Lively's forms exactly.\n",
    "| loss | what it is |\n| --- | --- |" }
  for _, loss in ipairs(solver.losses()) do out[#out + 1] = ("| `%s` | %s |"):format(loss.name, loss.doc) end
  out[2] = table.concat(out, "\n", 2)
  return table.concat(out, "\n", 1, 2) .. "\n"
end

local function page(lists)
  local out = { introduction, overview(lists) }
  for _, list in ipairs(lists) do
    if #list > 0 then
      out[#out + 1] = ("## %s\n%s"):format(list.title, list.about and "\n" .. list.about .. "\n" or "")
      for _, kind in ipairs(list) do out[#out + 1] = section(kind) end
    end
  end
  out[#out + 1] = goals_section()
  out[#out + 1] = losses_section()
  out[#out + 1] = "How to add one: [Writing an objective](../engine/writing-an-objective.md).\n"
  return table.concat(out, "\n")
end

-- ------------------------------------------------------------------ the annotations

--- The language server's type for a Lua value like `example`.
local function type_of(example)
  local value = assert(load("return " .. example, "=example", "t", {}))()
  if type(value) ~= "table" then return type(value) end
  if #value > 0 then return "number[]" end
  local fields, names = {}, {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    fields[#fields + 1] = name .. ": " .. (type(value[name]) == "table" and "number[]" or type(value[name]))
  end
  return "{ " .. table.concat(fields, ", ") .. " }"
end

local function parameter_field(param)
  local mark, about = param.optional and "?" or "", ""
  if param.lower then
    about = (" (%s, %g to %g; %s unless said)"):format(param.unit, param.lower, param.upper,
      written(param.default))
  end
  return generated.field(param.name .. mark, types[param.type][2], param.doc .. about)
end

local function annotation(kind)
  local class = "brio.want." .. kind.name
  local out = { "---@class " .. class }
  for _, param in ipairs(kind.params) do out[#out + 1] = parameter_field(param) end
  if kind.goal then
    local goal = type_of(goals[kind.goal].example)
    out[#out + 1] = generated.field("goal", ("%s|fun(self: brio.Self): %s?"):format(goal, goal),
      goals[kind.goal].doc)
  end
  out[#out + 1] = "---@field weight? number instead of the weight from its rank"
  out[#out + 1] = "---@field name? string keeps it apart from one of the same kind and arguments\n"
  table.move(generated.comment("---", kind.doc), 1, 9, #out + 1, out)
  out[#out + 1] = ("---@param fields %s\n---@return brio.Property"):format(class)
  out[#out + 1] = ("function want.%s(fields) end\n"):format(kind.name)
  return table.concat(out, "\n")
end

local function annotations(kinds)
  local out = { [[
---@meta
-- luacheck: ignore 212 241 631
--- Made from the solver's tables by scripts/docs_objectives.lua.

---@class brio.Property
---@class brio.Group

---@class brio.want
local want = {}

---A group of properties that share one rank, at a priority.
---@param priority "low"|"standard"|"high"|"critical"
---@return fun(list: brio.Property[]): brio.Group
function want.group(priority) end
]] }
  for _, kind in ipairs(kinds) do out[#out + 1] = annotation(kind) end
  out[#out + 1] = "return want\n"
  return table.concat(out, "\n")
end

-- ------------------------------------------------------------------ writing

local writer = generated.writer("build/brio lua scripts/docs_objectives.lua", arg[1] == "--check")

writer:write("docs/behaviors/objectives.md", page(by_category(solver.kinds())))
writer:write("docs/annotations/brio/want.lua", annotations(solver.kinds()))
writer:finish()
