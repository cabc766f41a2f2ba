--- Playback, from outside: the prompt's words that play, stop, mix and explain; `brio check` of sequences;
--- saved sequences reloaded; and the store's answers later.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files
local say = harness.say

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" {
  robot = "pepper", start = "calm", sequences = { hum = "hum.lua" }, keys = { n = { play = "nod", mode = "toggle" } },
}
made.calm = { wants = { brio.want.joint_limits {} } }
made.power_off = { lasts = 0.1 }
return made
]]

local hum = "return {\n  loop = { 0, 50 },\n  tracks = {\n    HeadYaw = {\n      { 0, 0.2 },\n      { 50, \z
  0.2 },\n    },\n  },\n}\n"

--- Start a run with a socket and a store in a folder of its own.
local function started(t)
  local folder = t:folder()
  local run = { folder = folder, store = folder .. "/x.db", socket = folder .. "/x.sock" }
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/hum.lua", hum)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet")
  return harness.listening(run)
end

local function says(t, run, line, piece)
  local answer = say(run, line)
  t:code(answer, 0)
  t:has(answer.out, piece)
end

local function refuses(t, run, line, piece)
  local answer = say(run, line)
  t:code(answer, 3)
  t:has(answer.err, piece)
end

test("people play, mix, ask why and stop, and the store knows it later", function(t)
  local run = started(t)
  says(t, run, "play", "~can be played: [%w_, ]*hum, nod,[%w_, ]* wave")
  says(t, run, "play hum", "plays hum")
  harness.await_answer(run, "why HeadYaw", "HeadYaw has the command 0.2000 rad; hum owns it")
  says(t, run, 'why("HeadYaw")', "hum, in sequences: 0.2000")
  says(t, run, "play", "~hum +sequences +0 .- loops")
  refuses(t, run, "play hun", "did you mean 'hum'")
  refuses(t, run, "play hum { speed = -1 }", "speed must be")
  refuses(t, run, "why HeadYav", "did you mean 'HeadYaw'")
  says(t, run, "mix hum gain 0.5", "hum: gain 0.5")
  harness.await_answer(run, "why HeadYaw", "has the command 0.1000")
  says(t, run, "mix", "~hum +sequences +operator +0%.5")
  says(t, run, "mix hum gain 1", "gain 1")
  says(t, run, "mix hum mask head", "hum: mask head")
  harness.await_answer(run, "why HeadYaw", "masked")
  says(t, run, "mix hum unmask head", "unmask head")
  says(t, run, "mix slide HeadPitch 0.2", "HeadPitch: slider at 0.2")
  says(t, run, "mix combination mute", "combination: mute")
  harness.await_answer(run, "why HeadPitch", "has the command 0.2000")
  says(t, run, "mix combination unmute", "unmute")
  says(t, run, "mix slide HeadPitch off", "its slider is gone")
  says(t, run, "mix mode literal", "the mean is literal")
  says(t, run, "mix mode normalized", "normalized")
  refuses(t, run, "mix hum gain 9", "from 0 to 4")
  refuses(t, run, "mix hun gain 1", "no channel 'hun'")
  refuses(t, run, "mix hum gian 1", "did you mean 'gain'")
  says(t, run, "key n", "plays nod")
  refuses(t, run, "key x", "no key 'x'")
  files.write(run.folder .. "/hum.lua", (hum:gsub("0%.2", "0.3")))
  harness.await_answer(run, "why HeadYaw", "has the command 0.3000")
  refuses(t, run, "stop hun", "did you mean 'hum'")
  says(t, run, "stop hum 0.1", "stops hum")
  harness.await_answer(run, "why HeadYaw", "no source moves it")
  refuses(t, run, "stop hum", "nothing plays")
  says(t, run, "stop", "the run ends")
  harness.wait(run.process)
  local rows = brio("sql", "SELECT owner FROM ownership WHERE dof = 'HeadYaw'", "--store", run.store)
  t:has(rows.text, "hum")
  t:has(brio("sql", "SELECT command, arguments FROM operator WHERE command = 'mix'", "--store",
    run.store).text, "hum gain 0.5")
end)

test("check looks at sequences: faults with their lines, and warnings that pass", function(t)
  local file = t:folder() .. "/hum.lua"
  files.write(file, hum)
  local run = brio("check", file)
  t:code(run, 0)
  t:has(run.text, "good")
  run = brio("check", file, "--robot", "pepper")
  t:code(run, 0)
  t:has(run.text, ":5: warning: track 'HeadYaw', key 1: does not begin with input")
  files.write(file, (hum:gsub("0%.2", "9")))
  run = brio("check", file, "--robot", "pepper")
  t:has(run.text, "beyond the DOF's range")
  files.write(file, (hum:gsub("HeadYaw", "HeadYow")))
  run = brio("check", file, "--robot", "pepper")
  t:code(run, 3)
  t:has(run.text, ":4: track 'HeadYow': robot 'pepper' has no such DOF (did you mean 'HeadYaw'?)")
  files.write(file, (hum:gsub("{ 50, 0.2 }", "{ 0, 0.2 }")))
  run = brio("check", file)
  t:code(run, 3)
  t:has(run.text, "tracks.HeadYaw[2] is at 0 s, which must be after")
  files.write(file, "return { tracks = { HeadYaw = { { 0, 0 }, { 0.1, 1.5 } } } }")
  run = brio("check", file, "--robot", "pepper", "--json")
  t:code(run, 0)
  t:has(run.text, "is as fast as 15 rad/s")
end)

test("a behavior whose sequence is wrong does not run, and says so", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  local run = brio("run", folder .. "/made.lua", "--for", "1", "--clock", "fast", "--store", "none")
  t:check(run.code ~= 0, "it ran without its sequence")
  t:has(run.text, "hum.lua")
  files.write(folder .. "/hum.lua", "return { tracks = { HeadYaw = {} } }")
  run = brio("check", folder .. "/made.lua")
  t:code(run, 3)
  t:has(run.text, "hum.lua: tracks.HeadYaw has no keys")
end)

harness.done()
