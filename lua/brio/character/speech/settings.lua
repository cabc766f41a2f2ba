--- Settings of speech: of a behavior's character, and of each text.
local fields = require "brio.lib.fields"
local lazy = require "brio.lib.lazy"
local beats = lazy "brio.character.speech.beats"
local mouth = lazy "brio.character.speech.mouth"
local programs = lazy "brio.character.speech.programs"
local robots = require "brio.robots.catalog"
local schema = require "brio.lib.schema"

local settings = {}

local function number(value, lower, upper, doc, unit)
  return { "number", value = value, lower = lower, upper = upper, unit = unit, doc = doc }
end

local rate, pitch = number(1, 0.3, 3, "how fast it speaks"), number(1, 0, 2, "how high")
local volume, size = number(1, 0, 2, "how loud"), number(1, 0, 3, "size and frequency of gestures")
local voice = { "string", doc = "the program's name of a voice or language" }
local interrupt = { "boolean", doc = "replaces the current speech instead of waiting for its end" }

local function fault_of_beats(value)
  if value ~= false then return fields.fault(value, size) end
end

--- The fields of `character.speech`. latency: that of usual audio systems.
settings.fields = {
  voice = voice, rate = rate, pitch = pitch, volume = volume,
  latency = number(0.1, 0, 2, "from a player's start until it is audible: the delay of the mouth", "s"),
  felt = number(1, 0, 3, "influence of the emotion on rate, pitch and gestures"),
  program = { "string", doc = "the speech program, or \"none\"" },
  beats = { "boolean or number", lower = 0, upper = 3, value = 1, fault = fault_of_beats,
    doc = size.doc .. "; false: none" },
  mouth = { "any", doc = "a table instead of the robot's mouth.lua; false: it stays closed" },
  gestures = { "table", doc = "a list instead of the robot's beats.lua" },
}

--- The options of a text, and of a file.
settings.say = { voice = voice, rate = rate, pitch = pitch, volume = volume, beats = size,
  interrupt = interrupt,
  plain = { "boolean", doc = "braces and stars have no meaning in the text" } }
settings.play = { volume = volume, interrupt = interrupt,
  mouth = { "boolean", value = true, doc = "the mouth follows the loudness" } }

--- The error in the data of a robot's file, by a module's `fault`.
local function fault_of_data(description, name, module)
  local data, sentence = robots.data(description, name)
  local fault = data and module.fault(data, description)
  return sentence or fault and robots.data_file(description, name) .. ": " .. fault or nil
end

--- The error in `character.speech` on a robot: a sentence, or nil.
function settings.fault(spec, description)
  local why = spec.program and programs.fault(programs.speak, spec.program)
    or spec.mouth and mouth.fault(spec.mouth, description)
    or spec.gestures and beats.fault(spec.gestures, description)
  if why then return "character.speech: " .. why end
  return fault_of_data(description, "mouth", mouth) or fault_of_data(description, "beats", beats)
end

--- The error in the options of a text or file, by `record`: a sentence, or nil.
function settings.fault_of_how(how, record)
  return how ~= nil and schema.fault(how, record, "how") or nil
end

--- A number of a text: its own, or that of the settings, or the default.
function settings.number(how, spec, name)
  local value = how[name]
  if value == nil then value = spec[name] end
  if value == false then return 0 end
  return value or settings.fields[name].value
end

--- The effect of arousal on a voice: faster by this share of its effect on motion, and higher, in octaves.
--- That arousal shows in rate and pitch is from K. R. Scherer, "Vocal communication of emotion" (Speech
--- Communication 40, 2003); the numbers are our choice.
settings.quicker, settings.higher = 0.3, 0.25

--- Factors of rate, pitch and beats for an emotion (host.emotion; nil: none), scaled by `felt`.
function settings.by_emotion(emotion, felt)
  if not emotion then return 1, 1, 1 end
  return emotion.speed ^ (settings.quicker * felt), 2 ^ (settings.higher * felt * emotion.arousal),
    emotion.amplitude ^ felt
end

return settings
