--- The derived object `door_plane`: a door's panel from a point cloud.
---
--- At its mechanism, if that is known, else at the center of the panel; upright, x level along the panel:
--- towards the hinge if it is known, else to the right of the viewer.
local cloud_objects = require "brio.perception.cloud_objects"
local geometry = require "brio.lib.geometry"

return {
  name = "door_plane",
  doc = "An upright frame on a door's panel, x along it towards the hinge; from a point cloud.",
  fields = {
    cloud = { "string", doc = "the point cloud, by the name of its source; default: the newest" },
    mechanism = { "string", doc = "the frame of its lever, knob, push bar or pull handle; without, the \z
      likeliest door" },
    within = { "number", unit = "m", lower = 0.1, upper = 10, value = 2,
      doc = "maximum distance of the panel from there" },
  },
  frames = { "mechanism" },
  work = function(at, form, memory)
    local found, frame = cloud_objects.find(at, form, memory, "door_panel", function(back)
      local there = at.frames.mechanism
      return { up = cloud_objects.up(back), near = there and geometry.within(back, there).position or nil,
        within = there and form.within or nil }
    end)
    if not found then return nil, frame end
    return cloud_objects.upright(found.pose, frame)
  end,
}
