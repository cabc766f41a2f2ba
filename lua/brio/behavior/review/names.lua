--- Finds names in a behavior's text that are probably misspelled: methods and fields of `self`, tuned
--- values, events.
local context = require "brio.behavior.context"
local inputs = require "brio.devices.inputs"
local suggest = require "brio.lib.suggest"

local names = {}

--- Fields of `self` other than its methods (see behavior/context.lua and docs/behaviors/behaviors.md).
names.fields = { "now", "dt", "name", "state", "resumed", "memory", "tune", "scene", "perception", "robot",
  "roles", "poses", "actuator", "inputs", "detectors", "clouds", "speech", "control", "stance", "emotion",
    "map", "gaze", "idle" }

--- Events that brio emits, other than those of inputs and detections.
names.events = { "done", "replaced", "resumed", "rolled_back", "bumped", "fell", "upright", "too_near",
  "audio",
  "sequence_ended", "tree_done", "tree_failed", "tree_waits", "tree_edited", "previewed", "person_appeared",
    "person_lost", "scene_object_stale",
  "scene_object_seen", "clouds_heard", "clouds_lost", "detector_heard", "detector_lost", "gamepad_found",
    "gamepad_lost",
  "emotion_felt", "emotion_event", "emotion_action", "emotion_changed", "emotion_taken", "emotion_released",
    "need_changed",
  "idle_level", "gaze", "engaged", "disengaged", "said", "speaking", "speech_heard", "model_answered",
    "model_chose",
  "model_corrected", "map_seen", "map_room", "map_place", "map_door", "search_found", "follow_sees",
    "follow_lost", "planned_around",
  "device_lost", "device_back", "device_stuck", "axis_failed", "scripts_back", "scripts_silent", "paused" }
for _, kind in ipairs(inputs.kinds) do
  for _, event in ipairs(kind.edge or kind.threshold and kind.threshold.events or {}) do
    names.events[#names.events + 1] = event
  end
end

--- The name in a list that a word misspells: by one edit or one swap of adjacent letters; in words of eight
--- letters and more, by two. Words of fewer than `least` letters resemble too many others.
local function meant(word, list, least)
  local near = #word >= least and suggest.nearest(word, list)
  local close = near and suggest.distance(word, near) <= (#word < 8 and 1 or 2)
  return close and near or nil
end

local function text_at(words, index) return words[index] and words[index].text end

--- The names that the texts themselves define, as `function x:name(`, `x.name =` and `name =`: {name =
--- true}.
local function defined_in(texts)
  local own = {}
  for _, text in ipairs(texts) do
    local words = text.words
    for index, word in ipairs(words) do
      local defines = text_at(words, index + 1) == "=" and text_at(words, index + 2) ~= "="
        or text_at(words, index - 3) == "function" or text_at(words, index - 1) == "function"
      if word.kind == "name" and defines then own[word.text] = true end
    end
  end
  return own
end

--- Call visit(word, sign, words, index) for each `self.word` and `self:word`.
local function each_of_self(text, visit)
  for index, word in ipairs(text.words) do
    local sign, name = text.words[index + 1], text.words[index + 2]
    local reads = word.kind == "name" and word.text == "self" and name and name.kind == "name"
    if reads and (sign.text == "." or sign.text == ":") then
      visit(name, sign.text, text.words, index + 2)
    end
  end
end

--- Warnings about methods, fields and tuned values of `self` in texts: a list of {file, line, message}.
function names.of_self(texts, fields)
  local list, own, methods = {}, defined_in(texts), context.methods()
  local tune = suggest.keys(fields.tune or {})
  local known = { ["."] = table.move(methods, 1, #methods, #names.fields + 1, { table.unpack(names.fields) }),
    [":"] = methods }
  for _, text in ipairs(texts) do
    each_of_self(text, function(word, sign, words, index)
      local function warn(at, ...)
        list[#list + 1] = { file = text.file, line = at.line, message = string.format(...) }
      end
      local unknown = not own[word.text] and not suggest.contains(known[sign], word.text)
      local near = unknown and meant(word.text, known[sign], 4)
      if near then
        warn(word, "there is no self%s%s (did you mean self%s%s?)", sign, word.text, sign, near)
      end
      local value = words[index + 2]
      if word.text == "tune" and sign == "." and text_at(words, index + 1) == "." and value
        and value.kind == "name"
         and not suggest.contains(tune, value.text) then
        warn(value, "tune has no '%s'%s: self.tune.%s is nil", value.text, suggest.hint(value.text, tune),
          value.text)
      end
    end)
  end
  return list
end

--- The names that texts read as `x.tune.NAME`; nil if they read `x.tune` in another way, which may be any.
local function tune_read_in(texts)
  local read = {}
  for _, text in ipairs(texts) do
    local words = text.words
    for index, word in ipairs(words) do
      if word.kind == "name" and word.text == "tune" and text_at(words, index - 1) == "." then
        local name = text_at(words, index + 1) == "." and text_at(words, index + 2)
        if not name then return nil end
        read[name] = true
      end
    end
  end
  return read
end

--- The line in which `tune = { ... name = ... }` gives a value; nil: none in this text.
local function line_of_tune(words, name)
  local inside = false
  for index, word in ipairs(words) do
    inside = inside or word.text == "tune" and text_at(words, index + 1) == "="
    if inside and word.kind == "name" and word.text == name and text_at(words, index + 1) == "=" then
      return word.line
    end
  end
end

--- Warnings about values of `tune` that nothing reads: to tune them changes nothing.
function names.of_unread_tune(texts, fields, file)
  local list, read = {}, tune_read_in(texts)
  for _, name in ipairs(read and suggest.keys(fields.tune or {}) or {}) do
    if not read[name] then
      local line
      for _, text in ipairs(texts) do
        if text.file == file then line = line_of_tune(text.words, name) end
      end
      list[#list + 1] = { file = file, line = line or 0,
        message = ("nothing reads self.tune.%s: to tune '%s' changes nothing"):format(name, name) }
    end
  end
  return list
end

-- Events ---------------------------------------------------------------------------------------------------

--- The use of a quoted text: "await" (`self:await "x"`), "emit" (`self:emit "x"`), "key" (`["x"] =`), "on"
--- (`on = "x"`), or nil: any other use; a function may emit it as an event.
local function use_of(words, index)
  local before = text_at(words, index - 1)
  if before == "(" then before = text_at(words, index - 2) end
  if before == "[" then return "key" end
  if before == "=" then return text_at(words, index - 2) == "on" and "on" or nil end
  return (before == "await" or before == "emit") and before or nil
end

--- The events that texts emit, those that they may emit, and those that they await (a list of {event, file,
--- line}).
local function events_in(texts)
  local fired, perhaps, awaited = {}, {}, {}
  for _, text in ipairs(texts) do
    for index, word in ipairs(text.words) do
      local use = word.kind == "string" and use_of(text.words, index)
      if use == "emit" then fired[word.text] = true
      elseif use == nil then perhaps[word.text] = true
      elseif use == "await" then
        awaited[#awaited + 1] = { event = word.text, file = text.file, line = word.line }
      end
    end
  end
  return fired, perhaps, awaited
end

--- The event that a word misspells: a known one, or one of a kind of detected things.
local function meant_event(event, known)
  local kind = event:match "^(.+)_[^_]*$"
  local seen = { kind and kind .. "_appeared", kind and kind .. "_lost" }
  if suggest.contains(seen, event) and event:find "_[al]" and #event > 5 then seen = {} end
  return meant(event, known, 5) or meant(event, seen, 5)
end

--- Warnings about the events for which the states of a behavior wait.  `each`(visit): visits compiled
--- states.
function names.of_events(texts, each, file)
  local fired, perhaps, awaited = events_in(texts)
  each(function(state)
    for _, transition in ipairs(state.transitions) do
      if transition.event then
        awaited[#awaited + 1] = { event = transition.event, file = file, from = state.line }
      end
    end
  end)
  local known, list, said = suggest.keys(fired), {}, {}
  table.move(names.events, 1, #names.events, #known + 1, known)
  for _, one in ipairs(awaited) do
    local near = not said[one.event] and not perhaps[one.event] and not suggest.contains(known, one.event)
      and meant_event(one.event, known)
    said[one.event] = true
    if near then
      list[#list + 1] = { file = one.file, line = one.line, word = one.event, from = one.from,
        message = ("nothing here fires the event '%s' (did you mean '%s'?)"):format(one.event, near) }
    end
  end
  return list
end

return names
