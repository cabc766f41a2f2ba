--- Maps a person's skeleton to a robot's joints: by joint angles, and by positions of elbows and hands,
--- through the solver.
---
--- A robot's mapping is a Lua file, drivers/robots/<name>/retarget.lua:
---
---   joints  { [DOF] = { part, angle [, to = part, scale = 1, offset = 0] } or { node = "name",
---           angle, ... } }
---           angle: "roll", "pitch", "yaw" of a part relative to another (the head to the chest, the chest to
---           upright); 0 for a standing person (brio.motion.retarget.rest). Or "bend": the angle of a limb at
---           the part
---   limbs   { { "left", shoulder = link, elbow = link, hand = link } }: the robot's upper and lower arm get
---           the directions of the person's, relative to the chest
---   reach   { { part, link = link, at = {x, y, z}, scale = number } }: the link follows the part, relative
---           to the chest and with its orientation; `at` is the link's position when the part is at the
---           center of the shoulders
---   nodes   { part = "node's name" }: names for parts that brio.motion.skeleton does not find
---
--- The result is the person's motion, kinematically; the robot's limits, speeds and collisions apply when it
--- is played.
local body_frames = require "brio.motion.retarget.frames"
local clip = require "brio.formats.clip"
local random = require "brio.random"
local rest_of = require("brio.motion.retarget.rest").of
local rotation = require "brio.lib.rotation"
local skeleton = require "brio.motion.skeleton"
local solver = require "brio.solver"
local suggest = require "brio.lib.suggest"

local retarget = {}

local between, inverse_times, minus, seen, unit = body_frames.between, body_frames.inverse_times,
  body_frames.minus, body_frames.seen, body_frames.unit

--- Yaw, pitch and roll of a rotation: about z, then the new y, then the new x.
local function angles_of(x, y, z, w)
  local pitch = math.asin(math.max(-1, math.min(1, 2 * (w * y - z * x))))
  return { yaw = math.atan(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), pitch = pitch,
    roll = math.atan(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) }
end

-- By joint angles ------------------------------------------------------------------------------------

local limb_of = { elbow = { "shoulder", "hand" }, knee = { "hip", "foot" } }

--- The angle of a limb at an elbow or a knee, rad; 0: straight.
local function bend(parts, part)
  local side, joint = part:match "^(%a+)_(%a+)$"
  local ends = limb_of[joint]
  if not ends then clip.fail(nil, "'bend' is of an elbow or a knee, not of '%s'", part) end
  local upper, here, lower = parts[side .. "_" .. ends[1]], parts[part], parts[side .. "_" .. ends[2]]
  if not (upper and here and lower) then return nil end
  return between(minus(here, upper), minus(lower, here))
end

--- A part's orientation for mappings: of the chest and hips by the positions of shoulders and hips; of others
--- by their node, relative to its orientation when the part faces as the chest does.
local function facing(part, parts, rest)
  if part == "upright" then return parts.frames.heading end
  if part == "chest" or part == "hips" then return parts.frames[part] end
  return rest:face(part, parts)
end

local usual_base = { head = "chest", neck = "chest", chest = "upright", hips = "upright" }

--- A node's rotation from rest, in its parent's axes.
local function node_turn(parts, rest, name)
  local now, before = parts[name], rest.parts[name]
  return inverse_times({ before[4], before[5], before[6], before[7] }, { now[4], now[5], now[6], now[7] })
end

--- The angle of a mapping in a posed body; nil: the skeleton does not have the parts.
local function angle_of(spec, parts, rest)
  if spec[2] == "bend" then return bend(parts, spec[1]) end
  local turn
  if spec.node then
    turn = node_turn(parts, rest, spec.node)
  else
    local to, part = facing(spec.to or usual_base[spec[1]] or "chest", parts, rest),
      facing(spec[1], parts, rest)
    if not (to and part) then return nil end
    turn = inverse_times(to, part)
  end
  return angles_of(turn[1], turn[2], turn[3], turn[4])[spec[2] or spec[1]]
end

--- An angle without jumps by whole turns.
local function unwrapped(angle, before)
  if before then angle = angle + 2 * math.pi * math.floor((before - angle) / (2 * math.pi) + 0.5) end
  return angle
end

-- By positions -----------------------------------------------------------------------------------------

--- Weight of a joint's value in the frame before: it decides where positions leave a joint free, such as the
--- rotation of a straight arm.
local calm = 0.05

--- The solver that poses limbs, starting at the robot's home pose, with its objectives.
local function new_posing(description, posed, start)
  local robot = description.robot
  local one = solver.new(robot, { unguarded = true, seed = 0 })
  local home, still, begins = description.poses[description.home].joints, {}, {}
  local draw = start > 1 and random.stream(start, "retarget") or nil
  for _, variable in ipairs(robot:variables()) do
    still[variable.name] = home[variable.name] or 0
    begins[variable.name] = still[variable.name]
    if draw and posed[variable.name] then
      begins[variable.name] = draw:uniform(math.max(variable.lower, -math.pi),
        math.min(variable.upper, math.pi))
    end
  end
  one:reset({ joints = begins }, true)
  local frames = robot:forward({ joints = still }).links
  for _, variable in ipairs(robot:variables()) do
    one:add(variable.name, "joint_match", { joint = variable.joint })
    one:goal(variable.name, begins[variable.name])
    one:weight(variable.name, posed[variable.name] and calm or 1000)
  end
  return { solver = one, frames = frames, time = 0, neutral = robot:forward(robot:neutral()).links }
end

local function check_link(posing, link)
  if not posing.frames[link] then
    clip.fail(posing.map_file, "the mapping names the link '%s', which the robot does not have%s", link,
      suggest.hint(link, suggest.keys(posing.frames)))
  end
end

local function add_goal(posing, key, link, weight)
  check_link(posing, link)
  posing.solver:add(key, "position_match", { link = link })
  posing.solver:weight(key, weight)
end

local function length(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2) end

local function add_limb(posing, limb, index)
  limb.keys = { ("elbow " .. index), ("hand " .. index) }
  add_goal(posing, limb.keys[1], limb.elbow, 20)
  add_goal(posing, limb.keys[2], limb.hand, 20)
  local f = posing.frames
  check_link(posing, limb.shoulder)
  limb.from, limb.lean = f[limb.shoulder].position, { 0, 0, 0, 1 }
  local now, upright = f[limb.chest], posing.neutral[limb.chest]
  if now then -- how the robot's chest stands while its limbs are posed
    local q, u = now.orientation, upright.orientation
    limb.lean = { rotation.times(q[1], q[2], q[3], q[4], -u[1], -u[2], -u[3], u[4]) }
  end
  limb.upper, limb.lower = length(limb.from, f[limb.elbow].position),
    length(f[limb.elbow].position, f[limb.hand].position)
end

--- Set the direction of the robot's limb to the person's.
local function aim_limb(posing, limb, parts)
  local shoulder, elbow, hand = parts[limb[1] .. "_shoulder"], parts[limb[1] .. "_elbow"],
    parts[limb[1] .. "_hand"]
  local chest = parts.frames.chest
  local a, b = unit(minus(elbow, shoulder)), unit(minus(hand, elbow))
  if not (chest and a and b) then return end
  local lean = limb.lean
  a, b = seen(chest, a), seen(chest, b)
  a = { rotation.turn(lean[1], lean[2], lean[3], lean[4], a[1], a[2], a[3]) }
  b = { rotation.turn(lean[1], lean[2], lean[3], lean[4], b[1], b[2], b[3]) }
  local at, goals = limb.from, { {}, {} }
  for axis = 1, 3 do
    goals[1][axis] = at[axis] + limb.upper * a[axis]
    goals[2][axis] = goals[1][axis] + limb.lower * b[axis]
  end
  posing.solver:goal(limb.keys[1], goals[1])
  posing.solver:goal(limb.keys[2], goals[2])
  limb.upper_along, limb.lower_along = a, b
end

local function count_error(one, error)
  one.error_sum, one.error_count = (one.error_sum or 0) + error, (one.error_count or 0) + 1
  one.error_most = math.max(one.error_most or 0, error)
end

--- Add the angle between the robot's limb and the person's, rad, to the statistics.
local function measure_limb(limb, frames)
  local elbow, hand = frames[limb.elbow].position, frames[limb.hand].position
  local a, b = unit(minus(elbow, limb.from)), unit(minus(hand, elbow))
  if a and b and limb.upper_along then
    count_error(limb, math.max(between(a, limb.upper_along), between(b, limb.lower_along)))
  end
end

local function aim_reach(posing, reach, parts)
  local part, frames, goal = parts[reach[1]], parts.frames, {}
  if not (part and frames.heading) then return end
  local away = seen(frames.heading, minus(part, frames.shoulders))
  for axis = 1, 3 do goal[axis] = reach.at[axis] + (reach.scale or 1) * away[axis] end
  posing.solver:goal(reach.key, goal)
  reach.goal = goal
end

--- Add the distance of the robot's link from the target of the person's part, m, to the statistics.
local function measure_reach(reach, frames)
  if reach.goal then count_error(reach, length(frames[reach.link].position, reach.goal)) end
end

--- Number of solver steps for each frame: a step is large, as speeds are not limited.
local improvements, long = 4, 100

local function solve(posing, posed, first)
  local state
  for _ = 1, first and 30 or improvements do
    posing.time = posing.time + long
    state = posing.solver:solve(posing.time, long)
  end
  local joints = state.joints
  for name in next, posed do posing.solver:goal(name, joints[name]) end
  return joints, state
end

-- The whole ------------------------------------------------------------------------------------------

local function has_limb(body, limb)
  return body[limb[1] .. "_shoulder"] and body[limb[1] .. "_elbow"] and body[limb[1] .. "_hand"]
end

--- The limbs and reaches of a mapping that this skeleton can move.
local function usable(map, body, notes)
  local limbs, reaches = {}, {}
  local whole = body.left_shoulder and body.right_shoulder
  for _, limb in ipairs(map.limbs or {}) do
    if whole and has_limb(body, limb) then
      limbs[#limbs + 1] = setmetatable({ limb[1] }, { __index = limb })
    else
      clip.note(notes, "the skeleton has no whole %s arm: the robot's stays", limb[1])
    end
  end
  for index, reach in ipairs(map.reach or {}) do
    if whole and body[reach[1]] then
      reaches[#reaches + 1] = setmetatable({ reach[1], key = "reach " .. index }, { __index = reach })
    else
      clip.note(notes, "the skeleton has no %s and shoulders: %s stays", reach[1], reach.link)
    end
  end
  return limbs, reaches
end

--- The variables that goals of positions may move: those between the root and the links, without those of
--- angles.
local function moved_by_places(description, map, limbs, reaches)
  local posed, robot = {}, description.robot
  local parent_joint = {}
  for _, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    parent_joint[joint.child] = joint
  end
  local function climb(link, stop)
    local joint = parent_joint[link]
    while joint do
      for _, variable in ipairs(joint.variables) do
        posed[variable] = not (map.joints or {})[variable] or nil
      end
      joint = joint.parent ~= stop and parent_joint[joint.parent] or nil
    end
  end
  for _, limb in ipairs(limbs) do climb(limb.hand, limb.chest) end
  for _, reach in ipairs(reaches) do climb(reach.link) end
  return posed
end

local function add_sample(tracks, name, unit_name, t, value)
  local track = tracks[name]
  if not track then
    track = { name = name, unit = unit_name, keys = {} }
    tracks[name], tracks[#tracks + 1] = track, track
  end
  track.keys[#track.keys + 1] = { t, value }
end

local function check_map(map, description)
  local known = {}
  for _, dof in ipairs(description.dofs) do known[#known + 1] = dof.name end
  for _, name in ipairs(suggest.keys(map.joints or {})) do
    if not suggest.contains(known, name) then
      clip.fail(map.file, "the mapping moves '%s', which is no DOF of %s%s", name, description.name,
        suggest.hint(name, known))
    end
  end
  if next(map.joints or {}) or (map.limbs or {})[1] or (map.reach or {})[1] then return end
  if map.file then clip.fail(map.file, "the mapping has no joints, limbs or reach") end
  clip.fail(nil, "a skeleton's motion needs a mapping to the DOFs of %s: retarget.lua beside its robot.lua, \z
    or --map FILE (docs/animation/importing.md)", description.name)
end

--- The state of a mapper, for a robot, a mapping and a skeleton; `pose(parts)` converts a posed body to joint
--- values.
local Mapper = {}
Mapper.__index = Mapper

--- A mapper for a poser's skeleton (brio.motion.skeleton). `start`: 1: begin at the robot's home pose;
--- others: at other poses. Fails by clip.fail.
function retarget.mapper(poser, description, map, start)
  check_map(map, description)
  local self = setmetatable({ map = map, notes = {}, before = {}, first = true }, Mapper)
  self.names = suggest.keys(map.joints or {})
  for _, name in ipairs(self.names) do
    local spec = map.joints[name]
    if spec.node and not poser:add(spec.node, spec.node) then
      clip.fail(map.file, "the mapping names the node '%s', which does not exist", spec.node)
    end
  end
  self.rest = rest_of(poser)
  self.limbs, self.reaches = usable(map, poser.body, self.notes)
  if self.limbs[1] or self.reaches[1] then
    self.posed = moved_by_places(description, map, self.limbs, self.reaches)
    self.posing = new_posing(description, self.posed, start or 1)
    self.posing.map_file = map.file
    for index, limb in ipairs(self.limbs) do add_limb(self.posing, limb, index) end
    for _, reach in ipairs(self.reaches) do
      add_goal(self.posing, reach.key, reach.link, reach.weight or 20)
    end
  end
  return self
end

--- Joint values of a posed body: {DOF = value}.
function Mapper:pose(parts)
  parts.frames = body_frames.straight(parts, self.rest.straighten)
  local out = {}
  for _, name in ipairs(self.names) do
    local spec = self.map.joints[name]
    local angle = angle_of(spec, parts, self.rest)
    if angle then
      angle = unwrapped(angle, self.before[name])
      self.before[name] = angle
      out[name] = (spec.scale or 1) * angle + (spec.offset or 0)
    end
  end
  if self.posing then
    for _, limb in ipairs(self.limbs) do aim_limb(self.posing, limb, parts) end
    for _, reach in ipairs(self.reaches) do aim_reach(self.posing, reach, parts) end
    local joints, state = solve(self.posing, self.posed, self.first)
    for name in next, self.posed do out[name] = joints[name] end
    for _, limb in ipairs(self.limbs) do measure_limb(limb, state.frames) end
    for _, reach in ipairs(self.reaches) do measure_reach(reach, state.frames) end
  end
  self.first = false
  return out
end

--- Sentences on how the robot's body differs from the person's motion.
function Mapper:losses()
  local out = {}
  for _, limb in ipairs(self.limbs) do
    if limb.error_count and limb.error_most > math.rad(1) then
      clip.note(out, "the %s arm points %.0f degrees off on average, %.0f at most: what the robot's joints \z
        do not reach", limb[1], math.deg(limb.error_sum / limb.error_count), math.deg(limb.error_most))
    end
  end
  for _, reach in ipairs(self.reaches) do
    if reach.error_count and reach.error_most > 0.001 then
      clip.note(out, "%s is %.0f mm off on average, %.0f at most: what the robot does not reach", reach.link,
        1000 * reach.error_sum / reach.error_count, 1000 * reach.error_most)
    end
  end
  return out
end

--- Remove tracks without motion.
local function moving(tracks)
  local out = {}
  for _, track in ipairs(tracks) do
    local least, most = math.huge, -math.huge
    for _, key in ipairs(track.keys) do least, most = math.min(least, key[2]), math.max(most, key[2]) end
    if most - least > 1e-4 then out[#out + 1] = track end
  end
  return out
end

local function joined(...)
  local out = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #out + 1, out) end
  return out
end

local function run(mapper, poser, times)
  local tracks = {}
  for frame = 1, poser.frames do
    local pose = mapper:pose(poser:at(frame))
    for _, name in ipairs(suggest.keys(pose)) do
      add_sample(tracks, name, nil, times[frame] - times[1], pose[name])
    end
  end
  return moving(tracks)
end

--- The total error of limbs and reaches.
function Mapper:error()
  local sum = 0
  for _, list in ipairs { self.limbs, self.reaches } do
    for _, one in ipairs(list) do sum = sum + (one.error_sum or 0) / math.max(one.error_count or 1, 1) end
  end
  return sum
end

--- Number of initial poses that are tried for a clip's first frame, and the error that is good enough: a
--- motion that begins with the wrong solution of an elbow stays in it.
local starts, good_enough = 8, 0.05

--- The best of several tries: its tracks and mapper.
local function best_of(poser, clip_, description, map)
  local best, tracks
  for start = 1, starts do
    local mapper = retarget.mapper(poser, description, map, start)
    local found = run(mapper, poser, clip_.times)
    if not best or mapper:error() < best:error() - 1e-6 then best, tracks = mapper, found end
    if best:error() < good_enough then break end
  end
  return tracks, best
end

local function joints_clip(clip_, description, map)
  local poser = skeleton.poser(clip_, map.nodes)
  local tracks, mapper = best_of(poser, clip_, description, map)
  if #tracks == 0 then
    clip.fail(nil, "this skeleton has no part that moves and that the mapping of %s follows; its nodes are "
      .. "%s: name them in a mapping, as in nodes = { head = \"%s\" }", description.name, poser:names(),
      clip_.nodes[1].name)
  end
  return clip.joints { name = clip_.name, format = clip_.format, clips = clip_.clips, file = clip_.file,
    tracks = tracks,
    notes = joined(clip_.notes, poser.notes, mapper.notes, mapper.rest.notes, mapper:losses()) }
end

--- A clip of a robot's joints from a clip of a skeleton. Returns it, or nil, sentence, code.
function retarget.clip(clip_, description, map) return clip.try(joints_clip, clip_, description, map) end

return retarget
