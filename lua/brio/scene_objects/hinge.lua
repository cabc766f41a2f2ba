--- The derived object `hinge`: the axis that something turns about, from where it is seen while it moves.
---
--- Its x axis is the hinge, as a screw takes it: it turned the positive way about x. It stands beside what is watched, and y
--- points there.
local articulation = require "brio.articulation"

--- An arc must stand out of its chord by so many times the error, or it may as well be a line.
local clear = 4

return {
  name = "hinge",
  doc = "The axis that `what` turns about, x along it; there as soon as it has turned by `least`.",
  fields = {
    what = { "string", doc = "the frame that is watched: an object, a hand that holds it" },
    axis = { "vector", size = 3, doc = "the direction of the hinge, where it is known: { 0, 0, 1 } of a door" },
    least = { "number", unit = "rad", lower = 0.02, upper = 6, value = 0.2, doc = "it must have turned so far" },
    step = { "number", unit = "m", lower = 1e-4, upper = 1, value = 0.01, doc = "places are taken so far apart" },
    error = { "number", unit = "m", lower = 1e-6, upper = 1, value = 0.03, doc = "so far off the circle they may be" },
  },
  needs = { "what" },
  frames = { "what" },
  work = function(at, form, memory)
    local object = at.objects.what
    local seen = not (object and (object.stale or object.frozen))
    if seen and articulation.watch(memory, at.frames.what, form.step) then
      local turns = (not object or object.oriented ~= false) and memory.turns or nil
      memory.found, memory.why = articulation.hinge(memory.points, form.axis, turns)
    end
    local found = memory.found
    if not found then return nil, memory.why or "it is not seen" end
    if found.error > form.error then
      return nil, ("'%s' does not turn about a hinge: it is %.3f m off a circle"):format(form.what, found.error)
    end
    local stands_out = found.radius * (1 - math.cos(math.min(math.pi, found.angle / 2)))
    if found.angle < form.least or stands_out < clear * found.error then
      return nil, ("'%s' has turned by %.2f rad about %.2f m, error %.3f m: that tells too little"):format(form.what, found.angle,
        found.radius, found.error)
    end
    local p, o = at.frames.what.position, found.origin
    return { position = o, orientation = articulation.frame(found.axis, { p[1] - o[1], p[2] - o[2], p[3] - o[3] }) }
  end,
}
