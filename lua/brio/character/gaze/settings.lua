--- Settings of a behavior's gaze: their defaults and checks.
local attention = require "brio.character.gaze.attention"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local settings = {}

local function seconds(value, lower, doc)
  return { "number", unit = "s", lower = lower, value = value, doc = doc }
end

local function share(value, doc) return { "number", lower = 0, upper = 1, value = value, doc = doc } end

local is_number = require("brio.lib.fields").is_number

local function fault_of_range(value)
  local good = type(value) == "table" and is_number(value[1]) and is_number(value[2]) and value[1] > 0
    and value[1] <= value[2]
  return not good and "must be { least, most } in seconds" or nil
end

local function range(value, doc)
  return { "vector", size = 2, unit = "s", value = value, fault = fault_of_range, doc = doc }
end

local function flag(doc) return { "boolean", value = true, doc = doc } end

--- The fields of `character.gaze`.  Faces change every 2 to 5 s, while one speaks every 10 to 15 s; glances
--- are 0.7 of the changes and take 0.5 to 1 s: practice of social robots. Zone: Furhat's. The rest is our
--- choice.
settings.fields = {
  zone = { "number", unit = "m", lower = 0, value = 1, doc = "distance at which a person becomes engaged" },
  leave = { "number", unit = "m", lower = 0, value = 0.5, doc = "additional distance at which that ends" },
  users = { "number", lower = 0, upper = 16, value = 2, doc = "how many people it is engaged with at most" },
  dwell = range({ 2, 5 }, "dwell time at one of several targets"),
  talking = range({ 10, 15 }, "the same while the robot talks"),
  glance = share(0.7, "probability of a glance at a less salient target"),
  glance_lasts = range({ 0.5, 1 }, "duration of a glance"),
  habituation = seconds(12, 0.01, "time constant of habituation"),
  recovery = seconds(20, 0.01, "time constant of recovery from it"),
  bored = share(0.6, "share of salience that is lost to habituation"),
  inhibition = seconds(2, 0.01, "time constant of inhibition of return"),
  inhibited = share(0.85, "its strength"),
  user = { "number", lower = 0, value = 1.5, doc = "factor of the salience of an engaged person" },
  latency = { "number", unit = "s", lower = 0, upper = 10, value = 0.06,
    doc = "from the cause to the first motion; an order has none" },
  weight = { "number", lower = 0, upper = 100, value = 1, doc = "factor of the weights in the robot's file" },
  explore = flag "explore without a target", scan = flag "scan a face",
    avert = flag "avert the gaze at times",
  blink = flag "blink with large turns",
  attend = { "map", of = { "number", lower = 0 }, doc = "salience of kinds of objects; a person has 1",
    example = "{ ball = 0.8 }" },
  points = { "table", doc = "places by name", example = "{ door = { 3, 1, 1.2, salience = 0.4 } }" },
  sounds = { "list", of = "string", value = { "sound", "sound_began", "speech_heard" },
    doc = "events with the position of a sound" },
  body = { "table", doc = "a table instead of the robot's gaze.lua" },
}

local defaults = schema.defaults(settings.fields)

local function fault_of_points(points)
  for _, name in ipairs(suggest.keys(points)) do
    local fault = attention.fault_of_place(points[name], "character.gaze: points." .. name)
    if fault then return fault end
    local salience = points[name].salience
    if salience ~= nil and not (is_number(salience) and salience >= 0) then
      return ("character.gaze: points.%s: salience must be a number of at least 0"):format(name)
    end
  end
end

--- The error in the settings beyond their schema: a sentence, or nil.
function settings.fault(spec) return fault_of_points(spec.points or {}) end

--- All settings, with a behavior's in place of the defaults; into a given table, if any.
function settings.of(spec, into)
  local made = into or {}
  for name in next, made do made[name] = nil end
  for name, value in next, defaults do made[name] = value end
  for name, value in next, spec do made[name] = value end
  local sounds = {}
  for _, name in ipairs(made.sounds) do sounds[name] = true end
  made.sounds = sounds
  return made
end

return settings
