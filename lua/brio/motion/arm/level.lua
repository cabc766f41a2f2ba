--- The last three joints of an arm whose joints 2, 3 and 4 have parallel axes: the fourth undoes the tilt of
--- the second and third, the fifth the turn of the first, so that the tool keeps facing forward; the sixth
--- rolls. With all values counted from a pose in which the tool faces forward, and axes that point the same
--- way:
---     t4 = -(t2 + t3)    t5 = -t1    t6 = roll
--- Source: Li et al., "RMG", equation 2.
local rotation = require "brio.lib.rotation"

local level = {}

local parallel = 1e-4

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

--- A vector turned about a unit axis.
local function turned(axis, angle, v)
  local s = math.sin(angle / 2)
  return { rotation.turn(s * axis[1], s * axis[2], s * axis[3], math.cos(angle / 2), v[1], v[2], v[3]) }
end

--- The sign of two parallel unit vectors; nil: they are not.
local function sign(a, b)
  local product = dot(a, b)
  if math.abs(product) < 1 - parallel then return nil end
  return product > 0 and 1 or -1
end

local Level = {}
Level.__index = Level

--- The rule for an arm's `axes` at 0, and values of all six joints in which the tool faces forward; nil: the
--- arm is of another kind, or the fifth axis is not along the first one there.
function level.new(axes, face)
  local s2, s3 = sign(axes[2], axes[4]), sign(axes[3], axes[4])
  if not (s2 and s3) then return nil end
  local tilt = s2 * face[2] + s3 * face[3] + face[4]
  local fifth = turned(axes[4], tilt, axes[5])
  local s5 = sign(axes[1], fifth)
  if not s5 then return nil end
  -- where the other axes point at that pose, for the signs of the head's angles
  local fourth = turned(axes[1], face[1], axes[4])
  local sixth = turned(axes[1], face[1], turned(fifth, face[5], turned(axes[4], tilt, axes[6])))
  return setmetatable({ face = face, s2 = s2, s3 = s3, s5 = s5, s4 = fourth[2] < 0 and -1 or 1,
    s6 = sixth[1] < 0 and -1 or 1 }, Level)
end

--- The last three values of a row whose first three are set, for angles of the head.
function Level:turn(row, yaw, pitch, roll)
  local f = self.face
  return f[4] + self.s2 * (f[2] - row[2]) + self.s3 * (f[3] - row[3]) + self.s4 * pitch,
    f[5] + self.s5 * (f[1] - row[1] + yaw), f[6] + self.s6 * roll
end

return level
