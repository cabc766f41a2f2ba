--- Lost records are never reported as stored: a disk that is full, a store that is deleted, and memory that
--- is full.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "panda", start = "calm" }
made.calm = {}
return made
]]

--- A recorded run, in a folder of its own.
local function started(t)
  local folder = t:folder()
  local run = { store = folder .. "/x.db", socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--rate", 50, "--motor-rate", 200)
  harness.listening(run)
  harness.await_row(run.store, "SELECT count(*) FROM runs")
  return run
end

--- Let no file of a run grow, as on a full disk, or let them grow again.
local function limit(t, run, bytes)
  local done = harness.run { ("prlimit --pid %d --fsize=%s"):format(run.process.pid, bytes) }
  if done.code ~= 0 then t:skip "prlimit(1) cannot be used here" end
end

--- Wait until the run has noticed that its store cannot be written.
local function await_loss(run) return harness.await_answer(run, "status json", '"record":"waits"') end

test("a full disk: what is noted meanwhile is told to wait, and is written once there is room", function(t)
  local run = started(t)
  t:has(harness.say(run, "note before").out, "~^noted at")
  limit(t, run, "4096:unlimited")
  local status = await_loss(run)
  t:has(status.out, '"recorded":false')
  local said = harness.say(run, "note meanwhile\n1 + 1\nstatus")
  t:has(said.out, "~^taken at [%d.]+ s\nnot recorded yet, it waits in memory: the run store cannot be \z
    written: ")
  t:has(said.out, "~\n2\nnot recorded yet, it waits in memory")
  t:has(said.out, "~record   NOT WRITTEN, waits in memory: [^\n]*x%.db")
  t:check(not said.out:find "noted at", "it says that it is noted: %s", said.out)
  if pty.is_here() then
    local one = pty.start(("exec %s attach %s"):format(files.quote(harness.program), run.socket),
      { folder = run.folder })
    one:sees "record  NOT WRITTEN, waits in memory: x.db"
    one:waits("the loss in the line below the title", function(screen)
      return screen:text():find "%-%- [^\n]*\nrecord  NOT WRITTEN"
        or screen:text():find "\u{2500} [^\n]*\nrecord  NOT WRITTEN"
    end)
    one:type "\4"
    one:close()
  end
  harness.await_output(run.process, "~cannot be written.*cannot be written") -- again, while it goes on
  limit(t, run, "unlimited:unlimited")
  harness.await_output(run.process, "the run store is written again")
  harness.await_row(run.store, "SELECT count(*) FROM notes WHERE text = 'meanwhile'")
  harness.await_answer(run, "status json", '"recorded":true')
  t:has(harness.say(run, "note after").out, "~^noted at")
  t:equal(harness.ended(run), 0, "exit code")
  t:equal(harness.sql(run.store, "SELECT group_concat(text) FROM notes"), "before,meanwhile,after", "notes")
  t:equal(harness.sql(run.store, "SELECT count(*) FROM faults WHERE source = 'store'"), "2",
    "faults of the store")
end)

test("a store that is deleted is no record, and where memory is full, too, a note is refused", function(t)
  local run = started(t)
  harness.run { "rm -f " .. run.store .. "*" }
  await_loss(run)
  t:has(harness.say(run, "note short").out,
    "not recorded yet, it waits in memory: the run store cannot be written: ")
  local long = {}
  for index = 1, 40 do long[index] = "note " .. ("x"):rep(60000) end
  local said = harness.say(run, table.concat(long, "\n") .. "\nstatus json")
  t:has(said.err, "NOT noted, there is no room for it: " .. run.store .. " was removed or replaced")
  t:has(said.out, '"record":"lost"')
  t:has(said.out, '"recorded":false')
  harness.say(run, "stop\nstop")
  local code, text = harness.wait(run.process)
  t:equal(code, 1, "exit code")
  t:has(text, "rows were lost")
  t:has(text, ("run 1 is NOT recorded: %s is gone"):format(run.store))
  t:check(not text:find "recorded as run", "it says that it is recorded: %s", text)
end)

test("without a store nothing is noted", function(t)
  local folder = t:folder()
  local run = { socket = folder .. "/x.sock" }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", "none", "--socket", run.socket,
    "--rate", 50, "--motor-rate", 200)
  harness.listening(run)
  t:has(harness.say(run, "note nobody keeps this").err, "not noted: this run is not recorded")
  t:has(harness.say(run, "status json").out, '"record":"off"')
  t:equal(harness.ended(run), 0, "exit code")
end)

harness.done()
