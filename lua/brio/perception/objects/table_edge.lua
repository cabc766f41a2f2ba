--- The derived object `table_edge`: the edge of a table, as a frame for standing in front of it, from a point
--- cloud.
---
--- On the ground below the center of the edge, x level into the table, perpendicular to the edge: a place to
--- walk to is in front of it, for example { -0.35, 0, 0 }. docs/perception/clouds.md describes the method.
local cloud_objects = require "brio.perception.cloud_objects"
local geometry = require "brio.lib.geometry"

return {
  name = "table_edge",
  doc = "On the ground below the edge of the table before `from`, x into the table; from a point cloud.",
  fields = {
    cloud = { "string", doc = "the point cloud, by the name of its source; default: the newest" },
    from = { "string", value = "walking", doc = "pose of the observer: on the ground, x forward" },
    low = { "number", unit = "m", lower = 0, upper = 10, value = 0.5,
      doc = "the top is sought between this height" },
    high = { "number", unit = "m", lower = 0, upper = 10, value = 1.1, doc = "and this" },
    far = { "number", unit = "m", lower = 0.1, upper = 50, value = 3, doc = "and no farther away" },
  },
  frames = { "from" },
  work = function(at, form, memory)
    local found, frame = cloud_objects.find(at, form, memory, "table_edge", function(back)
      return { from = geometry.within(back, at.frames.from), low = form.low, high = form.high,
        far = form.far }
    end)
    if not found then return nil, frame end
    return cloud_objects.upright(found.pose, frame)
  end,
}
