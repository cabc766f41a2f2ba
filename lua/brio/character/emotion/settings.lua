--- Settings of a behavior's emotion: their checks and defaults.
local expressions = require "brio.character.emotion.expressions"
local graph = require "brio.character.emotion.graph"
local modulation = require "brio.character.emotion.modulation"
local names = require "brio.character.emotion.names"
local needs = require "brio.character.emotion.needs"
local robots = require "brio.robots.catalog"
local suggest = require "brio.lib.suggest"

local settings = {}

--- The fields of `character.emotion` and their types.
settings.fields = {
  tau = "number", mood_tau = "number", rise = "number", hold = "number", gain = "number",
    temperament = "table",
  smooth = "number", take = "number", release = "number",
  emotions = "table", events = "table", actions = "table", needs = "table", repetition = "table",
  expressions = "any", curve = "string", follow = "number", modulation = "any",
}

--- Numbers: defaults and ranges.
settings.numbers = {
  -- s: the emotion relaxes to the mood; seconds, as in Kismet (Breazeal 2002, p. 118)
  tau = { 4, 0.05, 3600 },
  -- s: the mood goes to the temperament; drives are the slower part: the same
  mood_tau = { 120, 0.05, 86400 },
  rise = { 0.4, 0.01, 60 },       -- s: what it is told to feel comes so quickly; chosen by us
  hold = { 1.5, 0, 3600 },        -- s for which it is felt unless it is said; chosen by us
  gain = { 1, 0, 4 },             -- of all events, actions and feelings
  smooth = { 0.1, 0, 5 },         -- s: what is shown follows what is felt; chosen by us
  take = { 0.3, 0, 60 },          -- s in which an operator's emotion takes over; chosen by us
  release = { 2, 0, 60 },         -- s in which the robot's own comes back; chosen by us
  follow = { nil, 1e-3, 1e4 },    -- how hard joints follow: the table's, else see expressions.lua
}

--- Events that it knows: what they push by, as an emotion of an intensity.
settings.events = {
  surprise = { emotion = "surprised", intensity = 0.8 }, praise = { emotion = "happy", intensity = 0.6 },
  scold = { emotion = "sad", intensity = 0.6 }, scare = { emotion = "afraid", intensity = 0.9 },
  annoy = { emotion = "angry", intensity = 0.6 }, joke = { emotion = "laughing", intensity = 0.7 },
}

--- Actions that it knows: what they draw the emotion to while they go on, and how they change needs, 1/s.
--- That petting raises affection is from Saldien et al. 2014; the numbers are chosen by us.
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

local event_fields = { emotion = true, valence = true, arousal = true, intensity = true, decay = true,
  repetition = true, on = true, about = true }
local action_fields = { emotion = true, valence = true, arousal = true, intensity = true, needs = true,
  input = true, about = true }

local function is_number(value) return type(value) == "number" and value - value == 0 end

--- The emotion of a row, {emotion, intensity} or {valence, arousal}: a vector; nil and a sentence.
local function feeling_of(row, known, what)
  if row.emotion ~= nil then
    if row.intensity ~= nil and not (is_number(row.intensity) and row.intensity >= 0
        and row.intensity <= 1) then
      return nil, what .. ": intensity must be from 0 to 1"
    end
    local vector, why = names.vector(known, row.emotion, row.intensity)
    if not vector then return nil, what .. ": " .. why end
    return vector
  end
  local x, y = row.valence or 0, row.arousal or 0
  if is_number(x) and is_number(y) and x * x + y * y <= 1 + 1e-9 and (row.valence or row.arousal) then
    return { x, y }
  end
  return nil, what .. " must say emotion and intensity, or valence and arousal, of a length of at most 1"
end

local function fault_of_row(row, what, allowed, known)
  if row == false then return nil end
  if type(row) ~= "table" then return what .. " must be a table" end
  for _, key in ipairs(suggest.keys(row)) do
    if not allowed[key] then
      return ("%s has no field '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(allowed)))
    end
  end
  local _, why = feeling_of(row, known, what)
  return why
end

local function fault_of_events(events, known)
  for _, name in ipairs(suggest.keys(events)) do
    local row, what = events[name] or {}, ("event '%s'"):format(name)
    local fault = fault_of_row(events[name], what, event_fields, known)
      or row.decay ~= nil and graph.fault(row.decay, what .. ": decay")
      or row.repetition ~= nil and graph.fault(row.repetition, what .. ": repetition")
      or row.on ~= nil and type(row.on) ~= "string" and what .. ": on must be an event's name"
    if fault then return fault end
  end
end

local function fault_of_action(row, what, has, description)
  for _, need in ipairs(suggest.keys(row.needs or {})) do
    if has[need] == nil then
      return ("%s: there is no need '%s'%s"):format(what, need, suggest.hint(need, suggest.keys(has)))
    elseif not is_number(row.needs[need]) or math.abs(row.needs[need]) > 10 then
      return ("%s: needs.%s must be a rate from -10 to 10 a second"):format(what, need)
    end
  end
  if row.input == nil then return nil end
  local inputs = description.inputs or {}
  if type(row.input) ~= "string" then return what .. ": input must be an input's name" end
  if not inputs[row.input] then
    return ("%s: the robot has no input '%s'%s"):format(what, row.input,
      suggest.hint(row.input, suggest.keys(inputs)))
  end
end

local function fault_of_actions(actions, known, has, description)
  for _, name in ipairs(suggest.keys(actions)) do
    local row, what = actions[name] or {}, ("action '%s'"):format(name)
    local fault = fault_of_row(actions[name], what, action_fields, known)
    if not fault and row.needs ~= nil and type(row.needs) ~= "table" then
      fault = what .. ": needs must be a table"
    end
    fault = fault or fault_of_action(row, what, has, description)
    if fault then return fault end
  end
end

local function fault_of_numbers(spec)
  for _, name in ipairs(suggest.keys(settings.numbers)) do
    local value, row = spec[name], settings.numbers[name]
    if value ~= nil and not (is_number(value) and value >= row[2] and value <= row[3]) then
      return ("%s must be from %g to %g, not %g"):format(name, row[2], row[3], value)
    end
  end
  local t = spec.temperament
  if t ~= nil and not (is_number(t[1]) and is_number(t[2]) and #t == 2 and t[1] ^ 2 + t[2] ^ 2 <= 1) then
    return "temperament must be { valence, arousal } of a length of at most 1"
  end
end

--- The expressions of a behavior on a robot, compiled: its own table, the robot's, or none where it says
--- false or the robot has none; nil and a sentence on what is wrong.
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

--- The error in what a behavior says of its emotion on a robot; nil: nothing.
function settings.fault(spec, description)
  local fault = fault_of_numbers(spec) or spec.emotions and names.fault(spec.emotions)
    or spec.needs and needs.fault(spec.needs) or modulation.fault(spec.modulation)
    or spec.repetition and graph.fault(spec.repetition, "repetition")
  if fault then return "character.emotion: " .. fault end
  local known = names.with(spec.emotions)
  local _, why = settings.expressions(spec, description, known)
  fault = fault_of_events(spec.events or {}, known)
    or fault_of_actions(spec.actions or {}, known, spec.needs or settings.needs, description) or why
  return fault and "character.emotion: " .. fault
end

--- Rows by name with vectors: the defaults' and the behavior's own, false takes one away.
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

--- Whether a robot feels touch anywhere.
local function feels_touch(description)
  for _, input in next, description.inputs or {} do
    if input.kind == "touch" then return true end
  end
  return false
end

--- All of it, whole, for a robot.
function settings.whole(spec, description)
  local made = { temperament = spec.temperament or { 0, 0 }, known = names.with(spec.emotions) }
  for name, row in next, settings.numbers do made[name] = spec[name] == nil and row[1] or spec[name] end
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
