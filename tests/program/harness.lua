--- What black-box tests share: running the program as a user does, and saying what was wrong.
---
---     local harness = require "harness"
---     harness.test("says its version", function(t)
---       local run = harness.brio "--version"
---       t:equal(run.code, 0, "exit code")
---     end)
---     harness.done()
---
--- Each test prints "ok NAME", "not ok NAME" or "skip NAME: WHY"; what was wrong stands before a
--- failed one on lines that start with "#   ".  `lua5.4 FILE PART` runs the tests with PART in
--- their name.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../lib/?.lua;" .. package.path

local files = require "files"

local harness = { files = files }

harness.root = files.output("cd " .. files.quote(here .. "/../..") .. " && pwd -P")
harness.build = os.getenv "BRIO_BUILD" or harness.root .. "/build"
harness.program = os.getenv "BRIO" or harness.build .. "/brio"
harness.scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")

-- ------------------------------------------------------------------ running

local function words(list)
  local quoted = {}
  for i, word in ipairs(list) do quoted[i] = files.quote(tostring(word)) end
  return table.concat(quoted, " ")
end

--- Run a shell command { command, timeout = 60, cwd = , input = }.
--- Return { code, out, err, text = out .. err, seconds }; code 124: it ran too long.
function harness.run(what)
  if type(what) == "string" then what = { what } end
  local folder = files.temporary()
  local input = "/dev/null"
  if what.input then
    input = folder .. "/in"
    files.write(input, what.input)
  end
  local line = ("cd %s && date +%%s.%%N >%s/from && timeout -k 5 %g sh -c %s >%s/out 2>%s/err <%s; "
                .. "echo $? >%s/code; date +%%s.%%N >%s/to")
    :format(files.quote(what.cwd or harness.root), folder, what.timeout or 60, files.quote(what[1]),
            folder, folder, files.quote(input), folder, folder)
  os.execute("{ " .. line .. "; } 2>/dev/null")
  local function told(name) return files.read(folder .. "/" .. name) or "" end
  local run = { code = math.tointeger(tonumber(told "code")), out = told "out", err = told "err",
                seconds = tonumber(told "to") - tonumber(told "from"), command = what[1] }
  run.text = run.out .. run.err
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

local started = {} -- processes of the test that runs, which were not waited for

--- End what a test left running.
local function end_started()
  for process in pairs(started) do
    if not files.exists(process.folder .. "/code") then harness.signal(process, "KILL") end
    started[process] = nil
  end
end

--- Start a shell command in the background.  Return { pid, folder }: see `harness.wait`.
function harness.start(command)
  local folder = files.temporary()
  local line = ("cd %s && { sh -c 'echo $$ >%s/pid; exec \"$@\"' sh %s >%s/out 2>%s/err </dev/null; "
                .. "echo $? >%s/code; } >/dev/null 2>&1 &")
    :format(files.quote(harness.root), folder, command, folder, folder, folder)
  os.execute(line)
  local process = { folder = folder }
  for _ = 1, 200 do
    process.pid = (files.read(folder .. "/pid") or ""):match "%d+"
    if process.pid then
      started[process] = true
      return process
    end
    harness.sleep(0.01)
  end
  error("could not start " .. command)
end

--- Start brio with the given words in the background.
function harness.start_brio(...)
  return harness.start(files.quote(harness.program) .. " " .. words { ... })
end

function harness.sleep(seconds) os.execute(("sleep %.3f"):format(seconds)) end

--- Wait until a background process catches the signals that end a run, 20 s at most, and `more` seconds then.
function harness.ready(process, more)
  for _ = 1, 400 do
    local caught = (files.read("/proc/" .. process.pid .. "/status") or ""):match "SigCgt:%s*(%x+)"
    if caught and tonumber(caught, 16) & 2 ~= 0 then break end -- bit 1: SIGINT
    harness.sleep(0.05)
  end
  harness.sleep(more or 0)
end

--- Send a signal: "INT", "TERM", "KILL".
function harness.signal(process, name) os.execute(("kill -%s %s 2>/dev/null"):format(name, process.pid)) end

--- What a background process has written so far.
function harness.output_of(process)
  return (files.read(process.folder .. "/out") or "") .. (files.read(process.folder .. "/err") or "")
end

--- Wait for a background process; return its exit code (128 + signal), nil when it does not
--- end within `seconds` (it is killed then), and what it wrote.
function harness.wait(process, seconds)
  local code
  started[process] = nil
  for _ = 1, math.ceil(seconds / 0.02) do
    code = math.tointeger(tonumber(files.read(process.folder .. "/code") or ""))
    if code then break end
    harness.sleep(0.02)
  end
  if not code then harness.signal(process, "KILL") end
  local text = harness.output_of(process)
  files.remove(process.folder)
  return code, text
end

-- ------------------------------------------------------------------ a run that people may attach to

--- Wait until a run listens at its socket, or is over; 20 s at most, and `more` seconds then.  `run`: {socket, process}.
function harness.listening(run, more)
  for _ = 1, 1000 do
    if files.output("test -S " .. files.quote(run.socket) .. " && echo yes") == "yes" then break end
    if files.exists(run.process.folder .. "/code") then break end
    harness.sleep(0.02)
  end
  harness.sleep(more or 0)
  return run
end

--- Say lines at the prompt of a run, as from a pipe; further words are those of `brio attach`.
function harness.say(run, lines, ...)
  local list = table.pack("attach", ...)
  list[#list + 1] = run.socket
  return harness.run { files.quote(harness.program) .. " " .. words(list), input = lines .. "\n", timeout = 20 }
end

--- End a run at its prompt, and wait for it.
function harness.ended(run)
  harness.say(run, "stop\nstop")
  return harness.wait(run.process, 20)
end

-- ------------------------------------------------------------------ reading a store

--- Ask the stock sqlite3 program; return its output, columns separated by "|".
function harness.sql(store, query)
  local run = harness.run { ("sqlite3 -batch -cmd %s %s %s"):format(
    files.quote(".load " .. files.quote(harness.build .. "/brio_samples")), files.quote(store), files.quote(query)) }
  if run.code ~= 0 then return nil, run.err end
  return (run.out:gsub("\n$", ""))
end

--- The number that a query answers, or nil.
function harness.number(store, query) return tonumber((harness.sql(store, query))) end

--- Whether a text is one JSON value, as SQLite reads JSON.
function harness.is_json(text)
  local folder = files.temporary()
  files.write(folder .. "/x.json", (text:gsub("%s+$", "")))
  local answer = harness.sql(":memory:", ("select json_valid(cast(readfile('%s/x.json') as text))"):format(folder))
  files.remove(folder)
  return answer == "1"
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

--- Note a failure; the test goes on.
function Test:fail(...)
  self.failures = self.failures + 1
  local info = debug.getinfo(3, "Sl")
  if not info or info.short_src:match "harness" then info = debug.getinfo(2, "Sl") end
  local text = string.format(...)
  if self.failures <= 8 then
    print(("#   %s:%d: %s"):format(info.short_src:match "[^/]*$", info.currentline, text:sub(1, 1500):gsub("\n", "\n#     ")))
  end
end

function Test:equal(got, expected, what)
  if got ~= expected then self:fail("%s is %s, expected %s", what, tostring(got), tostring(expected)) end
  return got == expected
end

--- Fail unless `text` contains `piece` (plain text, unless it begins with "~": a pattern).
function Test:has(text, piece)
  local pattern = piece:match "^~(.*)"
  if not text:find(pattern or piece, 1, not pattern) then
    self:fail("'%s' is not in:\n%s", piece, text:sub(1, 1200))
    return false
  end
  return true
end

--- Fail unless a run ended with this exit code.
function Test:code(run, expected)
  if run.code ~= expected then
    self:fail("exit code %s, expected %d: %s\n%s", tostring(run.code), expected, run.command, run.text:sub(-1000))
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
  started = {} -- what was started outside a test is for all of them
  local good, why = xpcall(body, function(fault)
    return fault == skipped and fault or debug.traceback(tostring(fault), 2)
  end, t)
  if not good and why ~= skipped then
    t.failures = t.failures + 1
    print("#   " .. why:gsub("\n", "\n#     "))
  end
  end_started()
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
