--- Speech synthesis by a program: it makes a sound file of each piece of a text, and the plan of the piece is
--- fitted to it. Without one, or if it fails, pieces are timed silence.
local lazy = require "brio.lib.lazy"
local door = require "brio.io.input_gate"
local output = require "brio.character.speech.output"
local plan = lazy "brio.character.speech.plan"
local process = lazy "brio.io.process"
local programs = lazy "brio.character.speech.programs"
local sounds = lazy "brio.character.speech.sounds"
local uv = require "luv"

local voice = {}
local Voice = {}
Voice.__index = Voice

--- Time limit for synthesizing a piece, s; number of consecutive failures after which the program is not used
--- again.
voice.patience, voice.most_failures = 10, 3

--- Minimum level of a voice, dB below full scale; the length at a file's beginning and end in which silence
--- is searched, s.
voice.least, voice.looked = -50, 2

--- The voice of a run; `out` is its output.lua.
function voice.new(host, out)
  return setmetatable({ host = host, out = out, sound = out.sound, made = 0, failures = 0, spoken = {} },
    Voice)
end

--- Use the behavior's program, by the name of its row; nil: the first installed one. A person's choice has
--- priority.
function Voice:use(said)
  if said ~= self.said then self.row, self.failures = nil, 0 end
  self.said = said
end

--- The row of the program, searched once; nil: none.
local function program_of(self)
  if self.sound.fast then return nil end
  if self.row == nil then
    local wanted = self.sound.speak_with or self.said
    local row, why = programs.choose(programs.speak, wanted)
    if why then self.out:tell((wanted and "" or "texts are timed silence: ") .. why) end
    self.row = row or false
  end
  return self.row or nil
end

local function new_folder()
  local folder, why
  for _, place in ipairs { uv.os_getenv "XDG_RUNTIME_DIR" or "", uv.os_tmpdir() or "/tmp" } do
    if not folder and place ~= "" then folder, why = uv.fs_mkdtemp(place .. "/brio-speech-XXXXXX") end
  end
  return folder or false, why or ""
end

--- The folder for sound files of this run.
local function folder_of(self)
  local why = ""
  if not self.folder then self.folder, why = door.must("program", new_folder) end
  self.folder, self.own = self.folder or nil, not door.replays()
  return self.folder, why ~= "" and "there is no folder for sounds: " .. require "brio.io.reason"(why) or nil
end

--- Delete a file; a replay has none.
local function unlink(path)
  if not door.replays() then uv.fs_unlink(path) end
end

--- Steps after a piece was synthesized, one in each tick: first its sound is examined, then its plan is made.
local steps = {}

function steps.look(self, job)
  local why, file = job.result.error, nil
  if not why then file, why = output.open(job.path) end
  if file and file.seconds <= 0 then why = job.row.name .. " has made no sound" end
  if not why then job.from, job.to, job.silences = file:voiced(voice.least, voice.looked) end
  if file then file:close() end
  if why then
    unlink(job.path)
    if not job.dropped then self:fail(why) end
  else
    self.failures, job.file = 0, job.path
  end
  job.step = "plan"
end

function steps.plan(self, job)
  local heard = job.row.phonemes and job.file and sounds.of_ipa(job.result.out) or nil
  job.plan = plan.of(job.piece, job.how.rate, heard)
  if job.file and job.to > job.from then
    plan.fit(job.plan, job.from, job.to, job.plan.seconds - job.plan.spoken + job.to, job.silences)
  end
  job.ready = true
  table.remove(self.spoken, 1)
end

--- Work of a tick: a step for a synthesized piece.
function Voice:work()
  local job = self.spoken[1]
  if not job then return end
  if job.dropped then
    unlink(job.path)
    table.remove(self.spoken, 1)
  else
    steps[job.step](self, job)
  end
end

--- A failure: it is reported, and after several the program is not used again.
function Voice:fail(why)
  self.failures = self.failures + 1
  self.out:tell(why .. ": its speech is timed silence")
  if self.failures >= voice.most_failures then self.row = false end
end

--- Synthesize a piece (see text.next): how = {rate, pitch, volume, voice}. Return its job: {ready, plan, file
--- = path of its sound, or nil for timed silence}.
function Voice:speak(piece, spoken, how)
  local job, row = { piece = piece, how = how }, program_of(self)
  local folder, why
  if row and #piece.words > 0 then
    folder, why = folder_of(self)
    if not folder then self:fail(why) end
  end
  if not folder then
    job.plan, job.ready = plan.of(piece, how.rate), true
    return job
  end
  self.made = self.made + 1
  job.row, job.path = row, ("%s/%d.wav"):format(folder, self.made)
  local words
  words, why = programs.fill(row, { file = job.path, text = spoken:find "^%-" and " " .. spoken or spoken,
    voice = how.voice,
    words = math.floor(175 * how.rate + 0.5), rate = how.rate, slowness = ("%.3f"):format(1 / how.rate),
    pitch50 = math.min(99, math.floor(50 * how.pitch + 0.5)),
      volume100 = math.floor(100 * how.volume + 0.5) })
  if words then
    job.process, why = process.start(words, { input = spoken .. "\n", timeout = voice.patience },
      function(result)
      job.result, job.step = result, "look"
      self.spoken[#self.spoken + 1] = job
    end)
  end
  if not job.process then
    job.plan, job.ready = plan.of(piece, how.rate), true
    self:fail(why)
  end
  return job
end

--- A job is not needed any more: delete its file, and end its program if it is still running.
function Voice:drop(job)
  job.dropped = true
  if job.process and not job.ready then job.process:kill() end
  if job.file then unlink(job.file) end
  job.file = nil
end

--- The run ends.
function Voice:close()
  while self.spoken[1] do
    self.spoken[1].dropped = true
    self:work()
  end
  if self.folder and self.own then uv.fs_rmdir(self.folder) end
  self.folder = nil
end

return voice
