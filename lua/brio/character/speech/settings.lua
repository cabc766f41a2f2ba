--- Settings of speech: of a behavior's character, and of each text.
local lazy = require "brio.lib.lazy"
local beats = lazy "brio.character.speech.beats"
local mouth = lazy "brio.character.speech.mouth"
local programs = lazy "brio.character.speech.programs"
local robots = require "brio.robots.catalog"
local suggest = require "brio.lib.suggest"

local settings = {}

--- Numbers: default, least, most. latency: from a player's start to the sound, s, as with usual sound
--- systems.
settings.numbers = { rate = { 1, 0.3, 3 }, pitch = { 1, 0, 2 }, volume = { 1, 0, 2 }, beats = { 1, 0, 3 },
  latency = { 0.1, 0, 2 }, felt = { 1, 0, 3 } }

--- Fields of `character.speech`.
settings.fields = { voice = "string", rate = "number", pitch = "number", volume = "number",
  latency = "number", felt = "number", program = "string", beats = "any", mouth = "any", gestures = "table" }

--- Options of a text, and of a file.
settings.say = { voice = "string", rate = "number", pitch = "number", volume = "number", beats = "number",
  interrupt = "boolean", plain = "boolean" }
settings.play = { volume = "number", mouth = "boolean", interrupt = "boolean" }

local function fault_of_numbers(spec)
  for _, name in ipairs(suggest.keys(settings.numbers)) do
    local row, value = settings.numbers[name], spec[name]
    local said = value ~= nil and not (name == "beats" and value == false)
    if said and not (type(value) == "number" and value >= row[2] and value <= row[3]) then
      return ("%s must be a number from %g to %g"):format(name, row[2], row[3])
    end
  end
end

--- The error in the data of a robot's file, by a module's `fault`.
local function fault_of_data(description, name, module)
  local data, sentence = robots.data(description, name)
  local fault = data and module.fault(data, description)
  return sentence or fault and robots.data_file(description, name) .. ": " .. fault or nil
end

--- The error in `character.speech` on a robot: a sentence, or nil.
function settings.fault(spec, description)
  local why = fault_of_numbers(spec) or spec.program and programs.fault(programs.speak, spec.program)
    or spec.mouth and mouth.fault(spec.mouth, description)
    or spec.gestures and beats.fault(spec.gestures, description)
  if why then return "character.speech: " .. why end
  return fault_of_data(description, "mouth", mouth) or fault_of_data(description, "beats", beats)
end

--- The error in options of a text or file, of `fields`: a sentence, or nil.
function settings.fault_of_how(how, fields)
  if how == nil then return nil end
  if type(how) ~= "table" then return "a table of how to do it was expected, not a " .. type(how) end
  for _, key in ipairs(suggest.keys(how)) do
    if not fields[key] then
      return ("there is no '%s'%s"):format(key, suggest.hint(key, suggest.keys(fields)))
    elseif type(how[key]) ~= fields[key] then
      return ("%s must be a %s, not a %s"):format(key, fields[key], type(how[key]))
    end
  end
  return fault_of_numbers(how)
end

--- A number of a text: its own, or the settings', or the default.
function settings.number(how, spec, name)
  local value = how[name]
  if value == nil then value = spec[name] end
  if value == false then return 0 end
  return value or settings.numbers[name][1]
end

--- What arousal does to a voice: quicker by this share of what it does to motion, and higher, in doublings.
--- That arousal shows in rate and pitch is from K. R. Scherer, "Vocal communication of emotion" (Speech
--- Communication 40, 2003); how much is ours.
settings.quicker, settings.higher = 0.3, 0.25

--- Factors of rate, pitch and beats by what a robot feels (host.emotion; nil: nothing), as far as `felt`
--- says.
function settings.by_emotion(emotion, felt)
  if not emotion then return 1, 1, 1 end
  return emotion.speed ^ (settings.quicker * felt), 2 ^ (settings.higher * felt * emotion.arousal),
    emotion.amplitude ^ felt
end

return settings
