--- A library of motions for an automaton: each has an ID, a mode, "standing" or "walking", an emotion, and
--- tracks of joints and of gait parameters.
local motion = require "brio.motion"
local schema = require "brio.lib.schema"
local sequence = require "brio.motion.sequence"
local suggest = require "brio.lib.suggest"

local library = {}
local Library = {}
Library.__index = Library

--- The fields of a motion; tracks and curves are those of a sequence's file.
library.fields = {
  mode = { "choice", of = { "standing", "walking" }, needed = true, doc = "the controller that it is for" },
  emotion = { "string", doc = "what it expresses, for those who choose" },
  about = { "string", doc = "for people" },
  tracks = { "table", doc = "keys by joint or gait parameter, all of the kind `normal`" },
  curve = { "string", doc = "between keys" },
  unit = { "choice", of = { "rad", "deg" }, value = "rad", doc = "of joints" },
}

--- Steps a second with which a motion is compared with the limits.
local checks = 50

--- What is wrong with the keys of a motion.
local function fault_of_tracks(said, limits)
  local why = sequence.fault { tracks = said.tracks, curve = said.curve }
  if why then return why end
  for _, name in ipairs(suggest.keys(said.tracks)) do
    for index, key in ipairs(said.tracks[name]) do
      if (key.kind or "normal") ~= "normal" then
        local words = "%s: key %d is of the kind '%s': a motion of a library has values of its own ('normal')"
        return words:format(name, index, key.kind)
      end
    end
    if said.mode == "standing" and library.gait[name] and name ~= "height" then
      return ("it stands, but has a track of %s"):format(name)
    end
    if not limits[name] and library.gait[name] then return ("there are no limits of %s"):format(name) end
  end
end

--- The parameters of a gait: speed ahead and to the left (m/s), turn to the left (rad/s), and the height of
--- the pelvis over that of the upright stance (m).
library.gait = { vx = true, vy = true, turn = true, height = true }

--- Compile the tracks for sampling.  Tracks of what this robot does not have are named in `missing`.
local function compile(said, limits)
  local made = { mode = said.mode, emotion = said.emotion, about = said.about, list = {}, missing = {},
    seconds = 0, joints = 0 }
  local rows = {}
  for _, name in ipairs(suggest.keys(said.tracks)) do
    local track = said.tracks[name]
    if limits[name] then
      local scale = said.unit == "deg" and not library.gait[name] and math.pi / 180 or 1
      if not library.gait[name] then made.joints = made.joints + 1 end
      local row = { name = name, from = track[1][1], to = track[#track][1] }
      made.list[#made.list + 1], made.seconds = row, math.max(made.seconds, row.to)
      rows[#rows + 1] = { dof = #rows + 1, keys = track, scale = scale, curve = track.curve or said.curve }
    else
      made.missing[#made.missing + 1] = name
    end
  end
  if #rows > 0 then made.motion = motion.sequence { dofs = #rows, tracks = rows, length = made.seconds } end
  return made
end

--- Values at a time into `out`: before its first key and after its last one, a track has their values.
local function sample(made, time, out)
  for index, row in ipairs(made.list) do
    out[row.name] = made.motion:sample(index, math.max(row.from, math.min(row.to, time)))
  end
  return out
end

--- Where a motion leaves the limits of position or speed, a sentence.
local function fault_of_values(made, limits)
  local before
  for step = 0, math.ceil(made.seconds * checks) do
    local now = sample(made, step / checks, {})
    for _, row in ipairs(made.list) do
      local limit, value = limits[row.name], now[row.name]
      if value < limit.lower - 1e-9 or value > limit.upper + 1e-9 then
        return ("%s is %.4g at %.2f s, beyond its limits, %.4g to %.4g"):format(row.name, value,
          step / checks, limit.lower, limit.upper)
      end
      local speed = before and math.abs(value - before[row.name]) * checks or 0
      if speed > limit.velocity * (1 + 1e-6) then
        return ("%s has a speed of %.4g at %.2f s; its limit is %.4g"):format(row.name, speed, step / checks,
          limit.velocity)
      end
    end
    before = now
  end
end

--- Make a library for a robot with these limits.  Raises on a motion that has an error, or that the limits do
--- not permit.
---@param motions table motions by ID
---@param limits table {lower, upper, velocity, acceleration} by name of joint or gait parameter
function library.new(motions, limits)
  local self = setmetatable({ motions = {} }, Library)
  for _, id in ipairs(suggest.keys(motions)) do
    local said, what = motions[id], ("motion '%s'"):format(tostring(id))
    if type(said) ~= "table" then error(what .. " must be a table", 3) end
    local why = schema.fault(said, library.fields, what)
    if why then error(why, 3) end
    if not said.tracks then error(what .. " needs 'tracks'", 3) end
    why = fault_of_tracks(said, limits)
    local made = not why and compile(said, limits)
    why = why or fault_of_values(made, limits)
    if why then error(("%s: %s"):format(what, why), 3) end
    self.motions[id] = made
  end
  return self
end

--- The motion of an ID, {mode, emotion, about, seconds, joints (number of them that it moves), missing
--- (names)}; nil and a sentence if there is none.
function Library:find(id)
  local made = self.motions[id]
  if made then return made end
  local ids = suggest.keys(self.motions)
  return nil, ("there is no motion '%s'%s: there are %s"):format(tostring(id),
    suggest.hint(tostring(id), ids), #ids > 0 and table.concat(ids, ", ") or "none")
end

--- IDs in the order of names: all, or those of an emotion.
function Library:ids(emotion)
  local list = {}
  for _, id in ipairs(suggest.keys(self.motions)) do
    if not emotion or self.motions[id].emotion == emotion then list[#list + 1] = id end
  end
  return list
end

--- Values of a motion at a time (s), by name, put into `out`.
function Library:at(id, time, out) return sample(self.motions[id], time, out or {}) end

return library
