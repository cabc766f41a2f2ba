--- Blossom's JSON: servo positions of a soft robot, with milliseconds.
---
--- Servo angles in radians; a frame may lack a DOF, which is then interpolated linearly to its next value.
--- One published file has its numbers as texts.
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"

local blossom = { name = "blossom", text = true, extensions = { "json" },
  doc = "Blossom: frames of servo positions" }

function blossom.sniff(text) return text:match '"frame_list"%s*:' ~= nil end

--- The track of a DOF, created when it is first named.
local function track_of(tracks, name)
  if not tracks[name] then
    tracks[name] = { name = name, unit = "rad", keys = {} }
    tracks[#tracks + 1] = tracks[name]
  end
  return tracks[name]
end

local function add_frame(tracks, frame, where, state)
  local t = document.number(frame, "millis", where) / 1000
  if t < 0 then clip.fail(where, "millis is %g, expected at least 0", t * 1000) end
  for index, position in ipairs(document.list(frame, "positions", where)) do
    local here = ("%s, position %d"):format(where, index)
    local name = document.text(position, "dof", here)
    local value, was_text = document.number(position, "pos", here)
    state.texts = state.texts or was_text
    local keys = track_of(tracks, name).keys
    if #keys == 0 or t > keys[#keys][1] then
      keys[#keys + 1] = { t, value }
    elseif t == keys[#keys][1] then
      keys[#keys][2] = value
      state.doubled = (state.doubled or 0) + 1
    else
      clip.fail(where, "is at %g s, before the frame before it, at %g s", t, keys[#keys][1])
    end
  end
end

function blossom.read(text)
  local data, tracks, notes, state = document.json(text), {}, {}, {}
  for index, frame in ipairs(document.list(data, "frame_list", "the file")) do
    add_frame(tracks, frame, "frame " .. index, state)
  end
  if state.texts then clip.note(notes, "numbers were written as texts: read as numbers") end
  if state.doubled then
    clip.note(notes, "%d positions came twice at one time: the last was kept", state.doubled)
  end
  local name = data.animation
  return clip.joints { tracks = tracks, notes = notes, name = type(name) == "string" and name or nil }
end

return blossom
