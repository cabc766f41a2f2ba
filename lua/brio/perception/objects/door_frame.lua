--- The derived object `door_frame`: the posts of a door, from a point cloud.
---
--- At the hinge's post, or the latch's, at the panel's height; upright, x from the hinge to the latch. This
--- is the pose of the closed door even if it is open.
local cloud_objects = require "brio.perception.cloud_objects"
local geometry = require "brio.lib.geometry"

return {
  name = "door_frame",
  doc = "An upright frame at the hinge's or the latch's post of a door, x from hinge to latch; from a point \z
    cloud.",
  fields = {
    cloud = { "string", doc = "the point cloud, by the name of its source; default: the newest" },
    panel = { "string", value = "door", doc = "the frame of the panel at its latch edge or handle, x along \z
      it to the hinge" },
    width = { "number", unit = "m", lower = 0.2, upper = 5, value = 0.9, doc = "of the panel" },
    post = { "choice", of = { "hinge", "latch" }, value = "hinge", doc = "which of the two" },
    points = { "whole", lower = 1, upper = 1e7,
      doc = "minimum number of points of a post; default 1000, or one in 300 of the cloud's" },
  },
  frames = { "panel" },
  work = function(at, form, memory)
    local found, frame = cloud_objects.find(at, form, memory, "door_frame", function(back)
      return { panel = geometry.within(back, at.frames.panel), width = form.width, least = form.points }
    end)
    if not found then return nil, frame end
    return cloud_objects.upright(found[form.post], frame)
  end,
}
