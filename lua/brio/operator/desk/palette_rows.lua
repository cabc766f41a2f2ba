--- All possible actions now, for the palette: rows {kind, line, about, more}; `more`: the line needs
--- arguments.
local behavior = require "brio.behavior.define"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local palette_rows = {}

--- Maximum number of rows, and of bytes of their JSON: a line of the protocol is limited
--- (runtime/front/front.h), and the JSON is a text inside JSON, which is longer.
palette_rows.most, palette_rows.longest = 600, 48000

local kinds = {}

local function of_script(prompt, add)
  local session = prompt.desk.session
  if not session then return end
  for _, line in ipairs(session:expected_lines()) do add("script", line, "expected now") end
  for _, one in ipairs(session.fields.steps) do
    for _, line in ipairs(type(one.expect) == "table" and one.expect or { one.expect }) do
      if type(line) == "string" and not line:find("...", 1, true) then
        add("script", session:filled(line) or line, one[1])
      end
    end
    add("step", "step " .. one[1], one.text)
  end
  for _, key in ipairs(suggest.keys(session:bindings())) do
    local bound = session:bindings()[key]
    add("key", bound.line, key)
  end
end

function kinds.script(prompt, add) of_script(prompt, add) end

function kinds.states(prompt, add)
  behavior.each_state(prompt.run.host.machine, function(state)
    add("state", "go " .. state.path)
  end)
end

function kinds.events(prompt, add)
  local known = {}
  behavior.each_state(prompt.run.host.machine, function(state)
    for _, transition in ipairs(state.transitions) do
      if transition.event and not known[transition.event] then
        known[transition.event] = true
        add("event", "emit " .. transition.event)
      end
    end
  end)
end

function kinds.sequences(prompt, add)
  for _, name in ipairs(prompt.run.host.tracks:names()) do add("play", "play " .. name) end
end

function kinds.gaze(prompt, add)
  local gaze = prompt.run.host.gaze
  if not gaze then return end
  local known = {}
  for _, row in ipairs(gaze.attention:targets(prompt.run.host.now)) do
    if not known[row.target] then
      known[row.target] = true
      add("look", "look at " .. row.target, row.kind)
    end
  end
  for _, name in ipairs(suggest.keys(gaze.settings.points or {})) do
    if not known[name] then add("look", "look at " .. name, "place") end
  end
  add("look", "look away")
  add("look", "look free")
end

function kinds.emotions(prompt, add)
  local emotion = prompt.run.host.emotion
  if not emotion then return end
  for _, known in ipairs(emotion.set.known.order) do add("feel", "feel " .. known) end
  add("feel", "feel free")
  for _, name in ipairs(suggest.keys(emotion.set.actions)) do add("act", "act " .. name) end
end

function kinds.parts(prompt, add)
  local control = prompt.run.host.control
  for _, part in ipairs(control and control:parts() or {}) do
    local taken = control:taken(part)
    add("part", (taken and "give " or "take ") .. part, taken and "taken" or nil)
  end
end

function kinds.waiting(prompt, add)
  for _, row in ipairs(prompt.desk.queue:rows()) do add("queue", "unqueue " .. row.number, row.line) end
end

--- Whether a word may be used without arguments, by its usage.
local function stands_alone(word)
  return word.usage == word.name or word.usage:match "^%S+%s+%[.*%]$" ~= nil
end

function kinds.words(prompt, add)
  for _, word in ipairs(prompt:word_list()) do
    add("word", word.name, word.summary, not stands_alone(word) or nil)
  end
end

--- The beginning of a text, cut at a character boundary.
local function cut(text, most)
  return #text <= most and text or text:sub(1, (utf8.offset(text, 0, most + 1) or most + 1) - 1)
end

local order = { "script", "sequences", "states", "events", "gaze", "emotions", "parts", "waiting", "words" }

--- All rows, each line once.
function palette_rows.all(prompt)
  local rows, known = {}, {}
  local function add(kind, line, about, more)
    if known[line] or #rows >= palette_rows.most then return end
    known[line] = true
    rows[#rows + 1] = { kind, line, about and cut(about, 80) or "", more or nil }
  end
  for _, name in ipairs(order) do kinds[name](prompt, add) end
  return rows
end

--- All rows as JSON that fits into a line: with shorter descriptions if there are many, and finally without
--- the longest lines.
function palette_rows.json(prompt)
  local rows = palette_rows.all(prompt)
  local text = store.json(rows)
  for _, most in ipairs { 30, 0 } do
    if #text <= palette_rows.longest then return text end
    for _, row in ipairs(rows) do row[3] = cut(row[3], most) end
    text = store.json(rows)
  end
  local longest = 200
  while #text > palette_rows.longest do
    local kept = {}
    for _, row in ipairs(rows) do
      if #row[2] <= longest then kept[#kept + 1] = row end
    end
    rows, longest = kept, longest // 2
    text = store.json(store.array(rows))
  end
  return text
end

return palette_rows
