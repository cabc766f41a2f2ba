--- What the simulated world's depth camera sees reaches the behavior: as its newest cloud, and as a scan for its map.
require "brio.cloud" -- the class of what the world gives

local sight = {}

--- Look, where a picture is due.
function sight.look(host, world)
  local pose, cloud = world:look()
  if not pose then return end
  host.self.clouds = cloud
  if host.map and host.map.grid then host.map.grid:scan(pose, cloud) end
end

return sight
