--- Speech on the real clock, with programs that speak and play: made here, and espeak-ng where it is installed.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

--- A WAVE file of a tone between two silences, s.
local function write_tone(path, before, tone, after)
  local rate, data = 8000, {}
  local function add(seconds, value)
    for index = 1, math.floor(seconds * rate) do
      data[#data + 1] = string.pack("<i2", index % 20 < 10 and value or -value)
    end
  end
  add(before, 0)
  add(tone, 9000)
  add(after, 0)
  local sound = table.concat(data)
  files.write(path, "RIFF" .. string.pack("<I4", 36 + #sound) .. "WAVEfmt " .. string.pack("<I4I2I2I4I4I2I2", 16, 1, 1, rate,
    rate * 2, 2, 16) .. "data" .. string.pack("<I4", #sound) .. sound)
end

--- A folder with a behavior that says something, and the scripts "speaker" and "player".
local function stage(t, said, speaker, player)
  local folder = t:folder()
  files.write(folder .. "/talk.lua", ([[local brio = require "brio"
    local talk = brio.behavior "talk" { robot = "probo", start = "a" }
    talk.a = { run = function(self) %s end }
    return talk]]):format(said))
  files.write(folder .. "/speaker", "cd " .. folder .. "\n" .. speaker)
  files.write(folder .. "/player", "cd " .. folder .. "\n" .. player)
  return folder
end

local function run(folder, seconds, ...)
  return brio("run", folder .. "/talk.lua", "--for", seconds, "--quiet", "--store", folder .. "/run.db", ...)
end

local function with(folder)
  return "--speak-with", ("sh %s/speaker {file} {words}"):format(folder), "--play-with", ("sh %s/player {file}"):format(folder)
end

test("a program's sound says when words are, and is played as they come", function(t)
  local folder = stage(t, [[self.speech:say("Hello there, 'my' $HOME `friend`. Second.", { rate = 2 }):wait() return "a" ]],
    'cat >>heard; echo "$2" >>rate; cp tone.wav "$1"', 'date +%s.%N >>played; ls "$1" >>names; exec sleep 0.5')
  write_tone(folder .. "/tone.wav", 0.2, 0.6, 0.1)
  t:code(run(folder, 3, with(folder)), 0)
  local heard = files.read(folder .. "/heard") or ""
  t:has(heard, "Hello there, 'my' $HOME `friend`.\nSecond.\n")
  t:has(files.read(folder .. "/rate") or "", "350\n350\n")
  local store = folder .. "/run.db"
  t:check(harness.number(store, "SELECT count(*) FROM faults WHERE source = 'speech'") == 0, "nothing is wrong")
  -- from the piece's beginning, the voice of 0.6 s begins at 0.2 s, a tenth later than the player
  local first = harness.number(store, "SELECT min(w.t) - s.t FROM events w, (SELECT min(t) AS t FROM events WHERE name = 'speaking') s WHERE w.name = 'word'")
  t:check(first and first > 0.27 and first < 0.45, "the first word comes at %s s", tostring(first))
  local last = harness.number(store, "SELECT t FROM events WHERE name = 'word' LIMIT 1 OFFSET 3") - harness.number(store, "SELECT min(t) FROM events WHERE name = 'word'")
  t:check(last > 0.2 and last < 0.7, "four words are within 0.6 s: %g", last)
  local _, plays = (files.read(folder .. "/played") or ""):gsub("\n", "")
  t:check(plays >= 2, "%d sounds were played", plays)
  local left = (files.read(folder .. "/names") or ""):match "^[^\n]+"
  t:check(left and not files.exists(left) and not files.exists(left:match "^(.*)/"), "%s is left", tostring(left))
end)

test("programs that fail or hang leave timed silence, and words; nothing of them is left", function(t)
  local folder = stage(t, [[self.speech:say "One two." self.speech:say "three four." self:await "said" ]],
    "echo no voice here >&2; exit 4", "echo $$ >>players; exec sleep 30")
  local failed = run(folder, 2.5, with(folder))
  t:code(failed, 0)
  t:has(failed.err, "sh failed (4): no voice here")
  t:check(harness.number(folder .. "/run.db", "SELECT count(*) FROM events WHERE name = 'word'") >= 2, "words come all the same")
  files.write(folder .. "/speaker", "echo $$ >" .. folder .. "/speaker.pid; exec sleep 30")
  t:code(run(folder, 1.5, with(folder)), 0)
  local pid = (files.read(folder .. "/speaker.pid") or ""):match "%d+"
  t:check(pid and harness.run("kill -0 " .. pid).code ~= 0, "the program that hangs is gone")
  write_tone(folder .. "/tone.wav", 0, 0.3, 0)
  files.write(folder .. "/speaker", "cp " .. folder .. '/tone.wav "$1"')
  t:code(run(folder, 1.5, with(folder)), 0)
  for player in (files.read(folder .. "/players") or ""):gmatch "%d+" do
    t:check(harness.run("kill -0 " .. player).code ~= 0, "the player %s is gone", player)
  end
  local none = run(folder, 0.3, "--speak-with", "no-such-program")
  t:has(none.err, "there is no program 'no-such-program'")
end)

test("the sounds of a sequence are heard, and where none can be, that is said", function(t)
  local folder = stage(t, 'self:play "chime"', "exit 1", 'echo "$1" >>played')
  files.write(folder .. "/talk.lua", (files.read(folder .. "/talk.lua"):gsub('start = "a"', 'start = "a", sequences = { chime = "chime.lua" }')))
  files.write(folder .. "/chime.lua", 'return { tracks = { NeckPan = { { 0, kind = "input" }, { 0.4, kind = "input" } } }, audio = { { 0.1, "ding.wav" }, { 0.2, "/none/dong.wav", gain = 0.5 } } }')
  t:code(run(folder, 1.5, with(folder)), 0)
  t:equal(files.read(folder .. "/played"), folder .. "/ding.wav\n/none/dong.wav\n", "what is played")
  files.write(folder .. "/player", "echo no card >&2; exit 1")
  local silent = run(folder, 1.5, with(folder))
  t:code(silent, 0)
  local _, count = silent.err:gsub("there is no sound: sh failed %(1%): no card", "")
  t:equal(count, 1, "how often it is said")
end)

test("espeak-ng speaks, where it is installed", function(t)
  if harness.run("command -v espeak-ng").code ~= 0 then t:skip "espeak-ng is not installed" end
  local folder = stage(t, 'self.speech:say("Good morning, my friend.", { voice = "en" }):wait()', "exit 1", "exit 0")
  local spoken = run(folder, 3, "--play-with", "none")
  t:code(spoken, 0)
  t:equal(harness.sql(folder .. "/run.db", "SELECT count(*) FROM events WHERE name = 'word'"), "4", "words")
  t:equal(harness.sql(folder .. "/run.db", "SELECT why FROM speech"), "over", "its end")
  t:equal(harness.sql(folder .. "/run.db", "SELECT count(*) FROM faults WHERE source = 'speech'"), "0", "what is wrong")
end)

harness.done()
