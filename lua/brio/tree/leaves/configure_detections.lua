--- The leaf `configure_detections`: settings for tracking things of a class that are first seen afterwards.
local numbers = {
  alpha = { "number", unit = "1", lower = 1e-3, upper = 1, doc = "the share of a new detection in the pose" },
  smoothing = { "number", unit = "s", lower = 0, upper = 1000, doc = "or the time constant of the pose" },
  acceptance = { "number", unit = "1", lower = 0, upper = 1,
    doc = "the mean confidence from which it is believed" },
  begins_at = { "number", unit = "1", lower = 0, upper = 1, doc = "the confidence with which one may begin" },
  stability = { "number", unit = "Hz", lower = 0, upper = 1000, doc = "a thing with a higher rate of \z
    detections is stable" },
  history = { "number", unit = "s", lower = 1e-3, upper = 3600,
    doc = "length of its history of detections" },
  radius = { "number", unit = "m", lower = 1e-6, upper = 1000,
    doc = "maximum distance of a detection from the expected position" },
  speed = { "number", unit = "m/s", lower = 0, upper = 1000,
    doc = "how fast it may be while its motion is not known" },
  lost_after = { "number", unit = "s", lower = 1e-3, upper = 1e6,
    doc = "time without a detection until it is lost" },
  appear_after = { "whole", lower = 1, upper = 1e6, doc = "detections before it is believed" },
  moves = { "boolean", doc = "false: it is at rest" },
  confusion = { "list", of = "string", doc = "classes that a detector takes it for" },
}

local fields = { class = { "string",
  doc = "of which class; without: of all that have no settings of their own" } }
for name, field in next, numbers do fields[name] = field end

return {
  name = "configure_detections",
  doc = "Says how things of a class are tracked that are seen for the first time from then on.",
  fields = fields,
  fault = function(form)
    for name in next, numbers do
      if form[name] ~= nil then
        return form.confusion and not form.class and "confusion belongs to one class" or nil
      end
    end
    return "it has nothing to change: give alpha, acceptance, stability, history, ..."
  end,
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site, form)
    local settings = {}
    for name in next, numbers do settings[name] = form[name] end
    local good, done, why = pcall(site.host.scene.configure, site.host.scene, form.class, settings)
    if not good or not done then return false, (tostring(why or done):gsub("^.-:%d+: ", "")) end
    return true
  end,
  progress = function(_, form) return { text = form.class and ("of '%s'"):format(form.class)
    or "of all classes" } end,
  inherit = { "class" },
}
