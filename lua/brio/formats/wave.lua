--- WAVE sound files, as far as a robot needs them: the format, the beginning and end of the sound, and its
--- loudness over time.
---
--- RIFF and RF64 with PCM of 8, 16, 24 and 32 bits, floating point of 32 and 64, A-law and mu-law, with a
--- plain header or WAVE_FORMAT_EXTENSIBLE (Microsoft, "Multimedia Programming Interface and Data
--- Specifications 1.0"; EBU Tech 3306 for RF64). A file is read by a function read(offset, count) -> bytes,
--- so it need not be in memory, and any bytes can be checked.
local wave = {}

--- Maximum number of chunks before the sound.
wave.most_chunks = 256

--- Loudness of silence, dB below full scale.
wave.silence = -120

local function mu_law(byte)
  byte = ~byte & 0xFF
  local value = (((byte & 15) << 3) + 132 << ((byte >> 4) & 7)) - 132
  return (byte & 128 ~= 0 and -value or value) / 32768
end

local function a_law(byte)
  byte = byte ~ 0x55
  local segment, value = (byte >> 4) & 7, (byte & 15) << 4
  value = segment == 0 and value + 8 or value + 264 << segment - 1
  return (byte & 128 ~= 0 and value or -value) / 32768
end

local function number(value) return value - value == 0 and value or 0 end

--- Encodings by the format's number and bits: the format of string.unpack, and the conversion to a share of
--- full scale.
local encodings = {
  [1] = { name = "PCM", [8] = { "B", function(value) return (value - 128) / 128 end },
    [16] = { "<i2", function(value) return value / 32768 end },
      [24] = { "<i3", function(value) return value / 8388608 end },
    [32] = { "<i4", function(value) return value / 2147483648 end } },
  [3] = { name = "floating point", [32] = { "<f", number }, [64] = { "<d", number } },
  [6] = { name = "A-law", [8] = { "B", a_law } },
  [7] = { name = "mu-law", [8] = { "B", mu_law } },
}

--- The end of an extensible format's GUID that makes it equivalent to a plain format number.
local guid = "\0\0\0\0\16\0\128\0\0\170\0\56\155\113"

-- Reading ------------------------------------------------------------------------------------------

--- Raise a sentence, which wave.parse returns.
local function refuse(...) error({ sentence = string.format(...) }, 0) end

--- The chunk "fmt ": the encoding of samples.
local function format_of(bytes)
  if #bytes < 16 then refuse("the chunk 'fmt ' has %d bytes, 16 at least were expected", #bytes) end
  local tag, channels, rate, _, frame, bits = string.unpack("<I2I2I4I4I2I2", bytes)
  if tag == 0xFFFE then
    if #bytes < 40 then refuse("an extensible format has %d bytes, 40 were expected", #bytes) end
    if bytes:sub(27, 40) ~= guid then
      refuse "its extensible format is none of PCM, floating point, A-law and mu-law"
    end
    tag = string.unpack("<I2", bytes, 25)
  end
  local kind = encodings[tag]
  if not kind then
    refuse("its format is number %d, PCM (1), floating point (3), A-law (6) or mu-law (7) was expected: \z
      convert it, "
      .. "as with `ffmpeg -i FILE out.wav`", tag)
  end
  local encoding = kind[bits]
  if not encoding then refuse("%s of %d bits is not known", kind.name, bits) end
  if channels < 1 or channels > 256 then refuse("it has %d channels, 1 to 256 were expected", channels) end
  if rate < 100 or rate > 1000000 then refuse("its rate is %d Hz, 100 to 1000000 were expected", rate) end
  if frame ~= channels * bits // 8 then
    refuse("a frame has %d bytes, %d were expected for %d channels of %d bits", frame, channels * bits // 8,
      channels, bits)
  end
  return { encoding = kind.name, bits = bits, channels = channels, rate = rate, frame = frame,
    unpack = encoding[1], value = encoding[2] }
end

local function find_sound(size, read)
  local head = read(0, 12) or ""
  local riff = head:sub(1, 4)
  if #head < 12 or not (riff == "RIFF" or riff == "RF64" or riff == "BW64") or head:sub(9, 12) ~= "WAVE" then
    if riff == "RIFX" then refuse "it is a RIFX file, with its bytes the other way round: convert it" end
    refuse "it is no WAVE file: RIFF....WAVE was expected at its beginning"
  end
  local at, info, long = 12, nil, nil
  for _ = 1, wave.most_chunks do
    local chunk = at + 8 <= size and read(at, 8) or ""
    if #chunk < 8 then refuse("it ends at byte %d, before any sound", size) end
    local name, length = string.unpack("<c4I4", chunk)
    if name == "data" then
      if not info then refuse "the chunk 'data' comes before 'fmt '" end
      if length == 0xFFFFFFFF and long then length = long end
      return info, at + 8, length
    elseif name == "fmt " then
      info = format_of(read(at + 8, math.min(length, 40)) or "")
    elseif name == "ds64" and length >= 24 then
      long = math.max(0, (string.unpack("<i8", (read(at + 16, 8) or "") .. ("\0"):rep(8))))
    end
    at = at + 8 + length + length % 2
  end
  refuse("there are more than %d chunks before its sound", wave.most_chunks)
end

--- The contents of a file of `size` bytes: {encoding, bits, channels, rate, frame = its size in bytes, from =
--- offset of the sound, frames, seconds, [cut = true if the file ends before its sound]}, or nil and a
--- sentence. read(offset, count) returns bytes, fewer at the file's end.
function wave.parse(size, read)
  local good, info, from, length = pcall(find_sound, size, read)
  if not good then
    if type(info) ~= "table" then error(info, 0) end
    return nil, info.sentence
  end
  local there = math.max(0, size - from)
  local open = length == 0 or length >= 0x7FFFF000 -- written by a program that could not go back to set it
  info.cut = not open and length > there or nil
  info.from, info.frames = from, (open and there or math.min(length, there)) // info.frame
  info.seconds = info.frames / info.rate
  return info
end

-- Loudness -----------------------------------------------------------------------------------------

--- Maximum number of frames of an interval, and of channels, that are used: enough for its mean square.
local most_frames, most_channels = 64, 2

--- The loudness of a sound from `t` to `t + length` s, dB below full scale, from `frames` samples of it
--- (default 64); nil if `read` does not have the data yet.
function wave.loudness(info, read, t, length, frames)
  local first = math.max(0, math.floor(t * info.rate))
  local count = math.min(math.floor(length * info.rate + 0.5), info.frames - first)
  if count <= 0 then return wave.silence end
  local bytes = read(info.from + first * info.frame, count * info.frame)
  if not bytes then return nil end
  local step, sum, seen = math.max(1, count // (frames or most_frames)), 0, 0
  local channels, width = math.min(info.channels, most_channels), info.bits // 8
  for frame = 0, #bytes // info.frame - 1, step do
    for channel = 0, channels - 1 do
      local value = info.value((string.unpack(info.unpack, bytes, frame * info.frame + channel * width + 1)))
      sum, seen = sum + math.min(1, value * value), seen + 1
    end
  end
  if seen == 0 or sum <= 0 then return wave.silence end
  return math.max(wave.silence, 10 * math.log(sum / seen, 10))
end

--- The first and last time at which a sound is louder than `least` dB, s; 0 and 0 if it never is. Searches
--- intervals of 10 ms in the first and last `seconds` of it.
function wave.voiced(info, read, least, seconds)
  local stretch, from, to = 0.01, 0, info.seconds
  local looked = math.min(info.seconds, seconds)
  while from < looked and (wave.loudness(info, read, from, stretch) or wave.silence) < least do
    from = from + stretch
  end
  if from >= info.seconds then return 0, 0 end
  while to > info.seconds - looked and to > from
    and (wave.loudness(info, read, to - stretch, stretch) or wave.silence) < least do to = to - stretch end
  return from, to
end

--- The intervals in which a sound is softer than `least` dB for `shortest` s or longer, between `from` and
--- `to`: a list of {from, to}.
function wave.silences(info, read, least, shortest, from, to)
  local stretch, list, began = 0.02, {}, nil
  for step = 0, math.floor((to - from) / stretch) do
    local t = from + step * stretch
    local soft = t + stretch <= to and (wave.loudness(info, read, t, stretch, 5) or wave.silence) < least
    if soft then
      began = began or t
    elseif began then
      if t - began >= shortest - 1e-9 then list[#list + 1] = { began, t } end
      began = nil
    end
  end
  return list
end

return wave
