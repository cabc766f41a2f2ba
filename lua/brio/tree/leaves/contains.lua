--- The condition `contains`: a volume, which may move with a frame, has another frame in it.
local frames = require "brio.tree.frames"
local volumes = require "brio.tree.volumes"

local function measure(site, form)
  local pose, why = frames.pose(site, form.what)
  if not pose then return nil, why end
  return volumes.distance(site, form.shape, form.frame, pose.position)
end

return {
  name = "contains",
  doc = "Succeeds when a frame is in a volume, which may move; waits for that until its timeout, then fails.",
  fields = {
    what = { "string", doc = "the frame that is to be inside: a link, a role, an object or a person" },
    shape = { "table", doc = "the volume: { kind = \"sphere\", size = { 0.5 } }, a box, capsule, cylinder, half_space or union" },
    frame = { "string", doc = "the frame that the volume stands in and moves with; the robot's base unless said" },
    timeout = { "number", unit = "s", lower = 0, upper = 1e6, value = 0, doc = "how long it is waited for; 0: it is asked once" },
  },
  needs = { "what", "shape" },
  fault = function(form)
    local why = volumes.fault(form.shape)
    return why and "shape " .. why or nil
  end,
  frames = function(form) return { form.what, form.shape.frame } end,
  owns = function() return {} end,
  seconds = function(form) return form.timeout == 0 and 0 or nil end,
  work = function(site, form, memory, fresh, elapsed)
    local wrong = fresh and volumes.fault(form.shape)
    if wrong then return false, "shape " .. wrong end
    local distance, why = measure(site, form)
    memory.distance = distance
    if distance and distance <= 0 then return true end
    if elapsed < form.timeout - 1e-9 then return nil end
    if not distance then return false, why end
    return false, ("'%s' is %.3f m outside of the %s%s"):format(form.what, distance, form.shape.kind:gsub("_", " "),
      form.timeout > 0 and (" after %g s"):format(form.timeout) or "")
  end,
  asks = true,
  progress = function(site, form, memory)
    local d = memory.distance or measure(site, form)
    return { value = d, unit = "m", nominal = form.timeout, tolerance = 0, error = d and math.max(0, d) or nil,
      text = d and ("%.3f m %s"):format(math.abs(d), d > 0 and "outside" or "inside") or "a frame is not there" }
  end,
  inherit = { "what", "frame", "shape" },
}
