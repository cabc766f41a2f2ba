--- Choregraphe's .xar: a behavior of boxes, of which the curves of time lines are read.
---
--- Frames count from 1. A file may have several time lines; `clip` names the box of the selected one.
local choregraphe = require "brio.formats.motion.choregraphe"
local clip = require "brio.formats.clip"
local suggest = require "brio.lib.suggest"
local xml = require "brio.xml"

local xar = { name = "xar", extensions = { "xar" },
  doc = "Choregraphe behavior: the curves of its time lines" }

function xar.sniff(text) return text:match "<ChoregrapheProject[%s>]" ~= nil end

--- All time lines with curves: {name of the box, element}.
local function time_lines(root)
  local found = {}
  local function visit(element, box)
    if element.name == "Box" then box = element.attributes.name or box end
    if element.name == "Timeline" then
      for _, child in ipairs(element) do
        if child.name == "ActuatorList" and #child > 0 then
          found[#found + 1] = { name = box or ("time line " .. #found + 1), element = element, list = child }
        end
      end
    end
    for _, child in ipairs(element) do visit(child, box) end
  end
  visit(root)
  return found
end

local function choose(lines, options)
  if #lines == 0 then clip.fail(options.file, "no time line with curves of actuators in it") end
  local names = {}
  for index, line in ipairs(lines) do
    names[index] = line.name
    if options.clip == line.name or options.clip == tostring(index) then return line, names end
  end
  if options.clip then
    clip.fail(options.file, "no time line '%s'%s; there are: %s", options.clip,
      suggest.hint(options.clip, names), table.concat(names, ", "))
  end
  return lines[1], names
end

--- Frame 1 is the beginning.
local function shift(tracks, seconds)
  for _, track in ipairs(tracks) do
    for _, key in ipairs(track.keys) do key[1] = math.max(0, key[1] - seconds) end
  end
end

function xar.read(text, options)
  local root, why = xml.parse(text, options.file)
  if not root then clip.fail(nil, "%s", why) end
  local line, names = choose(time_lines(root), options)
  local fps = clip.number(line.element.attributes.fps or "25") or 0
  if not (fps > 0 and fps <= 10000) then
    clip.fail(options.file, "a time line's fps is '%s'", line.element.attributes.fps)
  end
  local tracks, notes = {}, {}
  for _, child in ipairs(line.list) do
    local track = child.name == "ActuatorCurve" and choregraphe.track(options.file, child, fps, notes)
    if track then tracks[#tracks + 1] = track end
  end
  shift(tracks, 1 / fps)
  if #names > 1 then
    clip.note(notes, "time line '%s' of %d; name another with --clip: %s", line.name, #names,
      table.concat(names, ", "))
  end
  return clip.joints { name = line.name, clips = names, tracks = tracks, notes = notes }
end

return xar
