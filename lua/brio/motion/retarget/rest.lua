--- The rest pose of a skeleton: its own pose, or an estimate from the clip if that pose is not a standing
--- person.
---
--- A node's rotation gives the direction in which a part faces once the node's rotation is known for a part
--- that faces ahead. If the skeleton's own pose is a standing person, that pose defines it. Many skeletons
--- have another pose: all bones along one axis, or lying. Then the clip defines it: over a whole clip a part
--- faces, on average, as the chest does.  Most rigs have axes along the body's, so a mean near such axes is
--- snapped to them; a head that always looks sideways thus keeps its direction.
local clip = require "brio.formats.clip"
local frames = require "brio.motion.retarget.frames"
local rotation = require "brio.lib.rotation"

local rest = {}

--- Maximum lean of a standing person's chest from upright, and of the head from above the shoulders, rad.
local most_lean, most_head_lean = math.rad(30), math.rad(45)

--- Maximum rotation of a standing person's hips and feet against the shoulders, rad.
local most_twist = math.rad(60)

--- A clip's mean that is farther than this from the skeleton's own pose contradicts it, rad.
local most_off = math.rad(60)

--- A mean as near as this to the axes of a rig is snapped to them, rad.
local near_axes = math.rad(30)

--- Maximum number of frames of a clip that are used.
local most_frames = 300

--- Whether all known parts are in the positions of a standing person.
local function stands(parts, made)
  if not (made.chest and made.heading) then return false end
  if frames.angle(frames.inverse_times(made.chest, made.heading)) > most_lean then return false end
  local head = parts.head and frames.between(frames.minus(parts.head, made.shoulders), { 0, 0, 1 }) or 0
  if head > most_head_lean then return false end
  local hips = made.hips and frames.angle(frames.inverse_times(made.heading, made.hips)) or 0
  if hips > most_twist then return false end
  for _, side in ipairs { "left", "right" } do
    local hip, foot = parts[side .. "_hip"], parts[side .. "_foot"]
    local leg = hip and foot and frames.between(frames.minus(foot, hip), { 0, 0, -1 }) or 0
    if leg > most_twist then return false end
  end
  return true
end

--- The mean of rotations: their normalized sum, each with the sign that is nearer to the sum.
local function mean_of(list)
  local mean = list[1]
  for _ = 1, 10 do
    local sum = { 0, 0, 0, 0 }
    for _, q in ipairs(list) do
      local dot = q[1] * mean[1] + q[2] * mean[2] + q[3] * mean[3] + q[4] * mean[4]
      for index = 1, 4 do sum[index] = sum[index] + (dot < 0 and -q[index] or q[index]) end
    end
    mean = { rotation.normalized(sum[1], sum[2], sum[3], sum[4]) }
  end
  return mean
end

--- The 24 rotations that map axes to axes.
local function axis_rotations()
  local made = {}
  for _, tip in ipairs { { "x", 0 }, { "x", 1 }, { "x", 2 }, { "x", 3 }, { "y", 1 }, { "y", 3 } } do
    for turns = 0, 3 do
      made[#made + 1] = frames.times({ rotation.about(tip[1], tip[2] * math.pi / 2) },
        { rotation.about("z", turns * math.pi / 2) })
    end
  end
  return made
end

--- A rotation, or the one along axes that is near to it.
local function snapped(q)
  local best, least = q, near_axes
  for _, one in ipairs(axis_rotations()) do
    local off = frames.angle(frames.inverse_times(one, q))
    if off < least then best, least = one, off end
  end
  return best
end

--- The parts and frames of a body in some frames of its clip; empty for a streamed body.
local function sampled(poser)
  local list, count = {}, poser.frames or 0
  for frame = 1, count, math.max(1, count // most_frames) do
    local parts = poser:at(frame)
    parts.frames = frames.of(parts)
    if parts.frames.chest then list[#list + 1] = parts end
  end
  return list
end

local Rest = {}
Rest.__index = Rest

--- The rest pose of a poser's body. Fields: parts (of the skeleton's own pose), stands, straighten: the
--- rotation that makes the chest upright in the skeleton's own pose, as shoulders are seldom exactly above
--- the hips.
function rest.of(poser)
  local parts = poser:at(0)
  local made = frames.of(parts)
  local self = setmetatable({ poser = poser, parts = parts, facing = {}, notes = {} }, Rest)
  self.stands = stands(parts, made)
  self.straighten = self.stands and frames.inverse_times(made.chest, made.heading) or nil
  self.heading = made.heading
  return self
end

local function orientation(place) return { place[4], place[5], place[6], place[7] } end

--- The inverse of the mean rotation of a part's node relative to the chest over the clip; nil: there is no
--- clip.
local function mean_facing(self, part)
  self.samples = self.samples or sampled(self.poser)
  local list = {}
  for index, parts in ipairs(self.samples) do
    local chest = self.straighten and frames.times(parts.frames.chest, self.straighten) or parts.frames.chest
    list[index] = frames.inverse_times(orientation(parts[part]), chest)
  end
  return list[1] and mean_of(list)
end

--- The rotation from a part's node to the direction that the part faces.
local function facing_of(self, part)
  local place = self.parts[part]
  if not place then return nil end
  local own = self.heading and frames.inverse_times(orientation(place), self.heading)
  local mean = mean_facing(self, part)
  local believed = self.stands and (not mean or frames.angle(frames.inverse_times(own, mean)) < most_off)
  if believed or not mean then return own end
  clip.note(self.notes, "the skeleton's own pose has no direction for the %s: it is assumed to face like \z
    the chest, on average over the clip", part)
  return snapped(mean)
end

--- The direction in which a part of a posed body faces, by its node's rotation; nil: the skeleton has no such
--- part, or no shoulders.
function Rest:face(part, parts)
  if self.facing[part] == nil then self.facing[part] = facing_of(self, part) or false end
  local turn = self.facing[part]
  return turn and parts[part] and frames.times(orientation(parts[part]), turn) or nil
end

return rest
