--- How deep the feet of a robot are below the floor of the world, z = 0. Many models have their root in the
--- pelvis; at the origin it puts the feet below the floor.
local geometry = require "brio.lib.geometry"

local floor = {}

--- A depth up to this is that of a sole's thickness or of a rounded number, m.
local shallow = 0.05

--- How far each kind of shape reaches along a direction `u` of its own frame, from its origin, m.
local reach = {
  sphere = function(shape) return shape.size[1] end,
  box = function(shape, u)
    local size = shape.size
    return (math.abs(u[1]) * size[1] + math.abs(u[2]) * size[2] + math.abs(u[3]) * size[3]) / 2
  end,
  capsule = function(shape, u) return shape.size[1] + math.abs(u[3]) * shape.size[3] / 2 end,
  cylinder = function(shape, u)
    return shape.size[1] * math.sqrt(u[1] ^ 2 + u[2] ^ 2) + math.abs(u[3]) * shape.size[3] / 2
  end,
  hull = function(shape, u)
    local most = -math.huge
    for _, p in ipairs(shape.points) do most = math.max(most, p[1] * u[1] + p[2] * u[2] + p[3] * u[3]) end
    return most
  end,
}

--- The lowest height of a robot's links and shapes in its home pose, m.  O(shapes and their corners).
local function lowest_of(description)
  local model, low = description.robot, math.huge
  local poses = model:forward({ joints = description.poses[description.home].joints }).links
  for _, pose in next, poses do low = math.min(low, pose.position[3]) end
  for _, shape in ipairs(model:collisions()) do
    local at = geometry.within(poses[shape.link], shape.pose)
    local q = at.orientation
    local down = geometry.turn({ -q[1], -q[2], -q[3], q[4] }, { 0, 0, -1 })
    low = math.min(low, at.position[3] - reach[shape.kind](shape, down))
  end
  return low
end

--- How far the root of a robot with two feet has to be above its present place, m, to the millimetre, so that
--- it stands on the floor in its home pose; nil: it has no two feet, or stands about there.
---@param description table of robots.find
---@return number?
function floor.depth(description)
  if not (description.roles.left_foot and description.roles.right_foot) then return nil end
  local low = lowest_of(description)
  return low < -shallow and math.floor(-low * 1000 + 0.5) / 1000 or nil
end

return floor
