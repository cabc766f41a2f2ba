--- Shared by leaves that use objects of the scene.
local scene_objects = require "brio.perception.objects"

local objects = {}

--- The scene objects of a site.
function objects.of(site) return site.host.objects or scene_objects.of(site.host.scene) end

--- The frame of nominal poses: the ground below a walking robot, else the robot's base.
function objects.ground(site)
  local host = site.host
  return host.scene:frame "walking" or host.scene:frame(site.description.robot:links()[1])
    or { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }
end

--- An object in words: its position, and whether it is visible.
function objects.words(site, object)
  local p = object.position
  local words = ("at (%.3f, %.3f, %.3f) m"):format(p[1], p[2], p[3])
  if object.source then words = ("from '%s', %s"):format(object.source, words) end
  if object.frozen then words = words .. ", frozen" end
  if object.stale then
    words = ("%s, not seen for %.1f s"):format(words, math.max(0, site.host.now - object.seen))
  end
  return words
end

--- A leaf that does one operation on an object by its name; `act(scene, name)`: true, or nil and the
--- reason.
function objects.leaf(name, doc, act)
  return {
    name = name,
    doc = doc,
    fields = {
      object = { "string", doc = "the object's name" },
      optional = { "boolean", value = false, doc = "it succeeds also where there is no such object" },
    },
    needs = "object",
    owns = function() return {} end,
    seconds = function() return 0 end,
    work = function(site, form)
      local good, why = act(site.host.scene, form.object)
      if good or form.optional then return true end
      return false, why
    end,
    progress = function(site, form)
      local object = site.host and site.host.scene:object(form.object)
      return { text = object and objects.words(site, object) or "it is not there" }
    end,
  }
end

return objects
