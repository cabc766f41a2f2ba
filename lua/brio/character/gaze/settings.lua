--- Settings of a behavior's gaze: their defaults and checks.
local attention = require "brio.character.gaze.attention"
local suggest = require "brio.lib.suggest"

local settings = {}

--- The defaults.  Faces change every 2 to 5 s, while one speaks every 10 to 15 s, glances are 0.7 of what
--- goes elsewhere and take 0.5 to 1 s: practice of social robots. Zone: Furhat's. The rest is chosen by us.
settings.defaults = {
  zone = 1, leave = 0.5, users = 2,           -- engagement: m, m more to leave, at most so many
  dwell = { 2, 5 }, talking = { 10, 15 },     -- s on one of several, and while the robot speaks
  glance = 0.7, glance_lasts = { 0.5, 1 },    -- share, s
  habituation = 12, recovery = 20, bored = 0.6, -- s, s, share of salience that is lost to it
  inhibition = 2, inhibited = 0.85,           -- s, share
  user = 1.5,                                 -- how much more somebody counts with whom it is engaged
  latency = 0.06,                             -- s from when something draws it to the first motion
  weight = 1,                                 -- of its objectives, times what the robot's file says
  explore = true, scan = true, avert = true, blink = true,
}

settings.fields = { zone = "number", leave = "number", users = "number", dwell = "table", talking = "table",
  glance = "number",
  glance_lasts = "table", habituation = "number", recovery = "number", bored = "number",
    inhibition = "number",
  inhibited = "number", user = "number", latency = "number", weight = "number", explore = "boolean",
    scan = "boolean",
  avert = "boolean", blink = "boolean", attend = "table", points = "table", sounds = "table", body = "table" }

--- Numbers that have an upper end.
local most = { glance = 1, bored = 1, inhibited = 1, users = 16, latency = 10, weight = 100 }
local least = { habituation = 0.01, recovery = 0.01, inhibition = 0.01 }

local function is_number(value) return type(value) == "number" and value - value == 0 end

local function fault_of_number(name, value)
  local low, high = least[name] or 0, most[name] or 1e6
  if is_number(value) and value >= low and value <= high then return nil end
  return ("character.gaze: %s must be a number from %g to %g"):format(name, low, high)
end

local function fault_of_pair(name, value)
  if is_number(value[1]) and is_number(value[2]) and value[1] > 0 and value[1] <= value[2] then return nil end
  return ("character.gaze: %s must be { least, most } in seconds"):format(name)
end

local function fault_of_attend(attend)
  for _, kind in ipairs(suggest.keys(attend)) do
    if not is_number(attend[kind]) or attend[kind] < 0 then
      return ("character.gaze: attend.%s must be a number of at least 0: how much it counts beside a \z
        person, 1"):format(kind)
    end
  end
end

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

--- The error in the settings as such: a sentence, or nil.
function settings.fault(spec)
  for _, name in ipairs(suggest.keys(spec)) do
    local value, fault = spec[name], nil
    if settings.fields[name] == "number" then fault = fault_of_number(name, value)
    elseif name == "dwell" or name == "talking"
        or name == "glance_lasts" then fault = fault_of_pair(name, value)
    elseif name == "attend" then fault = fault_of_attend(value)
    elseif name == "points" then fault = fault_of_points(value) end
    if fault then return fault end
  end
end

--- All settings, with a behavior's in place of the defaults; into a given table, if any.
function settings.of(spec, into)
  local made = into or {}
  for name in next, made do made[name] = nil end
  for name, value in next, settings.defaults do made[name] = value end
  for name, value in next, spec do made[name] = value end
  local sounds = {}
  for _, name in ipairs(spec.sounds or { "sound", "sound_began", "speech_heard" }) do sounds[name] = true end
  made.sounds = sounds
  return made
end

return settings
