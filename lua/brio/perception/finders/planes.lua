--- Finds planes: tables, floors, walls.
local surfaces = require "brio.perception.surfaces"

local shown, share = 10, 0.02 -- of the points of the largest

return {
  name = "planes",
  doc = "flat surfaces, largest first: how they stand, how large they are and how well they fit",
  find = function(cloud)
    local look, why = surfaces.of(cloud)
    if not look then return nil, why end
    local things = {}
    for index, plane in ipairs(look.planes) do
      if index > shown or plane.points < share * look.planes[1].points then break end
      local line = {}
      for k, corner in ipairs(plane.hull) do line[k] = corner end
      line[#line + 1] = plane.hull[1]
      things[index] = {
        label = plane.stance .. " plane", lines = { line }, cloud = look.cloud:labelled(index),
          count = plane.points,
        text = ("plane %d: %s, %.2f x %.2f m, %d points, error %.1f mm, at (%.2f, %.2f, %.2f)"):format(index,
          plane.stance,
          plane.size[1], plane.size[2], plane.points, 1000 * plane.error, table.unpack(plane.pose.position)),
        values = plane,
      }
    end
    return things
  end,
}
