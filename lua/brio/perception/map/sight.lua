--- Makes the picture of the simulated world's depth camera the behavior's newest cloud, and so the input of
--- its map.
require "brio.cloud" -- defines the class of the world's pictures

local sight = {}

--- Get a picture when it is due. It is then the newest cloud named "depth".
function sight.look(host, world)
  local seen, cloud = world:look()
  if not seen then return end
  if not host.depth then
    host.depth = {}
    host.clouds:offer("depth", function()
      local fresh = host.depth.fresh
      host.depth.fresh = false
      return host.depth.cloud, fresh
    end)
  end
  host.depth.cloud, host.depth.fresh = cloud, true
end

return sight
