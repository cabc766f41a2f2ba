--- The row with which a run's record begins: what ran, with which options, for which session of a study.
local motors = require "brio.motors"
local recorder = require "brio.recorder"
local sandbox = require "brio.sandbox"
local store = require "brio.store"

local run_store = {}

--- What the store says of shared objects: {file, hash} each; nil where there are none.
local function loaded_objects(files)
  if not files then return nil end
  local list = {}
  for index, file in ipairs(files) do list[index] = { file = file, hash = store.hash(sandbox.read(file) or "") } end
  return store.array(list)
end

--- Open the store that a run's options name, and begin its row: the recorder, or nil and a sentence.  Without a store a
--- recorder that writes nowhere.
function run_store.open(options, self)
  if not options.store then return recorder.new(nil) end
  local writer, why = store.record(options.store, { wait = options.clock == "fast", durable = options.durable })
  if not writer then return nil, why end
  local made = recorder.new(writer)
  local good, fault = writer:begin {
    behavior = self.loaded.file, robot = self.description.name, robot_hash = self.description.robot:hash(),
    driver = options.driver or "sim", seed = self.seed, clock = options.clock or "real", tick_rate = self.rate,
    engine_version = require "brio.version", resumes = options.resume and options.resume.run,
    options = store.json { world = options.world, load = loaded_objects(options.load), tune = options.tune },
  }
  if not good then return nil, fault end
  if options.study_session then writer:put("session_runs", { session = options.study_session }) end
  local names, units, steps = {}, {}, {}
  for index, dof in ipairs(self.description.dofs) do
    names[index], units[index] = dof.name, dof.unit or "rad"
    steps[index] = { motors.usual_step, motors.step(self.description, dof) }
  end
  good, fault = writer:dofs(names, units, steps)
  if not good then return nil, fault end
  if self.gate and not self.gate.replays then self.gate:record(writer) end
  return made
end

return run_store
