--- Settings of a behavior's emotion: their checks and defaults.
local expressions = require "brio.character.emotion.expressions"
local graph = require "brio.character.emotion.graph"
local modulation = require "brio.character.emotion.modulation"
local names = require "brio.character.emotion.names"
local needs = require "brio.character.emotion.needs"
local robots = require "brio.robots.catalog"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local settings = {}

--- The fields of `character.emotion`. tau and mood_tau: seconds, and drives the slower part, as in Kismet
--- (Breazeal 2002, p. 118); the other numbers are chosen by us.
settings.fields = {
  tau = { "number", unit = "s", lower = 0.05, upper = 3600, value = 4,
    doc = "the emotion relaxes to the mood" },
  mood_tau = { "number", unit = "s", lower = 0.05, upper = 86400, value = 120,
    doc = "the mood goes to the temperament" },
  rise = { "number", unit = "s", lower = 0.01, upper = 60, value = 0.4,
    doc = "rise time of a commanded emotion" },
  hold = { "number", unit = "s", lower = 0, upper = 3600, value = 1.5,
    doc = "duration of a commanded emotion" },
  gain = { "number", lower = 0, upper = 4, value = 1, doc = "factor of all events, actions and feelings" },
  smooth = { "number", unit = "s", lower = 0, upper = 5, value = 0.1, doc = "lag of the expression" },
  take = { "number", unit = "s", lower = 0, upper = 60, value = 0.3,
    doc = "transition to an operator's emotion" },
  release = { "number", unit = "s", lower = 0, upper = 60, value = 2,
    doc = "transition back to the robot's own" },
  follow = { "number", lower = 1e-3, upper = 1e4,
    doc = "weight with which joints follow the expression; default: the table's" },
  temperament = { "vector", size = 2, value = { 0, 0 }, fault = names.fault_of_vector,
    doc = "{ valence, arousal }: the resting point of the mood" },
  emotions = { "table", doc = "more names of emotions",
    example = "{ proud = { angle = 30, intensity = 0.9 } }" },
  events = { "table", doc = "what pushes the emotion, by name; false takes one away",
    example = '{ hello = { emotion = "happy", intensity = 0.4, on = "person_appeared" } }' },
  actions = { "table", doc = "conditions that draw the emotion while they hold, by name; false removes one",
    example = '{ pet = { emotion = "happy", intensity = 0.8, input = "touch_head" } }' },
  needs = { "table", doc = "needs by name, true or a table", example = "{ affection = true }" },
  repetition = { "table", doc = "a graph: effect of a repeated event by the seconds since the last one",
    example = "{ { 0, 0.3 }, { 20, 1 } }" },
  expressions = { "any", doc = "a table of expressions instead of the robot's; false: none" },
  curve = { "string", doc = "curve of the expressions, instead of the table's" },
  modulation = { "any", doc = "how the emotion changes motion: a table; false: not at all" },
}

--- The defaults.
settings.defaults = schema.defaults(settings.fields)

--- Known events: the emotion and intensity by which each pushes.
settings.events = {
  surprise = { emotion = "surprised", intensity = 0.8 }, praise = { emotion = "happy", intensity = 0.6 },
  scold = { emotion = "sad", intensity = 0.6 }, scare = { emotion = "afraid", intensity = 0.9 },
  annoy = { emotion = "angry", intensity = 0.6 }, joke = { emotion = "laughing", intensity = 0.7 },
}

--- Known actions: the emotion to which each pulls while it is active, and its effect on needs, 1/s. That
--- petting raises affection is from Saldien et al. 2014; the numbers are our choice.
settings.actions = {
  pet = { emotion = "happy", intensity = 0.8, needs = { affection = 0.2 } },
  tickle = { emotion = "laughing", intensity = 0.9, needs = { affection = 0.1 } },
  hit = { emotion = "angry", intensity = 0.9, needs = { affection = -0.1 } },
}

--- Strength of a repeated event, by the seconds since the last: as Cozmo's repetition penalties.
settings.repetition = { { 0, 0.3 }, { 20, 1 } }

--- Default needs of a robot with touch sensors; others have none, since nobody could satisfy them.
settings.needs = { affection = true }

--- The default input for petting, if the robot has it.
settings.petted = "touch_head"

local feeling = { "number", lower = -1, upper = 1 }
local event_fields = {
  emotion = "string", valence = feeling, arousal = feeling, intensity = { "number", lower = 0, upper = 1 },
  decay = "table", repetition = "table", on = "string", about = "string",
}
local action_fields = {
  emotion = "string", valence = feeling, arousal = feeling, intensity = { "number", lower = 0, upper = 1 },
  needs = { "map", of = { "number", unit = "1/s", lower = -10, upper = 10 } }, input = "string",
    about = "string",
}

--- The emotion of a row, {emotion, intensity} or {valence, arousal}: a vector; nil and a sentence.
local function feeling_of(row, known, what)
  if row.emotion ~= nil then
    local vector, why = names.vector(known, row.emotion, row.intensity)
    if not vector then return nil, what .. ": " .. why end
    return vector
  end
  local x, y = row.valence or 0, row.arousal or 0
  if x * x + y * y <= 1 + 1e-9 and (row.valence or row.arousal) then
    return { x, y }
  end
  return nil, what .. " must have emotion and intensity, or valence and arousal, of a length of at most 1"
end

local function fault_of_row(row, what, allowed, known)
  if row == false then return nil end
  return schema.fault(row, allowed, what) or select(2, feeling_of(row, known, what))
end

local function fault_of_events(events, known)
  for _, name in ipairs(suggest.keys(events)) do
    local row, what = events[name] or {}, ("event '%s'"):format(name)
    local fault = fault_of_row(events[name], what, event_fields, known)
      or row.decay ~= nil and graph.fault(row.decay, what .. ": decay")
      or row.repetition ~= nil and graph.fault(row.repetition, what .. ": repetition")
    if fault then return fault end
  end
end

local function fault_of_action(row, what, has, description)
  for _, need in ipairs(suggest.keys(row.needs or {})) do
    if has[need] == nil then
      return ("%s: there is no need '%s'%s"):format(what, need, suggest.hint(need, suggest.keys(has)))
    end
  end
  if row.input == nil then return nil end
  local inputs = description.inputs or {}
  if not inputs[row.input] then
    return ("%s: the robot has no input '%s'%s"):format(what, row.input,
      suggest.hint(row.input, suggest.keys(inputs)))
  end
end

local function fault_of_actions(actions, known, has, description)
  for _, name in ipairs(suggest.keys(actions)) do
    local row, what = actions[name] or {}, ("action '%s'"):format(name)
    local fault = fault_of_row(actions[name], what, action_fields, known)
    fault = fault or fault_of_action(row, what, has, description)
    if fault then return fault end
  end
end

--- The compiled expressions of a behavior on a robot: its own table, or the robot's; nil if the behavior says
--- false or the robot has none; nil and a sentence on errors.
function settings.expressions(spec, description, known)
  local data, why = spec.expressions, nil
  if data == false then return { rows = {}, follow = expressions.follow } end
  local own = data == nil or data == true
  if own then data, why = robots.data(description, "expressions") end
  if why then return nil, why end
  if data == nil then return { rows = {}, follow = expressions.follow, none = true } end
  if type(data) ~= "table" then return nil, "expressions must be a table, or false" end
  if spec.curve then
    local copy = {}
    for key, value in next, data do copy[key] = value end
    copy.curve = spec.curve
    data = copy
  end
  local made
  made, why = expressions.compile(data, description, known)
  if not made then
    return nil, own and ("%s: %s"):format(robots.data_file(description, "expressions"), why) or why
  end
  made.follow = spec.follow or made.follow
  return made
end

--- The error in a behavior's settings of emotion on a robot; nil: none.
function settings.fault(spec, description)
  local fault = spec.emotions and names.fault(spec.emotions)
    or spec.needs and needs.fault(spec.needs) or modulation.fault(spec.modulation)
    or spec.repetition and graph.fault(spec.repetition, "repetition")
  if fault then return "character.emotion: " .. fault end
  local known = names.with(spec.emotions)
  local _, why = settings.expressions(spec, description, known)
  fault = fault_of_events(spec.events or {}, known)
    or fault_of_actions(spec.actions or {}, known, spec.needs or settings.needs, description) or why
  return fault and "character.emotion: " .. fault
end

--- Rows by name with vectors: the defaults with the behavior's own; false removes one.
local function rows_of(defaults, said, known)
  local made = {}
  for _, list in ipairs { defaults, said or {} } do
    for name, row in next, list do
      made[name] = row and { vector = feeling_of(row, known, name), needs = row.needs or {},
        input = row.input, decay = row.decay, repetition = row.repetition, on = row.on } or nil
    end
  end
  return made
end

--- Whether a robot has any touch sensor.
local function feels_touch(description)
  for _, input in next, description.inputs or {} do
    if input.kind == "touch" then return true end
  end
  return false
end

--- All settings with defaults, for a robot.
function settings.whole(spec, description)
  local made = { known = names.with(spec.emotions) }
  for name, default in next, settings.defaults do made[name] = spec[name] == nil and default or spec[name] end
  made.events = rows_of(settings.events, spec.events, made.known)
  made.actions = rows_of(settings.actions, spec.actions, made.known)
  local petted = description.inputs and description.inputs[settings.petted]
  if petted and petted.kind == "touch" and (spec.actions or {}).pet == nil then
    made.actions.pet.input = settings.petted
  end
  made.on = {}
  for _, name in ipairs(suggest.keys(made.events)) do
    local on = made.events[name].on
    if on then
      made.on[on] = made.on[on] or {}
      table.insert(made.on[on], name)
    end
  end
  made.needs = spec.needs or feels_touch(description) and settings.needs or {}
  made.repetition = spec.repetition or settings.repetition
  made.modulation = modulation.settings(spec.modulation)
  made.expressions = assert(settings.expressions(spec, description, made.known))
  return made
end

return settings
