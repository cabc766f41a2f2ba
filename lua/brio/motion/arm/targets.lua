--- Where an arm's wrist, elbow and tool are to be: a person's, scaled and turned to the arm's base.
local rotation = require "brio.lib.rotation"

local targets = {}

--- The share of its reach that an arm uses: stretched out, its joints would have to be infinitely fast.
local used_reach = 0.97

--- How much of the head's yaw, pitch and roll the tool follows.
targets.head = { yaw = 0.3, pitch = 0.3, roll = 1 }

--- The scale from the person's wrist to the arm's, with the torso `ahead` of the arm's base by so much, m:
--- the largest one with which no place of the clip is farther out than the arm goes, |ahead x + s w| <= r.
--- O(n)
function targets.scale(wrist, reach, ahead)
  local r, least = used_reach * reach, math.huge
  for index = 1, #wrist, 3 do
    local x, y, z = wrist[index], wrist[index + 1], wrist[index + 2]
    local square, along = math.max(x * x + y * y + z * z, 1e-12), ahead * x
    least = math.min(least, (math.sqrt(along * along + square * (r * r - ahead * ahead)) - along) / square)
  end
  return least
end

--- Places of the torso ahead of the arm's base that are tried, as shares of its reach.
local shares = { 0, 0.15, 0.3, 0.45, 0.6 }

--- Where the torso is, and the scale: at the arm's base, unless more frames can be reached with the torso
--- ahead of it, as what the person does close to the body is too close to the base. `count`(scale, ahead):
--- how many frames are out of reach, or nil. Returns the scale, and the place, m.
function targets.fit(wrist, reach, count)
  local best, place, least
  for _, share in ipairs(shares) do
    local ahead = share * reach
    local scale = targets.scale(wrist, reach, ahead)
    local out = count(scale, ahead)
    -- a smaller scale is worth it for one frame in a hundred
    if not least or (out and out + #wrist / 300 < least) then best, place, least = scale, ahead, out end
    if not out or out == 0 then break end
  end
  return best, place
end

--- A flat path scaled, moved ahead, turned about z by `forward`, and moved to `base`.
function targets.path(points, scale, ahead, forward, base)
  local out, c, s = {}, math.cos(forward), math.sin(forward)
  for index = 1, #points, 3 do
    local x, y, z = ahead + scale * points[index], scale * points[index + 1], scale * points[index + 2]
    out[index] = base[1] + c * x - s * y
    out[index + 1] = base[2] + s * x + c * y
    out[index + 2] = base[3] + z
  end
  return out
end

--- Shares of the head's angles: a flat list.
function targets.turns(head, own)
  local out = {}
  for index = 1, #head, 3 do
    out[index] = (own.yaw or 0) * head[index]
    out[index + 1] = (own.pitch or 0) * head[index + 1]
    out[index + 2] = (own.roll or 0) * head[index + 2]
  end
  return out
end

--- The tool's rotations, a flat list of four numbers a frame: that of a tool that faces forward, `face`,
--- turned by yaw, pitch and roll.
function targets.orientations(head, forward, face)
  local out = {}
  local fx, fy, fz, fw = rotation.about("z", forward)
  for index = 1, #head, 3 do
    -- the head's turn in the person's frame, then seen from the arm's base
    local x, y, z, w = rotation.euler("zyx", { head[index], head[index + 1], head[index + 2] })
    x, y, z, w = rotation.times(fx, fy, fz, fw, x, y, z, w)
    x, y, z, w = rotation.times(x, y, z, w, -fx, -fy, -fz, fw)
    x, y, z, w = rotation.times(x, y, z, w, face[1], face[2], face[3], face[4])
    local n = #out
    out[n + 1], out[n + 2], out[n + 3], out[n + 4] = rotation.normalized(x, y, z, w)
  end
  return out
end

return targets
