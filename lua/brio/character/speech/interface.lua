--- Speech for behaviors: self.speech, and handles of utterances.
local settings = require "brio.character.speech.settings"
local lazy = require "brio.lib.lazy"
local text = lazy "brio.character.speech.text"

local face = {}

--- Private data of their tables.
local behind = setmetatable({}, { __mode = "k" })

--- A read-only table with these methods and fields; `inside` is its private data.
local function sealed(name, methods, fields, inside)
  local made = setmetatable(fields, { __index = methods, __metatable = false, __name = name,
    __newindex = function(_, key) error(("%s.%s cannot be set"):format(name, tostring(key)), 2) end })
  behind[made] = inside
  return made
end

local Said = {}

--- Whether it is active, or queued.
function Said:on() return behind[self].item.over == nil end

--- Wait until it has ended. Only in `run`. Return true, or nil and the reason of an early end: "hushed",
--- "replaced", "stopped".
function Said:wait()
  local item, host = behind[self].item, behind[self].host
  host.self:await_until(function() return item.over end)
  if item.over == "over" then return true end
  return nil, item.over
end

--- End it.
function Said:stop()
  local on, inside = self:on(), behind[self]
  if on then inside.host.speech:drop(inside.item, "hushed") end
  return on
end

local function said(speech, item, why)
  if not item then return nil, why end
  return sealed("what is said", Said, { text = item.shown }, { item = item, host = speech.host })
end

local Face = {}

--- Say a text, after the current one, or with `interrupt` instead of it. how: {voice, rate, pitch, volume,
--- beats, interrupt, plain}. Return a handle (:on(), :wait(), :stop()), or nil and the reason. Raises if the
--- text or how is invalid.
function Face:say(words, how)
  local why = settings.fault_of_how(how, settings.say) or text.fault(words, how and how.plain)
  if why then error("self.speech:say: " .. why, 2) end
  return said(behind[self], behind[self]:say(words, how))
end

--- Play a WAVE file, relative to the behavior's folder; the mouth follows its loudness. how: {volume, mouth,
--- interrupt}. Return a handle as say does, or nil, a sentence and a code if it cannot be read. Raises if how
--- is invalid.
function Face:play(file, how)
  local why = settings.fault_of_how(how, settings.play)
    or type(file) ~= "string" and "a file's name was expected, not a " .. type(file) or nil
  if why then error("self.speech:play: " .. why, 2) end
  local item, sentence, code = behind[self]:play(file, how)
  if not item then return nil, sentence, code end
  return said(behind[self], item)
end

--- End all. Return how many texts and files were ended.
function Face:hush() return behind[self]:hush "hushed" end

--- The current utterance: {text, word, seconds}; nil: none.
function Face:speaking()
  local speech = behind[self]
  local item = speech.current
  if not item then return nil end
  return { text = item.shown, word = item.word, seconds = item.began and speech.time - item.began or 0 }
end

--- Number of texts and files in the queue.
function Face:waiting() return #behind[self].queue end

--- The interface of a host's speech for behaviors.
function face.new(speech) return sealed("speech", Face, {}, speech) end

return face
