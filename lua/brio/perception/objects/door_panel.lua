--- The derived object `door_panel`: a door's panel from two detections.
---
--- At the mechanism (a lever, knob, push bar or pull handle), upright, its x axis level from the mechanism to
--- the panel's center. So poses authored in this frame fit every door whose mechanism is on that side.
return {
  name = "door_panel",
  doc = "An upright frame at a door's mechanism whose x axis points, level, to the middle of its panel.",
  fields = {
    mechanism = { "string", value = "mechanism",
      doc = "the frame of the lever, knob, push bar or pull handle" },
    panel = { "string", value = "panel", doc = "the frame of the panel" },
    within = { "number", unit = "m", lower = 0, upper = 100, value = 2,
      doc = "farther from each other they are not one door's" },
  },
  frames = { "mechanism", "panel" },
  pure = true,
  work = function(at, form)
    local a, b = at.frames.mechanism.position, at.frames.panel.position
    local x, y, z = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    local length = math.sqrt(x * x + y * y + z * z)
    if length > form.within then
      return nil, ("'%s' and '%s' are %.2f m from each other, more than %g m: they are not \z
        one door's"):format(form.mechanism, form.panel, length, form.within)
    end
    if x * x + y * y < 1e-8 then
      return nil, ("'%s' is straight above '%s'"):format(form.panel, form.mechanism)
    end
    local yaw = math.atan(y, x)
    return { position = { a[1], a[2], a[3] }, orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
  end,
}
