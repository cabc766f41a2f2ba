--- Targets of a rig from the motion of a person's skeleton: the pelvis follows hips and trunk, the feet stay,
--- joints and arms follow as a robot's mapping says (brio.motion.retarget).
local body_frames = require "brio.motion.retarget.frames"
local clip = require "brio.formats.clip"
local geometry = require "brio.lib.geometry"
local retarget = require "brio.motion.retarget"
local rotation = require "brio.lib.rotation"
local skeleton = require "brio.motion.skeleton"

local person = {}

local minus, length_of = body_frames.minus, function(v) return math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2) end

--- Initial poses that are tried for arms, and the error that is good enough.
local starts, good_enough = 8, 0.05

--- The mapper of joints and arms whose first pose is best; nil: the rig maps none.
local function mapper_of(rig, poser)
  local data, best = rig.data, nil
  if not (data.joints or data.limbs or data.reach) then return nil end
  local map = { joints = data.joints, limbs = data.limbs, reach = data.reach, nodes = data.nodes }
  for start = 1, starts do
    local one = retarget.mapper(poser, rig:description(), map, start)
    one:pose(poser:at(1))
    if not best or one:error() < best:error() - 1e-6 then best = one end
    if best:error() < good_enough then break end
  end
  return best
end

--- The parts of a body between two frames, at a time of the clip.
local function parts_at(poser, time)
  local times = poser.times
  local low, high = 1, #times
  while high - low > 1 do
    local middle = (low + high) // 2
    if times[middle] - times[1] <= time then low = middle else high = middle end
  end
  local a, b = poser:at(low), poser:at(high)
  local gap = times[high] - times[low]
  local s = gap > 0 and math.max(0, math.min(1, (time - (times[low] - times[1])) / gap)) or 0
  local made = {}
  for part, p in next, a do
    local q, one = b[part], {}
    for axis = 1, 3 do one[axis] = p[axis] + s * (q[axis] - p[axis]) end
    one[4], one[5], one[6], one[7] = rotation.between(p[4], p[5], p[6], p[7], q[4], q[5], q[6], q[7], s)
    made[part] = one
  end
  return made
end

--- The length of a person's leg from hip to ankle, m; the mean of both.
local function leg_length(poser)
  local rest, sum = poser:at(1), 0
  for _, side in ipairs { "left", "right" } do
    local hip, knee, foot = rest[side .. "_hip"], rest[side .. "_knee"], rest[side .. "_foot"]
    if not (hip and foot) then
      clip.fail(nil, "the skeleton has no %s leg from hip to foot: a rig needs it; its nodes are %s", side,
        poser:names())
    end
    sum = sum + (knee and length_of(minus(knee, hip)) + length_of(minus(foot, knee))
      or length_of(minus(foot, hip))) / 2
  end
  return sum
end

--- Where hips and trunk are in a frame: the hips over the middle of the feet, in the heading at the
--- beginning, and roll, pitch and yaw of the part that turns the pelvis.
local function body_at(self, parts)
  local made = body_frames.straight(parts, self.rest.straighten)
  local trunk = self.part == "hips" and self.rest:face("hips", parts) or made.chest
  if not (trunk and parts.hips) then
    clip.fail(nil, "the skeleton has no hips and shoulders that turn a pelvis; its nodes are %s",
      self.poser:names())
  end
  if not self.heading then
    local _, _, yaw = geometry.rpy(made.heading or trunk)
    self.heading = geometry.from_rpy(0, 0, yaw)
  end
  local back = { -self.heading[1], -self.heading[2], -self.heading[3], self.heading[4] }
  local left, right = parts.left_foot, parts.right_foot
  local feet = {}
  for axis = 1, 3 do feet[axis] = (left[axis] + right[axis]) / 2 end
  local roll, pitch, yaw = geometry.rpy(geometry.times(back, { trunk[1], trunk[2], trunk[3], trunk[4] }))
  return { away = geometry.turn(back, minus(parts.hips, feet)), turn = { roll, pitch, yaw } }
end

local function median(list, axis)
  local values = {}
  for index, one in ipairs(list) do values[index] = one.away[axis] end
  table.sort(values)
  return values[(#values + 1) // 2]
end

--- Where the hips are on the whole: the middle of their sway, and the height of a person who stands.
local function reference(bodies)
  local most = -math.huge
  for _, one in ipairs(bodies) do most = math.max(most, one.away[3]) end
  return { median(bodies, 1), median(bodies, 2), most }
end

--- What an animator wants of the pelvis and the joints, from where the rig stands.
local function target_of(rig, body, middle, scale, size, joints)
  local move, turn = rig.pelvis.move or { 1, 1, 1 }, rig.pelvis.turn or { 1, 1, 1 }
  local offset, angles, wanted = {}, {}, {}
  for axis = 1, 3 do
    offset[axis] = size * scale * move[axis] * (body.away[axis] - middle[axis])
    angles[axis] = size * turn[axis] * body.turn[axis]
  end
  for name, value in next, joints or {} do
    local home = rig.home.joints[name]
    if home then wanted[name] = home + size * (value - home) end
  end
  return { pelvis = rig:pelvis_at(offset, angles), feet = rig.stand, joints = wanted }
end

--- The targets of a rig, one for each frame, from a clip of a skeleton. Fails by clip.fail.
---@param rig table
---@param clip_ table of kind "skeleton"
---@param options { rate: number, tempo: number, size: number, from: number?, to: number? }
---@return table list of targets
---@return string[] notes
function person.targets(rig, clip_, options)
  local poser = skeleton.poser(clip_, rig.data.nodes)
  local length = leg_length(poser)
  local mapper = mapper_of(rig, poser)
  local rest = mapper and mapper.rest or require("brio.motion.retarget.rest").of(poser)
  local self = { poser = poser, rest = rest, part = rig.pelvis.part or "hips" }
  local from, to = options.from or 0, math.min(options.to or math.huge, clip_.duration)
  local bodies, joints = {}, {}
  for frame = 0, math.floor((to - from) / options.tempo * options.rate + 1e-6) do
    local parts = parts_at(poser, from + frame / options.rate * options.tempo)
    joints[frame + 1] = mapper and mapper:pose(parts)
    bodies[frame + 1] = body_at(self, parts)
  end
  if #bodies < 2 then clip.fail(nil, "it lasts %.3g s: too short for a motion", to - from) end
  local home = (rig.legs_home.left or rig.legs_home.right).length
  local list, middle = {}, reference(bodies)
  for frame, body in ipairs(bodies) do
    list[frame] = target_of(rig, body, middle, home / length, options.size, joints[frame])
  end
  local notes = table.move(poser.notes, 1, #poser.notes, 1, {})
  local losses = mapper and mapper:losses() or {}
  return list, table.move(losses, 1, #losses, #notes + 1, notes)
end

return person
