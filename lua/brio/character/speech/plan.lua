--- When which sound and which word of a piece of speech is: the plan that mouth, gestures and events go by.
---
--- A plan is {seconds, words = list of {text, from, to, stroke, ...}, sounds = list of {shape, from, to, middle, hold}}: seconds
--- from its beginning; stroke is the middle of the word's first stressed vowel, where a gesture hits. Without a program the
--- durations of sounds.lua count; of a program's sound file, its length.
local sounds = require "brio.character.speech.sounds"

local plan = {}

--- A sound holds its shape for so much of itself; a rest, all but so many seconds.
local held_share, rest_ramp = 0.2, 0.08

local function note(made, shape, from, to)
  local length = to - from
  made.sounds[#made.sounds + 1] = { shape = shape, from = from, to = to, middle = (from + to) / 2,
    hold = shape == "rest" and math.max(0, length / 2 - rest_ramp) or held_share * length / 2 }
end

--- Where the last vowel of some sounds is.
local function last_vowel(list)
  for index = #list, 1, -1 do
    if list[index].vowel then return index end
  end
end

--- The sound that a gesture hits: the first stressed vowel, else the first vowel, else the first.
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

--- Words of a program that says as many as there are in the piece; else they are taken by their letters.
local function sounds_of(piece, heard)
  local list = {}
  for index, word in ipairs(piece.words) do
    list[index] = heard and #heard == #piece.words and heard[index] or sounds.of_word(word.text)
  end
  return list
end

--- The plan of a piece (see text.next) at a rate, 1 being usual: `heard`: the sounds of its words, from a program.
function plan.of(piece, rate, heard)
  local made, t = { words = {}, sounds = {} }, 0
  local list = sounds_of(piece, heard)
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

local function stretch(item, keys, factor, offset)
  for _, key in ipairs(keys) do
    if item[key] then item[key] = item[key] * factor + offset end
  end
end

--- Fit a plan to where a sound file has its voice, s: what is spoken is from `from` to `to`, and all of it lasts `seconds`.
function plan.fit(made, from, to, seconds)
  local factor = made.spoken > 0 and (to - from) / made.spoken or 1
  for _, word in ipairs(made.words) do stretch(word, { "from", "to", "stroke" }, factor, from) end
  for _, sound in ipairs(made.sounds) do
    stretch(sound, { "from", "to", "middle" }, factor, from)
    sound.hold = sound.hold * factor
  end
  made.spoken, made.seconds = to, seconds
  return made
end

return plan
