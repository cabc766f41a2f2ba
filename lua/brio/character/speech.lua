--- Speech: what a robot says, with its mouth, its hands and its head; and the events by which all else goes along.
---
---     character = { speech = { voice = "en", rate = 0.9, beats = 0.8 } }
---     self.speech:say "Hello {wave} there, what a *lovely* day."
---
--- A text is taken piece by piece (speech/text.lua); each gets a plan of its sounds and words (speech/plan.lua), made of what a
--- program says of them, or else of their letters. The plan moves the mouth (speech/mouth.lua) and the beats (speech/beats.lua)
--- and tells words and marks as they come. Time is the robot's: on hold, it stands still.
local beats = require "brio.character.speech.beats"
local mouth = require "brio.character.speech.mouth"
local plan = require "brio.character.speech.plan"
local robots = require "brio.robots"
local suggest = require "brio.suggest"
local text = require "brio.character.speech.text"

local speech = {}
local Speech = {}
Speech.__index = Speech

--- At most so many texts wait to be said; events tell at most so many bytes of one.
speech.most_waiting, speech.most_shown = 32, 500

-- Settings -----------------------------------------------------------------------------------------

--- Numbers of a text or of the settings: usual value, least, most.
local numbers = { rate = { 1, 0.3, 3 }, pitch = { 1, 0, 2 }, volume = { 1, 0, 2 }, beats = { 1, 0, 3 } }

local say_fields = { voice = "string", rate = "number", pitch = "number", volume = "number", beats = "number",
  interrupt = "boolean", plain = "boolean" }

local function fault_of_number(name, value)
  local row = numbers[name]
  local good = type(value) == "number" and value >= row[2] and value <= row[3]
  return not good and ("%s must be a number from %g to %g"):format(name, row[2], row[3]) or nil
end

local function fault_of_numbers(spec)
  for _, name in ipairs(suggest.keys(numbers)) do
    local fault = spec[name] ~= nil and spec[name] ~= false and fault_of_number(name, spec[name])
    if fault then return fault end
  end
end

--- What is wrong with the settings on a robot: a sentence, or nil.
local function fault(spec, description)
  local why = fault_of_numbers(spec)
  if why then return "character.speech: " .. why end
  if spec.mouth then why = mouth.fault(spec.mouth, description) end
  if not why and spec.gestures then why = beats.fault(spec.gestures, description) end
  if why then return "character.speech: " .. why end
  local data, sentence = robots.data(description, "mouth")
  if not sentence and data then sentence = mouth.fault(data, description) end
  if sentence then return sentence end
  data, sentence = robots.data(description, "beats")
  if not sentence and data then sentence = beats.fault(data, description) end
  return sentence
end

--- What is wrong with how a text is to be said: a sentence, or nil.
local function fault_of_how(how)
  if how == nil then return nil end
  if type(how) ~= "table" then return "a table of how to say it was expected, not a " .. type(how) end
  for _, key in ipairs(suggest.keys(how)) do
    if not say_fields[key] then
      return ("there is no '%s'%s"):format(key, suggest.hint(key, suggest.keys(say_fields)))
    elseif type(how[key]) ~= say_fields[key] then
      return ("%s must be a %s, not a %s"):format(key, say_fields[key], type(how[key]))
    end
  end
  return fault_of_numbers(how)
end

-- What behaviors have in hand ----------------------------------------------------------------------

--- What is behind their tables.
local behind = setmetatable({}, { __mode = "k" })

--- A table with these methods and fields, and nothing to overwrite; `inside` is behind it.
local function sealed(name, methods, fields, inside)
  local made = setmetatable(fields, { __index = methods, __metatable = false, __name = name,
    __newindex = function(_, key) error(("%s.%s cannot be set"):format(name, tostring(key)), 2) end })
  behind[made] = inside
  return made
end

local Said = {}

--- Whether it is still being said, or waits for its turn.
function Said:on() return behind[self].item.over == nil end

--- Wait until it is over. Only in `run`. Return true, or nil and why it was cut off: "hushed", "replaced", "stopped".
function Said:wait()
  local item, host = behind[self].item, behind[self].host
  host.self:await_until(function() return item.over end)
  if item.over == "over" then return true end
  return nil, item.over
end

--- Say no more of it.
function Said:stop()
  local on, inside = self:on(), behind[self]
  if on then inside.host.speech:drop(inside.item, "hushed") end
  return on
end

local Face = {}

--- Say a text, behind what is being said, or with `interrupt` instead of it. how: {voice, rate, pitch, volume, beats, interrupt,
--- plain}. Return it (:on(), :wait(), :stop()), or nil and why not. Raises where the text or how is wrong.
function Face:say(said, how)
  local why = fault_of_how(how) or text.fault(said, how and how.plain)
  if why then error("self.speech:say: " .. why, 2) end
  return behind[self]:say(said, how)
end

--- Say no more of anything. Return how many texts that ended.
function Face:hush() return behind[self]:hush "hushed" end

--- What is being said: {text, word, seconds}; nil: nothing.
function Face:speaking()
  local item = behind[self].current
  if not item then return nil end
  return { text = item.shown, word = item.word, seconds = behind[self].time - item.began }
end

--- How many texts wait behind it.
function Face:waiting() return #behind[self].queue end

-- The faculty --------------------------------------------------------------------------------------

local function new(host, spec)
  local self = setmetatable({ host = host, time = 0, queue = {}, made = 0 }, Speech)
  self.face = sealed("speech", Face, {}, self)
  self.mouth, self.beats = mouth.new(host), beats.new(host)
  self:use(spec)
  return self
end

function Speech:use(spec)
  local description = self.host.description
  local shape, gestures = spec.mouth, spec.gestures
  if shape == nil then shape = robots.data(description, "mouth") end
  if gestures == nil then gestures = robots.data(description, "beats") end
  self.spec = spec
  if shape ~= self.mouth.data then
    self.mouth:stop()
    self.mouth = mouth.new(self.host, shape or nil)
  end
  self.beats:use(gestures)
end

--- A number of a text: what it says itself, or the settings, or what is usual.
local function number_of(self, item, name)
  local value = item.how[name]
  if value == nil then value = self.spec[name] end
  if value == false then return 0 end
  return value or numbers[name][1]
end

--- Take a text that has no fault. Return what behaviors have in hand, or nil and why not.
function Speech:say(said, how, who)
  how = how or {}
  if how.interrupt then self:hush "replaced" end
  if #self.queue >= speech.most_waiting then
    return nil, ("%d texts wait to be said already: wait for `said`, or interrupt"):format(#self.queue)
  end
  self.made = self.made + 1
  local item = { number = self.made, how = how, who = who, reader = text.reader(said, how.plain), words = 0,
    shown = text.plain(said, how.plain, speech.most_shown) }
  self.queue[#self.queue + 1] = item
  return sealed("what is said", Said, { text = item.shown }, { item = item, host = self.host })
end

--- One that is on, or waits, is over.
function Speech:drop(item, why)
  if item == self.current then return self:finish(why) end
  for place, waiting in ipairs(self.queue) do
    if waiting == item then
      table.remove(self.queue, place)
      item.over = why
      return
    end
  end
end

--- Say no more. Return how many texts that ended.
function Speech:hush(why)
  local count = #self.queue + (self.current and 1 or 0)
  for _, item in ipairs(self.queue) do item.over = why end
  self.queue = {}
  if self.current then self:finish(why) end
  return count
end

function Speech:tell(name, data, about) self.host:emit(name, data, "speech", about) end

--- What is being said is over.
function Speech:finish(why)
  local item = self.current
  self.current, item.over = nil, why
  self:tell("said", { number = item.number, text = item.shown, seconds = self.time - item.began, words = item.words, why = why })
  if #self.queue == 0 or why ~= "over" then self.mouth:rest() end
  if why ~= "over" then self.beats:rest() end
end

local function begin(self, item)
  self.current, item.began = item, self.time
  self:tell("speaking", { number = item.number, text = item.shown, voice = item.how.voice or self.spec.voice, by = item.who })
end

--- The next piece of a text begins: its plan, and which of its words beats go with. Return whether there is one.
local function begin_piece(self, item)
  local piece = text.next(item.reader)
  if not piece then return false end
  local made = plan.of(piece, number_of(self, item, "rate"))
  item.piece, item.plan, item.began_piece = piece, made, self.time + piece.pause
  item.next_word, item.next_mark, item.sound = 1, 1, 1
  local amount = number_of(self, item, "beats")
  for _, word in ipairs(made.words) do
    self.beats:word(word, self.time, item.began_piece + word.stroke, amount)
  end
  return true
end

local function tell_mark(self, item, mark)
  if mark.name == "play" then
    local good, playing, why = pcall(self.host.tracks.play, self.host.tracks, mark.value, nil, "speech")
    if good and playing then return end
    self.host.say("warning", ("speech: {play %s}: %s"):format(mark.value, tostring(good and why or playing)))
    return
  end
  self:tell(mark.name, { value = mark.value, before = mark.before, number = item.number })
end

--- Tell words and marks that are due at `t` of the piece.
local function tell_due(self, item, t)
  local made, marks = item.plan, item.piece.marks
  while true do
    local word, mark = made.words[item.next_word], marks[item.next_mark]
    local at = mark and (made.words[mark.before] and made.words[mark.before].from or made.spoken)
    if mark and at <= t + 1e-9 and mark.before <= item.next_word then
      item.next_mark = item.next_mark + 1
      tell_mark(self, item, mark)
    elseif word and word.from <= t + 1e-9 then
      item.next_word, item.words, item.word = item.next_word + 1, item.words + 1, word.text
      self:tell("word", { word = word.text, place = item.words, seconds = word.to - word.from, emphasis = word.emphasis,
        number = item.number }, word.text)
    else
      return
    end
    if self.current ~= item then return end
  end
end

--- A tick of what is being said. It is over when no piece is left.
local function go_on(self, item)
  local t = item.plan and self.time - item.began_piece
  while not item.plan or t >= item.plan.seconds - 1e-9 do
    if item.plan then tell_due(self, item, math.huge) end
    if self.current ~= item then return end
    if not begin_piece(self, item) then return self:finish "over" end
    t = self.time - item.began_piece
  end
  tell_due(self, item, t)
  if self.current ~= item then return end
  local list = item.plan.sounds
  while list[item.sound + 1] and t >= list[item.sound + 1].from do item.sound = item.sound + 1 end
  if #list > 0 then self.mouth:show(item.plan, t, item.sound) end
end

function Speech:work(_, dt)
  if self.held then return end
  self.time = self.time + dt
  if not self.current and #self.queue > 0 then begin(self, table.remove(self.queue, 1)) end
  if self.current then go_on(self, self.current) end
  self.beats:work(self.time, dt)
end

function Speech:pause(on) self.held = on end

function Speech:stop()
  self:hush "stopped"
  self.mouth:stop()
  self.beats:stop()
end

-- Words of the prompt ------------------------------------------------------------------------------

--- say TEXT, in quotes or without.
local function say_word(prompt, rest, request)
  local host = prompt.run.host
  local said = rest
  if rest:find "^[\"'%[]" then
    local good, value = prompt:value(rest)
    if not good then return nil, value end
    said = value
  end
  if said == "" then return nil, 'say what, as in say "hello {wave} there"' end
  if host.halted then return nil, "the behavior failed and the pose is held" end
  local why = text.fault(said)
  if why then return nil, why end
  local item
  item, why = host.speech:say(said, nil, request.who)
  if not item then return nil, why end
  return ("says: %s"):format(item.text) .. (host.speech.held and " (when the robot goes on)" or "")
end

local function hush_word(prompt)
  local count = prompt.run.host.speech:hush "hushed"
  return count == 0 and "nothing is being said" or count == 1 and "is silent" or ("is silent; %d texts are dropped"):format(count)
end

return {
  name = "speech", always = true,
  about = "says texts: mouth, beats of head and hands, events at words",
  fields = { voice = "string", rate = "number", pitch = "number", volume = "number", beats = "any", mouth = "any",
    gestures = "table" },
  fault = fault, new = new,
  words = {
    { name = "say", usage = "say TEXT", summary = "say something; {name value} in it is an event at that word", changes = true,
      example = 'say "hello {wave} there, what a *lovely* day"', run = say_word },
    { name = "hush", usage = "hush", summary = "stop speaking, and forget what waits to be said", changes = true,
      example = "hush", run = hush_word },
  },
}
