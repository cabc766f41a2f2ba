--- The times of the sounds and words of a piece of speech: the plan for mouth, gestures and events.
---
--- A plan is {seconds, words = list of {text, from, to, stroke, ...}, sounds = list of {shape, from, to,
--- middle, hold}}, in seconds from its beginning; stroke is the middle of the word's first stressed vowel, at
--- which a gesture has its peak. Without a program the durations of sounds.lua apply; with one, those of its
--- sound file.
local align = require "brio.character.speech.align"
local sounds = require "brio.character.speech.sounds"

local plan = {}

--- Share of a sound's duration for which its shape is held; transition at the end of a rest, s.
local held_share, rest_ramp = 0.2, 0.08

local function note(made, shape, from, to)
  local length = to - from
  made.sounds[#made.sounds + 1] = { shape = shape, from = from, to = to, middle = (from + to) / 2,
    hold = shape == "rest" and math.max(0, length / 2 - rest_ramp) or held_share * length / 2 }
end

--- Index of the last vowel of some sounds.
local function last_vowel(list)
  for index = #list, 1, -1 do
    if list[index].vowel then return index end
  end
end

--- The sound of a gesture's peak: the first stressed vowel, else the first vowel, else the first.
local function stressed(list)
  local vowel
  for index, sound in ipairs(list) do
    if sound.stressed then return index end
    vowel = vowel or sound.vowel and index
  end
  return vowel or 1
end

--- Append a word of these sounds at `t`. Return its end.
local function put_word(made, word, list, t, rate)
  local last, beat, own = word.ends and last_vowel(list), stressed(list), { from = t }
  for key, value in next, word do own[key] = value end
  for index, sound in ipairs(list) do
    local seconds = sound[2] / rate * (index == last and sounds.final or 1)
      * (word.emphasis and sound.vowel and sounds.emphasized or 1)
    note(made, sound[1], t, t + seconds)
    if index == beat then own.stroke = t + seconds / 2 end
    t = t + seconds
  end
  own.to = t
  made.words[#made.words + 1] = own
  return t
end

--- The plan of a piece (see text.next) at a rate, 1 being normal: `heard`: the sounds of its words, from a
--- program.
function plan.of(piece, rate, heard)
  local made, t = { words = {}, sounds = {} }, 0
  local list = align.words(piece.words, heard)
  for index, word in ipairs(piece.words) do
    t = put_word(made, word, list[index], t, rate)
    local silence = index < #piece.words and word.ends and sounds.pauses[word.ends] / rate
    if silence then
      note(made, "rest", t, t + silence)
      t = t + silence
    end
  end
  local last = piece.words[#piece.words]
  made.spoken = t
  made.seconds = t + (last and last.ends and sounds.pauses[last.ends] / rate or 0)
  return made
end

--- A piecewise linear map of times: knots {t, result}.
local function map_of(knots)
  return function(t)
    local index = 1
    while index < #knots - 1 and t > knots[index + 1][1] do index = index + 1 end
    local a, b = knots[index], knots[index + 1]
    if b[1] - a[1] <= 0 then return b[2] end
    return a[2] + (t - a[1]) * (b[2] - a[2]) / (b[1] - a[1])
  end
end

--- Maximum ratio of stretching a part between two silences, relative to the whole.
plan.most_uneven = 1.8

--- Knots that map the rests of a plan to the longest silences of a file; none if these do not fit.
local function knots_of(made, from, to, silences)
  local knots, rests, longest = { { 0, from } }, {}, {}
  for _, sound in ipairs(made.sounds) do
    if sound.shape == "rest" then rests[#rests + 1] = sound end
  end
  for index, silence in ipairs(silences or {}) do longest[index] = silence end
  table.sort(longest, function(a, b) return a[2] - a[1] > b[2] - b[1] or a[2] - a[1] == b[2] - b[1]
    and a[1] < b[1] end)
  longest = table.move(longest, 1, math.min(#rests, #longest), 1, {})
  table.sort(longest, function(a, b) return a[1] < b[1] end)
  for index, rest in ipairs(#longest == #rests and rests or {}) do
    knots[#knots + 1], knots[#knots + 2] = { rest.from, longest[index][1] }, { rest.to, longest[index][2] }
  end
  knots[#knots + 1] = { made.spoken, to }
  local whole = (to - from) / made.spoken
  for index = 2, #knots, 2 do
    local a, b = knots[index - 1], knots[index]
    local factor = (b[2] - a[2]) / math.max(b[1] - a[1], 1e-9) / whole
    if not (factor < plan.most_uneven and factor > 1 / plan.most_uneven) then
      return { { 0, from }, { made.spoken, to } }
    end
  end
  return knots
end

--- Fit a plan to the voice in a sound file, s: speech is from `from` to `to`, the whole lasts `seconds`, and
--- its rests are at `silences`, a list of {from, to}, as far as they fit.
function plan.fit(made, from, to, seconds, silences)
  if made.spoken > 0 then
    local map = map_of(knots_of(made, from, to, silences))
    for _, list in ipairs { made.words, made.sounds } do
      for _, item in ipairs(list) do
        local before = item.to - item.from
        item.from, item.to = map(item.from), map(item.to)
        if item.stroke then item.stroke = map(item.stroke) end
        if item.middle then
          item.middle = (item.from + item.to) / 2
          item.hold = before > 0 and item.hold * (item.to - item.from) / before or 0
        end
      end
    end
  end
  made.spoken, made.seconds = to, seconds
  return made
end

return plan
