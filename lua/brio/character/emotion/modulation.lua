--- The effect of an emotion on other motion: its speed, amplitude and liveliness.
---
--- A factor is 2 ^ (arousal * a + valence * v), limited; it is 1 for a neutral emotion. That arousal shows in
--- acceleration is from Saerbeck and Bartneck, "Perception of affect elicited by robot motion", HRI 2010;
--- that a good mood shows in larger, faster gestures and a raised head, from Xu, Broekens, Hindriks and
--- Neerincx, "Mood expression through parameterized functional behavior of robots", RO-MAN 2013. The
--- coefficients are our choice.
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local modulation = {}

local function number(value, lower, upper, doc)
  return { "number", value = value, lower = lower, upper = upper, doc = doc }
end

local function factor(arousal, valence, least, most, doc)
  return { "record", doc = doc, fields = {
    arousal = number(arousal, -4, 4, "what arousal does to it, in doublings"),
    valence = number(valence, -4, 4, "what valence does to it, in doublings"),
    least = number(least, 0, 1, "its least value"), most = number(most, 1, 4, "its greatest value") } }
end

--- The coefficients of arousal and valence in each factor, and its limits; the shares of expressions that
--- joints and other DOFs show.
modulation.fields = {
  speed = factor(0.5, 0.15, 0.6, 1.5, "how fast it moves"),
  amplitude = factor(0.25, 0.35, 0.6, 1.4, "how far it moves"),
  liveliness = factor(0.8, 0.1, 0.4, 2, "how lively it is"),
  posture = number(1, 0, 2, "how much of the expressions joints show; 0: nothing"),
  face = number(1, 0, 2, "the same of the rest of the robot"),
}

modulation.defaults, modulation.shares = {}, schema.defaults(modulation.fields)
for name, field in next, modulation.fields do
  if field.fields then modulation.defaults[name] = schema.defaults(field.fields) end
end

--- The error in the settings of a behavior: false (no modulation), or {speed = {...}, ..., posture = 1, face
--- = 1}.
function modulation.fault(said)
  if said == nil or said == false then return nil end
  if type(said) ~= "table" then return "modulation must be false, or a table of its settings" end
  local fault = schema.fault(said, modulation.fields, "modulation")
  if fault then return fault end
  for _, name in ipairs(suggest.keys(modulation.defaults)) do
    if (said[name] or {}).least == 0 then return ("modulation.%s: least must be above 0"):format(name) end
  end
end

--- The settings with all defaults.
function modulation.settings(said)
  local made = {}
  for name, defaults in next, modulation.defaults do
    local row = {}
    for key, value in next, defaults do row[key] = value end
    for key, value in next, said and said[name] or {} do row[key] = value end
    if said == false then row.arousal, row.valence = 0, 0 end
    made[name] = row
  end
  for name, share in next, modulation.shares do made[name] = said and said[name] or share end
  return made
end

--- One factor at a valence and an arousal.
function modulation.factor(row, valence, arousal)
  return math.max(row.least, math.min(row.most, 2 ^ (row.arousal * arousal + row.valence * valence)))
end

return modulation
