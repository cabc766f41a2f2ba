--- The derived object `slider`: the line along which an object slides, estimated from its observed motion.
---
--- Its x axis is the direction of motion, as a screw expects it; its origin is the object's present position;
--- z points upwards as far as possible.
local articulation = require "brio.perception.articulation"

return {
  name = "slider",
  doc = "The line that `what` slides along, x the way it moved; there as soon as it has moved by `least`.",
  fields = {
    what = { "string", doc = "the frame that is watched: an object, a hand that holds it" },
    least = { "number", unit = "m", lower = 1e-3, upper = 100, value = 0.05,
      doc = "minimum motion" },
    step = { "number", unit = "m", lower = 1e-4, upper = 1, value = 0.005,
      doc = "minimum distance of the positions that are used" },
    error = { "number", unit = "m", lower = 1e-6, upper = 1, value = 0.01,
      doc = "permitted distance from the line" },
  },
  needs = { "what" },
  frames = { "what" },
  work = function(at, form, memory)
    local found, why = articulation.watch(at, form, memory)
    if not found then return nil, why end
    local moved = found.high - found.low
    if found.kind ~= "slider" then
      return nil, ("'%s' does not slide along a line: it moves as %s"):format(form.what, found.kind == "hinge"
        and "about a hinge" or "what is fixed")
    end
    if found.error > form.error or moved < form.least then
      return nil, ("'%s' has moved by %.3f m, error %.3f m: this is too little"):format(form.what, moved,
        found.error)
    end
    local d = found.axis
    return { position = articulation.beside(found.point, d, at.frames.what.position),
      orientation = articulation.frame(d, { -d[2], d[1], 0 }) }
  end,
}
