--- self.emotion of behaviors: methods that raise on invalid arguments, and fields to read.
local needs = require "brio.character.emotion.needs"

local methods = {}

--- Return the results of a call; raise its error at the caller.
local function checked(what, result, why)
  if result == nil then error(("self.emotion:%s: %s"):format(what, why), 3) end
  return result
end

--- Feel something: a name or {valence, arousal}, an intensity (1), and seconds.
function methods.feel(faculty, ...) return checked("feel", faculty:feel(...)) end

--- An event, by its name; strength 0 to 2 (1). Return the strength of its effect.
function methods.event(faculty, ...) return checked("event", faculty:event(...)) end

--- Act on the robot: the action's name, strength 0 to 2 (1), seconds (1).
function methods.act(faculty, ...) return checked("act", faculty:act(...)) end

--- Control the emotion, as an operator does: valence, arousal; and release it within `seconds`.
function methods.override(faculty, ...) return checked("override", faculty:override(...)) end
function methods.release(faculty, ...) return checked("release", faculty:release(...)) end

local fields = {}

for _, name in ipairs { "valence", "arousal", "intensity", "angle", "name", "speed", "amplitude",
    "liveliness" } do
  fields[name] = function(faculty) return faculty[name] end
end

--- The mood, {valence, arousal}.
function fields.mood(faculty) return { valence = faculty.state.mood[1], arousal = faculty.state.mood[2] } end

--- Needs by name: {level, where}.
function fields.needs(faculty)
  local list = {}
  for _, need in ipairs(faculty.needs) do
    list[need.name] = { level = need.level, where = needs.where(need) }
  end
  return list
end

--- Whether an operator has control of it.
function fields.taken(faculty) return faculty:taken() end

--- Make the view of a faculty for behaviors.
return function(faculty)
  local bound = {}
  for name, method in next, methods do
    bound[name] = function(face, ...)
      if face ~= faculty.face then error(("self.emotion:%s is called with a colon"):format(name), 2) end
      return method(faculty, ...)
    end
  end
  return setmetatable({}, {
    __index = function(_, key)
      if bound[key] then return bound[key] end
      local field = fields[key]
      return field and field(faculty)
    end,
    __newindex = function(_, key) error(
      ("self.emotion.%s cannot be set: use self.emotion:feel"):format(tostring(key)), 2) end,
    __name = "emotion", __metatable = false,
  })
end
