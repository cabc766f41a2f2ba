--- What an arm takes of a dancing person: the paths of a wrist and its elbow, and where the head looks, seen
--- from the torso in an upright frame that faces where the chest does (x forward, y left, z up), 60 times a
--- second and filtered as motions are for measuring (motion/measures/path.lua).
---
--- The torso's origin is on the way from the hips to the middle of the shoulders, about where the spine
--- leaves the pelvis (joint 3 of SMPL).
local body_frames = require "brio.motion.retarget.frames"
local clip = require "brio.formats.clip"
local path = require "brio.motion.measures.path"
local rest_of = require("brio.motion.retarget.rest").of
local skeleton = require "brio.motion.skeleton"

local person = {}

--- Where the torso's origin is between hips (0) and shoulders (1).
local origin_share = 0.25

local sides = { "left", "right" }
local needed, arm_parts = { "hips" }, { "_shoulder", "_elbow", "_hand" }

--- Fail unless the skeleton has what an arm needs.
local function check_body(poser)
  local names = table.move(needed, 1, #needed, 1, {})
  for _, side in ipairs(sides) do
    for _, part in ipairs(arm_parts) do names[#names + 1] = side .. part end
  end
  for _, name in ipairs(names) do
    if not poser.body[name] then
      clip.fail(nil, "the skeleton has no %s, which a dance on an arm needs; its nodes are %s: name it in a \z
        mapping, as in nodes = { %s = \"%s\" }", name, poser:names(), name, poser.nodes[1].name)
    end
  end
end

--- Yaw, pitch and roll of a rotation: about z, then y, then x.
local function angles_of(q)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  return math.atan(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    math.asin(math.max(-1, math.min(1, 2 * (w * y - z * x)))),
    math.atan(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
end

--- An angle without a jump by whole turns from the one before.
local function unwrapped(angle, before)
  return before and angle + 2 * math.pi * math.floor((before - angle) / (2 * math.pi) + 0.5) or angle
end

local function append(list, a, b, c)
  local n = #list
  list[n + 1], list[n + 2], list[n + 3] = a, b, c
end

--- Add a frame of a posed body to the lists. `heading`: of the frame before, if this one has none.
local function add_frame(lists, parts, rest, heading)
  local body = body_frames.of(parts)
  heading = body.heading or heading
  local hips, shoulders, origin = parts.hips, body.shoulders, {}
  for axis = 1, 3 do origin[axis] = hips[axis] + origin_share * (shoulders[axis] - hips[axis]) end
  for name, list in next, lists.parts do
    local p = body_frames.seen(heading, body_frames.minus(parts[name], origin))
    append(list, p[1], p[2], p[3])
  end
  local face = parts.head and rest:face("head", parts)
  local yaw, pitch, roll = 0, 0, 0
  if face then yaw, pitch, roll = angles_of(body_frames.inverse_times(heading, face)) end
  local last = #lists.head
  append(lists.head, unwrapped(yaw, lists.head[last - 2]), pitch, unwrapped(roll, lists.head[last]))
  return heading
end

--- The flat lists of all frames.
local function lists_of(poser)
  local lists, rest = { parts = {}, head = {} }, rest_of(poser)
  for _, side in ipairs(sides) do
    for _, part in ipairs(arm_parts) do lists.parts[side .. part] = {} end
  end
  local heading = { 0, 0, 0, 1 }
  for frame = 1, poser.frames do heading = add_frame(lists, poser:at(frame), rest, heading) end
  return lists, rest
end

--- The length of a flat path of three dimensions, m.
local function length(points)
  local sum = 0
  for index = 4, #points, 3 do
    local x, y = points[index] - points[index - 3], points[index + 1] - points[index - 2]
    sum = sum + math.sqrt(x * x + y * y + (points[index + 2] - points[index - 1]) ^ 2)
  end
  return sum
end

--- A flat list, evenly sampled and filtered; fails for a clip of one frame.
local function even(times, list)
  local one = path.of(times, list, 3)
  if not one then clip.fail(nil, "it has one frame, expected a motion") end
  return one.points
end

--- The person of a clip: { rate, count, left and right = { wrist, elbow, shoulder, length }, head, notes },
--- with flat lists of three numbers a frame (m; the head's: yaw, pitch and roll, rad) and the length of each
--- wrist's path, m. `nodes`: { part = node's name }. Fails by clip.fail.
function person.of(clip_, nodes)
  local poser = skeleton.poser(clip_, nodes)
  check_body(poser)
  local lists, rest = lists_of(poser)
  local out = { rate = path.rate, head = even(clip_.times, lists.head), notes = {} }
  for _, side in ipairs(sides) do
    local wrist = even(clip_.times, lists.parts[side .. "_hand"])
    out[side] = { wrist = wrist, elbow = even(clip_.times, lists.parts[side .. "_elbow"]),
      shoulder = even(clip_.times, lists.parts[side .. "_shoulder"]), length = length(wrist) }
  end
  out.count = #out.head // 3
  for _, list in ipairs { poser.notes, rest.notes } do
    table.move(list, 1, #list, #out.notes + 1, out.notes)
  end
  return out
end

--- An arm as seen from its shoulder, in the same frame: { wrist, elbow, length }.
function person.from_shoulder(own)
  local out = { length = own.length }
  for _, part in ipairs { "wrist", "elbow" } do
    out[part] = {}
    for index, value in ipairs(own[part]) do out[part][index] = value - own.shoulder[index] end
  end
  return out
end

--- The side whose wrist goes the longer way.
function person.busier(one) return one.left.length > one.right.length and "left" or "right" end

--- The greatest distance of a flat path from the origin, m.
function person.farthest(points)
  local most = 0
  for index = 1, #points, 3 do
    most = math.max(most, points[index] ^ 2 + points[index + 1] ^ 2 + points[index + 2] ^ 2)
  end
  return math.sqrt(most)
end

return person
