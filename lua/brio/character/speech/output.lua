--- Audio output: sound files played by a program, in a process of its own. Without one, or if it fails, there
--- is timed silence, which is reported once.
local lazy = require "brio.lib.lazy"
local door = require "brio.io.input_gate"
local process = lazy "brio.io.process"
local programs = lazy "brio.character.speech.programs"
local uv = require "luv"
local wave = lazy "brio.formats.wave"

local output = {}
local Output = {}
Output.__index = Output
local File = {}
File.__index = File

--- Pause before a failed player is tried again, s; bytes of a block of a file.
output.again, output.piece = 10, 65536

--- Maximum size of a file whose voice is searched, bytes; longer files are not sentences.
output.most_at_once = 2 ^ 22

--- The audio output of a host's run. host.sound: {fast = whether the clock is not in real time, play_with,
--- speak_with = a person's choices}.
function output.new(host)
  return setmetatable({ host = host, sound = host.sound or { fast = true },
    playing = {}, told = {}, broken = -math.huge }, Output)
end

--- Report something, once a run.
function Output:tell(sentence)
  if self.told[sentence] then return end
  self.told[sentence] = true
  local host = self.host
  host.recorder:fault(host.tick, host.now, "warning", "speech", sentence, nil, host.version)
  host.say("warning", "speech: " .. sentence)
end

--- The row of the player, searched once; nil: none, which is reported.
local function player_of(self)
  if self.sound.fast then return nil end
  if self.row == nil then
    local row, why = programs.choose(programs.play, self.sound.play_with)
    if why then self:tell(("there is no sound: %s"):format(why)) end
    self.row = row or false
  end
  return self.row or nil
end

local function hrtime() return uv.hrtime() / 1e9 end

--- The machine's clock, recorded on the tape, s.
local function seconds() return door.must("clock", hrtime) end

--- Play a file from its beginning. Return the player, or nil if nothing can be heard.
function Output:play(path, gain)
  local row = player_of(self)
  if not row then return nil end
  if seconds() < self.broken then return nil end
  gain = gain or 1
  if row.quiet and math.abs(gain - 1) > 1e-3 then
    self:tell(("%s plays every sound at its own loudness"):format(row.name))
  end
  local words, why = programs.fill(row,
    { file = path, gain = ("%.3f"):format(gain), gain100 = math.floor(gain * 100 + 0.5),
    gain65536 = math.floor(gain * 65536 + 0.5) })
  local job
  if words then
    job, why = process.start(words, { timeout = 24 * 3600 }, function(result)
      self.playing[job] = nil
      if result.error and not job.killed then
        self.broken = seconds() + output.again
        self:tell(("there is no sound: %s"):format(result.error))
      end
    end)
  end
  if not job then
    self:tell(("there is no sound: %s"):format(why))
    return nil
  end
  self.playing[job] = true
  return job
end

--- Pause or continue the started programs.
function Output:pause(on)
  for job in pairs(self.playing) do job:pause(on) end
end

--- Work of a tick: process results of started programs.
function Output:work()
  if not self.sound.fast then process.work() end
end

--- Stop all sound.
function Output:stop()
  for job in pairs(self.playing) do job:kill() end
end

--- The run ends: end all started programs.
function Output:close()
  self:stop()
  if not self.sound.fast then process.close() end
end

-- Files -------------------------------------------------------------------------------------------

local function open(path)
  local flags = uv.constants.O_RDONLY | uv.constants.O_NONBLOCK -- does not block on a pipe
  local fd, why = uv.fs_open(path, flags, 0)
  if not fd then return nil, (why:gsub("^%u+: ", "")), "no_file" end
  local stat = uv.fs_fstat(fd)
  if not stat or stat.type ~= "file" then
    uv.fs_close(fd)
    return nil, path .. ": a file was expected", "no_file"
  end
  local self = setmetatable({ fd = fd, path = path, size = stat.size, pieces = {} }, File)
  local info, sentence = wave.parse(stat.size,
    function(offset, count) return uv.fs_read(fd, count, offset) end)
  if not info then
    self:close()
    return nil, path .. ": " .. sentence, "format"
  end
  self.info, self.seconds = info, info.seconds
  return self
end

--- Open a WAVE file. Return it, or nil, a sentence and a code (no_file, format).
function output.open(path)
  local file
  local length, cut, why, code = door.must("sound", function()
    local wrong, kind
    file, wrong, kind = open(path)
    if not file then return false, false, wrong, kind end
    return file.seconds, file.info.cut or false
  end)
  if not length then return nil, why, code end
  -- in a replay
  return file or setmetatable({ path = path, info = { seconds = length, cut = cut }, seconds = length }, File)
end

--- Read a block by its number, from the disk. `at_once`: wait for it.
local function fetch(self, number, at_once)
  if self.pieces[number] ~= nil or number * output.piece >= self.size then return end
  if at_once then
    self.pieces[number] = uv.fs_read(self.fd, output.piece, number * output.piece) or ""
    return
  end
  self.pieces[number] = false
  self.under_way = (self.under_way or 0) + 1
  uv.fs_read(self.fd, output.piece, number * output.piece, function(_, bytes)
    self.under_way = self.under_way - 1
    if self.pieces[number] == false then self.pieces[number] = bytes or "" end
    if self.closing and self.under_way == 0 then uv.fs_close(self.fd) end
  end)
end

--- Bytes of the file; nil: they are not there yet.
function File:bytes(offset, count, at_once)
  local first, last, parts = offset // output.piece, (offset + count - 1) // output.piece, {}
  for number in pairs(self.pieces) do
    if number < first and self.pieces[number] then self.pieces[number] = nil end
  end
  for number = first, last + (at_once and 0 or 1) do fetch(self, number, at_once) end
  for number = first, last do
    local piece = self.pieces[number]
    if not piece then return nil end
    parts[#parts + 1] = piece
  end
  local from = offset - first * output.piece
  return (parts[2] and table.concat(parts) or parts[1]):sub(from + 1, from + count)
end

-- Worker of File:loudness, which the gate records.
local function loudness(self, t, length, at_once)
  if self.closing then return wave.silence end
  return wave.loudness(self.info, function(offset, count) return self:bytes(offset, count, at_once) end, t,
    length, 32)
end

--- Loudness from `t` for `length` s, dB below full scale; nil: unknown yet.
function File:loudness(t, length, at_once) return (door.must("sound", loudness, self, t, length, at_once)) end

-- Worker of File:voiced, which the gate records.
local function voiced(self, least, length)
  if self.size > output.most_at_once then return 0, self.seconds, {} end
  local all = uv.fs_read(self.fd, self.size, 0) or ""
  local function read(offset, count) return all:sub(offset + 1, offset + count) end
  local from, to = wave.voiced(self.info, read, least, length)
  return from, to, wave.silences(self.info, read, least, 0.06, from, to)
end

--- The beginning and end of its voice, s, and its silences of at least `length` s, a list of {from, to}: for
--- a file that is short enough to be read at once.
function File:voiced(least, length) return door.must("sound", voiced, self, least, length) end

function File:close()
  if not self.fd then return end -- in a replay
  if self.closing then return end
  self.closing = true
  if (self.under_way or 0) == 0 then uv.fs_close(self.fd) end
end

return output
