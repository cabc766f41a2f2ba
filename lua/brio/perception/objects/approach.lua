--- The derived object `approach`: a place to stand in front of an object, as seen from another.
---
--- Level, on the line from B back to A, at a distance from B; x points from A to B. Height is B's.
return {
  name = "approach",
  doc = "A level frame on the way from `b` back to `a`, `distance` m before `b`, that faces `b`.",
  fields = {
    a = { "string", doc = "the frame that one comes from" },
    b = { "string", doc = "the frame that one goes to" },
    distance = { "number", unit = "m", lower = -100, upper = 100, value = 0.5, doc = "how far before `b`" },
  },
  needs = { "a", "b" },
  frames = { "a", "b" },
  pure = true,
  work = function(at, form)
    local a, b = at.frames.a.position, at.frames.b.position
    local x, y, z = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    local length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-4 then return nil, ("'%s' and '%s' are in the same place"):format(form.a, form.b) end
    local share = form.distance / length
    local yaw = (x * x + y * y > 1e-8) and math.atan(y, x) or at.yaw(at.frames.b)
    return { position = { b[1] - share * x, b[2] - share * y, b[3] - share * z },
      orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
  end,
}
