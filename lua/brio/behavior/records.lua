--- The schemas of a behavior's file: the fields of a behavior, a state, a region of states and a
--- transition.
local tempo = require "brio.behavior.tempo"

local records = {}

--- Maximum duration of power-off, s.
records.longest_power_off = 30

--- Default time constant with which a state's weights and goals blend in, s.
records.blend = 0.1

local function fault_of_tempo(value)
  if type(value) ~= "number" then return "must be a number, not a " .. type(value) end
  local why = tempo.fault(value)
  return why and ": " .. why
end

local function tempo_of(doc)
  return { "number", lower = tempo.least, upper = tempo.most, fault = fault_of_tempo, doc = doc }
end

local about = { "string", doc = "a description for people" }
local first = { "string", doc = "the first state" }
local history = { "choice", of = { "shallow", "deep" },
  doc = "entered again, it returns to the inner state that was left: to that alone, or to all in it" }
local states = { "table", doc = "states inside this one, by name", lua = "table<string, brio.State>" }

--- brio.behavior "name" { ... }
records.behavior = {
  about = about,
  robot = { "string", value = "pepper", doc = "the robot, unless --robot names another" },
  world = { "string", doc = "a file next to it: people and objects of the simulated world" },
  start = { "string", doc = "the first state; optional if there is a power_on" },
  safe = { "string", doc = "the state to enter after a failure; a path names a state inside another" },
  tempo = tempo_of "speed of all motion; 1 is the robot's own. A state can have its own",
  memory = { "table", doc = "the initial value of self.memory; every run gets its own copy" },
  tune = { "table", doc = "numbers that people may tune, each brio.param(value, unit, lower, upper); read \z
    as self.tune.NAME",
    lua = "table<string, brio.Param>", example = '{ near = brio.param(1.2, "m", 0.5, 3) }' },
  sequences = { "table", doc = "sequences by name: files next to it, or tables",
    lua = "table<string, string|table>", example = '{ nod = "nod.lua" }' },
  stages = { "table", doc = "its own stages in the combination of sources",
    lua = "{ name: string, after?: string, work: fun(self: brio.Self, tracks: table) }[]" },
  life = { "table", doc = "sequences that play at random intervals", lua = "table<string, brio.Life>" },
  keys = { "table", doc = "sequences that play when a key or button is pressed",
    lua = "table<string, brio.Key>" },
  cameras = { "table", doc = "cameras that see for the robot", lua = "table<string, brio.CameraRow>",
    example = '{ eye = { from = "v4l2:/dev/video0", frame = "head_camera", size = 0.08 } }' },
  detectors = { "table", doc = "programs that see for the robot", lua = "table<string, brio.DetectorRow>",
    example = '{ camera = { from = "udp:7001", frame = "head_camera" } }' },
  clouds = { "table", doc = "sources of point clouds", lua = "table<string, brio.CloudRow>",
    example = '{ depth = { from = "shm:depth", frame = "head_camera" } }' },
  model = { "table", doc = "a language model that its trees may ask", lua = "brio.Model",
    example = '{ url = "http://127.0.0.1:11434", api = "ollama", name = "llama3.2" }' },
  skills = { "table", doc = "functions that `does` and `holds` in its trees name",
    lua = "table<string, function|brio.Skill>" },
  machines = { "table", doc = "states that its trees run by name", lua = "table<string, brio.Region>" },
  scene_objects = { "table", doc = "its own kinds of derived objects, each made by brio.scene_object",
    lua = "table[]" },
  character = { "table", doc = "faculties of the robot, active in all states; true: all defaults",
    lua = "brio.CharacterFields", example = "{ emotion = true, gaze = { zone = 1.2 } }" },
  check = { "function", doc = "may refuse this version before it runs: false and a sentence",
    lua = "fun(about: brio.About): boolean?, string?" },
}

--- NAME.state = { ... }, and the states inside a state.
records.state = {
  about = about,
  wants = { "table", doc = "properties in order of rank, the most important first",
    lua = "(brio.Property|brio.Group)[]",
      example = 'want.collision_avoidance {}, want.look_at { goal = ann }' },
  blend = { "number", unit = "s", lower = 0,
    doc = "time constant with which its weights and goals blend in; \z
    default: that of the enclosing state, or " .. records.blend },
  tempo = tempo_of "speed of all motion; default: that of the enclosing state, or the behavior's",
  enter = { "function", doc = "called when the state is entered, with the data of the event that led here",
    lua = "fun(self: brio.Self, data: any)" },
  tick = { "function", doc = "called every tick; may return the name of the next state",
    lua = "fun(self: brio.Self, dt: number): string?" },
  exit = { "function", doc = "called when it is left", lua = "fun(self: brio.Self)" },
  run = { "function", doc = "a script that may wait; may return the name of the next state",
    lua = "fun(self: brio.Self, data: any): string?" },
  tree = { "table or string",
    doc = "a behavior tree, or the name of its file, that runs while the state is active" },
  on = { "table", doc = "transitions by event", lua = "table<string, brio.Target>",
    example = '{ person_appeared = "greet" }' },
  after = { "table", doc = "transitions by time, s: all timers start when the state is entered",
    lua = "brio.Timer|brio.Timer[]", example = '{ 2, "idle" }' },
  when = { "table", doc = "transitions by condition: the functions are called every tick",
    lua = "brio.Condition|brio.Condition[]",
      example = '{ function(self) return self.memory.bored end, "idle" }' },
  go = { "table", doc = "the same three in one ordered list", lua = "brio.Transition[]",
    example = '{ { on = "greeted", to = "talk" }, { after = 2, to = "idle" } }' },
  states = states, start = first, history = history,
  regions = { "map", doc = "several state machines at once, by name", lua = "table<string, brio.Region>" },
  finish = { "boolean",
    doc = "if a reload changes the text of `run`, the running one finishes with the old text" },
  lasts = { "number", unit = "s", lower = 0, upper = records.longest_power_off,
    doc = "of power_off only: its duration" },
}

--- regions = { NAME = { ... } }, and machines = { NAME = { ... } }
records.region = { about = about, states = states, start = first, history = history }

--- An item of `go`: one of on, after and when, with `to`.
records.transition = {
  on = { "string", doc = "the event that it waits for" },
  after = { "number", unit = "s", lower = 0, doc = "the time since the state was entered" },
  when = { "function", doc = "called every tick; true takes the transition",
    lua = "fun(self: brio.Self): any" },
  to = { "any", doc = "the next state, or a function that returns its name; nil: stay", needed = true,
    lua = "brio.Target" },
  fresh = { "boolean", doc = "it ignores the history of its target" },
}

return records
