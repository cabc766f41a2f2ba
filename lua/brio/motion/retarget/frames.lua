--- Frames of a posed body, for retargeting: the orientations of chest, hips and heading. Vectors are {x, y,
--- z}, m; rotations are quaternions {x, y, z, w}; a frame has x forward, y left, z up.
local rotation = require "brio.lib.rotation"

local frames = {}

--- The difference of two vectors.
function frames.minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

local minus = frames.minus

local function middle(a, b) return { (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2 } end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The unit vector along v; nil: v has no length.
function frames.unit(v)
  local length = math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
  if not (length > 1e-9) then return nil end
  return { v[1] / length, v[2] / length, v[3] / length }
end

local unit = frames.unit

--- A direction or distance in the coordinates of a frame.
function frames.seen(frame, v)
  return { rotation.turn(-frame[1], -frame[2], -frame[3], frame[4], v[1], v[2], v[3]) }
end

--- The frame whose y axis is `left`, and whose z axis is as near to `up` as that permits; nil: they coincide.
local function frame_of(left, up)
  local y = unit(left)
  local x = y and unit(cross(y, up))
  if not x then return nil end
  return { rotation.from_axes(x, y, cross(x, y)) }
end

--- Frames of a posed body (brio.motion.skeleton's parts): heading (upright, facing where the chest does),
--- chest, hips, and the shoulders' middle. Empty without both shoulders.
function frames.of(parts)
  local left, right = parts.left_shoulder, parts.right_shoulder
  if not (left and right) then return {} end
  local shoulders, across = middle(left, right), minus(left, right)
  local below = parts.hips or parts.chest
  local up = below and minus(shoulders, below) or { 0, 0, 1 }
  local z, both = { 0, 0, 1 }, parts.left_hip and parts.right_hip
  return { shoulders = shoulders, chest = frame_of(across, up),
    heading = frame_of({ across[1], across[2], 0 }, z),
    hips = both and frame_of(minus(parts.left_hip, parts.right_hip), z) or nil }
end

--- The product of two rotations.
function frames.times(a, b) return { rotation.times(a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4]) } end

--- The rotation b in the coordinates of frame a.
function frames.inverse_times(a, b) return frames.times({ -a[1], -a[2], -a[3], a[4] }, b) end

--- The angle of a rotation, rad, 0 to pi.
function frames.angle(q) return 2 * math.acos(math.min(1, math.abs(q[4]))) end

--- The angle between two vectors, rad; nil: one has no length.
function frames.between(a, b)
  local p, q = unit(a), unit(b)
  if not (p and q) then return nil end
  return math.acos(math.max(-1, math.min(1, p[1] * q[1] + p[2] * q[2] + p[3] * q[3])))
end

--- Frames of a posed body with the chest rotated by `straighten`, which makes it upright for a standing body;
--- nil: not rotated.
function frames.straight(parts, straighten)
  local made = frames.of(parts)
  if made.chest and straighten then made.chest = frames.times(made.chest, straighten) end
  return made
end

return frames
