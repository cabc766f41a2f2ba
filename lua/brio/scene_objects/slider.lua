--- The derived object `slider`: the line that something slides along, from where it is seen while it moves.
---
--- Its x axis is the way it moved, as a screw takes it; it stands where that is now; z points upwards as far as that allows.
local articulation = require "brio.articulation"

return {
  name = "slider",
  doc = "The line that `what` slides along, x the way it moved; there as soon as it has moved by `least`.",
  fields = {
    what = { "string", doc = "the frame that is watched: an object, a hand that holds it" },
    least = { "number", unit = "m", lower = 1e-3, upper = 100, value = 0.05, doc = "it must have moved so far" },
    step = { "number", unit = "m", lower = 1e-4, upper = 1, value = 0.005, doc = "places are taken so far apart" },
    error = { "number", unit = "m", lower = 1e-6, upper = 1, value = 0.01, doc = "so far off the line they may be" },
  },
  needs = { "what" },
  frames = { "what" },
  work = function(at, form, memory)
    local object = at.objects.what
    local seen = not (object and (object.stale or object.frozen))
    if seen and articulation.watch(memory, at.frames.what, form.step) then
      memory.found, memory.why = articulation.line(memory.points)
    end
    local found = memory.found
    if not found then return nil, memory.why or "it is not seen" end
    if found.error > form.error then
      return nil, ("'%s' does not slide along a line: it is %.3f m off"):format(form.what, found.error)
    end
    if found.length < form.least then
      return nil, ("'%s' has moved by %.3f m: that tells too little"):format(form.what, found.length)
    end
    local p, o, d = at.frames.what.position, found.origin, found.direction
    local along = (p[1] - o[1]) * d[1] + (p[2] - o[2]) * d[2] + (p[3] - o[3]) * d[3]
    local up = { 0, 0, 1 }
    local left = { up[2] * d[3] - up[3] * d[2], up[3] * d[1] - up[1] * d[3], up[1] * d[2] - up[2] * d[1] }
    return { position = { o[1] + along * d[1], o[2] + along * d[2], o[3] + along * d[3] },
      orientation = articulation.frame(d, left) }
  end,
}
