--- An attached program can tell apart a run that ended, an engine that crashed and one that is silent; and a
--- run that goes on after a crash lists what it lacks of the run before.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm", character = { emotion = true } }
made.calm = {}
return made
]]

local script = [[
local brio = require "brio"
return brio.session {
  name = "greeting", slots = { name = { ask = "the child's first name" } },
  steps = { { "welcome", text = "The child sits down." },
    { "ask", cue = "emit asked", text = "Ask for its day." } },
}
]]

local function started(t, folder, ...)
  folder = folder or t:folder()
  local run = { store = folder .. "/x.db", socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/script.lua", script)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", "--rate", 50, "--motor-rate", 200, ...)
  return harness.listening(run)
end

local function attached(t, run)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  local one = pty.start(("exec %s attach %s"):format(harness.program, run.socket), { folder = run.folder })
  one:sees "calm 0:"
  return one
end

test("an engine that is killed is no run that has ended", function(t)
  local run = started(t)
  local one = attached(t, run)
  harness.run { "mkfifo " .. run.folder .. "/said" }
  local command = ("exec %s attach %s <>%s/said"):format(harness.program, run.socket, run.folder)
  local waiting = harness.start(("sh -c '%s'"):format(command))
  harness.await_answer(run, "who", "~pipe.*pipe")
  harness.signal(run.process, "KILL")
  one:sees "the engine is gone: it crashed or was killed"
  t:equal(one:close(), 1, "exit code of the prompt")
  harness.await_output(waiting, "the engine is gone")
  t:equal(harness.wait(waiting), 1, "exit code of the pipe")
  harness.wait(run.process)
end)

test("a run that ends says so, and a prompt ends well", function(t)
  local run = started(t)
  local one = attached(t, run)
  t:equal(harness.ended(run), 0, "exit code of the run")
  one:sees "the run has ended"
  t:equal(one:close(), 0, "exit code of the prompt")
end)

test("an engine that is stopped is silent: the panel says so, and its clocks stop", function(t)
  local run = started(t)
  local one = attached(t, run)
  harness.signal(run.process, "STOP")
  one:sees "silent  no word from the engine for 0:04"
  local stood = one.screen:text():match "calm (0:%d+)"
  one:sees "silent  no word from the engine for 0:07"
  t:equal(one.screen:text():match "calm (0:%d+)", stood, "the clock of the state")
  local asked = harness.start(("sh -c 'echo state | %s attach %s'"):format(harness.program, run.socket))
  harness.await_output(asked, "no answer for 5 s: the engine is stopped, or very busy; still waiting")
  harness.signal(run.process, "CONT")
  harness.await_output(asked, "calm, for")
  one:waits("no silence any more", function(screen) return not screen:text():find("silent", 1, true) end)
  one:type "\4"
  t:equal(one:close(), 0, "exit code of the prompt")
  t:equal(harness.ended(run), 0, "exit code of the run")
end)

test("after a crash the session goes on at its step, and what does not go on is listed", function(t)
  local folder = t:folder()
  local run = started(t, folder, "--session", folder .. "/script.lua", "--snapshots", "0.2")
  local lines = "fill name ann\nstep ask\nfeel 0.5 0.25\ntake head\nin 5000 say hello\nevery 900 emit ping"
  local said = harness.say(run, lines, "--as", "bob")
  t:equal(said.code, 0, "lines: " .. said.text)
  harness.await_row(run.store, "SELECT count(*) FROM snapshots WHERE state GLOB '*emit ping*'")
  harness.signal(run.process, "KILL")
  harness.wait(run.process)
  local function resumed(...)
    local again = harness.brio("run", "--resume", 1, "--store", run.store, "--clock", "fast", "--for", 1, ...)
    t:equal(again.code, 0, "exit code: " .. again.text)
    t:has(again.text, "~not done, send it again: say hello %(in 5000%.0 s from [%d.]+ s on, by bob")
    t:has(again.text, "~not done, send it again: emit ping %(every 900 s, by bob")
    t:has(again.text, "~head, which bob[^\n]* had, is the robot's again")
    t:has(again.text, "~%d things that people did cannot be marked here, nor %d of them taken back")
    return again.text
  end
  local text = resumed("--session", folder .. "/script.lua")
  t:has(text, "the session 'greeting' continues at the step 'ask' with name = ann")
  local function second(query) return harness.sql(run.store, "SELECT " .. query) end
  t:equal(second "group_concat(step) FROM session_steps WHERE run = 2", "ask", "steps")
  t:equal(second "count(*) FROM events WHERE name = 'asked' AND run = 2", "0", "its cue again")
  t:equal(second "operator > 0 FROM emotions WHERE run = 2 ORDER BY t DESC LIMIT 1", "1", "its feeling")
  text = resumed()
  t:has(text, "the session script 'greeting' is not resumed, because it is not loaded now: it was at the \z
    step 'ask'")
  t:has(text, "with name = ann; --session " .. folder .. "/script.lua")
end)

harness.done()
