--- Finds straight edges of planes, the longest first, and describes each.
local geometry = require "brio.lib.geometry"

local shown, least = 8, 0.3

return {
  name = "edges",
  doc = "straight edges of planes: where a surface ends, meets another, is hidden, or leaves the view",
  find = function(cloud)
    local edges, why = cloud:edges { length = least }
    if not edges then return nil, why end
    local things = {}
    for _, edge in ipairs(edges) do edge.length = geometry.distance(edge.from, edge.to) end
    table.sort(edges, function(a, b) return a.length > b.length end)
    for index, edge in ipairs(edges) do
      if index > shown then break end
      things[index] = {
        label = edge.kind, lines = { { edge.from, edge.to } }, values = edge,
        text = ("edge %d: %s of plane %d%s, %.2f m long, error %.1f mm"):format(index, edge.kind, edge.plane,
          edge.other and (" with plane %d"):format(edge.other) or "", edge.length, 1000 * edge.error),
      }
    end
    return things
  end,
}
