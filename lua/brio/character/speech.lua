--- Speech: what a robot says, with the motion of mouth, hands and head, and events for everything that
--- accompanies it.
---
---     character = { speech = { voice = "en", rate = 0.9, beats = 0.8 } }
---     self.speech:say "Hello {wave} there, what a *lovely* day."
---
--- A text is processed piece by piece (speech/text.lua). Each piece becomes a job: a program synthesizes a
--- sound file (speech/voice.lua), or it is timed silence; both have a plan of sounds and words
--- (speech/plan.lua). The plan drives the mouth (speech/mouth.lua), the beats (speech/beats.lua) and the
--- events of words and marks, while the file is played (speech/output.lua). Times are robot time: on hold,
--- speech pauses.
local lazy = require "brio.lib.lazy"
local beats = lazy "brio.character.speech.beats"
local face = lazy "brio.character.speech.interface"
local mouth = lazy "brio.character.speech.mouth"
local output = lazy "brio.character.speech.output"
local paths = require "brio.lib.paths"
local robots = require "brio.robots.catalog"
local settings = require "brio.character.speech.settings"
local text = lazy "brio.character.speech.text"
local voice = lazy "brio.character.speech.voice"

local speech = {}
local Speech = {}
Speech.__index = Speech

--- Maximum number of texts in the queue; maximum length of a text in events, bytes.
speech.most_waiting, speech.most_shown = 32, 500

function speech.new(host, spec)
  local self = setmetatable({ host = host, time = 0, queue = {}, cues = {}, made = 0 }, Speech)
  self.face = face.new(self)
  self:use(spec)
  return self
end

--- Make what speaks, unless it is there: with the first text or sound, since most runs say nothing.
function Speech:equip()
  if self.out then return end
  local host = self.host
  local out = output.new(host)
  local voices, mouths, beat = voice.new(host, out), mouth.new(host, self.shape), beats.new(host)
  voices:use(self.spec.program)
  beat:use(self.gestures)
  -- all or nothing: a script that runs out of its budget may be cut anywhere above
  self.voice, self.mouth, self.beats, self.out = voices, mouths, beat, out
end

--- The data in a file of the robot's; nil if there is none, or it is invalid, which is reported.
local function data_of(self, name, module)
  local description = self.host.description
  local data, why = robots.data(description, name)
  why = why or data and module.fault(data, description)
  if why then
    self:equip()
    self.out:tell(("%s.lua of the robot '%s' is left out: %s"):format(name, description.name, why))
  end
  return not why and data or nil
end

function Speech:use(spec)
  local shape, gestures = spec.mouth, spec.gestures
  self.spec = spec
  if shape == nil then shape = data_of(self, "mouth", mouth) end
  if gestures == nil then gestures = data_of(self, "beats", beats) end
  self.shape, self.gestures = shape or nil, gestures
  if not self.out then return end
  self.voice:use(spec.program)
  if shape ~= self.mouth.data then
    self.mouth:stop()
    self.mouth = mouth.new(self.host, self.shape)
  end
  self.beats:use(gestures)
end

-- The queue ----------------------------------------------------------------------------------------

--- Queue an utterance. Return it, or nil and the reason.
local function enqueue(self, item)
  self:equip()
  if item.how.interrupt then self:hush "replaced" end
  if #self.queue >= speech.most_waiting then
    return nil, ("%d texts are queued already: wait for `said`, or interrupt"):format(#self.queue)
  end
  self.made = self.made + 1
  item.number, item.words = self.made, 0
  self.queue[#self.queue + 1] = item
  return item
end

--- Queue a valid text.
function Speech:say(said, how, who)
  how = how or {}
  return enqueue(self, { how = how, who = who, reader = text.reader(said, how.plain),
    shown = text.plain(said, how.plain, speech.most_shown) })
end

--- Queue a sound file. Return it, or nil, a sentence and a code.
function Speech:play(name, how, who)
  local path = paths.beside(self.host.definition.file, name)
  local file, why, code = output.open(path)
  if not file then return nil, why, code end
  self:equip()
  if file.info.cut then self.out:tell(path .. ": the file ends before its sound does") end
  local item
  item, why = enqueue(self, { how = how or {}, who = who, shown = name, file = file })
  if not item then file:close() end
  return item, why
end

--- End an active or waiting utterance.
function Speech:drop(item, why)
  if item == self.current then return self:finish(why) end
  for place, waiting in ipairs(self.queue) do
    if waiting == item then
      table.remove(self.queue, place)
      item.over = why
      if item.file then item.file:close() end
      return
    end
  end
end

--- Stop speaking. Return how many texts that ended.
function Speech:hush(why)
  local count = #self.queue + (self.current and 1 or 0)
  while self.queue[1] do self:drop(self.queue[#self.queue], why) end
  if self.current then self:finish(why) end
  return count
end

function Speech:tell(name, data, about) self.host:emit(name, data, "speech", about) end

--- End the current utterance.
function Speech:finish(why)
  local item = self.current
  self.current, item.over = nil, why
  if item.heard then item.heard:kill() end
  if item.file then item.file:close() end
  for _, job in ipairs { item.job or false, item.next or false } do
    if job then self.voice:drop(job) end
  end
  self:tell("said", { number = item.number, text = item.shown,
    seconds = item.began and self.time - item.began or 0,
    words = item.words, why = why })
  if #self.queue == 0 or why ~= "over" then self.mouth:rest() end
  if why ~= "over" then self.beats:rest() end
end

--- Its sound begins now: emit the event.
local function begin(self, item)
  if item.began then return end
  item.began = self.time
  self:tell("speaking", { number = item.number, text = item.shown, voice = item.how.voice or self.spec.voice,
    by = item.who,
    file = item.file and item.file.path, program = item.job and item.job.file and item.job.row.name or nil })
end

local function number_of(self, item, name) return settings.number(item.how, self.spec, name) end

--- Play a file. Return the time at which it begins to be heard, in the speech's time.
local function let_hear(self, item, path, gain)
  item.heard = self.out:play(path, gain)
  return self.time + (item.heard and number_of(self, item, "latency") or 0)
end

-- Texts --------------------------------------------------------------------------------------------

--- Factors of rate, pitch and beats for the current emotion.
local function by_emotion(self)
  return settings.by_emotion(self.host.emotion, settings.number({}, self.spec, "felt"))
end

--- The job of the next piece of a text; nil: none left.
local function next_job(self, item)
  local piece, spoken = text.next(item.reader)
  if not piece then return nil end
  local quicker, higher = by_emotion(self)
  return self.voice:speak(piece, spoken, { rate = number_of(self, item, "rate") * quicker,
    pitch = number_of(self, item, "pitch") * higher,
    volume = number_of(self, item, "volume"), voice = item.how.voice or self.spec.voice })
end

--- Begin a piece that is ready: play its sound, make beats of its words, and synthesize the next one
--- meanwhile.
local function begin_job(self, item, job)
  begin(self, item)
  job.starts = job.starts or self.time + job.piece.pause
  if self.time < job.starts - 1e-9 then return false end
  job.began = job.file and let_hear(self, item, job.file) or self.time
  job.next_word, job.next_mark, job.sound = 1, 1, 1
  local _, _, larger = by_emotion(self)
  for _, word in ipairs(job.plan.words) do
    self.beats:word(word, self.time, job.began + word.stroke, number_of(self, item, "beats") * larger)
  end
  item.next = next_job(self, item)
  return true
end

--- {play NAME}: a sequence, as if by the behavior.
local function play_mark(self, name)
  local good, playing, why = pcall(self.host.tracks.play, self.host.tracks, name, nil, "speech")
  if good and playing then return end
  self.host.say("warning", ("speech: {play %s}: %s"):format(name, tostring(good and why or playing)))
end

local function tell_mark(self, item, mark)
  if mark.name == "play" then return play_mark(self, mark.value) end
  self:tell(mark.name, { value = mark.value, before = mark.before, number = item.number })
end

local function tell_word(self, item, word)
  item.words, item.word = item.words + 1, word.text
  self:tell("word", { word = word.text, place = item.words, seconds = word.to - word.from,
    emphasis = word.emphasis, number = item.number }, word.text)
end

--- Report words and marks of a job's plan that are due at `t`.
local function tell_due(self, item, job, t)
  local words, marks = job.plan.words, job.piece.marks
  while self.current == item do
    local word, mark = words[job.next_word], marks[job.next_mark]
    local at = mark and (words[mark.before] and words[mark.before].from or job.plan.spoken)
    if mark and at <= t + 1e-9 and mark.before <= job.next_word then
      job.next_mark = job.next_mark + 1
      tell_mark(self, item, mark)
    elseif word and word.from <= t + 1e-9 then
      job.next_word = job.next_word + 1
      tell_word(self, item, word)
    else
      return
    end
  end
end

--- Show a job's plan at `t`.
local function show(self, job, t)
  local list = job.plan.sounds
  while list[job.sound + 1] and t >= list[job.sound + 1].from do job.sound = job.sound + 1 end
  if #list > 0 then self.mouth:show(job.plan, t, job.sound) end
end

--- The current job, with the time in its plan; nil: none now, for example while a program synthesizes it.
local function job_now(self, item)
  while self.current == item do
    item.job = item.job or item.next or next_job(self, item)
    item.next = item.next ~= item.job and item.next or nil
    local job = item.job
    if not job then
      begin(self, item)
      if self.current == item then self:finish "over" end
      return nil
    end
    if not job.ready or not (job.began or begin_job(self, item, job)) then return nil end
    local t = self.time - job.began
    if t < job.plan.seconds - 1e-9 then return job, t end
    tell_due(self, item, job, math.huge)
    self.voice:drop(job)
    item.job = nil
  end
end

local function speak(self, item)
  local job, t = job_now(self, item)
  if not job then return end
  tell_due(self, item, job, t)
  if self.current == item then show(self, job, t) end
end

-- Files --------------------------------------------------------------------------------------------

--- Work of a tick for a played file: the mouth follows the loudness.
local function sing(self, item, dt)
  if not item.began then
    begin(self, item)
    item.starts = let_hear(self, item, item.file.path, number_of(self, item, "volume"))
  end
  local t = self.time - item.starts
  if t >= item.file.seconds - 1e-9 then return self:finish "over" end
  local decibels = t >= 0 and item.file:loudness(t, dt, self.out.sound.fast) or nil
  if decibels and item.how.mouth ~= false then self.mouth:sing(decibels, dt) end
end

-- A tick -------------------------------------------------------------------------------------------

--- A playing sequence has come to a sound.
function Speech:hear(event)
  if event.name == "audio" and event.source == "tracks" and event.data.path then
    self.cues[#self.cues + 1] = event.data
  end
end

function Speech:work(_, dt)
  local speaks = self.out
  if speaks then
    self.out:work()
    self.voice:work()
  end
  if self.cues[1] then
    self:equip()
    for _, cue in ipairs(self.cues) do self.out:play(cue.path, cue.gain) end
    self.cues = {}
  end
  if self.held then return end
  self.time = self.time + dt
  if not speaks then return end
  if not self.current and self.queue[1] then self.current = table.remove(self.queue, 1) end
  local item = self.current
  if item and item.file then sing(self, item, dt) elseif item then speak(self, item) end
  self.beats:work(self.time, dt)
end

function Speech:pause(on)
  self.held = on
  if self.out then self.out:pause(on) end
end

function Speech:stop()
  if not self.out then return end
  self:hush "stopped"
  self.mouth:stop()
  self.beats:stop()
  self.out:stop()
end

--- The run has ended: end its programs and remove its files.
function Speech:close()
  if not self.out then return end
  self.out:close()
  self.voice:close()
end

return {
  name = "speech", always = true,
  about = "speech: mouth, beats of head and hands, events at words",
  fields = settings.fields, fault = settings.fault, new = speech.new,
  words = lazy "brio.character.speech.words",
}
