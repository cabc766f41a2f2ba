--- The first row of a run's record: what ran, with which options, for which session of a study.
local clock = require "brio.clock"
local motors = require "brio.devices.motors"
local place = require "brio.robots.place"
local recorder = require "brio.record.recorder"
local sandbox = require "brio.behavior.sandbox.sandbox"
local store = require "brio.store"

local run_store = {}

--- Ticks between two checks of the store.
local look_every = 100

--- Units of sizes, in bytes; and the minimum valid size.
local units_of_size = { [""] = 1, b = 1, kb = 1e3, k = 1e3, mb = 1e6, m = 1e6, gb = 1e9, g = 1e9, tb = 1e12,
  t = 1e12, kib = 2 ^ 10, mib = 2 ^ 20, gib = 2 ^ 30, tib = 2 ^ 40 }
local least_size = 10000000

--- The extensions that were loaded, for the record: a list of {file, hash}; nil if there are none.
local function loaded_objects(files)
  if not files then return nil end
  local list = {}
  for index, file in ipairs(files) do
    list[index] = { file = file, hash = store.hash(sandbox.read(file) or "") }
  end
  return store.array(list)
end

--- Open the store that a run's options name, and write the run's row.  Return the recorder, or nil and a
--- sentence.  Without a store the recorder writes nothing.
function run_store.open(options, self)
  if not options.store then return recorder.new(nil) end
  local writer, why = store.record(options.store,
    { wait = options.clock == "fast", durable = options.durable, limit = options.store_limit })
  if not writer then return nil, why end
  local made = recorder.new(writer)
  self.store_limit = options.store_limit
  local robot_file, packages = place.of(self.description, options.packages)
  local number, fault = writer:begin {
    behavior = self.loaded.file, robot = self.description.name, robot_hash = self.description.robot:hash(),
    driver = options.driver or "sim", seed = self.seed, clock = options.clock or "real",
      tick_rate = self.rate,
    engine_version = require "brio.version", resumes = options.resume and options.resume.run,
    options = store.json { replay_of = self.gate and self.gate.of, world = options.world,
      physics = options.physics,
      load = loaded_objects(options.load),
      tune = options.tune, robot_file = robot_file, packages = packages },
  }
  if not number then return nil, fault end
  self.run_number = number
  if self.study_session then writer:put("session_runs", { session = self.study_session }) end
  local names, units, steps = {}, {}, {}
  for index, dof in ipairs(self.description.dofs) do
    names[index], units[index] = dof.name, dof.unit or "rad"
    steps[index] = { motors.usual_step, motors.step(self.description, dof) }
  end
  local good, wrong = writer:dofs(names, units, steps)
  if not good then return nil, wrong end
  if self.gate and not self.gate.replays then self.gate:record(writer) end
  return made
end

--- Parse a size such as "2GB" or "500 MB" into bytes; nil and a sentence on failure.
function run_store.size(text)
  local number, unit = tostring(text):match "^(%d+%.?%d*)%s*(%a*)$"
  local factor = unit and units_of_size[unit:lower()]
  local bytes = factor and math.floor(tonumber(number) * factor)
  if bytes and bytes >= least_size then return bytes end
  if bytes then
    return nil, ("%s is too little: a store needs %d MB or more"):format(text, least_size // 1000000)
  end
  return nil, ("a size was expected, as 500MB or 2GB, not '%s'"):format(text)
end

--- Report when the store cannot be written, again every few seconds while that lasts, and when it can be
--- written again. The robot continues without the store.
local function hear_trouble(self)
  local now = self.host
  local severity, sentence, first = self.recorder:news(clock.monotonic())
  if not severity then return end
  if first then self.recorder:fault(now.tick, now.now, severity, "store", sentence, "store", now.version) end
  self:tell(severity, sentence)
end

--- Report when the store has reached its limit, and when it exceeds it.
local function hear_limit(self)
  local writer = self.recorder.writer
  if not writer or not self.store_limit then return end
  local dropped, beyond = writer:dropped()
  if dropped > 0 and not self.told_dropped then
    self:tell("warning", "the run store has reached its limit: from now on the oldest samples are \z
      removed; its table dropped lists them")
  end
  if beyond and not self.told_beyond then
    self:tell("warning", "the run store exceeds its limit, and no samples are left to drop: it keeps growing")
  end
  self.told_dropped, self.told_beyond = dropped > 0, beyond
end

--- Interval between records of both clocks, s; the shorter interval if they have drifted apart by more than
--- the shift, s.
local clocks_every, clocks_again, clocks_shift = 1, 0.1, 0.002

--- Record the run's clock and the machine's at the same moment. Only a run on the real clock has both.
local function note_clocks(self, t)
  local writer = self.recorder.writer
  if not writer or self.fast then return end
  local last, here = self.clocks, clock.monotonic()
  local since = last and t - last.t
  local shift = last and math.abs((here - last.here) - since) or 0
  if last and since < clocks_every and (since < clocks_again or shift < clocks_shift) then return end
  if not last then self.clocks = { begun = here, id = 0 } end
  self.clocks.t, self.clocks.here, self.clocks.id = t, here, self.clocks.id + 1
  writer:put("clocks", { id = self.clocks.id, t = t, machine_s = here - self.clocks.begun,
    utc_s = clock.wall() })
end

--- Record the numbers that were tuned since the last tick.
local function note_parameters(self, t)
  local params = self.host.definition.fields.tune
  if params and self.recorder.writer then self.recorder:parameters(t, params, self.host.self.tune) end
end

--- Once a tick, at time `now`, s: record the clocks and tuned numbers, and report the condition of the
--- store.
function run_store.hear(self, now)
  note_clocks(self, now)
  note_parameters(self, now)
  if self.host.tick % look_every ~= 0 then return end
  hear_trouble(self)
  hear_limit(self)
end

return run_store
