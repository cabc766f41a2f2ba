--- How an emotion changes what a robot does anyway: how fast and how far it moves, and how lively it is.
---
--- A factor is 2 ^ (arousal * a + valence * v), kept within bounds: 1 where the emotion is neutral. That
--- arousal shows in acceleration is from Saerbeck and Bartneck, "Perception of affect elicited by robot
--- motion", HRI 2010; that a good mood shows in larger, faster gestures and a raised head, from Xu, Broekens,
--- Hindriks and Neerincx, "Mood expression through parameterized functional behavior of robots", RO-MAN 2013.
--- How much of it is chosen by us.
local suggest = require "brio.lib.suggest"

local modulation = {}

--- Of each factor: what arousal and valence do to it, in doublings, and its bounds.
modulation.defaults = {
  speed = { arousal = 0.5, valence = 0.15, least = 0.6, most = 1.5 },
  amplitude = { arousal = 0.25, valence = 0.35, least = 0.6, most = 1.4 },
  liveliness = { arousal = 0.8, valence = 0.1, least = 0.4, most = 2 },
}

--- Share of the expressions on joints and on the rest of the robot: 0 none, 1 the table's values.
modulation.shares = { posture = 1, face = 1 }

local function is_number(value) return type(value) == "number" and value - value == 0 end

local function fault_of_factor(name, row)
  local what = "modulation." .. name
  if type(row) ~= "table" then return what .. " must be a table of arousal, valence, least, most" end
  for _, key in ipairs(suggest.keys(row)) do
    if not modulation.defaults[name][key] then
      return ("%s has no field '%s'%s"):format(what, key,
        suggest.hint(key, suggest.keys(modulation.defaults[name])))
    elseif not is_number(row[key]) or math.abs(row[key]) > 4 then
      return ("%s: %s must be a number from -4 to 4"):format(what, key)
    end
  end
  local least, most = row.least or modulation.defaults[name].least, row.most or modulation.defaults[name].most
  if not (least > 0 and least <= 1 and most >= 1) then
    return what .. ": least must be above 0, and 1 between least and most"
  end
end

--- The error in the settings of a behavior: false (none of it), or {speed = {...}, ..., posture = 1,
--- face = 1}.
function modulation.fault(said)
  if said == nil or said == false then return nil end
  if type(said) ~= "table" then return "modulation must be false, or a table of its settings" end
  for _, key in ipairs(suggest.keys(said)) do
    local fault
    if modulation.defaults[key] then
      fault = fault_of_factor(key, said[key])
    elseif modulation.shares[key] then
      if not (is_number(said[key]) and said[key] >= 0 and said[key] <= 2) then
        fault = ("modulation.%s must be a number from 0 to 2"):format(key)
      end
    else
      local known = suggest.keys(modulation.defaults)
      known[#known + 1], known[#known + 2] = "posture", "face"
      fault = ("modulation has no field '%s'%s"):format(key, suggest.hint(key, known))
    end
    if fault then return fault end
  end
end

--- The settings whole.
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
