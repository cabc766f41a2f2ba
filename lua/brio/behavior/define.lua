--- Definition of a behavior: a description with named states.
---
---     local kiosk = brio.behavior "kiosk" { start = "idle", memory = { greeted = {} } }
---     kiosk.idle = { wants = { ... }, on = { person_appeared = "greet" } }
---     return kiosk
---
--- The definition only collects; `compile` converts the description for machine.lua and reports all its
--- errors, with file and line.
local lazy = require "brio.lib.lazy"
local fault_lists = require "brio.behavior.sandbox.faults"
local machines = lazy "brio.behavior.tree_machines"
local tree_forms = lazy "brio.tree.files.expand"
local script = require "brio.script"
local records = require "brio.behavior.records"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"
local want = require "brio.behavior.wants.want"
local weights = require "brio.behavior.wants.weights"
local whole = lazy "brio.tree.files.build"

local behavior = {}
local Definition = { __name = "behavior" }

--- The fields of each definition, stored separately, so that a state may have any name.
local described = setmetatable({}, { __mode = "k" })

--- Maximum depth of states inside states.
behavior.deepest = 16

--- See records.lua.
behavior.longest_power_off, behavior.blend = records.longest_power_off, records.blend

--- Whether a text can be the name of a state. Paths consist of such names.
local function is_name(text) return string.find(text, "^[%a_][%w_%-]*$") ~= nil end

function Definition.__newindex(self, name, state)
  local _, line = script.caller(2)
  if type(name) ~= "string" then error("a state's name must be a text, not " .. type(name), 2) end
  if not is_name(name) then
    error(("a state's name is made of letters, digits, '_' and '-', not '%s'"):format(name), 2)
  end
  if type(state) ~= "table" then
    error(("state '%s' must be a table, not %s"):format(name, type(state)), 2)
  end
  local states = described[self].states
  if not states[name] then states[#states + 1] = name end
  states[name] = { table = state, line = line or 0, word = name } -- a place as of Faults:at, too
end

function Definition.__index(self, name)
  local found = described[self].states[name]
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
    local self = setmetatable({}, Definition)
    described[self] = { name = name, fields = fields, states = {}, line = at.currentline,
      file = at.short_src }
    return self
  end
end

--- The definition of a behavior, {name, fields, states, line, file}, from the value that a behavior's file
--- returns; nil if `value` is not one.
function behavior.described(value) return described[value] end

-- Compiling -----------------------------------------------------------------------------------

--- The position of a node of a compiled state's tree: file and line, if they are known.
function behavior.place_of_node(file, source, state, number)
  local tree = state.tree
  local of_file, line = tree_forms.place({ form = tree.list[number].form }, tree.origins)
  if of_file then return of_file, line end
  return file, fault_lists.line_of_node(file, source, state.line, tree.list, number)
end

--- Check a described table against its record.
local function check_fields(faults, what, fields, record, from)
  if faults.trusted or schema.is_sound(fields, record) then return end
  for _, fault in ipairs(schema.faults(fields, record, what)) do
    faults:add(fault.key and faults:at(fault.key, from) or from, "%s", fault.message)
  end
end

--- Whether the list in a described field is one: items 1, 2, 3 and no gaps, names or anything else.
local function is_list(faults, path, field, list, from)
  if faults.trusted or next(list) == 1 and next(list, 1) == nil then return true end
  local count, top = 0, 0
  for key in next, list do
    if math.type(key) ~= "integer" or key < 1 then
      faults:add(faults:at(field, from), "state '%s': %s must be a list, without '%s ='", path, field,
        tostring(key))
      return false
    end
    count = count + 1
    if key > top then top = key end
  end
  if count < top then
    local missing = 1
    while list[missing] ~= nil do missing = missing + 1 end
    faults:add(faults:at(field, from), "state '%s': %s: item %d is nil: a name that is not defined?", path,
      field, missing)
  end
  return count == top
end

--- Check the target of a transition; `word`, if any, is searched in the source to find its line.
local function check_target(faults, path, to, from, word)
  local kind = type(to)
  if kind == "string" or kind == "function" then return true end
  faults:add(word and faults:at(word, from) or from,
    "state '%s': a transition leads to a state's name or a function that returns one, not %s", path, kind)
  return false
end

--- The displayed name of a condition: its function's name, or its line.
local function label_of(faults, condition)
  local info = debug.getinfo(condition, "S")
  if info.linedefined < 1 then return "a condition" end
  local text = info.source == "@" .. faults.file and faults:text(info.linedefined) or ""
  return text:match("function%s+([%w_.:]+)%s*%(") or text:match("([%w_]+)%s*=%s*function")
    or ("the condition in line %d"):format(info.linedefined)
end

local readers = {} -- converts each short form of transitions to items of one ordered list

function readers.on(faults, path, on, list, from)
  for key in next, on do
    if type(key) ~= "string" then
      faults:add(faults:at("on", from), "state '%s': on expects { event = \"state\" }", path)
      return
    end
  end
  for _, event in ipairs(suggest.keys(on)) do
    if check_target(faults, path, on[event], from, event) then
      list[#list + 1] = { event = event, to = on[event] }
    end
  end
end

local function is_seconds(value) return type(value) == "number" and value >= 0 and value < math.huge end

local function is_function(value) return type(value) == "function" end

--- The forms that are an item {first, to}, or a list of such items: the check of `first`, and how the
--- transition is made.
local pair_forms = {
  after = { is_first = is_seconds, expected = "seconds",
    make = function(_, seconds, to) return { after = seconds, to = to } end },
  when = { is_first = is_function, expected = "function(self)",
    make = function(faults, condition, to)
      return { when = condition, label = label_of(faults, condition), to = to }
    end },
}

local function read_pair(faults, path, form, item, list, from)
  local pair = pair_forms[form]
  if type(item) ~= "table" or not pair.is_first(item[1]) or #item ~= 2 then
    faults:add(faults:at(form, from), "state '%s': %s expects {%s, \"state\"}, or a list of such", path, form,
      pair.expected)
  elseif check_target(faults, path, item[2], from, form) then
    list[#list + 1] = pair.make(faults, item[1], item[2])
  end
end

local function read_pairs(faults, path, form, items, list, from)
  if type(items[1]) ~= "table" then return read_pair(faults, path, form, items, list, from) end
  if not is_list(faults, path, form, items, from) then return end
  for _, item in ipairs(items) do read_pair(faults, path, form, item, list, from) end
end

function readers.after(faults, path, items, list, from)
  read_pairs(faults, path, "after", items, list, from)
end

function readers.when(faults, path, items, list, from)
  read_pairs(faults, path, "when", items, list, from)
end

local is_more = { to = true, fresh = true } -- fields that are not a kind of transition

--- The error in an item of `go`, as a sentence; nil if it is valid.
local function fault_of_item(item)
  if type(item) ~= "table" then return "each item must be a table" end
  local kinds = 0
  for key, value in next, item do
    local field = records.transition[key]
    if not field then
      local hint = suggest.hint(tostring(key), suggest.keys(records.transition))
      return ("there is no '%s' in an item%s"):format(tostring(key), hint)
    end
    if not is_more[key] then kinds = kinds + 1 end
    if key ~= "to" and type(value) ~= field[1] then
      return ("%s must be a %s, not a %s"):format(key, field[1], type(value))
    end
  end
  if kinds ~= 1 then return "each item has one of on, after or when, and to" end
  if item.after and not is_seconds(item.after) then return "after must be seconds, at least 0" end
end

function readers.go(faults, path, go, list, from)
  if not is_list(faults, path, "go", go, from) then return end
  for index, item in ipairs(go) do
    local fault = fault_of_item(item)
    if fault then
      faults:add(faults:at("go", from), "state '%s': item %d of go: %s", path, index, fault)
    elseif check_target(faults, path, item.to, from) then
      list[#list + 1] = { event = item.on, after = item.after, when = item.when, to = item.to,
        fresh = item.fresh, label = item.when and label_of(faults, item.when) }
    end
  end
end

local forms = { "go", "on", "after", "when" }

--- Whether a state leads only to one other, after a time: most do.
local function is_timed(state, after)
  if after == nil or state.on ~= nil or state.when ~= nil or state.go ~= nil then return false end
  return type(after) == "table" and type(after[2]) == "string" and is_seconds(after[1]) and #after == 2
end

local function compile_transitions(faults, path, state, from)
  local after = state.after
  if is_timed(state, after) then return { { after = after[1], to = after[2] } } end
  local list = {}
  for index = 1, #forms do
    local form = forms[index]
    local items = state[form]
    if items ~= nil and type(items) == "table" then readers[form](faults, path, items, list, from) end
  end
  return list
end

local function compile_wants(faults, path, state, from)
  local wants = state.wants
  if wants == nil or type(wants) ~= "table" then return {} end
  if faults.trusted then return weights.of_list(wants) end
  if not is_list(faults, path, "wants", wants, from) then return {} end
  for index = 1, #wants do
    local item = wants[index]
    if not (want.is_property(item) or want.is_group(item)) then
      faults:add(faults:at("wants", from), "state '%s': item %d of wants is no property: use \z
        want.<objective> {...}", path, index)
      return {}
    end
  end
  local list, seen = weights.of_list(wants), {}
  if not list[2] then return list end
  for _, item in ipairs(list) do
    local property = item[1]
    if seen[property.key] then
      faults:add(property.line, "state '%s' wants %s twice: leave one out, or give one a name of its own \z
        (name = \"...\")", path, property.key)
    end
    seen[property.key] = true
  end
  return list
end

--- Create a state's tree; its errors are faults, in the line that names the node if there is one.
local function compile_tree(faults, path, state, from)
  if type(state.tree) ~= "table" and type(state.tree) ~= "string" then return nil end
  faults.trees = faults.trees or tree_forms.context(faults.about_trees)
  local made, wrong = whole.compile(state.tree, faults.trees)
  for _, fault in ipairs(wrong) do
    if fault.file then
      faults[#faults + 1] = { file = fault.file, line = fault.line, message = "tree: " .. fault.message }
    else
      faults:add(faults:at(fault.name or "tree", from), "state '%s': tree: %s", path, fault.message)
    end
  end
  return made
end

local compile_machine

--- Check the fields of a state: each, and whether it has a meaning in its position.
local function check_state(faults, state, path, line)
  local special = state.lasts or state.start or state.history
  if not special and schema.is_sound(state, records.state) then return end
  local what = "state '" .. path .. "'"
  check_fields(faults, what, state, records.state, line)
  if state.lasts ~= nil and path ~= "power_off" then
    faults:add(faults:at("lasts", line), "%s: lasts is for power_off only: use after = {seconds, \"state\"}",
      what)
  end
  if state.states == nil and (state.start ~= nil or state.history ~= nil) then
    faults:add(line, "%s has %s but no states inside it", what, state.start ~= nil and "start" or "history")
  end
end

--- The machines in a state that has none: most states share this list.
local none = setmetatable({}, { __newindex = function() error("this list is shared: make one", 2) end })

local function compile_regions(faults, spec, state, line)
  spec.regions = {}
  if type(state.states) == "table" then
    spec.regions[1] = compile_machine(faults, spec, spec.path, state, line)
  end
  if type(state.regions) ~= "table" then return end
  for _, name in ipairs(suggest.keys(state.regions)) do
    local region = state.regions[name]
    if not is_name(name) then
      faults:add(faults:at(name, line),
        "state '%s': a region's name is made of letters, digits, '_' and '-', not '%s'", spec.path,
        name)
    elseif type(region) == "table" and type(region.states) == "table" then
      check_fields(faults, ("region '%s/%s'"):format(spec.path, name), region, records.region,
        faults:at(name, line))
      spec.regions[#spec.regions + 1] = compile_machine(faults, spec, spec.path .. "/" .. name, region, line)
    else
      faults:add(faults:at(name, line), "state '%s': region '%s' must be a table with states and start",
        spec.path, name)
    end
  end
end

local compile_state

--- Compile the machines in a state's tree: their end states exist without being declared.
local function compile_inside(faults, spec, line)
  spec.inside = {}
  local function compile(path, form)
    local made = compile_machine(faults, spec, path, form, line)
    for _, name in ipairs { "success", "failure" } do
      made.states[name] = made.states[name] or compile_state(faults, made, name, {}, line)
    end
    made.names = suggest.keys(made.states)
    made.history = nil
    return made
  end
  local function refuse(record, why)
    faults:add(faults:at(record.name, line), "state '%s': tree: '%s' (machine): %s", spec.path, record.name,
      why)
  end
  machines.compile(spec.tree, spec, faults.machines, compile, refuse)
end

--- A field that is a number, else nil.
local function number_of(value) return value ~= nil and type(value) == "number" and value or nil end

function compile_state(faults, machine, name, state, line)
  local path = machine.path == "" and name or machine.path .. "." .. name
  if not faults.trusted then check_state(faults, state, path, line) end
  local owner = machine.owner
  local spec = {
    name = name, path = path, line = line, machine = machine,
    enter = state.enter, tick = state.tick, exit = state.exit, run = state.run,
    blend = number_of(state.blend) or owner and owner.blend or behavior.blend,
    wants = compile_wants(faults, path, state, line),
    transitions = compile_transitions(faults, path, state, line),
    inside = none, regions = none,
  }
  -- what few states have: a table of 16 fields is half as large as one of 17
  if state.finish ~= nil then spec.finish = state.finish end
  if state.lasts ~= nil then spec.lasts = state.lasts end
  spec.tempo = number_of(state.tempo) or owner and owner.tempo or nil
  if state.tree ~= nil then spec.tree = compile_tree(faults, path, state, line) end
  if state.states ~= nil or state.regions ~= nil then compile_regions(faults, spec, state, line) end
  if spec.tree then compile_inside(faults, spec, line) end
  return spec
end

--- Compile the states of a composite state or a region: {states=, start=, history=}.
function compile_machine(faults, owner, path, form, line)
  local machine = { path = path, owner = owner, states = {}, names = {}, start = form.start,
    history = form.history, depth = (owner.machine.depth or 0) + 1 }
  if machine.depth > behavior.deepest then
    faults:add(line, "'%s': states stand inside states more than %d deep: a table that holds itself?",
      path:sub(1, 60), behavior.deepest)
    return machine
  end
  for _, name in ipairs(suggest.keys(form.states)) do
    local state = form.states[name]
    local at = faults:at(name, line)
    if not is_name(name) then
      faults:add(at, "'%s': a state's name is made of letters, digits, '_' and '-', not '%s'", path, name)
    elseif type(state) == "table" then
      machine.states[name] = compile_state(faults, machine, name, state, at)
      table.insert(machine.names, name)
    else
      faults:add(at, "state '%s.%s' must be a table, not %s", path, name, type(state))
    end
  end
  if not machine.start then faults:add(line, "'%s' has states but no start", path) end
  return machine
end

--- The machine inside a state in which a path continues: of the region of that name, else of its `states`.
local function machine_inside(state, region)
  local path = region and state.path .. "/" .. region or state.path
  for _, machine in ipairs(state.regions) do
    if machine.path == path then return machine end
  end
end

--- The state at the end of a path that begins in `machine`; nil: none.
local function at_path(machine, path)
  local state
  for part in path:gmatch "[^.]+" do
    local name, region = part:match "^([^/]*)/?(.*)$"
    state = machine and machine.states[name]
    if not state then return nil end
    machine = machine_inside(state, region ~= "" and region or nil)
  end
  return state
end

--- The state that `name` means, seen from `machine`: one of its own, or of a machine further out; a path
--- leads from there to inner states: "tour.greet", "show/arms.up".
function behavior.resolve(machine, name)
  while machine and type(name) == "string" do
    local state = machine.states[name] or at_path(machine, name)
    if state then return state end
    machine = machine.owner and machine.owner.machine
  end
end

--- Append the states of a machine to `every`, outer ones first, in the order of their names, and the
--- properties of objectives written in Lua to `own`.  Return every.
local function list_states(machine, every, own)
  local names, states = machine.names, machine.states
  for index = 1, #names do
    local state = states[names[index]]
    local wants, regions, inside = state.wants, state.regions, state.inside
    every[#every + 1] = state
    for at = 1, #wants do
      local property = wants[at][1]
      if property.objective then own[#own + 1] = property end
    end
    if regions ~= none or inside ~= none then
      for at = 1, #regions do list_states(regions[at], every, own) end
      for at = 1, #inside do list_states(inside[at], every, own) end
    end
  end
  return every
end

--- Call visit(state spec) for every state of a machine that is compiled, or is being compiled.
function behavior.each_state(machine, visit)
  local every = machine.every or list_states(machine, {}, {})
  for index = 1, #every do visit(every[index]) end
end

--- The states of a compiled machine that have a tree, in that order.
function behavior.states_with_trees(machine)
  local list = {}
  behavior.each_state(machine, function(state)
    if state.tree then list[#list + 1] = state end
  end)
  return list
end

local function names_in_reach(machine)
  local names, top = {}, machine
  while top.owner do top = top.owner.machine end
  behavior.each_state(top, function(state) names[#names + 1] = state.path end)
  while machine do
    for name in next, machine.states do names[#names + 1] = name end
    machine = machine.owner and machine.owner.machine
  end
  table.sort(names)
  return names
end

local function check_start(faults, machine, what)
  if type(machine.start) == "string" and not machine.states[machine.start] then
    faults:add(faults:at(machine.start), "%s: there is no state '%s' to start in%s", what, machine.start,
      suggest.hint(machine.start, suggest.keys(machine.states)))
  end
end

local function check_links(faults, state)
  local list = state.transitions
  for index = 1, #list do
    local transition = list[index]
    local to = transition.to
    if type(to) == "string" and not (state.machine.states[to] or behavior.resolve(state.machine, to)) then
      faults:add(faults:at(transition.to), "state '%s' leads to '%s', which is no state%s", state.path,
        transition.to, suggest.hint(transition.to, names_in_reach(state.machine)))
    end
  end
  local regions, inside = state.regions, state.inside
  for index = 1, #regions do check_start(faults, regions[index], ("'%s'"):format(regions[index].path)) end
  for index = 1, #inside do check_start(faults, inside[index], ("'%s'"):format(inside[index].path)) end
end

local function check_tune(faults, tune)
  for _, name in ipairs(suggest.keys(tune)) do
    local param = tune[name]
    if type(param) ~= "table" or type(param.value) ~= "number" or type(param.unit) ~= "string" then
      faults:add(faults:at(name), "tune: %s must be made by brio.param(value, unit, lower, upper)", name)
    end
  end
end

--- Report two objectives of the behavior with the same name: the solver could not distinguish them.
local function check_objectives(faults, properties)
  local known = {}
  for _, property in ipairs(properties) do
    local before = known[property.kind]
    if before and before ~= property.objective then
      faults:add(property.line, "there are two objectives called '%s': give one another name",
        property.kind)
    end
    known[property.kind] = property.objective
  end
end

--- Check the skills and machines that its trees name.
local function check_named(faults, fields)
  for _, fault in ipairs(type(fields.skills) == "table" and tree_forms.faults_of_skills(fields.skills)
      or {}) do
    faults:add(faults:at(fault.name, faults:at "skills"), "%s", fault.message)
  end
  for _, name in ipairs(type(fields.machines) == "table" and suggest.keys(fields.machines) or {}) do
    local machine, from = fields.machines[name], faults:at(name, faults:at "machines")
    if type(machine) ~= "table" or type(machine.states) ~= "table" then
      faults:add(from, "machines: '%s' must be a table with states and start", name)
    else
      check_fields(faults, ("machine '%s'"):format(name), machine, records.region, from)
    end
  end
  for index, kind in ipairs(type(fields.scene_objects) == "table" and fields.scene_objects or {}) do
    if type(kind) ~= "table" or not kind.own then
      faults:add(faults:at "scene_objects", "scene_objects: item %d must be what brio.scene_object made",
        index)
    end
  end
end

--- The names of the last behavior that was compiled, sorted.
local last_names = {}

--- The names of a definition's states, sorted.  To sort a thousand costs as much as to compile a hundred, and
--- most versions have the names of the one before.
local function sorted(states)
  local same = #states == #last_names
  for index = 1, same and #states or 0 do
    if not states[last_names[index]] then same = false break end
  end
  if not same then
    last_names = table.move(states, 1, #states, 1, {})
    table.sort(last_names)
  end
  return last_names
end

--- Compile a definition.  Return the top machine, and the list of its faults.  In `trusted` source, which
--- has passed before, no lines are searched.  `sources` and `files` (see sandbox.load) are for the files of
--- its trees.
function behavior.compile(definition, source, trusted, sources, files)
  local faults = fault_lists.new(definition.file, source, trusted)
  local fields, states = definition.fields, definition.states
  check_fields(faults, "the behavior", fields, records.behavior, definition.line)
  if type(fields.tune) == "table" then check_tune(faults, fields.tune) end
  if not trusted then check_named(faults, fields) end
  faults.machines = { forms = type(fields.machines) == "table" and fields.machines or {}, open = {} }
  faults.about_trees = { file = definition.file, sources = sources, files = files,
    skills = type(fields.skills) == "table" and fields.skills or {} }
  local machine = { path = "", states = {}, start = fields.start }
  for index = 1, #states do
    local name = states[index]
    local described_state = states[name]
    machine.states[name] = compile_state(faults, machine, name, described_state.table,
      not trusted and described_state or nil)
  end
  machine.names = sorted(states)
  local every, own = {}, {}
  list_states(machine, every, own)
  machine.every, machine.own = every, own
  local power_on = machine.states.power_on
  if power_on and fields.start and #power_on.transitions == 0 and not power_on.run and not power_on.tick then
    power_on.transitions[1] = { after = 0, to = fields.start }
  end
  if not fields.start and not power_on then
    faults:add(definition.line, "behavior '%s' has neither start nor power_on: no state would be entered",
      definition.name)
  end
  check_start(faults, machine, ("behavior '%s'"):format(definition.name))
  if type(fields.safe) == "string" and not behavior.resolve(machine, fields.safe) then
    faults:add(faults:at("safe"), "safe: there is no state '%s'%s", fields.safe,
      suggest.hint(fields.safe, names_in_reach(machine)))
  end
  if not trusted then
    for index = 1, #every do check_links(faults, every[index]) end
    check_objectives(faults, own)
  end
  return machine, faults
end

return behavior
