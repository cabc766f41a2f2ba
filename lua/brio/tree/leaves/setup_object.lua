--- The leaf `setup_object`: makes an object of the scene from a detection, or derives one from other
--- frames.
---
--- The result is available to the next leaf in the same tick. An existing object is updated, and no longer
--- frozen.
local choose = require "brio.perception.select"
local fields = require "brio.lib.fields"
local geometry = require "brio.lib.geometry"
local objects = require "brio.tree.execution.objects"
local scene_objects = require "brio.perception.objects"

local own = {
  object = { "string", doc = "the name that it gets: a frame of that name, for all leaves" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400, value = 5, doc = "how long it is waited for" },
  nominal = { "pose", doc = "nominal pose, in the frame of the ground below the robot: used in a preview" },
  derive = { "string", doc = "it is derived: \"approach\", \"hybrid\", \"door_panel\", ..., or one of the \z
    behavior's own" },
  with = { "table", doc = "what that kind takes: { a = \"pelvis\", b = \"ball\", distance = 0.4 }" },
}
--- The leaf's field for a field of the scene: every node already has a field `id`.
local function field_of(name) return name == "id" and "detection_id" or name end

for name, field in next, scene_objects.seen_fields do own[field_of(name)] = field end

--- The error in a derived object, for brio's own kinds only: a behavior's kinds are known only while it
--- runs.
local function fault_of_kind(form)
  if form.class then return "it has both derive and class: an object is either derived, or chosen among \z
    detections" end
  local kind = scene_objects.kinds[form.derive]
  return kind and scene_objects.fault(kind, form.with or {}) or nil
end

--- The request to the scene.
local function wanted(site, form)
  local said = { name = form.object }
  if form.derive then
    said.derive = form.derive
    for key, value in next, form.with or {} do said[key] = value end
    return said
  end
  for name in next, scene_objects.seen_fields do said[name] = form[field_of(name)] end
  local where = form.where
  if type(where) == "string" then
    local skill = (site.host.definition.fields.skills or {})[where]
    where = type(skill) == "table" and skill.holds or skill
    if type(where) ~= "function" then return nil, ("there is no skill '%s' here"):format(form.where) end
  end
  said.where, said.call = where, function(fn, ...) return site.call(fn, ...) end
  return said
end

--- In a preview, the time without a detection after which the nominal pose is used, s.
local unseen = 0.3

--- In a preview no detection is needed: the nominal pose is used.
local function put_nominal(site, form)
  local frame = objects.ground(site)
  local pose = geometry.within(frame, form.nominal)
  return objects.of(site):place { name = form.object, kind = type(form.class) == "string" and form.class
    or form.derive
    or form.object, pose = pose,
    origin = "nominal" }
end

return {
  name = "setup_object",
  doc = "Chooses a persistent detection as an object of the scene, or derives an object; waits for it \z
    until its timeout, then fails.",
  fields = own,
  needs = "object",
  fault = function(form)
    if form.derive then return fault_of_kind(form) end
    if form.with then return "`with` is for derived objects, but there is no `derive`" end
    return choose.fault { class = form.class, select = form.select, region = form.region, color = form.color }
  end,
  provides = function(form) return form.object end,
  frames = function(form)
    local list, kind = { form.of, form.region and form.region_frame },
      form.derive and scene_objects.kinds[form.derive]
    local filled = kind and fields.filled(form.with or {}, kind.fields)
    for _, field in ipairs(kind and kind.frames or {}) do list[#list + 1] = filled[field] end
    return list
  end,
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site, form, memory, _, elapsed)
    local said, why = wanted(site, form)
    if not said then return false, why end
    local object
    object, why = objects.of(site):set_up(said)
    local nominal = form.nominal and site.host.preview and elapsed >= math.min(form.timeout, unseen) - 1e-9
    if not object and nominal then object, why = put_nominal(site, form) end
    memory.why = why
    if object then
      memory.object = object
      return true
    end
    if elapsed < form.timeout - 1e-9 then return nil end
    return false, ("'%s' is not set up: %s%s"):format(form.object, why, form.timeout > 0
      and (" (looked for %g s)"):format(form.timeout) or "")
  end,
  progress = function(site, form, memory)
    local object = memory.object
    if not object then return { nominal = form.timeout, text = memory.why or "" } end
    local seen = object.origin == "nominal" and "nominal: it is not seen" or objects.words(site, object)
    return { text = seen }
  end,
  capture = function(form, site)
    local object = site.host.scene:object(form.object)
    if not object then return nil, ("the scene has no object '%s' now"):format(form.object) end
    return { nominal = geometry.within(geometry.inverse(objects.ground(site)), object.pose) }
  end,
  mirror = function(form, m)
    local swapped = { leftmost = "rightmost", rightmost = "leftmost" }
    local with
    if form.with then
      with = {}
      for key, value in next, form.with do with[key] = type(value) == "string" and m:frame(value) or value end
    end
    return { select = swapped[form.select] or form.select, with = with,
      nominal = form.nominal and m:pose(form.nominal, "walking") }
  end,
  inherit = { "history", "timeout", "select", "of", "within", "region", "region_frame" },
}
