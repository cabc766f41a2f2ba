--- Finds things: clusters on the largest level surface, or without one, all clusters.
local surfaces = require "brio.perception.surfaces"
local geometry = require "brio.lib.geometry"

local shown = 12

--- The upright edges, bottom and top of a box, as lines.
local function box_lines(pose, size)
  local corners = {}
  for k = 0, 7 do
    local x, y, z = (k % 2 - 0.5) * size[1], (k // 2 % 2 - 0.5) * size[2], (k // 4 - 0.5) * size[3]
    local turned, p = geometry.turn(pose.orientation, { x, y, z }), pose.position
    corners[k] = { p[1] + turned[1], p[2] + turned[2], p[3] + turned[3] }
  end
  local lines = {}
  for _, pair in ipairs { { 0, 1 }, { 1, 3 }, { 3, 2 }, { 2, 0 }, { 4, 5 }, { 5, 7 }, { 7, 6 }, { 6, 4 },
      { 0, 4 }, { 1, 5 },
    { 2, 6 }, { 3, 7 } } do
    lines[#lines + 1] = { corners[pair[1]], corners[pair[2]] }
  end
  return lines
end

return {
  name = "things",
  doc = "things on the largest level surface, with their smallest boxes",
  find = function(cloud)
    local look, why = surfaces.of(cloud)
    if not look then return nil, why end
    local top = surfaces.top(look)
    if not top then return nil, "there is no level surface that things may stand on" end
    local clusters, labeled = cloud:clusters { above = top, labels = true }
    if not clusters then return nil, labeled end
    local things = {}
    for index, cluster in ipairs(clusters) do
      if index > shown then break end
      things[index] = {
        label = "thing", lines = box_lines(cluster.pose, cluster.size), cloud = labeled:labelled(index),
          count = cluster.points,
        mean_color = cluster.color, values = cluster,
        text = ("thing %d: %.2f x %.2f m, %.2f m high, %d points, at (%.2f, %.2f, %.2f)"):format(index,
          cluster.size[1],
          cluster.size[2], cluster.size[3], cluster.points, table.unpack(cluster.pose.position)),
      }
    end
    return things
  end,
}
