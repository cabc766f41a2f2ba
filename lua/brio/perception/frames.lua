--- Frames as trees name them: a link or a role of the robot, an object or person of the scene, or "world".
local geometry = require "brio.lib.geometry"

local frames = {}

local world = { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }

--- The pose of a frame now, in the world; nil: the robot's base. nil and a sentence if there is none.
function frames.pose(site, name)
  if name == "world" then return world end
  local description = site.description
  local pose = site.host.scene:frame(name and (description.roles[name] or name)
    or description.robot:links()[1])
  if pose then return pose end
  return nil, ("there is no frame '%s' now: no link or role of the robot, and nothing that is seen"):format(
    name or "base")
end

--- A point of the world in a frame whose pose is `pose`.
function frames.into(pose, point)
  local p, q = pose.position or world.position, pose.orientation or world.orientation
  return geometry.turn({ -q[1], -q[2], -q[3], q[4] }, { point[1] - p[1], point[2] - p[2], point[3] - p[3] })
end

return frames
