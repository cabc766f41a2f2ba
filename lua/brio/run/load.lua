--- Loads and checks the files of a run: the behavior's file with its sequences and trees, and the world's
--- file.
---
---     local loaded, faults, unread = loading.load("behaviors/kiosk.lua", { seed = 0 })
---     local list = loading.faults_on(loaded, description)
local behavior = require "brio.behavior.define"
local character = require "brio.character.character"
local clouds = require "brio.perception.clouds"
local copy = require "brio.lib.copy"
local detectors = require "brio.perception.detectors"
local dispatch = require "brio.io.dispatch"
local fault_lists = require "brio.behavior.sandbox.faults"
local inputs = require "brio.devices.inputs"
local lazy = require "brio.lib.lazy"
local cameras = lazy "brio.perception.cameras"
local life = require "brio.motion.random_sequences"
local lint = lazy "brio.motion.sequence_check"
local model = require "brio.io.language_model"
local objective = lazy "brio.behavior.wants.objective"
local paths = require "brio.lib.paths"
local random = require "brio.random"
local sandbox = require "brio.behavior.sandbox.sandbox"
local sequence = lazy "brio.motion.sequence"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local tree_check = lazy "brio.tree.model.check"
local trial = require "brio.behavior.trial"
local tuning = require "brio.behavior.tuning"
local wants = require "brio.behavior.want_faults"
local world = require "brio.world"

local loading = {}

local function quiet() end

local function without_traceback(message) return message:match("^(.-)\nstack traceback") or message end

local function call_within_budget(chunk) return dispatch.call(nil, dispatch.load, chunk) end

--- Load the sequence that a behavior names: a file beside it, or a table.  Return {description, file, text,
--- hash}, or nil and a fault.
local function load_sequence(loaded, name, said, options)
  local own = loaded.file
  if type(said) == "table" then
    local fault = sequence.fault(said)
    if fault then
      return nil, { file = own, line = 0, message = ("sequence '%s': %s"):format(name, fault) }
    end
    return { description = said, file = own, text = sequence.text(said) }
  elseif type(said) ~= "string" then
    return nil, { file = own, line = 0, message = (
      "sequence '%s' must be a file's name or a table, not %s"):format(name,
      type(said)) }
  end
  local file = paths.beside(own, said)
  local chunk, why = sandbox.load(file, { pi = math.pi }, loaded.sources, options.files)
  if not chunk then return nil, fault_lists.of_message(file, loaded.sources, why) end
  local good, made = dispatch.call(nil, sequence.loading(loaded.sources[file]), chunk)
  if not good then return nil, fault_lists.of_message(file, loaded.sources, without_traceback(made)) end
  local fault = type(made) ~= "table" and "must return the table of a sequence" or not options.trusted
    and sequence.fault(made)
  if fault then return nil, { file = file, line = 0, message = fault } end
  return { description = made, file = file, text = loaded.sources[file],
    hash = store.hash(loaded.sources[file]) }
end

--- Load all sequences of a behavior.  Return a list of faults.
local function load_sequences(loaded, options)
  local faults = {}
  loaded.sequences = {}
  for _, name in ipairs(suggest.keys(loaded.definition.fields.sequences or {})) do
    local made, fault = load_sequence(loaded, name, loaded.definition.fields.sequences[name], options)
    loaded.sequences[name], faults[#faults + 1] = made, fault
  end
  return faults
end

--- Load a behavior's file: only its description is executed.  Return {definition, machine, sources}, or nil
--- and a list of faults {file, line, message}, or nil, nil and a sentence if the file cannot be read.
--- Options: seed or stream, print, files (see sandbox.load), sources (filled also on failure), trusted (it
--- has passed before, and runs without a budget), prepare(definition) (changes the description before it is
--- checked; returns a fault or nil), adapt(loaded) (the same after compiling).
function loading.load(file, options)
  local sources = options.sources or {}
  local stream = options.stream or random.stream(options.seed or 0, "behavior")
  local env = sandbox.environment(paths.folder(file), options.print or quiet, stream, sources, options.files)
  local chunk, why = sandbox.load(file, env, sources, options.files)
  if not chunk then
    if not sources[file] then return nil, nil, why end
    return nil, { fault_lists.of_message(file, sources, why) }
  end
  local good, made = (options.trusted and pcall or call_within_budget)(chunk)
  if not good then return nil, { fault_lists.of_message(file, sources, without_traceback(made)) } end
  local definition = behavior.described(made)
  if not definition then
    return nil, { { file = file, line = 0,
      message = "a behavior's file must return what brio.behavior made" } }
  end
  definition.file = file
  local unfit = options.prepare and options.prepare(definition)
  if unfit then return nil, { { file = file, line = 0, message = unfit } } end
  local machine, faults = behavior.compile(definition, sources[file], options.trusted, sources, options.files)
  if #faults > 0 then return nil, faults end
  local loaded = { definition = definition, machine = machine, sources = sources, file = file,
    stream = stream }
  faults = load_sequences(loaded, options)
  if #faults > 0 then return nil, faults end
  unfit = options.adapt and options.adapt(loaded)
  if unfit then return nil, { { file = file, line = 0, message = unfit } } end
  -- the hash of each objective written in Lua is stored before any of them runs
  for _, property in ipairs(machine.own) do objective.sign(property.objective, sources) end
  return loaded
end

--- The fault that the behavior's own `check` reports on a robot, or nil.
local function own_fault(loaded, description)
  local fields = loaded.definition.fields
  if not fields.check then return nil end
  local tune = {}
  for name, param in next, fields.tune or {} do tune[name] = param.value end
  local about = { robot = description.robot, roles = description.roles, poses = description.poses,
    tune = tune, memory = copy.deep(fields.memory or {}) }
  local good, passed, why = dispatch.call(nil, dispatch.load, fields.check, about)
  if not good then
    local fault = fault_lists.of_message(loaded.file, loaded.sources, without_traceback(passed))
    fault.message = "its check fails: " .. fault.message
    return fault
  end
  if passed == false or passed == nil and why ~= nil then
    return { file = loaded.file, line = 0,
      message = "its check refuses it: " .. tostring(why or "without a reason") }
  end
end

--- The faults in the trees of the states: a list.
local function faults_of_trees(loaded, description)
  if loaded.excused then return {} end
  local list, source = {}, loaded.sources[loaded.file]
  behavior.each_state(loaded.machine, function(state)
    if not state.tree then return end
    local function where(number) return behavior.place_of_node(loaded.file, source, state, number) end
    local function place(number)
      local file, line = where(number)
      return file == loaded.file and "line " .. line or ("%s:%d"):format(file, line)
    end
    local site = { description = description, sequences = loaded.sequences, name = state.path }
    for _, fault in ipairs(tree_check.faults(state.tree, site, place)) do
      local file, line = where(fault.node)
      list[#list + 1] = { file = file, line = line,
        message = ("state '%s': tree: %s"):format(state.path, fault.message) }
    end
  end)
  return list
end

--- The faults of a loaded behavior on the robot described: a list.  `shared`: see trial.new.
function loading.faults_on(loaded, description, shared)
  local faults = wants.new(loaded)
  trial.check(loaded.machine, description, faults, shared)
  local list = faults:faults()
  for _, name in ipairs(suggest.keys(loaded.sequences)) do
    local entry = loaded.sequences[name]
    for _, fault in ipairs(lint.sequence(entry.description, description).faults) do
      list[#list + 1] = { file = entry.file, line = lint.line(entry.text, fault), message = fault.message }
    end
  end
  for _, fault in ipairs(faults_of_trees(loaded, description)) do list[#list + 1] = fault end
  for _, fault in ipairs(life.faults(loaded, description)) do list[#list + 1] = fault end
  for _, fault in ipairs(character.faults_of(loaded, description)) do list[#list + 1] = fault end
  local wrong = model.fault(loaded.definition.fields.model)
    or detectors.fault(loaded.definition.fields.detectors)
    or loaded.definition.fields.cameras and cameras.fault(loaded.definition.fields.cameras)
    or clouds.fault(loaded.definition.fields.clouds) or tuning.fault(loaded.definition.fields, loaded.tune)
  if wrong then
    list[#list + 1] = { file = loaded.file, line = loaded.definition.line or 0, message = wrong }
  end
  if #list == 0 then list[1] = own_fault(loaded, description) end
  return list
end

--- A list of faults as a sentence.
function loading.sentence(faults)
  local lines = {}
  for _, fault in ipairs(faults) do
    lines[#lines + 1] = fault.line > 0 and ("%s:%d: %s"):format(fault.file, fault.line, fault.message)
      or ("%s: %s"):format(fault.file, fault.message)
  end
  return table.concat(lines, "\n")
end

--- Read a world file: plain data, executed without access to anything.  Return it, or nil and a sentence.
--- `source` replaces the text on disk.
function loading.read_world(file, source)
  local why
  if not source then source, why = sandbox.read(file) end
  if not source then return nil, why end
  local chunk, fault = load(source, "@" .. file, "t", { pi = math.pi })
  if not chunk then return nil, fault end
  local good, data = dispatch.call(nil, dispatch.load, chunk)
  if not good then
    local message = without_traceback(data)
    return nil, message:find(file, 1, true) and message or file .. ": " .. message
  end
  if type(data) ~= "table" then return nil, file .. ": a world file must return a table" end
  return data
end

--- The hands of a robot in the form that a world expects.
local function hands_of(description)
  local list = {}
  for _, name in ipairs(suggest.keys(description.hands or {})) do
    local row = { name = name }
    for key, value in next, description.hands[name] do row[key] = value end
    list[#list + 1] = row
  end
  return list
end

--- Make a world from the data of a file or test.  `description`: of the robot, whose inputs and hands are
--- known.  Return it and the rows of its own inputs, or nil and a sentence.
function loading.make_world(data, description)
  local rows, rest, known = data.inputs, {}, description.inputs
  for key, value in next, data do rest[key] = value end
  rest.inputs, rest.hands, rest.bodies = nil, hands_of(description), description.bodies
  local fault = rows ~= nil and inputs.fault(rows, known or {})
  if fault then return nil, fault end
  local good, made, sentence = pcall(world.new, rest)
  if not good then return nil, (made:gsub("^.-:%d+: ", "")) end
  return made, made and rows or sentence
end

--- Make the world that a file describes.  Return it and the rows of its inputs, or nil and a sentence.
--- `description`: of the robot.
function loading.open_world(file, seed, source, description)
  local data, why = loading.read_world(file, source)
  if not data then return nil, why end
  data.seed = data.seed or seed
  local made, more = loading.make_world(data, description)
  if not made then return nil, ("%s: %s"):format(file, more) end
  return made, more
end

return loading
