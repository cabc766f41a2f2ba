--- Shared by black-box tests: they run the program as a user does, and report what was wrong.
---
---     local harness = require "harness"
---     harness.test("says its version", function(t)
---       local run = harness.brio "--version"
---       t:equal(run.code, 0, "exit code")
---     end)
---     harness.done()
---
--- Each test prints "ok NAME", "not ok NAME" or "skip NAME: WHY"; lines that start with "#   " before a
--- failed one say what was wrong.  `lua5.4 FILE PART` runs the tests with PART in
--- their name.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../lib/?.lua;" .. package.path

local files = require "files"
local uv = require "luv"

local harness = { files = files }

harness.root = files.output("cd " .. files.quote(here .. "/../..") .. " && pwd -P")
harness.build = os.getenv "BRIO_BUILD" or harness.root .. "/build"
harness.program = os.getenv "BRIO" or harness.build .. "/brio"
harness.scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")

-- ------------------------------------------------------------------ waiting

--- The timeout of any wait, s.  It is a watchdog, not a promise: over ten times the longest wait, so that no
--- test fails on a busy machine.
harness.patience = 240

--- Let time pass while what was started goes on.  A test that waits for something uses `harness.await`; this
--- is for pauses that are part of the test: between two keys, or a silence.
function harness.sleep(seconds)
  local timer, over = uv.new_timer(), false
  uv.update_time()
  -- Repeated: a timer that is due when `uv.run` begins fires first, and then `uv.run` blocks until there is
  -- another event.
  timer:start(math.max(0, math.ceil(seconds * 1000)), 10, function() over = true end)
  while not over do uv.run "once" end
  timer:close()
end

--- Wait until `condition()` returns something true; return that.  After `harness.patience` (or
--- `options.seconds`) the test fails with `what`, and with `options.seen()`, which describes the state.
--- `options.stop()` returns a reason to give up earlier, a sentence.
function harness.await(what, condition, options)
  options = options or {}
  local patience = options.seconds or harness.patience
  local till = uv.hrtime() + patience * 1e9
  while true do
    local began = uv.hrtime()
    local got = condition()
    if got then return got end
    local took = (uv.hrtime() - began) / 1e9
    local why = options.stop and options.stop() or uv.hrtime() > till and ("waited for %g s"):format(patience)
    if why then
      local seen = options.seen and options.seen()
      error(("%s: %s%s"):format(why, what, seen and ("; instead: " .. tostring(seen):sub(-1500)) or ""), 2)
    end
    -- the condition may start a process: a seventh of a core at most
    harness.sleep(math.max(0.01, math.min(0.25, 6 * took)))
  end
end

--- Wait until a path exists: a file, a socket, a device.
function harness.await_path(path, options)
  harness.await(path .. " to be there", function() return uv.fs_stat(path) end, options)
  return path
end

--- Wait until a file contains a text ("~": a pattern); return the file's text.
function harness.await_text(path, piece, options)
  options = options or {}
  options.seen = options.seen or function() return files.read(path) or "no such file" end
  return harness.await(("'%s' in %s"):format(piece, path), function()
    local text = files.read(path)
    return text and harness.contains(text, piece) and text
  end, options)
end

--- Whether `text` contains `piece` (plain text, unless it begins with "~": a pattern).
function harness.contains(text, piece)
  local pattern = piece:match "^~(.*)"
  return text:find(pattern or piece, 1, not pattern) ~= nil
end

-- ------------------------------------------------------------------ running

local function words(list)
  local quoted = {}
  for i, word in ipairs(list) do quoted[i] = files.quote(tostring(word)) end
  return table.concat(quoted, " ")
end

local started = {} -- processes of the running test that were not waited for

--- Start a shell command line: { line, folder = where its output goes, cwd, input, detached }.
local function spawn(what)
  local input = assert(uv.fs_open(what.input or "/dev/null", "r", 0))
  local out = assert(uv.fs_open(what.folder .. "/out", "w", 420))
  local err = assert(uv.fs_open(what.folder .. "/err", "w", 420))
  local process = { folder = what.folder, began = uv.hrtime() }
  process.handle, process.pid = assert(uv.spawn("sh", {
    args = { "-c", what[1] }, cwd = what.cwd or harness.root, detached = what.detached,
      stdio = { input, out, err },
  }, function(code, signal)
    process.code, process.seconds = signal > 0 and 128 + signal or code, (uv.hrtime() - process.began) / 1e9
    process.handle:close()
  end))
  for _, fd in ipairs { input, out, err } do uv.fs_close(fd) end
  return process
end

local function output(process, name) return files.read(process.folder .. "/" .. name) or "" end

--- Run a shell command { command, timeout = patience (s), cwd = , input = }.
--- Return { code, out, err, text = out .. err, seconds }; code 124: it ran too long.
function harness.run(what)
  if type(what) == "string" then what = { what } end
  local folder = files.temporary()
  if what.input then files.write(folder .. "/in", what.input) end
  local timeout = math.max(what.timeout or 0, harness.patience)
  local process = spawn { what[1], folder = folder, cwd = what.cwd, input = what.input and folder .. "/in",
    detached = true }
  local timer, late = uv.new_timer(), false
  timer:start(timeout * 1000, 0, function()
    late = true
    uv.kill(-process.pid, "sigkill")
  end)
  while not process.code do uv.run "once" end
  timer:close()
  local run = { code = late and 124 or process.code, out = output(process, "out"),
    err = output(process, "err"),
                seconds = process.seconds, command = what[1] }
  run.text = run.out .. run.err .. (late and ("\n(ended by the test after %g s)"):format(timeout) or "")
  files.remove(folder)
  return run
end

--- Run brio with the given words; the last may be a table of options for `harness.run`.
function harness.brio(...)
  local list = { ... }
  local options = type(list[#list]) == "table" and table.remove(list) or {}
  options[1] = "exec " .. files.quote(harness.program) .. " " .. words(list)
  return harness.run(options)
end

--- End the processes that a test left running.
function harness.end_started()
  for process in pairs(started) do
    if not harness.has_ended(process) then harness.signal(process, "KILL") end
    files.remove(process.folder)
    started[process] = nil
  end
end

--- Start a shell command in the background: one program with its words.  Return a process: see
--- `harness.wait`.
function harness.start(command)
  local process = spawn { "exec " .. command, folder = files.temporary() }
  started[process] = true
  return process
end

--- Start brio with the given words in the background.
function harness.start_brio(...)
  return harness.start(files.quote(harness.program) .. " " .. words { ... })
end

--- Whether a background process has ended.
function harness.has_ended(process)
  uv.run "nowait"
  return process.code ~= nil
end

--- Wait until a background process catches the signals that end a run.
function harness.ready(process)
  harness.await("a run that can be ended by a signal", function()
    local caught = (files.read("/proc/" .. process.pid .. "/status") or ""):match "SigCgt:%s*(%x+)"
    return caught and tonumber(caught, 16) & 2 ~= 0 or harness.has_ended(process) -- bit 1: SIGINT
  end, { seen = function() return harness.output_of(process) end })
end

--- Send a signal: "INT", "TERM", "KILL".
function harness.signal(process, name)
  if not harness.has_ended(process) then uv.kill(tonumber(process.pid), "sig" .. name:lower()) end
end

--- The output of a background process so far.
function harness.output_of(process) return output(process, "out") .. output(process, "err") end

--- Wait until a background process has printed a text ("~": a pattern); return its whole output.
function harness.await_output(process, piece, options)
  options = options or {}
  options.seen = options.seen or function() return harness.output_of(process) end
  options.stop = options.stop or function()
    return process.code and not harness.contains(harness.output_of(process), piece)
      and ("it ended with code %d before"):format(process.code)
  end
  return harness.await(("it to say '%s'"):format(piece), function()
    local text = harness.output_of(process)
    return harness.contains(text, piece) and text
  end, options)
end

--- Wait for a background process; return its exit code (128 + signal), nil after a timeout (it is killed
--- then), and its output.
function harness.wait(process, seconds)
  local till = uv.hrtime() + math.max(seconds or 0, harness.patience) * 1e9
  started[process] = nil
  while not harness.has_ended(process) and uv.hrtime() < till do harness.sleep(0.01) end
  local code = process.code
  if not code then harness.signal(process, "KILL") end
  local text = harness.output_of(process)
  files.remove(process.folder)
  return code, text
end

-- ------------------------------------------------------------------ a run that people may attach to

--- Wait until a run listens at its socket, or has ended.  `run`: {socket, process}.
function harness.listening(run)
  harness.await("a run that listens at " .. run.socket, function()
    local there = uv.fs_stat(run.socket)
    return there and there.type == "socket" or harness.has_ended(run.process)
  end, { seen = function() return harness.output_of(run.process) end })
  return run
end

--- Send lines to the prompt of a run, as from a pipe; further words are those of `brio attach`.
function harness.say(run, lines, ...)
  local list = table.pack("attach", ...)
  list[#list + 1] = run.socket
  return harness.run { "exec " .. files.quote(harness.program) .. " " .. words(list), input = lines .. "\n" }
end

--- Send a line to the prompt of a run until its answer contains a text ("~": a pattern); return that answer.
--- The line is sent repeatedly, so it should be a query without side effects.
function harness.await_answer(run, line, piece, ...)
  local answer
  local options = table.pack(...)
  return harness.await(("'%s' in the answer to '%s'"):format(piece, line), function()
    answer = harness.say(run, line, table.unpack(options))
    return harness.contains(answer.out, piece) and answer
  end, { seen = function() return answer.text end,
    stop = function() return harness.has_ended(run.process) and "the run ended" end })
end

--- End a run at its prompt, and wait for it.
function harness.ended(run)
  harness.say(run, "stop\nstop")
  return harness.wait(run.process)
end

-- ------------------------------------------------------------------ reading a store

--- Query a store with the stock sqlite3 program; return its output, columns separated by "|".
function harness.sql(store, query)
  local run = harness.run { ("sqlite3 -batch -cmd %s %s %s"):format(
    files.quote(".load " .. files.quote(harness.build .. "/brio_samples")), files.quote(store),
      files.quote(query)) }
  if run.code ~= 0 then return nil, run.err end
  return (run.out:gsub("\n$", ""))
end

--- The number that a query returns, or nil.
function harness.number(store, query) return tonumber((harness.sql(store, query))) end

--- Whether a text is one JSON value, as SQLite reads JSON.
function harness.is_json(text)
  local folder = files.temporary()
  files.write(folder .. "/x.json", (text:gsub("%s+$", "")))
  local answer = harness.sql(":memory:",
    ("select json_valid(cast(readfile('%s/x.json') as text))"):format(folder))
  files.remove(folder)
  return answer == "1"
end

--- Wait until a query returns a text that is neither empty nor 0; return it.  The store may not exist yet.
function harness.await_row(store, query, options)
  local last, why
  options = options or {}
  options.seen = options.seen or function() return last or why or "nothing" end
  return harness.await("an answer of " .. query, function()
    if not uv.fs_stat(store) then return nil end
    last, why = harness.sql(store, query)
    if last and last ~= "" and last ~= "0" then return last end
  end, options)
end

--- Wait until `seconds` of robot time have passed in the newest run of a store.
function harness.go_on(store, seconds)
  local newest = "(SELECT max(t1) FROM solve_blocks WHERE run = (SELECT max(id) FROM runs))"
  local from = uv.fs_stat(store) and harness.number(store, "SELECT " .. newest) or 0
  return harness.await_row(store, ("SELECT %s >= %.6f"):format(newest, from + seconds))
end

-- ------------------------------------------------------------------ files of others

--- Return the folder of shared reference data, or nil when this machine has none.
function harness.shared()
  local folder = os.getenv "BRIO_SHARED" or harness.root .. "/../shared"
  return files.exists(folder .. "/data/README.md") and folder or nil
end

-- ------------------------------------------------------------------ testing

local Test = {}
Test.__index = Test

local skipped = {} -- raised to leave a test that cannot run here

--- Fail the test unless `condition` holds.
function Test:check(condition, ...)
  if not condition then self:fail(...) end
  return condition
end

--- Record a failure; the test goes on.
function Test:fail(...)
  self.failures = self.failures + 1
  local info = debug.getinfo(3, "Sl")
  if not info or info.short_src:match "harness" then info = debug.getinfo(2, "Sl") end
  local text = string.format(...)
  if self.failures <= 8 then
    print(("#   %s:%d: %s"):format(info.short_src:match "[^/]*$", info.currentline,
      text:sub(1, 1500):gsub("\n", "\n#     ")))
  end
end

function Test:equal(got, expected, what)
  if got ~= expected then self:fail("%s is %s, expected %s", what, tostring(got), tostring(expected)) end
  return got == expected
end

--- Fail unless `text` contains `piece` (plain text, unless it begins with "~": a pattern).
function Test:has(text, piece)
  if not harness.contains(text, piece) then
    self:fail("'%s' is not in:\n%s", piece, text:sub(1, 1200))
    return false
  end
  return true
end

--- Fail unless a run ended with this exit code.
function Test:code(run, expected)
  if run.code ~= expected then
    self:fail("exit code %s, expected %d: %s\n%s", tostring(run.code), expected, run.command,
      run.text:sub(-1000))
  end
  return run.code == expected
end

--- Leave the test, which cannot run here.
function Test:skip(why)
  self.why = why
  error(skipped)
end

--- A folder that is removed when the test ends.
function Test:folder()
  local folder = files.temporary()
  table.insert(self.folders, folder)
  return folder
end

local failed = 0

--- Run one test, unless the command line asks for others.
function harness.test(name, body)
  if arg[1] and not name:find(arg[1], 1, true) then return end
  local t = setmetatable({ name = name, failures = 0, folders = {} }, Test)
  started = {} -- processes started outside a test serve all tests
  local good, why = xpcall(body, function(fault)
    return fault == skipped and fault or debug.traceback(tostring(fault), 2)
  end, t)
  if not good and why ~= skipped then
    t.failures = t.failures + 1
    print("#   " .. why:gsub("\n", "\n#     "))
  end
  harness.end_started()
  for _, folder in ipairs(t.folders) do files.remove(folder) end
  if t.failures > 0 then
    failed = failed + 1
    print("not ok " .. name)
  elseif t.why then print(("skip %s: %s"):format(name, t.why))
  else print("ok " .. name) end
  io.stdout:flush()
end

--- End the file of tests, with its exit code.
function harness.done() os.exit(failed > 0 and 1 or 0) end

return harness
