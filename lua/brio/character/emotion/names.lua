--- Names of emotions, and their positions in the plane of valence (x) and arousal (y): an angle from
--- "pleasant", in degrees, towards "aroused".
---
---     local known = names.with { proud = { angle = 35, intensity = 0.9 } }
---     names.vector(known, "proud", 0.5)      --> { valence, arousal }
---
--- Angles: Russell, "A circumplex model of affect", J. Personality and Social Psychology 39(6), 1980, for
--- pleased, excited, aroused, distressed, displeased, depressed, sleepy and relaxed; the others as in
--- OPSORO's robots, successors of Probo (Vandevelde, Saldien, 2016).
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local names = {}

--- The known names: of two at the same angle, a vector gets the first.
names.list = {
  { name = "happy", angle = 18 }, { name = "laughing", angle = 54 }, { name = "surprised", angle = 90 },
  { name = "afraid", angle = 126 }, { name = "angry", angle = 144 }, { name = "disgusted", angle = 180 },
  { name = "sad", angle = 198 }, { name = "depressed", angle = 225 }, { name = "tired", angle = 270 },
  { name = "relaxed", angle = 315 }, { name = "pleased", angle = 0 }, { name = "excited", angle = 45 },
  { name = "aroused", angle = 90 }, { name = "distressed", angle = 135 },
    { name = "displeased", angle = 180 },
  { name = "sleepy", angle = 270 },
}

--- Name of a vector too short for a direction.
names.neutral = "neutral"

local is_number = require("brio.lib.fields").is_number

--- The error in a vector in the plane, as the text after its name; nil: none.
function names.fault_of_vector(value)
  local good = type(value) == "table" and #value == 2 and is_number(value[1]) and is_number(value[2])
    and value[1] ^ 2 + value[2] ^ 2 <= 1 + 1e-9
  return not good and "must be { valence, arousal } of a length of at most 1" or nil
end

local function fault_of_intensity(value)
  return not (is_number(value) and value > 0 and value <= 1) and "must be above 0 and at most 1" or nil
end

--- The fields of an emotion that a behavior adds.
names.fields = {
  angle = { "number", unit = "deg", doc = "from 0 (pleasant) over 90 (aroused)", needed = true },
  intensity = { "number", lower = 0, upper = 1, value = 1, fault = fault_of_intensity,
    doc = "its greatest length" },
  about = "string",
}

--- The error in emotions that a behavior adds, {name = {angle, intensity}}; nil: none.
function names.fault(more)
  for _, name in ipairs(suggest.keys(more)) do
    local row = more[name]
    if type(row) ~= "table" or not is_number(row.angle) then
      return ("emotion '%s' must be { angle = degrees }, from 0 (pleasant) over 90 (aroused)"):format(name)
    elseif name == names.neutral then
      return "emotion 'neutral' is where there is none: it has no angle"
    end
    local why = schema.fault(row, names.fields, ("emotion '%s'"):format(name))
    if why then return why end
  end
end

--- All emotions: the known ones with a behavior's own, which may change the angle of a name. Return {by =
--- {name = {name, angle, intensity}}, order = {name, ...}}.
function names.with(more)
  local known = { by = {}, order = {} }
  local function add(name, angle, intensity)
    if not known.by[name] then known.order[#known.order + 1] = name end
    known.by[name] = { name = name, angle = angle % 360, intensity = intensity or 1 }
  end
  for _, row in ipairs(names.list) do add(row.name, row.angle) end
  for _, name in ipairs(suggest.keys(more or {})) do add(name, more[name].angle, more[name].intensity) end
  return known
end

--- The vector of an emotion's name at an intensity (1); nil and a sentence if there is none of that name.
function names.vector(known, name, intensity)
  if name == names.neutral then return { 0, 0 } end
  local row = known.by[name]
  if not row then
    return nil, ("there is no emotion '%s'%s: there are neutral, %s"):format(tostring(name),
      suggest.hint(tostring(name), known.order), table.concat(known.order, ", "))
  end
  local length, angle = row.intensity * (intensity or 1), math.rad(row.angle)
  return { length * math.cos(angle), length * math.sin(angle) }
end

--- The angle of a vector, degrees from 0 to 360.
function names.angle(valence, arousal) return math.deg(math.atan(arousal, valence)) % 360 end

--- The difference of two angles, degrees.
local function apart(a, b)
  local way = math.abs(a - b) % 360
  return math.min(way, 360 - way)
end

--- A vector becomes neutral below the first length; it gets a name above the second.
names.faint, names.clear = 0.12, 0.18

--- Hysteresis of names, degrees: prevents flicker for a vector between two.
names.stickiness = 4

--- The name of a vector; `before`: its last name.
function names.of(known, valence, arousal, before)
  local length = math.sqrt(valence * valence + arousal * arousal)
  local had = known.by[before or ""]
  if length < (had and names.faint or names.clear) then return names.neutral end
  local angle = names.angle(valence, arousal)
  local best, least = had, had and apart(angle, had.angle) - names.stickiness or math.huge
  for _, name in ipairs(known.order) do
    local way = apart(angle, known.by[name].angle)
    if way < least - 1e-9 then best, least = known.by[name], way end
  end
  return best.name
end

return names
