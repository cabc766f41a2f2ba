--- Every table that people write and that has a schema (lib/schema.lua): for `brio schema`, the reference
--- page and the annotations for editors.
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local tables = {}

local function in_module(module, key)
  return function() return key and require(module)[key] or require(module) end
end

--- A character: each faculty is a record.
local function character()
  local record = {}
  for _, row in ipairs(require "brio.character.faculties") do
    record[row.name] = { "boolean or table", fields = row.fields, doc = row.about }
  end
  return record
end

--- One row for each table: name, doc, where it is written, its page, the class of its annotation (nil: it has
--- one elsewhere), and its record.
tables.list = {
  { name = "behavior", doc = "a behavior", where = 'brio.behavior "NAME" { ... }',
    page = "behaviors/behaviors.md",
    class = "brio.Fields", record = in_module("brio.behavior.records", "behavior") },
  { name = "state", doc = "a state of a behavior", where = "BEHAVIOR.STATE = { ... }",
    page = "behaviors/behaviors.md", class = "brio.State",
      record = in_module("brio.behavior.records", "state") },
  { name = "region", doc = "one of several state machines in a state", where = "regions = { NAME = { ... } }",
    page = "behaviors/behaviors.md", class = "brio.Region",
      record = in_module("brio.behavior.records", "region") },
  { name = "transition", doc = "an item of `go`", where = "go = { { ... } }", page = "behaviors/behaviors.md",
    class = "brio.Transition", record = in_module("brio.behavior.records", "transition") },
  { name = "character", doc = "faculties of a robot, active in all states; true: all defaults",
    where = "character = { ... }", page = "animation/character.md", class = "brio.CharacterFields",
      record = character },
  { name = "idle motion", doc = "a motion of idle life",
    where = "character = { idle = { motions = { NAME = { ... } } } }",
    page = "animation/character.md", class = "brio.IdleMotion",
    record = in_module("brio.character.idle.rows", "motion_fields") },
  { name = "idle gesture", doc = "a gesture of idle life",
    where = "character = { idle = { gestures = { NAME = { ... } } } }",
    page = "animation/character.md", class = "brio.IdleGesture",
    record = in_module("brio.character.idle.rows", "gesture_fields") },
  { name = "life", doc = "sequences that play at random intervals", where = "life = { NAME = { ... } }",
    page = "animation/mixing.md", class = "brio.Life",
      record = in_module("brio.motion.random_sequences", "row_fields") },
  { name = "key", doc = "sequences that play when a key is pressed", where = "keys = { KEY = { ... } }",
    page = "animation/mixing.md", class = "brio.Key",
      record = in_module("brio.motion.random_sequences", "key_fields") },
  { name = "need", doc = "a need of a robot with an emotion",
    where = "character = { emotion = { needs = { NAME = { ... } } } }",
    page = "animation/emotion.md", class = "brio.Need",
      record = in_module("brio.character.emotion.needs", "fields") },
  { name = "modulation", doc = "how the emotion changes motion",
    where = "character = { emotion = { modulation = { ... } } }",
    page = "animation/emotion.md", class = "brio.Modulation",
    record = in_module("brio.character.emotion.modulation", "fields") },
  { name = "say", doc = "how a text is to be said", where = "self.speech:say(TEXT, { ... })",
    page = "animation/speech.md", class = "brio.Say",
      record = in_module("brio.character.speech.settings", "say") },
  { name = "detector", doc = "a program that sees for the robot", where = "detectors = { NAME = { ... } }",
    page = "perception/detectors.md", class = "brio.DetectorRow",
    record = in_module("brio.perception.records", "detector") },
  { name = "camera", doc = "a camera, and what is found in its pictures",
    where = "cameras = { NAME = { ... } }",
    page = "perception/cameras.md", class = "brio.CameraRow",
    record = in_module("brio.perception.records", "camera") },
  { name = "cloud", doc = "a source of point clouds", where = "clouds = { NAME = { ... } }",
    page = "perception/detectors.md", class = "brio.CloudRow",
      record = in_module("brio.perception.records", "cloud") },
  { name = "model", doc = "a language model", where = "model = { ... }", page = "trees/conditions.md",
    class = "brio.Model", record = in_module("brio.io.language_model", "fields") },
  { name = "skill", doc = "what names in trees stand for", where = "skills = { NAME = { ... } }",
    page = "trees/files.md", class = "brio.Skill",
      record = in_module("brio.tree.files.expand", "skill_fields") },
  { name = "scene object", doc = "a kind of derived object of one's own",
    where = 'brio.scene_object "NAME" { ... }',
    page = "perception/perception.md", class = "brio.SceneObjectFields",
    record = in_module("brio.perception.objects", "own_fields") },
  { name = "objective", doc = "an objective of one's own", where = 'brio.objective "NAME" { ... }',
    page = "engine/extending-the-solver.md", class = "brio.ObjectiveFields",
    record = in_module("brio.behavior.wants.records", "objective") },
  { name = "goal kind", doc = "a kind of goal of one's own", where = 'brio.goal_kind "NAME" { ... }',
    page = "engine/extending-the-solver.md", class = "brio.GoalKindFields",
    record = in_module("brio.behavior.wants.records", "goal_kind") },
  { name = "hand", doc = "a hand of a robot, in its grips.lua", where = "{ HAND = { ... } }",
    page = "devices/robots.md", class = "brio.Hand", record = in_module("brio.robots.grips", "fields") },
  { name = "beat", doc = "a gesture that beats to speech, in a robot's beats.lua", where = "{ { ... } }",
    page = "animation/speech.md", class = "brio.Beat",
      record = in_module("brio.character.speech.beats", "fields") },
  { name = "leaf script", doc = "what a leaf comes to in a test",
    where = "t:run(FILE, { leaves = { NAME = { ... } } })",
    page = "trees/trying.md", class = "brio.LeafScript",
      record = in_module("brio.trials.rehearsal", "fields") },
  { name = "sequence", doc = "motion as keys on tracks", where = "return { ... }, a sequence's file",
    page = "animation/sequences.md", class = "brio.Sequence",
    record = in_module("brio.motion.sequence", "fields") },
  { name = "track", doc = "a track of a sequence, beside its keys", where = "tracks = { DOF = { ... } }",
    page = "animation/sequences.md", class = "brio.Track",
    record = in_module("brio.motion.sequence", "track_fields") },
  { name = "sequence key", doc = "a key of a track, beside its time and value", where = "{ s, value, ... }",
    page = "animation/sequences.md", class = "brio.SequenceKey",
    record = in_module("brio.motion.sequence", "key_fields") },
  { name = "animation of a standing robot", doc = "what a standing robot is to do",
    where = 'require("brio.standing").optimize(ROBOT, { ... }, OPTIONS)', page = "engine/trajectory.md",
    class = "brio.StandingAnimation", record = in_module("brio.motion.standing.records", "animation") },
  { name = "standing motion", doc = "how an animation becomes a motion of a standing robot",
    where = 'require("brio.standing").optimize(ROBOT, ANIMATION, { ... })', page = "engine/trajectory.md",
    class = "brio.StandingOptions", record = in_module("brio.motion.standing.records", "options") },
  { name = "rig", doc = "how an animation moves a robot that stands", where = "return { ... }, a rig's file",
    page = "animation/feasible.md", class = "brio.Rig",
    record = in_module("brio.motion.rig.records", "rig") },
  { name = "motion of a library", doc = "a motion that a robot can do, standing or walking",
    where = "return { ... }, motion.lua", page = "animation/feasible.md", class = "brio.MotionEntry",
    record = in_module("brio.motion.motion_library", "fields") },
  { name = "robot", doc = "a robot, in its robot.lua", where = "return { ... }", page = "devices/robots.md",
    class = "brio.RobotFile", record = in_module("brio.robots.file", "fields") },
  { name = "calibration", doc = "what brio calibrate measured", where = "return { ... }, calibration.lua",
    page = "devices/robots.md", class = "brio.Calibration",
    record = in_module("brio.robots.file", "calibration_fields") },
  { name = "session", doc = "a session script", where = "brio.session { ... }", page = "operators/desk.md",
    class = "brio.SessionFields", record = in_module("brio.operator.session", "fields") },
  { name = "study", doc = "a study's plan", where = "brio.study { ... }", page = "analysis/studies.md",
    class = "brio.StudyFields", record = in_module("brio.study.file", "fields") },
  { name = "condition", doc = "a condition of a study", where = "conditions = { { ... } }",
    page = "analysis/studies.md", class = "brio.Condition",
    record = in_module("brio.study.file", "condition_fields") },
  { name = "questionnaire", doc = "a questionnaire", where = "return { ... }, its file",
    page = "analysis/questionnaires.md", class = "brio.Questionnaire",
    record = in_module("brio.study.questionnaires.questionnaire", "fields") },
  { name = "input", doc = "an input of a robot", where = "inputs = { NAME = { ... } }, robot.lua",
    page = "devices/robots.md", class = "brio.Input", record = in_module("brio.devices.inputs", "fields") },
  { name = "joystick", doc = "what sticks and buttons do to a robot", where = "return { ... }, joystick.lua",
    page = "operators/gamepads.md", class = "brio.Joystick",
    record = in_module("brio.character.control.joystick", "fields") },
  { name = "mapping", doc = "how a person's motion becomes a robot's", where = "return { ... }, retarget.lua",
    page = "animation/importing.md", class = "brio.Mapping",
    record = in_module("brio.motion.retarget.map", "fields") },
  { name = "gamepad", doc = "a gamepad's mapping", where = "return { ... }, the file of --gamepad",
    page = "operators/gamepads.md", class = "brio.Gamepad",
    record = in_module("brio.devices.gamepad", "fields") },
  { name = "tracker datagram", doc = "a pose that a tracker sends, JSON",
    where = "{ ... } to the port of --tracker", page = "operators/shared-control.md",
    class = "brio.TrackerDatagram",
    record = in_module("brio.character.control.tracker", "fields") },
  { name = "map", doc = "what a robot remembers of where things are",
    where = "return { ... }, the file of character = { map = { file = FILE } }",
    page = "perception/perception.md", class = "brio.Map",
    record = in_module("brio.perception.map.file", "fields") },
  { name = "driver", doc = "a driver written in Lua", where = "return { ... }, a driver's file",
    page = "devices/writing-a-driver.md", class = "brio.Driver",
    record = in_module("brio.devices.driver_host", "fields") },
  { name = "run", doc = "the options of a run", where = 'require("brio.runner").new { ... }',
    page = "engine/architecture.md", class = "brio.RunOptions", record = in_module "brio.run.options" },
}

-- Schemas of objectives and nodes of trees are converted to the same data -----------------------------------

--- The argument of an objective as a field.
local function field_of(param)
  return { name = param.name, type = param.type, unit = param.unit, lower = param.lower, upper = param.upper,
    default = param.default, needed = not param.optional and param.default == nil or nil, doc = param.doc }
end

--- The tables of all objectives, as want.NAME { ... }.
local function objectives()
  local list = {}
  for _, kind in ipairs(require("brio.solver").kinds()) do
    local rows = {}
    for index, param in ipairs(kind.params) do rows[index] = field_of(param) end
    if kind.goal then rows[#rows + 1] = { name = "goal", type = kind.goal, needed = true } end
    list[#list + 1] = { name = "want." .. kind.name, doc = kind.doc,
      where = ("want.%s { ... }"):format(kind.name),
      page = "behaviors/objectives.md", fields = rows }
  end
  return list
end

--- The tables of all nodes of behavior trees, as { "KIND", ... }.
local function nodes()
  local list, kinds = {}, require("brio.tree.model.tree").kinds
  for _, name in ipairs(suggest.keys(kinds)) do
    local rows, needed = schema.describe(kinds[name].fields), {}
    for _, key in ipairs(kinds[name].needed) do needed[key] = true end
    for _, row in ipairs(rows) do row.needed = needed[row.name] end
    list[#list + 1] = { name = "node." .. name, doc = kinds[name].doc, where = ('{ "%s", ... }'):format(name),
      page = "trees/trees.md", fields = rows }
  end
  return list
end

--- All tables as plain data: a list of { name, doc, where, page, class, fields = list of { name, type, ... }
--- }.
---@param all? boolean also those of objectives and nodes of trees, which have pages of their own
---@return table list
function tables.all(all)
  local list = {}
  for index, row in ipairs(tables.list) do
    list[index] = { name = row.name, doc = row.doc, where = row.where, page = row.page, class = row.class,
      fields = schema.describe(row.record()) }
  end
  for _, more in ipairs(all and { objectives(), nodes() } or {}) do
    table.move(more, 1, #more, #list + 1, list)
  end
  return list
end

--- The type of a field in words: "number, s", "list of string", "one of a, b".
---@param field table of tables.all
---@return string
function tables.type_of(field)
  local of = field.of
  if field.type == "choice" then return "one of " .. table.concat(of, ", ") end
  if field.type == "map" then return "table by name" .. (of and ", each a " .. tables.type_of(of) or "") end
  if field.type == "list" then return "list" .. (of and " of " .. of.type or "") end
  if field.type == "vector" then return ("list of %d numbers"):format(field.size or 3) end
  if field.type == "record" or field.type == "pose" then return "table" end
  return field.type
end

--- The range of a field in words, with its unit: "0 to 10 s", "at least 0"; "" without a range.
---@param field table of tables.all
---@return string
function tables.range_of(field)
  local unit = field.unit and field.unit ~= "" and " " .. field.unit or ""
  local lower, upper = field.lower, field.upper
  if field.above then return ("above %g%s"):format(field.above, unit) end
  if type(lower) ~= "number" and type(upper) ~= "number" then return unit:sub(2) end
  if not upper then return ("at least %g%s"):format(lower, unit) end
  if not lower then return ("at most %g%s"):format(upper, unit) end
  return ("%g to %g%s"):format(lower, upper, unit)
end

--- A default in words; "" if there is none.
---@param field table of tables.all
---@return string
function tables.default_of(field)
  if field.needed then return "required" end
  local default = field.default
  if default == nil then return "" end
  if type(default) ~= "table" then return tostring(default) end
  local parts = {}
  for index, item in ipairs(default) do parts[index] = tostring(item) end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

--- The fields of a table with nested ones, named as in "eyes.yaw".
---@param list table fields of tables.all
---@return table rows { name, field }
function tables.flat(list)
  local rows = {}
  local function add(inner, before)
    for _, field in ipairs(inner) do
      rows[#rows + 1] = { name = before .. field.name, field = field }
      if field.fields then add(field.fields, before .. field.name .. ".") end
      local of = field.of
      if type(of) == "table" and of.fields then
        add(of.fields, before .. field.name .. (field.type == "list" and "[]." or ".NAME."))
      end
    end
  end
  add(list, "")
  return rows
end

return tables
