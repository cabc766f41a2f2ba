--- Finds door panels by their size.
local surfaces = require "brio.perception.surfaces"

local shown = 4

return {
  name = "doors",
  doc = "upright planes of a door's size, likeliest first, and where they hang",
  find = function(cloud)
    local look, why = surfaces.of(cloud)
    if not look then return nil, why end
    local best, list = cloud:door_panel { up = look.up }
    if not best then return nil, list end
    local things = {}
    for index, door in ipairs(list) do
      if index > shown then break end
      local up, half, ring = look.up, door.height / 2, {}
      for k, corner in ipairs { { door.left, -half }, { door.right, -half }, { door.right, half },
          { door.left, half } } do
        ring[k] = { corner[1][1] + corner[2] * up[1], corner[1][2] + corner[2] * up[2],
          corner[1][3] + corner[2] * up[3] }
      end
      ring[5] = ring[1]
      things[index] = {
        label = "door", lines = { ring }, count = door.points, values = door,
        text = ("door %d: %.2f x %.2f m, %.0f %% like one, %s, at (%.2f, %.2f, %.2f)"):format(index,
          door.width, door.height,
          100 * door.score, door.hinge and ("hangs on the %s (%s)"):format(door.hinge, door.told_by)
            or "its hinge is unknown",
          table.unpack(door.pose.position)),
      }
    end
    return things
  end,
}
