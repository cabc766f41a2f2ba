--- The derived object `hinge`: the axis of rotation of an object, estimated from its observed motion.
---
--- Its x axis is the hinge, as a screw expects it: the observed rotation is positive about x. Its origin is
--- the point of the axis beside the object, and y points to the object.
local articulation = require "brio.perception.articulation"

return {
  name = "hinge",
  doc = "The axis that `what` turns about, x along it; there as soon as it has turned by `least`.",
  fields = {
    what = { "string", doc = "the frame that is watched: an object, a hand that holds it" },
    axis = { "vector", size = 3, doc = "the direction of the hinge, if known: { 0, 0, 1 } for a door" },
    least = { "number", unit = "rad", lower = 0.02, upper = 6, value = 0.2,
      doc = "minimum rotation" },
    step = { "number", unit = "m", lower = 1e-4, upper = 1, value = 0.01,
      doc = "minimum distance of the positions that are used" },
    error = { "number", unit = "m", lower = 1e-6, upper = 1, value = 0.03,
      doc = "permitted distance from the circle" },
  },
  needs = { "what" },
  frames = { "what" },
  work = function(at, form, memory)
    local found, why = articulation.watch(at, form, memory, form.axis)
    if not found then return nil, why end
    local turned = found.high - found.low
    if found.kind ~= "hinge" then
      return nil, ("'%s' moves as %s so far: this is not a hinge"):format(form.what,
        found.kind == "slider" and "a slider"
        or "what is fixed")
    end
    if found.error > form.error or turned < form.least then
      return nil, ("'%s' has turned by %.2f rad about %.2f m, error %.3f m: this is too little"):format(
        form.what, turned, found.radius, found.error)
    end
    local p = at.frames.what.position
    local o = articulation.beside(found.point, found.axis, p)
    return { position = o, orientation = articulation.frame(found.axis,
      { p[1] - o[1], p[2] - o[2], p[3] - o[3] }) }
  end,
}
