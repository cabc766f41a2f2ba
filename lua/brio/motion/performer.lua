--- A live performer: frames of a skeleton, of a face or of DOFs, converted to values of a robot's DOFs as
--- they arrive.
---
--- A frame of a stream is a JSON object with any of
---   dofs   { DOF = value }            values as the robot takes them
---   tracks { name = value }           channels of another program, sent to DOFs by the mapping's `dofs`
---   parts  { part = {x, y, z [, qx, qy, qz, qw]} }   a body, m, x forward and z up; parts as in
---                                                    brio.motion.skeleton
local clip = require "brio.formats.clip"
local retarget = require "brio.motion.retarget"
local suggest = require "brio.lib.suggest"

local performer = {}

--- A streamed body with the interface of a poser for brio.retarget: its first frame is the skeleton at rest.
local function stream_poser(parts)
  local body = {}
  for part in next, parts do body[part] = true end
  return { body = body, at = function() return parts end, add = function() return nil end }
end

local function finite(value) return type(value) == "number" and value - value == 0 end

--- The parts of a frame, checked; a missing rotation is the identity.
local function parts_of(said)
  local out = {}
  for part, place in next, said do
    if type(part) ~= "string" or type(place) ~= "table" then
      clip.fail("parts", "expected { part = {x, y, z}, ... }")
    end
    local made = { 0, 0, 0, 0, 0, 0, 1 }
    for index = 1, #place == 7 and 7 or 3 do
      if not finite(place[index]) then clip.fail("parts." .. part, "item %d is no finite number", index) end
      made[index] = place[index]
    end
    out[part] = made
  end
  return out
end

local Performer = {}
Performer.__index = Performer

--- A performer for a robot with its mapping, without any frame yet.
function performer.new(description, map)
  local limits = {}
  for _, dof in ipairs(description.dofs) do limits[dof.name] = dof end
  return setmetatable({ description = description, map = map, limits = limits }, Performer)
end

local function within(value, dof)
  return math.max(dof.lower or -math.huge, math.min(dof.upper or math.huge, value))
end

local function add_dofs(self, said, out)
  for _, name in ipairs(suggest.keys(said)) do
    local dof = self.limits[name]
    if not dof then
      clip.fail("dofs", "the robot has no DOF '%s'%s", name, suggest.hint(name, suggest.keys(self.limits)))
    end
    if not finite(said[name]) then clip.fail("dofs." .. name, "is no finite number") end
    out[name] = within(said[name], dof)
  end
end

local function add_tracks(self, said, out)
  for _, name in ipairs(suggest.keys(said)) do
    local spec = self.map.dofs and self.map.dofs[name]
    if type(spec) == "string" then spec = { spec } end
    if spec == nil and self.limits[name] then spec = { name } end
    local dof = spec and self.limits[spec[1]]
    if dof and finite(said[name]) then
      out[dof.name] = within(said[name] * (spec.scale or 1) + (spec.offset or 0), dof)
    end
  end
end

local function add_parts(self, said, out)
  local parts = parts_of(said)
  if not self.mapper then
    self.mapper = retarget.mapper(stream_poser(parts_of(said)), self.description, self.map)
  end
  for name, value in next, self.mapper:pose(parts) do out[name] = within(value, self.limits[name]) end
end

--- The values of DOFs in a frame of a stream; nil and a sentence if it is invalid.
function Performer:frame(said)
  local out = {}
  local good, why = pcall(function()
    if type(said) ~= "table" then clip.fail(nil, "a frame must be an object") end
    for field, add in next, { dofs = add_dofs, tracks = add_tracks, parts = add_parts } do
      if said[field] ~= nil then
        if type(said[field]) ~= "table" then clip.fail(field, "must be an object") end
        add(self, said[field], out)
      end
    end
    if next(out) == nil then
      clip.fail(nil, "nothing in the frame moves a DOF: it has none of dofs, tracks and parts that the \z
        robot has")
    end
  end)
  if good then return out end
  local sentence = clip.failure(why)
  if not sentence then error(why, 0) end
  return nil, sentence
end

--- The line of the prompt that sends a frame.
function performer.line(name, values)
  local words = { "perform " .. name }
  for _, dof in ipairs(suggest.keys(values)) do words[#words + 1] = ("%s=%.5g"):format(dof, values[dof]) end
  return table.concat(words, " ")
end

return performer
