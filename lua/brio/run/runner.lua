--- Puts a run together: robot, world, devices, scene, solver, store, behavior and engine.
---
---     local run = assert(runner.new { file = "behaviors/kiosk.lua", clock = "fast" })
---     run:go(20)
---     run:close()
local lazy = require "brio.lib.lazy"
local balance = lazy "brio.run.balance"
local bump = lazy "brio.run.bump"
local clock = require "brio.clock"
local clouds = require "brio.perception.clouds"
local desk = lazy "brio.operator.desk"
local cameras = lazy "brio.perception.cameras"
local detectors = require "brio.perception.detectors"
local dispatch = require "brio.io.dispatch"
local door = require "brio.io.input_gate"
local engine = require "brio.engine"
local gamepad = lazy "brio.devices.gamepad"
local hosts = require "brio.run.host"
local inputs = require "brio.devices.inputs"
local loading = require "brio.run.load"
local motors = lazy "brio.devices.motors"
local paths = require "brio.lib.paths"
local physics = lazy "brio.run.physics"
local place = require "brio.robots.place"
local pretty = lazy "brio.lib.pretty"
local prompt = lazy "brio.operator.prompt"
local properties = lazy "brio.behavior.properties"
local reload = lazy "brio.run.reload"
local record = require "brio.run.options"
local robots = require "brio.robots.catalog"
local run_store = lazy "brio.record.run_row"
local sandbox = require "brio.behavior.sandbox.sandbox"
local scene = require "brio.scene"
local schema = require "brio.lib.schema"
local sessions = lazy "brio.tree.editing.session"
local sight = lazy "brio.perception.map.sight"
local snapshot = lazy "brio.run.snapshot"
local shared_trees = lazy "brio.tree.editing.shared"
local solver = require "brio.solver"
local steering = lazy "brio.run.steering"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local taped = require "brio.io.run_tape"
local tuning = require "brio.behavior.tuning"

--- Slack in which a module is loaded that was omitted at the start, s.
local spare = 0.001

local runner = {}
local Run = {}
Run.__index = Run

runner.rate = 200

--- Number of objectives that may be added to a run's solver beyond those of its behavior.
runner.spare_objectives = 64

--- The functions of load.lua, which loads the parts of a run.
for _, name in ipairs { "load", "faults_on", "sentence", "read_world", "open_world" } do
  runner[name] = loading[name]
end

local function quiet() end

local function open_world(self, options)
  local loaded, seed = self.loaded, self.seed
  local description = self.description
  if options.world_data then return loading.make_world(options.world_data, description) end
  local own = loaded.definition.fields.world
  local file = options.world or own and paths.beside(loaded.file, own)
  if not file then return loading.make_world({ seed = seed }, description) end
  self.world_file, self.world_source = file, sandbox.read(file)
  return loading.open_world(file, seed, self.world_source, description)
end

--- Record the first versions of files, {name = text}; return their hashes.
local function record_versions(self, sources)
  local hashes = {}
  for _, file in ipairs(suggest.keys(sources)) do
    hashes[file] = self.recorder:version(file, sources[file], nil, 0)
  end
  return hashes
end

--- The texts of the data files: the world's and the robot's.
local function data_sources(self)
  local measured = self.description.calibrated
  return { [self.description.file] = sandbox.read(self.description.file),
    [self.world_file or 1] = self.world_source,
    [measured or 2] = measured and sandbox.read(measured) }
end

--- The detectors of a run, its cameras among them.
local function open_detectors(self, options)
  local base, more = self.description.cameras, self.loaded.definition.fields.cameras
  if not (base or more or options.cameras) then return detectors.of_run(self, options.detections) end
  local rows, found = cameras.rows { base = base, base_folder = paths.folder(self.description.file),
    more = more, folder = paths.folder(self.loaded.file), said = options.cameras, fast = self.fast,
    pictures = options.front and options.front.pictures }
  if not rows then return nil, (options.cameras and "--camera: " or "") .. found end
  self.pictures = found
  return detectors.of_run(self, options.detections, rows)
end

local function open_parts(self, options)
  local why
  self.world, why = open_world(self, options)
  if not self.world then return nil, why end
  if options.physics then
    local opened, wrong = physics.open(self, options)
    if not opened then return nil, wrong end
  end
  local pad = options.gamepad and gamepad.rows(options.gamepad.mapping) or {}
  local fault = inputs.fault(pad, self.description.inputs or {})
  if fault then return nil, "the gamepad's " .. fault end
  self.inputs = inputs.new(self.description.inputs or {}, options.inputs or {}, pad)
  self.inputs:follow(why or {})
  if self.physics then self.inputs:declare(physics.inputs(self)) end
  local start
  self.actuator, start, self.senses = motors.open(self.description, {
    driver = options.driver, settings = options.settings, seed = self.seed, world = self.world,
    trace = options.trace,
    drives = options.drives, start = options.start, unmoved = options.unmoved,
  })
  if not self.actuator then return nil, start end
  if self.physics then
    local fits, wrong = physics.check(self)
    if not fits then return nil, wrong end
  end
  for _, sentence in ipairs(options.faults or {}) do
    local struck, reason
    if sentence:match "^%s*push%s" then struck, reason = physics.plan_push(self, sentence)
    else struck, reason = pcall(self.actuator.fault, self.actuator, sentence) end
    if not struck then return nil, (tostring(reason):gsub("^.-%.lua:%d+: ", "")) end
  end
  self.solver, why = solver.new(self.description.robot, {
    seed = self.seed, backend = options.backend, with_base = true,
    max_objectives = properties.count(self.loaded.machine) + #self.description.dofs + runner.spare_objectives,
  })
  if not self.solver then return nil, why end
  self.solver:reset({ joints = start }, true)
  if self.description.balance then
    local kept, wrong = balance.keep(self.solver, self.description)
    if not kept then return nil, wrong end
  end
  self.scene = scene.new(options.scene)
  self.detectors, why = open_detectors(self, options)
  if self.detectors then self.clouds, why = clouds.of_run(self, options.clouds) end
  if not self.clouds then return nil, why end
  self.recorder, why = run_store.open(options, self)
  if not self.recorder then return nil, why end
  return true
end

--- Put a run together from options (options.lua); those of a replay may come from an older build. Return
--- it, or nil, a sentence, and a list of faults of the file if any.
function runner.new(options)
  local replayed = type(options) == "table" and options.replay
  if not replayed then schema.check(options, record, "runner.new", 2, "option") end
  local self
  local gate = taped.gate(options)
  local _ <close> = door.within(gate)
  local function print_line(text)
    if self then self:tell("info", text) elseif options.say then options.say("info", text) end
  end
  local loaded, faults, unread = runner.load(options.file, { seed = options.seed, print = print_line,
    prepare = options.prepare,
    files = options.sources and sandbox.given(options.sources), adapt = options.adapt })
  if not loaded then return nil, unread or runner.sentence(faults), faults end
  self = setmetatable({ loaded = loaded, seed = options.seed or 0, rate = options.rate or runner.rate,
    say = options.say or quiet, fast = options.clock == "fast", store_file = options.store_file,
    folder = options.folder, extensions = options.load,
    study_session = not options.replay and options.study_session or nil, gate = gate,
    keep_clouds = options.keep_clouds and options.store and options.store .. "-files" or nil }, Run)
  local why
  loaded.tune = options.tune
  self.description, why = robots.find(options.robot or loaded.definition.fields.robot or "pepper",
    { packages = options.packages, base = options.base,
      floats = options.physics ~= nil and options.physics ~= "none" or nil })
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

--- Maximum length of a line of the log at the prompt, bytes.
local longest_sentence = 8192

--- Log a sentence: for the person who started the run, for those at the prompt, and in the store.
function Run:tell(level, sentence, source)
  sentence = pretty.visible(sentence)
  local at = self.host or {}
  self.say(level, sentence, at.now)
  if self.recorder and level ~= "debug" then
    self.recorder:log(at.now or 0, level, source or "engine", sentence, at.version)
  end
  if not self.front or level == "debug" then return end
  self.front:log(store.json { log = sentence:sub(1, longest_sentence), level = level, t = at.now })
end

--- Open the socket to which prompts attach, {socket, group, tracker}.  A run continues without the socket,
--- but not without the port of trackers: then nil and the reason.
local function open_front(self, wanted, pad)
  local why
  self.front, why = taped.open_front(self.gate, {
    socket = wanted.socket, group = wanted.group, panic = self.inputs:panic_names(),
    tracker = wanted.tracker, operators = wanted.people,
    gamepad = pad
      and gamepad.options(pad.mapping, pad.device, function(name) return self.inputs:find(name).panic end),
    about = store.json { behavior = self.loaded.file, robot = self.description.name,
      version = require "brio.version", robot_file = (place.of(self.description)),
      number = self.run_number, store = self.store_file, folder = self.folder,
      cameras = self.pictures },
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
  if token then
    self.say("info", ("a group may attach with --token %s, which is in %s too"):format(token, file))
  end
  self.prompt = prompt.new(self)
  return true
end

--- The engine cannot be created, for example because another one drives the robot: release everything.
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

--- An input that means the panic stop was set.  If the front received it, the stop was raised at once.
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
  self.host = hosts.new {
    definition = self.loaded.definition, machine = self.loaded.machine, version = hashes[self.loaded.file],
    sources = self.loaded.sources, hashes = hashes,
    solver = self.steering, scene = self.scene, inputs = self.inputs, actuator = self.actuator,
    description = self.description, operator = self.prompt and function() self.prompt:work() end,
    sequences = self.loaded.sequences, seed = self.seed,
    recorder = self.recorder, stream = self.loaded.stream,
    say = function(level, sentence, source) self:tell(level, sentence, source) end,
    gamepad = self.gamepad, front = self.front,
    rehearsal = options.rehearsal,
    sound = { fast = self.fast, speak_with = options.speak_with, play_with = options.play_with },
    detectors = self.detectors, clouds = self.clouds, fast = self.fast,
    model_options = options.model, programs = options.programs, preview = options.preview,
    saved = options.resume,
  }
  tuning.apply(self.host, options.tune)
  local begun, why = true, nil
  if self.prompt then begun, why = desk.begin(self, options) end
  if not begun then return give_up(self, why) end
  local gated = { gate = self.gate or false } -- how the engine enters the scripts
  self.engine, why = engine.new {
    solver = self.solver, scene = self.scene, actuator = self.actuator, rate = self.rate,
    store = self.recorder.writer, feeds = self.detectors.group,
    motor = motors.engine_options(self.description, options),
    work = function(now, dt) return dispatch.call(nil, gated, self.work, self, now, dt) end,
    tape = self.gate and self.gate.tape,
    world = self.world,
    player = self.host.tracks.player,
    stage = function(number) dispatch.call(nil, gated, self.host.stage, self.host, number) end,
    slack = function(seconds) return dispatch.call(nil, gated, self.slack, self, seconds) end,
    idle = options.idle and function() options.idle(self) end,
    rest = self.description.shutdown and self.description.poses[self.description.shutdown].joints,
  }
  if not self.engine then return give_up(self, why) end
  if self.front then taped.show(self.engine, self.front) end
  motors.tell_of_ranges(self)
  self.host.objects:name_roles()
  self.inputs.on_panic = function() raise_panic(self) end
  self.reloader, self.keeper = reload.new(self, options), snapshot.keeper(self, options.snapshots)
  self.began = clock.monotonic()
  return true
end

--- Whether people at the prompt let the run continue: the first stop requests power-off, the second ends
--- it.
local function may_go_on(self)
  local stops = self.front and self.front:stops() or 0
  if stops > 0 then self.engine:stop("operator") end
  if stops > 1 then self.prompt:note_orders() end
  return stops < 2
end

--- The scripts' part of a tick.  Return false when the run has ended.
function Run:work(now, dt)
  if not may_go_on(self) then return false end
  local recorded = self.recorder.writer
  motors.hear(self, now)
  if recorded then motors.sample(self, now) end
  if self.senses then self.inputs:sense(self.actuator:inputs()) end
  sight.look(self.host, self.world)
  if recorded then
    run_store.hear(self, now)
    self.recorder.journal:work(now)
  end
  if self.physics then physics.watch(self) else bump.feel(self) end
  if self.gamepad then self.gamepad:work(self) end
  local goes_on = self.host:work(now, dt, self.engine:stopping())
  if self.host.power_off then self.engine:stop("script") end -- the behavior may have ended by itself
  return goes_on
end

--- The work of the scripts in the slack after a tick, of `seconds`.
function Run:slack(seconds)
  local host = self.host
  if host.sessions or host.sessions_asked then sessions.slack(host) end
  if host.aside then host.aside:work() end
  if host.shared then shared_trees.slack(host) end
  self.keeper:slack()
  if seconds > spare then lazy.load_next() end
  return self.reloader:slack(seconds)
end

--- Run for `seconds` (0: until an interrupt), then power off.
function Run:go(seconds)
  return self.engine:run(seconds, self.fast)
end

--- Do ticks for `seconds` of robot time, without a clock.  Return false when the run has ended.
function Run:advance(seconds)
  local goes_on = true
  for _ = 1, math.floor(seconds * self.rate + 0.5) do
    goes_on = self.engine:tick()
    if not goes_on then break end
  end
  return goes_on
end

local outcomes =
  { time = "finished", signal = "stopped", operator = "stopped", script = "finished", physics = "failed",
    [""] = "stopped" }

--- End the run: complete its row in the store.  Return "finished", "stopped" or "failed".
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
    self.recorder:fault(report.ticks, report.time, "error", "motors", stuck, "device_stuck",
      self.host.version)
    self.say("error", stuck, report.time)
  end
  if self.gate then self.gate:finish(report.ticks) end
  local writer = self.recorder.writer
  local good, fault = true, nil
  if writer then
    good, fault = writer:finish {
      duration = report.time, ticks = report.ticks, outcome = outcome,
      reason = self.host.failed or self.physics_ended or why,
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
  self.engine:close() -- until now signals that request an end were ignored
  self.actuator:close()
  if not good then return outcome, fault end
  return outcome
end

return runner
