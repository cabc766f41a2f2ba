--- The condition `proximity`: the distance of two frames is within limits, or comes within them in time.
local frames = require "brio.perception.frames"

--- Components of the vector between the frames that count.
local measures = {
  xyz = function(x, y, z) return math.sqrt(x * x + y * y + z * z) end,
  xy = function(x, y) return math.sqrt(x * x + y * y) end,
  z = function(_, _, z) return math.abs(z) end,
}

local function measure(site, form)
  local a, why = frames.pose(site, form.a)
  local b, sentence = frames.pose(site, form.b)
  if not a or not b then return nil, why or sentence end
  local p, q = a.position, b.position
  return measures[form.distance](q[1] - p[1], q[2] - p[2], q[3] - p[3])
end

return {
  name = "proximity",
  doc = "Succeeds if the distance between two frames is in a range; waits for that until its timeout, \z
    then fails.",
  fields = {
    a = { "string", doc = "a frame: a link, a role, an object or a person; default: the robot's base" },
    b = { "string", doc = "the other one" },
    distance = { "choice", of = { "xyz", "xy", "z" }, value = "xyz",
      doc = "what of the way counts: all, level, or up and down" },
    min = { "number", unit = "m", lower = 0, upper = 1e6, value = 0,
      doc = "minimum distance" },
    max = { "number", unit = "m", lower = 0, upper = 1e6, value = 1, doc = "and at most" },
    timeout = { "number", unit = "s", lower = 0, upper = 1e6, value = 5, doc = "how long it is waited for" },
  },
  needs = "b",
  fault = function(form)
    if form.min <= form.max then return nil end
    return ("min, %g m, is above max, %g m: it can never succeed"):format(form.min, form.max)
  end,
  frames = function(form) return { form.a, form.b } end,
  owns = function() return {} end,
  seconds = function() return nil end,
  work = function(site, form, memory, _, elapsed)
    local distance, why = measure(site, form)
    memory.distance = distance
    if distance and distance >= form.min and distance <= form.max then return true end
    if elapsed < form.timeout - 1e-9 then return nil end
    if not distance then return false, ("%s (looked for %g s)"):format(why, form.timeout) end
    return false, ("'%s' and '%s' are %.3f m from each other (%s) after %g s, wanted %g to %g m"):format(
      form.a or "base", form.b, distance, form.distance, form.timeout, form.min, form.max)
  end,
  asks = true,
  progress = function(site, form, memory)
    local d = memory.distance or measure(site, form)
    return { value = d, unit = "m", nominal = form.timeout, tolerance = 0,
      error = d and math.max(form.min - d, d - form.max, 0) or nil,
      text = d and ("%.3f m, wanted %g to %g m"):format(d, form.min, form.max) or "a frame is not there" }
  end,
  inherit = { "a", "b", "distance", "timeout" },
}
