--- The leaf `place_object`: puts an object of the scene at a given pose, without any detection.
local objects = require "brio.tree.execution.objects"

return {
  name = "place_object",
  doc = "Sets the pose of an object of the scene; it stays there, whatever is seen.",
  fields = {
    object = { "string", doc = "the name that it gets" },
    pose = { "pose", doc = "its pose" },
    frame = { "string", doc = "the frame of the pose, at its current pose; default: the world" },
    class = { "string", doc = "its class; default: its name" },
    size = { "vector", size = 3, unit = "m", doc = "its full lengths" },
  },
  needs = { "object", "pose" },
  fault = function(form) return not form.pose.position and "pose has no position" or nil end,
  provides = function(form) return form.object end,
  frames = function(form) return { form.frame } end,
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site, form)
    local object, why = objects.of(site):place { name = form.object, pose = form.pose, frame = form.frame,
      kind = form.class, size = form.size }
    if object then return true end
    return false, why
  end,
  progress = function(site, form)
    local object = site.host and site.host.scene:object(form.object)
    return { text = object and objects.words(site, object) or "it is not there yet" }
  end,
  inherit = { "frame" },
}
