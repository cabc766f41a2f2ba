--- Sound files and programs: the content and loudness of a WAVE file, random bytes as a file, and programs
--- that speak, fail, hang and are stopped.
local output = require "brio.character.speech.output"
local process = require "brio.io.process"
local programs = require "brio.character.speech.programs"
local wave = require "brio.formats.wave"

--- A WAVE file's bytes. sound: {format, bits, channels, rate, data, [extensible, size, junk]}.
local function file_of(sound)
  local bits, channels, rate = sound.bits or 16, sound.channels or 1, sound.rate or 8000
  local frame = sound.frame or channels * bits // 8
  local tag = sound.extensible and 0xFFFE or sound.format or 1
  local head = string.pack("<I2I2I4I4I2I2", tag, channels, rate, rate * frame & 0xFFFFFFFF, frame, bits)
  if sound.extensible then
    head = head .. string.pack("<I2I2I4I2", 22, bits, 3, sound.format or 1)
      .. "\0\0\0\0\16\0\128\0\0\170\0\56\155\113"
  end
  local chunks = "WAVE" .. (sound.junk or "") .. "fmt " .. string.pack("<s4", head)
    .. "data" .. string.pack("<I4", sound.size or #sound.data) .. sound.data
  return "RIFF" .. string.pack("<I4", #chunks) .. chunks
end

local function reader(bytes)
  return function(offset, count) return bytes:sub(offset + 1, offset + count) end
end

local function parse(bytes) return wave.parse(#bytes, reader(bytes)) end

--- One second of a sine at half of full scale between two silences of half a second, by an encoder of values.
local function sine(rate, encode)
  local list = {}
  for index = 0, 2 * rate - 1 do
    local on = index >= rate / 2 and index < 3 * rate / 2
    list[#list + 1] = encode(on and 0.5 * math.sin(2 * math.pi * 200 * index / rate) or 0)
  end
  return table.concat(list)
end

local function whole(scale) return function(value) return math.floor(value * scale + 0.5) end end

local encoders = {
  { 8, 1, function(value) return string.pack("B", whole(127)(value) + 128) end },
  { 16, 1, function(value) return string.pack("<i2", whole(32767)(value)) end },
  { 24, 1, function(value) return string.pack("<i3", whole(8388607)(value)) end },
  { 32, 1, function(value) return string.pack("<i4", whole(2147483647)(value)) end },
  { 32, 3, function(value) return string.pack("<f", value) end },
  { 64, 3, function(value) return string.pack("<d", value) end },
}

test("sound of each kind is as loud as it is, and its voice is found", function(t)
  for _, encoder in ipairs(encoders) do
    local data = sine(8000, encoder[3])
    for _, extensible in ipairs { false, true } do
      local bytes = file_of { bits = encoder[1], format = encoder[2], data = data, extensible = extensible }
      local info = assert(parse(bytes))
      t:equal({ info.bits, info.channels, info.rate, info.frames, info.seconds, info.cut },
        { encoder[1], 1, 8000, 16000, 2.0 })
      -- a sine's mean square
      t:near(wave.loudness(info, reader(bytes), 0.7, 0.1), 20 * math.log(0.5 / math.sqrt(2), 10), 0.5)
      t:ok(wave.loudness(info, reader(bytes), 0.1, 0.1) < -40)
      local from, to = wave.voiced(info, reader(bytes), -40, 2)
      t:near({ from, to }, { 0.5, 1.5 }, 0.0101)
    end
  end
  -- G.711's tables: mu-law 0x80 and A-law 0xAA are the largest values, 0xFF and 0xD5 silence
  for _, law in ipairs { { 7, "\x80", "\xFF", 32124 / 32768 }, { 6, "\xAA", "\xD5", 32256 / 32768 } } do
    local bytes = file_of { bits = 8, format = law[1], data = law[2]:rep(800) .. law[3]:rep(800) }
    local info = assert(parse(bytes))
    t:near(wave.loudness(info, reader(bytes), 0, 0.1), 20 * math.log(law[4], 10), 0.01)
    t:ok(wave.loudness(info, reader(bytes), 0.1, 0.1) < -70)
  end
end)

test("what is wrong with a file is said", function(t)
  local good = { data = ("\1\2"):rep(400) }
  local function fault(changes, cut)
    local sound = {}
    for key, value in next, good do sound[key] = value end
    for key, value in next, changes do sound[key] = value end
    local bytes = file_of(sound)
    return select(2, parse(cut and bytes:sub(1, cut) or bytes))
  end
  t:match(fault { channels = 0 }, "0 channels")
  t:match(fault { bits = 12, frame = 2 }, "PCM of 12 bits")
  t:match(fault { format = 85 }, "format is number 85.*convert it")
  t:match(fault { rate = 0 }, "rate is 0 Hz")
  t:match(fault { channels = 2, frame = 2 }, "frame has 2 bytes, 4 were expected")
  t:match(fault({}, 10), "no WAVE file")
  t:match(fault({}, 30), "fmt ")
  t:match(fault({}, 36), "ends at byte 36")
  t:match(select(2, parse "OggS0000xxxxyyyyzzzz"), "no WAVE file")
  t:match(select(2, parse "RIFX\0\0\0\0WAVE"), "RIFX")
  t:match(select(2, parse("RIFF\0\0\0\0WAVE" .. ("junk\0\0\0\0"):rep(300))), "more than 256 chunks")
  t:match(select(2, parse("RIFF\0\0\0\0WAVEdata\4\0\0\0abcd")), "before 'fmt '")
  local cut = assert(parse(file_of { data = "\1\2\3\4", size = 1000 }))
  t:equal({ cut.frames, cut.cut }, { 2, true })
  local open = assert(parse(file_of { data = "\1\2\3\4", size = 0xFFFFFFFF }))
  t:equal({ open.frames, open.cut }, { 2 }, "a stream that was never closed")
  t:ok(parse(file_of { data = "\1\2", junk = "LIST\3\0\0\0abc\0" }), "chunks before it, of odd length")
end)

test("floats that are no numbers are silence", function(t)
  for _, value in ipairs { 0 / 0, 1 / 0, -1 / 0 } do
    local bytes = file_of { bits = 32, format = 3, data = string.pack("<f", value):rep(800) }
    t:equal(wave.loudness(assert(parse(bytes)), reader(bytes), 0, 0.1), wave.silence)
  end
end)

test("any bytes are a file or a sentence", function(t)
  local seed, parsed = 7, 0
  local function draw(most)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % most
  end
  for round = 1, 3000 do
    local encoder = encoders[1 + draw(#encoders)]
    local bytes = file_of { bits = encoder[1], format = encoder[2], channels = 1 + draw(3),
      extensible = draw(2) == 1, data = ("\1\2\3\4\5\6\7"):rep(1 + draw(30)) }
    for _ = 1, 1 + draw(4) do
      local at = 1 + draw(math.min(#bytes, 80))
      bytes = bytes:sub(1, at - 1) .. string.char(draw(256)) .. bytes:sub(at + 1)
    end
    if draw(3) == 0 then bytes = bytes:sub(1, draw(#bytes)) end
    local info, why = parse(bytes)
    if info then
      parsed = parsed + 1
      local loud = wave.loudness(info, reader(bytes), draw(100) / 1000, 0.01)
      t:ok(loud >= wave.silence and loud <= 0, "round %d: %s dB", round, loud)
      wave.voiced(info, reader(bytes), -50, 0.05)
    else
      t:ok(type(why) == "string" and #why > 10, "round %d: %s", round, why)
    end
  end
  t:ok(parsed > 300 and parsed < 2900, "%d of 3000 are files", parsed)
end)

-- A robot that plays a file ------------------------------------------------------------------------

local function write(path, bytes)
  local handle = assert(io.open(path, "wb"))
  handle:write(bytes)
  handle:close()
end

test("a file moves the mouth as it is loud, and ends when it does", function(t)
  local path = t:temporary ".wav"
  write(path, file_of { rate = 8000, data = sine(8000, encoders[2][3]) })
  local run = t:run("singer.lua", { recorded = true, source = ([[local brio = require "brio"
    local b = brio.behavior "singer" { robot = "probo", start = "a" }
    b.a = { run = function(self)
      self:wait(0.1)
      self.memory.result = { assert(self.speech:play(%q)):wait() }
      self.memory.at = self.now
      self.memory.none = { self.speech:play "none.wav" }
    end }
    return b]]):format(path) })
  run:advance(0.5)
  t:near(run:command "MouthOpen", -0.1, 0.02, "shut while it is silent")
  run:advance(0.6)
  t:ok(run:command "MouthOpen" > 0.4, "open while it is loud: %g", run:command "MouthOpen")
  run:advance(1.7)
  t:equal(run.memory.result, { true })
  t:near(run.memory.at, 2.1, 0.02)
  t:equal({ run.memory.none[1], run.memory.none[3] }, { nil, "no_file" })
  t:near(run:command "MouthOpen", 0, 1e-6)
  run:finish()
  t:match(run:sql("SELECT text FROM speech")[1].text, "%.wav$")
end)

test("a file that is none is refused", function(t)
  local path = t:temporary ".wav"
  write(path, "no sound")
  local file, why, code = output.open(path)
  t:equal({ file, code }, { nil, "format" })
  t:match(why, "no WAVE file")
  t:match(select(2, output.open "/dev/zero"), "a file was expected")
  t:match(select(2, output.open(path:match "^(.*)/")), "a file was expected")
  t:equal(select(3, output.open(path .. "x")), "no_file")
end)

-- Programs -----------------------------------------------------------------------------------------

--- Run some programs at once and return their results.
local function results_of(list)
  local uv, results, left = require "luv", {}, 0
  for index, item in ipairs(list) do
    local job, why = process.start(item, item, function(result) results[index], left = result, left - 1 end)
    results[index], left = job or { error = why }, left + (job and 1 or 0)
    if item.stop then job:kill() end
  end
  for _ = 1, 100000 do
    process.work()
    if left == 0 then break end
    uv.sleep(2)
  end
  return results
end

test("programs are fed and heard, and fail, hang and stop in words", function(t)
  local big = ("x"):rep(200000)
  local results = results_of {
    { "echo", "a", "", "b; $HOME `c` \"d\" 'e'" }, { "cat", input = "text\nof two lines" },
      { "cat", input = big },
    { "sh", "-c", "echo a library speaks >&2; echo oops >&2; exit 3" }, { "sleep", "30", timeout = 0.2 },
      { "sleep", "30", stop = true },
    { "no-such-program-here" }, { "sh", "-c", "sleep 30 & echo hi" }, { "true", input = big },
      { "sh", "-c", "kill -9 $$" },
  }
  t:equal(results[1].out, "a  b; $HOME `c` \"d\" 'e'\n", "words are words, without a shell")
  t:equal(results[2].out, "text\nof two lines")
  t:equal(#results[3].out, process.most_output)
  t:equal(results[4].error, "sh failed (3): oops")
  t:equal(results[5].error, "sleep took more than 0.2 s, and was killed")
  t:equal(results[6].error, "sleep was stopped")
  t:equal(results[7].error, "there is no program 'no-such-program-here'")
  t:equal({ results[8].out, results[8].error }, { "hi\n" })
  t:equal(results[9].error, nil, "one that does not read")
  t:equal(results[10].error, "sh was ended by signal 9")
end)

test("a program stands still, and goes on", function(t)
  local uv, paths, result = require "luv", require "brio.lib.paths", nil
  local begun, gate = t:temporary ".begun", t:temporary ".gate"
  local line = ("echo > '%s'; until test -e '%s'; do sleep 0.01; done; echo done"):format(begun, gate)
  local job = process.start({ "sh", "-c", line }, { timeout = 240 }, function(came) result = came end)
  local function work_until(what, times)
    for _ = 1, times do
      if what() then return end
      process.work()
      uv.sleep(5)
    end
  end
  work_until(function() return job.pid and paths.exists(begun) end, 48000)
  job:pause(true)
  assert(io.open(gate, "w")):close() -- now it would end
  work_until(function() return result end, 80)
  t:equal(result, nil, "though it stands still")
  job:pause(false)
  work_until(function() return result end, 48000)
  t:equal(result and result.out, "done\n")
end)

test("rows of programs are filled with words, and a person's command is words without a shell", function(t)
  local row = programs.speak[1]
  local values = { file = "/tmp/a b.wav", words = 175, pitch50 = 50, volume100 = 100 }
  local words = programs.fill(row, values)
  t:equal(words[#words], "/tmp/a b.wav")
  values.voice = "de; rm -rf"
  t:equal(#programs.fill(row, values), #words + 2)
  t:equal(select(2, programs.fill(programs.speak[3], {})), "flite needs duration_stretch={slowness}")
  t:equal(programs.choose(programs.speak, "cat 'a b' \"$HOME\" c{file}").command,
    { "cat", "a b", "$HOME", "c{file}" })
  t:match(select(2, programs.choose(programs.speak, "espeak")), "did you mean 'espeak%-ng'")
  t:match(select(2, programs.choose(programs.play, "no-such-program {file}")), "not installed")
  t:equal(programs.choose(programs.play, "none"), false)
end)
