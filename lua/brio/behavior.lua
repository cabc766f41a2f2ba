--- What a behavior is before it runs: a description with named states.
---
---     local kiosk = brio.behavior "kiosk" { start = "idle", memory = { greeted = {} } }
---     kiosk.idle = { wants = { ... }, on = { person_appeared = "greet" } }
---     return kiosk
---
--- Defining does nothing but collect; `compile` turns the description into what machine.lua
--- runs and says everything that is wrong with it, with file and line.
local suggest = require "brio.suggest"
local want = require "brio.want"
local weights = require "brio.weights"

local behavior = {}
local Definition = { __name = "behavior" }

local behavior_fields = {
  robot = "string", world = "string", start = "string", safe = "string", memory = "table", tune = "table",
  about = "string",
}
local state_fields = {
  wants = "table", blend = "number", enter = "function", tick = "function", exit = "function", run = "function",
  on = "table", after = "table", when = "table", go = "table", states = "table", start = "string",
  history = "string", regions = "table", lasts = "number", about = "string",
}
local histories = { shallow = true, deep = true }

--- The time constant with which a state's weights and goals blend in unless it says otherwise, s.
behavior.blend = 0.1

function Definition.__newindex(self, name, state)
  local info = debug.getinfo(2, "l")
  if type(name) ~= "string" then error("a state's name must be a text, not " .. type(name), 2) end
  if type(state) ~= "table" then error(("state '%s' must be a table, not %s"):format(name, type(state)), 2) end
  local described = rawget(self, "states")
  if not described[name] then described[#described + 1] = name end
  described[name] = { table = state, line = info and info.currentline or 0 }
end

function Definition.__index(self, name)
  local found = rawget(self, "states")[name]
  return found and found.table
end

--- brio.behavior(name) { fields } -> definition: states are then assigned to it by name.
function behavior.define(name)
  if type(name) ~= "string" or not name:match("^[%a_][%w_%-]*$") then
    error("brio.behavior expects a name of letters, digits, '_' and '-'", 2)
  end
  local at = debug.getinfo(2, "Sl")
  return function(fields)
    if type(fields) ~= "table" then error("brio.behavior \"" .. name .. "\" expects a table of fields", 2) end
    local self = { name = name, fields = fields, states = {}, line = at.currentline, file = at.short_src }
    return setmetatable(self, Definition)
  end
end

--- Whether a value is what a behavior file must return.
function behavior.is_definition(value) return getmetatable(value) == Definition end

-- Compiling -----------------------------------------------------------------------------------

--- Collects faults: {file, line, message}.  A name is looked for as a quoted word in the source,
--- so that the line is the one a person would point at.
local Faults = {}
Faults.__index = Faults

function Faults:add(line, ...)
  self[#self + 1] = { file = self.file, line = line or 0, message = string.format(...) }
end

--- The first line of the source, from `from` on, that holds `word` in quotes or as a key.
function Faults:line_of(word, from)
  local escaped = word:gsub("%p", "%%%0")
  for line = from or 1, #self.lines do
    local text = self.lines[line]
    if text:find("[\"']" .. escaped .. "[\"']") or text:find("%f[%w_]" .. escaped .. "%f[^%w_]%s*=") then return line end
  end
  return nil
end

local function new_faults(file, source)
  local faults = setmetatable({ file = file, lines = {} }, Faults)
  for line in ((source or "") .. "\n"):gmatch("(.-)\n") do faults.lines[#faults.lines + 1] = line end
  return faults
end

--- Check the fields of a described table against a list of names and types.
local function check_fields(faults, what, fields, allowed, from)
  for _, key in ipairs(suggest.keys(fields)) do
    local expected = allowed[key]
    if not expected then
      faults:add(faults:line_of(key, from), "%s has no field '%s'%s", what, key, suggest.hint(key, suggest.keys(allowed)))
    elseif type(fields[key]) ~= expected then
      faults:add(faults:line_of(key, from), "%s: %s must be a %s, not %s", what, key, expected, type(fields[key]))
    end
  end
  for key in next, fields do
    if type(key) ~= "string" then faults:add(from, "%s has an item without a name", what) break end
  end
end

local function check_target(faults, what, to, from)
  if type(to) == "function" then return true end
  if type(to) == "string" then return true end
  faults:add(from, "%s: a transition leads to a state's name or a function that returns one, not %s", what, type(to))
  return false
end

--- What a person calls a condition: its function's name, or the line it stands in.
local function label_of(faults, condition)
  local line = debug.getinfo(condition, "S").linedefined
  local text = faults.lines[line] or ""
  return text:match("function%s+([%w_.:]+)%s*%(") or text:match("([%w_]+)%s*=%s*function")
    or ("the condition in line %d"):format(line)
end

local readers = {} -- how each short form of transitions becomes items of one ordered list

function readers.on(faults, what, on, list, from)
  for _, event in ipairs(suggest.keys(on)) do
    if check_target(faults, what, on[event], faults:line_of(event, from) or from) then
      list[#list + 1] = { event = event, to = on[event] }
    end
  end
end

function readers.after(faults, what, after, list, from)
  if type(after[1]) == "number" then after = { after } end
  for _, item in ipairs(after) do
    if type(item) ~= "table" or type(item[1]) ~= "number" or not (item[1] >= 0 and item[1] < math.huge) then
      faults:add(faults:line_of("after", from), "%s: after expects {seconds, \"state\"}, or a list of such", what)
    elseif check_target(faults, what, item[2], from) then
      list[#list + 1] = { after = item[1], to = item[2] }
    end
  end
end

function readers.when(faults, what, when, list, from)
  if type(when[1]) == "function" then when = { when } end
  for _, item in ipairs(when) do
    if type(item) ~= "table" or type(item[1]) ~= "function" then
      faults:add(faults:line_of("when", from), "%s: when expects {function(self), \"state\"}, or a list of such", what)
    elseif check_target(faults, what, item[2], from) then
      list[#list + 1] = { when = item[1], label = label_of(faults, item[1]), to = item[2] }
    end
  end
end

function readers.go(faults, what, go, list, from)
  for _, item in ipairs(go) do
    local kinds = type(item) == "table" and (item.on and 1 or 0) + (item.after and 1 or 0) + (item.when and 1 or 0) or 0
    if kinds ~= 1 then
      faults:add(faults:line_of("go", from), "%s: each item of go has one of on, after or when, and to", what)
    elseif check_target(faults, what, item.to, from) then
      list[#list + 1] = { event = item.on, after = item.after, when = item.when, to = item.to,
        label = type(item.when) == "function" and label_of(faults, item.when) or nil }
    end
  end
end

local function compile_transitions(faults, what, state, from)
  local list = {}
  for _, form in ipairs { "go", "on", "after", "when" } do
    if type(state[form]) == "table" then readers[form](faults, what, state[form], list, from) end
  end
  return list
end

local function compile_wants(faults, what, state, from)
  for index, item in ipairs(state.wants or {}) do
    if not (want.is_property(item) or type(item) == "table" and item.group) then
      faults:add(faults:line_of("wants", from), "%s: item %d of wants is no property: use want.<objective> {...}", what, index)
      return {}
    end
  end
  return weights.of_list(state.wants or {})
end

local compile_machine

local function compile_state(faults, machine, name, state, line)
  local path = machine.path == "" and name or machine.path .. "." .. name
  local what = ("state '%s'"):format(path)
  check_fields(faults, what, state, state_fields, line)
  local spec = {
    name = name, path = path, line = line, machine = machine,
    enter = state.enter, tick = state.tick, exit = state.exit, run = state.run, lasts = state.lasts,
    blend = type(state.blend) == "number" and state.blend or behavior.blend,
    wants = type(state.wants) == "table" and compile_wants(faults, what, state, line) or {},
    transitions = compile_transitions(faults, what, state, line),
    regions = {},
  }
  if type(state.blend) == "number" and not (state.blend >= 0 and state.blend < math.huge) then
    faults:add(faults:line_of("blend", line), "%s: blend is a time constant in seconds, at least 0", what)
  end
  if type(state.states) == "table" then
    spec.regions[1] = compile_machine(faults, spec, path, state, line)
  end
  for _, region in ipairs(suggest.keys(type(state.regions) == "table" and state.regions or {})) do
    local described = state.regions[region]
    if type(described) ~= "table" or type(described.states) ~= "table" then
      faults:add(faults:line_of(region, line), "%s: region '%s' must be a table with states and start", what, region)
    else
      spec.regions[#spec.regions + 1] = compile_machine(faults, spec, path .. "/" .. region, described, line)
    end
  end
  return spec
end

--- Compile the states of a composite state or a region: {states=, start=, history=}.
function compile_machine(faults, owner, path, described, line)
  local machine = { path = path, owner = owner, states = {}, start = described.start, history = described.history }
  for _, name in ipairs(suggest.keys(described.states)) do
    local state = described.states[name]
    local at = faults:line_of(name, line) or line
    if type(state) == "table" then
      machine.states[name] = compile_state(faults, machine, name, state, at)
    else
      faults:add(at, "state '%s.%s' must be a table, not %s", path, name, type(state))
    end
  end
  if not machine.start then faults:add(line, "'%s' has states but no start", path) end
  if machine.history and not histories[machine.history] then
    faults:add(faults:line_of("history", line), "'%s': history must be \"shallow\" or \"deep\"", path)
  end
  return machine
end

--- The state that `name` means, seen from `machine`: its own, or one of a machine further out.
function behavior.resolve(machine, name)
  while machine do
    if machine.states[name] then return machine.states[name] end
    machine = machine.owner and machine.owner.machine
  end
end

--- Call visit(state spec) for every state, outer ones first, in the order of their names.
function behavior.each_state(machine, visit)
  for _, name in ipairs(suggest.keys(machine.states)) do
    local state = machine.states[name]
    visit(state)
    for _, region in ipairs(state.regions) do behavior.each_state(region, visit) end
  end
end

local function names_in_reach(machine)
  local names = {}
  while machine do
    for name in next, machine.states do names[#names + 1] = name end
    machine = machine.owner and machine.owner.machine
  end
  table.sort(names)
  return names
end

local function check_start(faults, machine, what)
  if machine.start and not machine.states[machine.start] then
    faults:add(faults:line_of(machine.start), "%s: there is no state '%s' to start in%s", what, machine.start,
      suggest.hint(machine.start, suggest.keys(machine.states)))
  end
end

local function check_links(faults, state)
  for _, transition in ipairs(state.transitions) do
    if type(transition.to) == "string" and not behavior.resolve(state.machine, transition.to) then
      faults:add(faults:line_of(transition.to), "state '%s' leads to '%s', which is no state%s", state.path,
        transition.to, suggest.hint(transition.to, names_in_reach(state.machine)))
    end
  end
  for _, region in ipairs(state.regions) do check_start(faults, region, ("'%s'"):format(region.path)) end
end

local function check_tune(faults, tune)
  for _, name in ipairs(suggest.keys(tune)) do
    local param = tune[name]
    if type(param) ~= "table" or type(param.value) ~= "number" or type(param.unit) ~= "string" then
      faults:add(faults:line_of(name), "tune: %s must be made by brio.param(value, unit, lower, upper)", name)
    end
  end
end

--- Turn a definition into what runs.  Return the top machine, and the list of faults in it.
function behavior.compile(definition, source)
  local faults = new_faults(definition.file, source)
  local fields, states = definition.fields, rawget(definition, "states")
  check_fields(faults, "the behavior", fields, behavior_fields, definition.line)
  if type(fields.tune) == "table" then check_tune(faults, fields.tune) end
  local machine = { path = "", states = {}, start = fields.start }
  for _, name in ipairs(states) do
    machine.states[name] = compile_state(faults, machine, name, states[name].table,
      faults:line_of(name) or faults:line_of_assignment(name) or states[name].line)
  end
  local power_on = machine.states.power_on
  if power_on and fields.start and #power_on.transitions == 0 and not power_on.run and not power_on.tick then
    power_on.transitions[1] = { after = 0, to = fields.start }
  end
  if not fields.start and not power_on then
    faults:add(definition.line, "behavior '%s' says neither start nor power_on: nothing would begin", definition.name)
  end
  check_start(faults, machine, ("behavior '%s'"):format(definition.name))
  if type(fields.safe) == "string" and not machine.states[fields.safe] then
    faults:add(faults:line_of("safe"), "safe: there is no state '%s'%s", fields.safe,
      suggest.hint(fields.safe, suggest.keys(machine.states)))
  end
  behavior.each_state(machine, function(state) check_links(faults, state) end)
  return machine, faults
end

--- The line on which a state is assigned: "name.state =".
function Faults:line_of_assignment(name)
  for line, text in ipairs(self.lines) do
    if text:find("^%s*[%w_]+%." .. name:gsub("%p", "%%%0") .. "%s*=") then return line end
  end
end

--- Names of links, joints and roles that `machine` uses but `description` (of a robot, see
--- robots.lua) does not have: added to `faults`.
function behavior.check_robot(machine, description, faults)
  local robot = description.robot
  local names = { link = robot:links(), joint = {} }
  for _, variable in ipairs(robot:variables()) do names.joint[#names.joint + 1] = variable.name end
  local known = { link = {}, joint = {} }
  for what, list in next, names do
    for _, name in ipairs(list) do known[what][name] = true end
  end
  local params = {}
  for _, kind in ipairs(require("brio.solver").kinds()) do params[kind.name] = kind.params end
  behavior.each_state(machine, function(state)
    for _, item in ipairs(state.wants) do
      local property = item[1]
      for _, param in ipairs(params[property.kind]) do
        local name = property.args[param.name]
        if known[param.type] and not known[param.type][name] and not description.roles[name] then
          faults:add(property.at.line, "want.%s: robot '%s' has no %s '%s'%s", property.kind, description.name, param.type,
            name, suggest.hint(name, names[param.type]))
        end
      end
    end
  end)
end

return behavior
