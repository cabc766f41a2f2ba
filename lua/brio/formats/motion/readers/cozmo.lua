--- Cozmo's and Vector's animations as JSON: keyframes of head, lift, body, lights, sound.
---
--- A head or lift keyframe has a start time, a duration, and a target; between keyframes the part does not
--- move. A file has one animation as a list, or several by name.
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"
local suggest = require "brio.lib.suggest"

local cozmo = { name = "cozmo", text = true, extensions = { "json" },
  doc = "Cozmo or Vector animation: head, lift, body, sound" }

function cozmo.sniff(text) return text:match '"triggerTime_ms"%s*:' ~= nil end

--- Keyframes that move a track: its name, unit, the field with the value, and its conversion to the unit.
local moving = {
  HeadAngleKeyFrame = { "head", "rad", "angle_deg", math.pi / 180 },
  LiftHeightKeyFrame = { "lift", "m", "height_mm", 0.001 },
}

--- Keyframes that become events: their kind, and the field with the text.
local events_of = {
  RobotAudioKeyFrame = { "audio", "audioEventId" },
  EventKeyFrame = { "event", "event_id" },
  FaceAnimationKeyFrame = { "face", "animName" },
}

local function seconds(frame, key, where, fallback)
  local t = document.number(frame, key, where, fallback) / 1000
  if t < 0 or t > 1e5 then clip.fail(where, "'%s' is %g, expected milliseconds", key, t * 1000) end
  return t
end

--- A value as words: of a list its items.
local function words(value)
  if type(value) == "table" then
    local out = {}
    for index, item in ipairs(value) do out[index] = document.shown(item) end
    return table.concat(out, " ")
  end
  return value == nil and "" or document.shown(value)
end

local function add_motion(state, frame, spec, where)
  local track = state.tracks[spec[1]]
  if not track then
    track = { name = spec[1], unit = spec[2], keys = {} }
    state.tracks[spec[1]], state.tracks[#state.tracks + 1] = track, track
  end
  local t = seconds(frame, "triggerTime_ms", where)
  local value = document.number(frame, spec[3], where) * spec[4]
  local arrives = t + math.max(seconds(frame, "durationTime_ms", where, 0), 0.001)
  track.moves = track.moves or {}
  table.insert(track.moves, { t, arrives, value })
end

--- Convert consecutive moves to keys: constant until one begins, arriving at its end; a later one cuts an
--- earlier short.
local function keys_of(moves)
  table.sort(moves, function(a, b) return a[1] < b[1] end)
  local keys = { { moves[1][1], "input", "linear" } }
  for index, move in ipairs(moves) do
    local begins, arrives, value = move[1], move[2], move[3]
    local last, following = keys[#keys], moves[index + 1]
    if begins > last[1] + 1e-9 then keys[#keys + 1] = { begins, last[2], "linear" } end
    if following and following[1] < arrives then
      local share = (following[1] - begins) / (arrives - begins)
      local from = keys[#keys][2]
      value = type(from) == "number" and from + share * (value - from) or value
      arrives = following[1]
    end
    if arrives > keys[#keys][1] + 1e-9 then keys[#keys + 1] = { arrives, value, "linear" } end
  end
  return keys
end

--- The list of keyframes in a document: itself, or the named one.
local function frames_of(data, options)
  if data[1] ~= nil then return data, nil end
  local names = suggest.keys(data)
  if #names == 0 then clip.fail(nil, "no animation in it") end
  local name = options.clip or names[1]
  if type(data[name]) ~= "table" then
    clip.fail(nil, "no animation '%s'%s; there are: %s", name, suggest.hint(name, names),
      table.concat(names, ", "))
  end
  return data[name], name, names
end

function cozmo.read(text, options)
  local data = document.json(text)
  if not document.is_table(data) then clip.fail(nil, "no list of keyframes in it") end
  local frames, name, names = frames_of(data, options)
  local state, events, left, notes = { tracks = {} }, {}, {}, {}
  for index, frame in ipairs(frames) do
    local where = "keyframe " .. index
    local kind = document.text(frame, "Name", where)
    if moving[kind] then
      add_motion(state, frame, moving[kind], where)
    elseif events_of[kind] then
      events[#events + 1] = { seconds(frame, "triggerTime_ms", where), events_of[kind][1],
        words(frame[events_of[kind][2]]) }
    else
      left[kind] = (left[kind] or 0) + 1
    end
  end
  for _, track in ipairs(state.tracks) do track.keys, track.moves = keys_of(track.moves), nil end
  for _, kind in ipairs(suggest.keys(left)) do clip.note(notes, "%d %s: left out", left[kind], kind) end
  table.sort(events, function(a, b) return a[1] < b[1] end)
  if names and #names > 1 and not options.clip then
    clip.note(notes, "animation '%s' of %d; name another with --clip: %s", name, #names,
      table.concat(names, ", "))
  end
  return clip.joints { name = name, clips = names, tracks = state.tracks, events = events, notes = notes }
end

return cozmo
