--- Choregraphe's .qianim: curves of actuators, each with its own unit and rate.
local choregraphe = require "brio.formats.motion.choregraphe"
local clip = require "brio.formats.clip"
local xml = require "brio.xml"

local qianim = {
  name = "qianim", extensions = { "qianim" },
    doc = "Choregraphe animation: Bézier curves of Pepper's and NAO's joints",
}

function qianim.sniff(text)
  return text:match "<Animation[%s>]" ~= nil and text:match "<ActuatorCurve" ~= nil
end

function qianim.read(text, options)
  local root, why = xml.parse(text, options.file)
  if not root then clip.fail(nil, "%s", why) end
  if root.name ~= "Animation" then
    clip.fail(options.file, "<%s> where <Animation> is expected", root.name)
  end
  local tracks, notes, seen = {}, {}, {}
  for _, child in ipairs(root) do
    local track = child.name == "ActuatorCurve" and choregraphe.track(options.file, child, 25, notes)
    if track and seen[track.name] then clip.fail(track.at, "a second curve of %s", track.name) end
    if track then
      tracks[#tracks + 1], seen[track.name] = track, true
    end
  end
  return clip.joints { tracks = tracks, notes = notes, events = choregraphe.labels(options.file, root, 25) }
end

return qianim
