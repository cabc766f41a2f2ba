--- Puts a run together: robot, world, devices, scene, solver, store, behavior and engine.
---
---     local run = assert(runner.new { file = "behaviors/kiosk.lua", clock = "fast" })
---     run:go(20)
---     run:close()
local lazy = require "brio.lib.lazy"
local behavior = require "brio.behavior"
local bump = require "brio.bump"
local carry = require "brio.carry"
local character = require "brio.character"
local clock = require "brio.clock"
local clouds = require "brio.clouds"
local desk = require "brio.desk"
local detectors = require "brio.detectors"
local door = require "brio.door"
local engine = require "brio.engine"
local fault_lists = require "brio.faults"
local gamepad = lazy "brio.gamepad"
local host = require "brio.host"
local inputs = require "brio.inputs"
local life = require "brio.life"
local lint = require "brio.lint"
local model = require "brio.model"
local objective = require "brio.objective"
local motors = require "brio.motors"
local paths = require "brio.paths"
local place = require "brio.robots.place"
local pretty = require "brio.pretty"
local prompt = require "brio.prompt"
local properties = require "brio.properties"
local random = require "brio.random"
local reload = require "brio.reload"
local robots = require "brio.robots"
local run_store = require "brio.run_store"
local sandbox = require "brio.sandbox"
local sequence = require "brio.sequence"
local scene = require "brio.scene"
local script = require "brio.script"
local sessions = lazy "brio.tree.session"
local sight = require "brio.map.sight"
local snapshot = require "brio.snapshot"
local shared_trees = lazy "brio.tree.shared"
local solver = require "brio.solver"
local steering = require "brio.steering"
local store = require "brio.store"
local suggest = require "brio.suggest"
local taped = require "brio.taped"
local tree_check = lazy "brio.tree.check"
local trial = require "brio.trial"
local tuning = require "brio.tuning"
local wants = require "brio.review.wants"
local world = require "brio.world"

--- s of slack in which a module that was left out at the start is loaded.
local spare = 0.001

local runner = {}
local Run = {}
Run.__index = Run

runner.rate = 200

--- Objectives that may be added to a run's solver besides those of its behavior.
runner.spare_objectives = 64

local function quiet() end

local function without_traceback(message) return message:match("^(.-)\nstack traceback") or message end

local function call_within_budget(chunk) return script.call(host.load_budget, chunk) end

--- Note what the objectives that are written in Lua do, before anything of them runs.
local function sign_objectives(machine, sources)
  behavior.each_state(machine, function(state)
    for _, item in ipairs(state.wants) do
      if item[1].objective then objective.sign(item[1].objective, sources) end
    end
  end)
end

--- Load the sequence that a behavior names: a file beside it, or a table.  Return {description, file, text, hash}, or
--- nil and a fault.
local function load_sequence(loaded, name, said, options)
  local own = loaded.file
  if type(said) == "table" then
    local fault = sequence.fault(said)
    if fault then return nil, { file = own, line = 0, message = ("sequence '%s': %s"):format(name, fault) } end
    return { description = said, file = own, text = sequence.text(said) }
  elseif type(said) ~= "string" then
    return nil, { file = own, line = 0, message = ("sequence '%s' must be a file's name or a table, not %s"):format(name,
      type(said)) }
  end
  local file = said:match "^/" and said or paths.folder(own) .. "/" .. said
  local chunk, why = sandbox.load(file, { pi = math.pi }, loaded.sources, options.files)
  if not chunk then return nil, fault_lists.of_message(file, loaded.sources, why) end
  local budget = sequence.load_budget * (1 + #loaded.sources[file] / 1e6)
  local good, made = script.call(budget, chunk)
  if not good then return nil, fault_lists.of_message(file, loaded.sources, without_traceback(made)) end
  local fault = type(made) ~= "table" and "must return the table of a sequence" or not options.trusted and sequence.fault(made)
  if fault then return nil, { file = file, line = 0, message = fault } end
  return { description = made, file = file, text = loaded.sources[file], hash = store.hash(loaded.sources[file]) }
end

--- Load all of them.  Return a list of faults.
local function load_sequences(loaded, options)
  local faults = {}
  loaded.sequences = {}
  for _, name in ipairs(suggest.keys(loaded.definition.fields.sequences or {})) do
    local made, fault = load_sequence(loaded, name, loaded.definition.fields.sequences[name], options)
    loaded.sequences[name], faults[#faults + 1] = made, fault
  end
  return faults
end

--- Load a behavior's file: nothing of it runs but its description.  Return
--- {definition, machine, sources}, or nil and a list of faults {file, line, message}, or nil, nil and
--- a sentence when the file cannot be read.  Options: seed or stream, print, files (see sandbox.load),
--- sources (filled also when it fails), trusted (it passed before, and runs without a budget), prepare(definition) (changes
--- what is described before it is checked; what it returns is wrong with that), adapt(loaded) (the same once all is
--- compiled).
function runner.load(file, options)
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
    return nil, { { file = file, line = 0, message = "a behavior's file must return what brio.behavior made" } }
  end
  definition.file = file
  local unfit = options.prepare and options.prepare(definition)
  if unfit then return nil, { { file = file, line = 0, message = unfit } } end
  local machine, faults = behavior.compile(definition, sources[file], options.trusted, sources, options.files)
  if #faults > 0 then return nil, faults end
  local loaded = { definition = definition, machine = machine, sources = sources, file = file, stream = stream }
  faults = load_sequences(loaded, options)
  if #faults > 0 then return nil, faults end
  unfit = options.adapt and options.adapt(loaded)
  if unfit then return nil, { { file = file, line = 0, message = unfit } } end
  sign_objectives(machine, sources)
  return loaded
end

--- What the behavior's own `check` has against it on a robot: a fault, or nil.
local function own_fault(loaded, description)
  local fields = loaded.definition.fields
  if not fields.check then return nil end
  local tune = {}
  for name, param in next, fields.tune or {} do tune[name] = param.value end
  local about = { robot = description.robot, roles = description.roles, poses = description.poses, tune = tune,
    memory = carry.copy(fields.memory or {}) }
  local good, passed, why = script.call(host.load_budget, fields.check, about)
  if not good then
    local fault = fault_lists.of_message(loaded.file, loaded.sources, without_traceback(passed))
    fault.message = "its check fails: " .. fault.message
    return fault
  end
  if passed == false or passed == nil and why ~= nil then
    return { file = loaded.file, line = 0, message = "its check refuses it: " .. tostring(why or "without a reason") }
  end
end

--- What is wrong with the trees of the states: a list of faults.
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
      list[#list + 1] = { file = file, line = line, message = ("state '%s': tree: %s"):format(state.path, fault.message) }
    end
  end)
  return list
end

--- What is wrong with a loaded behavior on the robot described: a list of faults.  `shared`: see
--- trial.new.
function runner.faults_on(loaded, description, shared)
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
  local wrong = model.fault(loaded.definition.fields.model) or detectors.fault(loaded.definition.fields.detectors)
    or clouds.fault(loaded.definition.fields.clouds) or tuning.fault(loaded.definition.fields, loaded.tune)
  if wrong then list[#list + 1] = { file = loaded.file, line = loaded.definition.line or 0, message = wrong } end
  if #list == 0 then list[1] = own_fault(loaded, description) end
  return list
end

--- The sentence for a list of faults.
function runner.sentence(faults)
  local lines = {}
  for _, fault in ipairs(faults) do
    lines[#lines + 1] = fault.line > 0 and ("%s:%d: %s"):format(fault.file, fault.line, fault.message)
      or ("%s: %s"):format(fault.file, fault.message)
  end
  return table.concat(lines, "\n")
end

--- Read a world file: plain data, with nothing in reach.  Return it, or nil and a sentence.  A source
--- may stand in for what is on disk.
function runner.read_world(file, source)
  local why
  if not source then source, why = sandbox.read(file) end
  if not source then return nil, why end
  local chunk, fault = load(source, "@" .. file, "t", { pi = math.pi })
  if not chunk then return nil, fault end
  local good, data = script.call(host.load_budget, chunk)
  if not good then
    local message = without_traceback(data)
    return nil, message:find(file, 1, true) and message or file .. ": " .. message
  end
  if type(data) ~= "table" then return nil, file .. ": a world file must return a table" end
  return data
end

--- The hands of a robot, as a world takes them.
local function hands_of(description)
  local list = {}
  for _, name in ipairs(suggest.keys(description.hands or {})) do
    local row = { name = name }
    for key, value in next, description.hands[name] do row[key] = value end
    list[#list + 1] = row
  end
  return list
end

--- Make a world of data that a file or a test gives.  `description`: of the robot, whose inputs and hands are known.  Return
--- it and the rows of its own inputs, or nil and a sentence.
local function make_world(data, description)
  local rows, rest, known = data.inputs, {}, description.inputs
  for key, value in next, data do rest[key] = value end
  rest.inputs, rest.hands, rest.bodies = nil, hands_of(description), description.bodies
  local fault = rows ~= nil and inputs.fault(rows, known or {})
  if fault then return nil, fault end
  local good, made, sentence = pcall(world.new, rest)
  if not good then return nil, (made:gsub("^.-:%d+: ", "")) end
  return made, made and rows or sentence
end

--- The world that a file describes, and the rows of its inputs; nil and a sentence when it cannot be.  `description`: of the
--- robot.
function runner.open_world(file, seed, source, description)
  local data, why = runner.read_world(file, source)
  if not data then return nil, why end
  data.seed = data.seed or seed
  local made, more = make_world(data, description)
  if not made then return nil, ("%s: %s"):format(file, more) end
  return made, more
end

local function open_world(self, options)
  local loaded, seed = self.loaded, self.seed
  local description = self.description
  if options.world_data then return make_world(options.world_data, description) end
  local own = loaded.definition.fields.world
  local file = options.world or own and paths.folder(loaded.file) .. "/" .. own
  if not file then return make_world({ seed = seed }, description) end
  self.world_file, self.world_source = file, sandbox.read(file)
  return runner.open_world(file, seed, self.world_source, description)
end

--- Record the first versions of some files, {name = text}; return their hashes.
local function record_versions(self, sources)
  local hashes = {}
  for _, file in ipairs(suggest.keys(sources)) do hashes[file] = self.recorder:version(file, sources[file], nil, 0) end
  return hashes
end

--- The texts of the files that are data: the world's and the robot's.
local function data_sources(self)
  local measured = self.description.calibrated
  return { [self.description.file] = sandbox.read(self.description.file), [self.world_file or 1] = self.world_source,
    [measured or 2] = measured and sandbox.read(measured) }
end

local function open_parts(self, options)
  local why
  self.world, why = open_world(self, options)
  if not self.world then return nil, why end
  local pad = options.gamepad and gamepad.rows(options.gamepad.mapping) or {}
  local fault = inputs.fault(pad, self.description.inputs or {})
  if fault then return nil, "the gamepad's " .. fault end
  self.inputs = inputs.new(self.description.inputs or {}, options.inputs or {}, pad)
  self.inputs:follow(why or {})
  local start
  self.actuator, start, self.senses = motors.open(self.description, {
    driver = options.driver, settings = options.settings, seed = self.seed, world = self.world, trace = options.trace,
    drives = options.drives, start = options.start, unmoved = options.unmoved,
  })
  if not self.actuator then return nil, start end
  for _, sentence in ipairs(options.faults or {}) do
    local struck, reason = pcall(self.actuator.fault, self.actuator, sentence)
    if not struck then return nil, (tostring(reason):gsub("^.-%.lua:%d+: ", "")) end
  end
  self.solver, why = solver.new(self.description.robot, {
    seed = self.seed, backend = options.backend, with_base = true,
    max_objectives = properties.count(self.loaded.machine) + #self.description.dofs + runner.spare_objectives,
  })
  if not self.solver then return nil, why end
  self.solver:reset({ joints = start }, true)
  self.scene = scene.new(options.scene)
  self.detectors, why = detectors.of_run(self, options.detections)
  if self.detectors then self.clouds, why = clouds.of_run(self, options.clouds) end
  if not self.clouds then return nil, why end
  self.recorder, why = run_store.open(options, self)
  if not self.recorder then return nil, why end
  return true
end

--- Put a run together from options: file, robot, driver, seed, store, clock ("real", "fast"), rate,
--- reload (watch the files), watch ("poll": look at them again and again), world (a file), world_data (a
--- table instead), settings (of the driver), load (shared objects that were loaded), backend, say(level,
--- sentence, t: the run's time, s; nil before its first tick), idle(run), front ({socket, group, people}: people may attach), store_file (the store's path for
--- them), faults (a list of sentences: see actuator:fault), inputs (rows besides the robot's and the world's),
--- gamepad ({mapping, device}: needs the front), arm, trace (a file that devices record their bytes in), drives (a list:
--- what the driver moves), prepare and adapt (see runner.load), sources (texts of files, which stand for what is on disk),
--- start (where joints stand at first, by name; default: the home pose), base (the pose at which a base that moves
--- begins), rehearsal (see tree/rehearsal.lua), motor (a table of the engine's options of the motor side), speak_with and
--- play_with (programs: see character/speech/programs.lua; on the real clock), model (a table: see brio.model),
--- programs (trees may start those that they name), preview (it is a ghost's: what is not seen may be where it nominally is),
--- detections and clouds (lists of texts: where programs send what they see; see brio.detectors), session (the file of a
--- session script), operators (what scripted operators say: desk.operators.read), snapshots (seconds from one to
--- the next), resume (what snapshot.read gave: it goes on from there), tune (numbers of the behavior by name), study_session
--- (sessions.id of a study that the run belongs to), keep_clouds (beside the store).
--- Return it, or nil, a sentence, and a list of faults of the file if any.
function runner.new(options)
  local self
  local gate = taped.gate(options)
  local _ <close> = door.within(gate)
  local function print_line(text)
    if self then self:tell("info", text) elseif options.say then options.say("info", text) end
  end
  local loaded, faults, unread = runner.load(options.file, { seed = options.seed, print = print_line, prepare = options.prepare,
    files = options.sources and sandbox.given(options.sources), adapt = options.adapt })
  if not loaded then return nil, unread or runner.sentence(faults), faults end
  self = setmetatable({ loaded = loaded, seed = options.seed or 0, rate = options.rate or runner.rate,
    say = options.say or quiet, fast = options.clock == "fast", store_file = options.store_file, extensions = options.load,
    study_session = not options.replay and options.study_session or nil, gate = gate,
    keep_clouds = options.keep_clouds and options.store and options.store .. "-files" or nil }, Run)
  local why
  loaded.tune = options.tune
  self.description, why = robots.find(options.robot or loaded.definition.fields.robot or "pepper", options)
  if not self.description then return nil, why end
  faults = runner.faults_on(loaded, self.description)
  if #faults > 0 then return nil, runner.sentence(faults), faults end
  local good
  good, why = open_parts(self, options)
  if not good then return nil, why end
  good, why = self:start(options)
  if not good then return nil, why end
  taped.begin(self, options)
  return self
end

--- No sentence of the log is longer for people at the prompt, bytes.
local longest_sentence = 8192

--- Say something to whoever listens: the person who started the run, those at the prompt, and the store.
function Run:tell(level, sentence, source)
  sentence = pretty.visible(sentence)
  local at = self.host or {}
  self.say(level, sentence, at.now)
  if self.recorder and level ~= "debug" then self.recorder:log(at.now or 0, level, source or "engine", sentence, at.version) end
  if not self.front or level == "debug" then return end
  self.front:log(store.json { log = sentence:sub(1, longest_sentence), level = level, t = at.now })
end

--- Open the socket where prompts attach, {socket, group, tracker}.  A run goes on without one, but not without the port at
--- which trackers are to be heard: nil and why.
local function open_front(self, wanted, pad)
  local why
  self.front, why = taped.open_front(self.gate, {
    socket = wanted.socket, group = wanted.group, panic = self.inputs:panic_names(),
    tracker = wanted.tracker, operators = wanted.people,
    gamepad = pad and gamepad.options(pad.mapping, pad.device, function(name) return self.inputs:find(name).panic end),
    about = store.json { behavior = self.loaded.file, robot = self.description.name,
      version = require "brio.version", robot_file = (place.of(self.description)),
      number = self.run_number, store = self.store_file },
  })
  if not self.front then
    if wanted.tracker then return nil, why end
    self.say("warning", "nobody can attach to this run: " .. why)
    return true
  end
  self.say("debug", "`brio attach " .. self.front:path() .. "` attaches to this run")
  local warning = self.front:warning()
  if warning then self.say("warning", warning) end
  local token, file = self.front:token()
  if wanted.people_file then self.say("info", "new tokens are in " .. wanted.people_file) end
  if token then self.say("info", ("a group may attach with --token %s, which is in %s too"):format(token, file)) end
  self.prompt = prompt.new(self)
  return true
end

--- There is no engine to be had, as when another one drives the robot: let go of everything.
local function give_up(self, why)
  if self.recorder.writer then
    self.recorder.writer:finish { outcome = "failed", reason = why }
    self.recorder.writer:close()
  end
  if self.front then self.front:close() end
  self.detectors:close() self.clouds:close()
  self.actuator:close()
  return nil, why
end

--- Somebody set an input that means the panic stop.  Where the front saw it, it was raised at once.
local function raise_panic(self)
  for _, cause in ipairs(taped.motors(self).held_by) do
    if cause == "panic" then return end
  end
  self.engine:order "panic"
end

--- Make the behavior's host and the engine.
function Run:start(options)
  self.steering = steering.new(self.solver)
  if options.front then
    local opened, why = open_front(self, options.front, options.gamepad)
    if not opened then return give_up(self, why) end
  end
  self.prompt = self.prompt or (options.session or options.operators) and prompt.new(self)
  self.gamepad = self.front and options.gamepad and gamepad.new(options.gamepad.mapping)
  local hashes = record_versions(self, self.loaded.sources)
  self.data = record_versions(self, data_sources(self))
  self.host = host.new {
    definition = self.loaded.definition, machine = self.loaded.machine, version = hashes[self.loaded.file],
    sources = self.loaded.sources, hashes = hashes,
    solver = self.steering, scene = self.scene, inputs = self.inputs, actuator = self.actuator, description = self.description,
    operator = self.prompt and function() self.prompt:work() end, sequences = self.loaded.sequences, seed = self.seed,
    recorder = self.recorder, stream = self.loaded.stream,
    say = function(level, sentence, source) self:tell(level, sentence, source) end, gamepad = self.gamepad, front = self.front,
    rehearsal = options.rehearsal,
    sound = { fast = self.fast, speak_with = options.speak_with, play_with = options.play_with },
    detectors = self.detectors, clouds = self.clouds, fast = self.fast,
    model_options = options.model, programs = options.programs, preview = options.preview, saved = options.resume,
  }
  tuning.apply(self.host, options.tune)
  local begun, why = desk.begin(self, options)
  if not begun then return give_up(self, why) end
  self.engine, why = engine.new {
    solver = self.solver, scene = self.scene, actuator = self.actuator, rate = self.rate,
    store = self.recorder.writer, feeds = self.detectors.group, motor = motors.engine_options(self.description, options),
    work = function(now, dt)
      local _ <close> = door.within(self.gate)
      return self:work(now, dt)
    end,
    tape = self.gate and self.gate.tape,
    world = self.world,
    player = self.host.tracks.player, stage = function(number)
      local _ <close> = door.within(self.gate)
      self.host:stage(number)
    end,
    slack = function(seconds)
      local _ <close> = door.within(self.gate)
      if self.host.sessions or self.host.sessions_asked then sessions.slack(self.host) end
      if self.host.shared then shared_trees.slack(self.host) end
      self.keeper:slack()
      if seconds > spare then lazy.load_next() end
      return self.reloader:slack(seconds)
    end,
    idle = options.idle and function() options.idle(self) end,
    rest = self.description.shutdown and self.description.poses[self.description.shutdown].joints,
  }
  if not self.engine then return give_up(self, why) end
  self.host.objects:name_roles()
  self.inputs.on_panic = function() raise_panic(self) end
  self.reloader, self.keeper = reload.new(self, options), snapshot.keeper(self, options.snapshots)
  self.began = clock.monotonic()
  return true
end

--- Whether people at the prompt let the run go on: a first stop asks for power-off, a second ends it.
local function may_go_on(self)
  local stops = self.front and self.front:stops() or 0
  if stops > 0 then self.engine:stop("operator") end
  if stops > 1 then self.prompt:note_orders() end
  return stops < 2
end

--- The scripts' part of a tick.  Return false when the run is over.
function Run:work(now, dt)
  if not may_go_on(self) then return false end
  motors.hear(self, now)
  motors.sample(self, now)
  if self.senses then self.inputs:sense(self.actuator:inputs()) end
  sight.look(self.host, self.world)
  run_store.hear(self, now)
  self.recorder.journal:work(now)
  bump.feel(self)
  if self.gamepad then self.gamepad:work(self) end
  local goes_on = self.host:work(now, dt, self.engine:stopping())
  if self.host.power_off then self.engine:stop("script") end -- the behavior may have ended it itself
  return goes_on
end

--- Run until `seconds` are over (0: until an interrupt), then power off.
function Run:go(seconds)
  return self.engine:run(seconds, self.fast)
end

--- Do ticks for `seconds` of robot time, without any clock.  Return false when the run is over.
function Run:advance(seconds)
  local goes_on = true
  for _ = 1, math.floor(seconds * self.rate + 0.5) do
    goes_on = self.engine:tick()
    if not goes_on then break end
  end
  return goes_on
end

local outcomes = { time = "finished", signal = "stopped", operator = "stopped", script = "finished", [""] = "stopped" }

--- End the run: its row in the store is completed.  Return "finished", "stopped" or "failed".
function Run:close()
  local report, why = self.engine:report(), self.engine:stopping()
  motors.hear(self, report.time, true)
  motors.sample(self, report.time, true)
  local outcome = self.host.failed and "failed" or outcomes[why]
  self.host:close(outcome == "failed" and "failed" or "done", why)
  report.motors = self.engine:motors()
  motors.tell_of_rest(self, report)
  motors.tell_of_arming(self)
  self.recorder.journal:close(report.time)
  self.reloader:close()
  if self.prompt then self.prompt:close() end
  if self.front then self.front:close() end
  self.front = nil
  local freed, stuck = self.actuator:shut()
  if not freed then
    self.recorder:fault(report.ticks, report.time, "error", "motors", stuck, "device_stuck", self.host.version)
    self.say("error", stuck, report.time)
  end
  if self.gate then self.gate:finish(report.ticks) end
  local writer = self.recorder.writer
  local good, fault = true, nil
  if writer then
    good, fault = writer:finish {
      duration = report.time, ticks = report.ticks, outcome = outcome, reason = self.host.failed or why,
      commands_hash = report.commands, cpu_s = clock.cpu(), wall_s = clock.monotonic() - self.began,
      first_tick_ms = self.launched and (report.first_tick - self.launched) * 1000 or nil,
      tick_p50_us = report.tick_p50_us, tick_p99_us = report.tick_p99_us, tick_max_us = report.tick_max_us,
      late_ticks = report.late_ticks, resident_kb = math.floor(report.resident_kb),
    }
    local closed, why_not = writer:close()
    if not closed then good, fault = nil, why_not end
  end
  self.report, self.outcome = report, outcome
  self.detectors:close() self.clouds:close()
  self.engine:close() -- until then signals that ask for an end are ignored
  self.actuator:close()
  if not good then return outcome, fault end
  return outcome
end

return runner
