--- Speech on the real clock, with programs that synthesize and play: test scripts, and espeak-ng where it is
--- installed.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
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
  files.write(path, "RIFF" .. string.pack("<I4", 36 + #sound) .. "WAVEfmt "
    .. string.pack("<I4I2I2I4I4I2I2", 16, 1, 1, rate,
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

--- Start a run of a folder's behavior on the real clock.
local function start(folder, ...)
  local process = harness.start_brio("run", folder .. "/talk.lua", "--quiet", "--store", folder .. "/run.db",
    ...)
  process.store = folder .. "/run.db"
  return process
end

--- End a run; return its output.
local function stop(t, process)
  harness.signal(process, "INT")
  local code, said = harness.wait(process)
  t:equal(code, 0, "exit code of the run: " .. said)
  return said
end

local function with(folder)
  return "--speak-with", ("sh %s/speaker {file} {words}"):format(folder), "--play-with",
    ("sh %s/player {file}"):format(folder)
end

--- Wait until a process does not exist any more.
local function is_gone(pid)
  harness.await("the program " .. pid .. " to be gone", function()
    return harness.run("kill -0 " .. pid).code ~= 0
  end)
end

test("a program's sound says when words are, and is played as they come", function(t)
  local folder = stage(t,
    [[self.speech:say("Hello there, 'my' $HOME `friend`. Second.", { rate = 2 }):wait() return "a" ]],
    'cat >>heard; echo "$2" >>rate; cp tone.wav "$1"',
      'date +%s.%N >>played; ls "$1" >>names; exec sleep 0.5')
  write_tone(folder .. "/tone.wav", 0.2, 0.6, 0.1)
  local process = start(folder, with(folder))
  local store = process.store
  harness.await_text(folder .. "/heard", "Hello there, 'my' $HOME `friend`.\nSecond.\n")
  harness.await_text(folder .. "/rate", "350\n350\n")
  harness.await_text(folder .. "/played", "~\n[%d.]+\n")
  harness.await_row(store, "SELECT count(*) >= 4 FROM events WHERE name = 'word'")
  stop(t, process)
  t:check(harness.number(store, "SELECT count(*) FROM faults WHERE source = 'speech'") == 0,
    "nothing is wrong")
  -- due events come with the next tick, which the machine may have delayed this much
  local stall = harness.number(store, "SELECT max(gap) FROM (SELECT t - lag(t) OVER (ORDER BY t) AS gap \z
    FROM solves)")
  -- from the piece's beginning, the voice of 0.6 s begins at 0.2 s, a tenth later than the player
  local first = harness.number(store, "SELECT min(w.t) - s.t FROM events w, "
    .. "(SELECT min(t) AS t FROM events WHERE name = 'speaking') s WHERE w.name = 'word'")
  t:check(first and first > 0.27 and first < 0.45 + stall, "the first word comes at %s s, stalled for %g",
    tostring(first), stall)
  local last = harness.number(store, "SELECT t FROM events WHERE name = 'word' LIMIT 1 OFFSET 3")
    - harness.number(store, "SELECT min(t) FROM events WHERE name = 'word'")
  t:check(last > 0.2 - stall and last < 0.7 + stall, "four words are within 0.6 s: %g, stalled for %g", last,
    stall)
  local left = (files.read(folder .. "/names") or ""):match "^[^\n]+"
  t:check(left and not files.exists(left) and not files.exists(left:match "^(.*)/"), "%s is left",
    tostring(left))
end)

test("programs that fail or hang leave timed silence, and words; nothing of them is left", function(t)
  local folder = stage(t, [[self.speech:say "One two." self.speech:say "three four." self:await "said" ]],
    "echo no voice here >&2; exit 4", "echo $$ >>players; exec sleep 30")
  local process = start(folder, with(folder))
  harness.await_output(process, "sh failed (4): no voice here")
  -- they come nevertheless
  harness.await_row(process.store, "SELECT count(*) >= 2 FROM events WHERE name = 'word'")
  stop(t, process)
  files.write(folder .. "/speaker", "echo $$ >" .. folder .. "/speaker.pid; exec sleep 900")
  process = start(folder, with(folder))
  local pid = harness.await_text(folder .. "/speaker.pid", "~%d+\n"):match "%d+"
  stop(t, process)
  is_gone(pid)
  write_tone(folder .. "/tone.wav", 0, 0.3, 0)
  files.write(folder .. "/player", "cd " .. folder .. "; echo $$ >>players; exec sleep 900")
  files.write(folder .. "/speaker", "cp " .. folder .. '/tone.wav "$1"')
  process = start(folder, with(folder))
  harness.await_text(folder .. "/players", "~%d+\n")
  stop(t, process)
  for player in files.read(folder .. "/players"):gmatch "%d+" do is_gone(player) end
  local none = brio("run", folder .. "/talk.lua", "--for", 0.1, "--quiet", "--store", "none",
    "--speak-with", "no-such-program")
  t:has(none.err, "there is no program 'no-such-program'")
end)

test("the sounds of a sequence are heard, and where none can be, that is said", function(t)
  local folder = stage(t, 'self:play "chime"', "exit 1", 'echo "$1" >>played')
  files.write(folder .. "/talk.lua",
    (files.read(folder .. "/talk.lua"):gsub('start = "a"',
      'start = "a", sequences = { chime = "chime.lua" }')))
  files.write(folder .. "/chime.lua", [[return {
    tracks = { NeckPan = { { 0, kind = "input" }, { 0.4, kind = "input" } } },
    audio = { { 0.1, "ding.wav" }, { 0.2, "/none/dong.wav", gain = 0.5 } },
  }]])
  local process = start(folder, with(folder))
  harness.await_text(folder .. "/played", "dong.wav\n")
  stop(t, process)
  t:equal(files.read(folder .. "/played"), folder .. "/ding.wav\n/none/dong.wav\n", "what is played")
  files.write(folder .. "/player", "echo no card >&2; exit 1")
  process = start(folder, with(folder))
  harness.await_output(process, "there is no sound: sh failed (1): no card")
  harness.go_on(process.store, 0.5) -- the other sound plays, too
  local _, count = stop(t, process):gsub("there is no sound: sh failed %(1%): no card", "")
  t:equal(count, 1, "how often it is said")
end)

test("espeak-ng speaks, where it is installed", function(t)
  if harness.run("command -v espeak-ng").code ~= 0 then t:skip "espeak-ng is not installed" end
  local folder = stage(t, 'self.speech:say("Good morning, my friend.", { voice = "en" }):wait()', "exit 1",
    "exit 0")
  local process = start(folder, "--play-with", "none")
  harness.await_row(process.store, "SELECT why FROM speech")
  stop(t, process)
  t:equal(harness.sql(process.store, "SELECT count(*) FROM events WHERE name = 'word'"), "4", "words")
  t:equal(harness.sql(process.store, "SELECT why FROM speech"), "over", "its end")
  t:equal(harness.sql(process.store, "SELECT count(*) FROM faults WHERE source = 'speech'"), "0",
    "what is wrong")
end)

harness.done()
