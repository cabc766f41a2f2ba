--- Finds tests that fail intermittently: runs the suite several times beside busy loops and lists all
--- failures.
---   lua5.4 scripts/flaky.lua [--runs 5] [--busy 8] [--only PART] [--build build]
--- --busy: endless loops that compete for the processor.  Exits with 1 when any test failed in any run.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../tests/lib/?.lua;" .. package.path
local files = require "files"
local uv = require "luv"

local options = { runs = "5", busy = "8", build = "build" }
for i = 1, #arg, 2 do
  local name = arg[i]:match "^%-%-(%a+)$"
  if not name or not arg[i + 1] or not (options[name] or name == "only") then
    io.stderr:write("scripts/flaky.lua: expected --runs N, --busy K, --only PART or --build FOLDER, got ",
      arg[i], "\n")
    os.exit(2)
  end
  options[name] = arg[i + 1]
end
local runs, busy = math.tointeger(tonumber(options.runs)), math.tointeger(tonumber(options.busy))
if not runs or runs < 1 or not busy or busy < 0 then
  io.stderr:write "scripts/flaky.lua: --runs must be a whole number from 1, --busy one from 0\n"
  os.exit(2)
end

local loops, over = {}, false

--- Start the busy loops.  Each is in a session of its own, like suites: a kernel that schedules by sessions
--- gives a loop as much time as a suite.  A loop ends when this script does.
local function start_loops()
  local text = "while kill -0 $1 2>/dev/null; do n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done; done"
  local words = { "-c", text, "sh", ("%d"):format(uv.os_getpid()) }
  local function ended()
    if over then return end
    io.stderr:write "scripts/flaky.lua: a busy loop has ended, so nothing is proved\n"
    os.exit(1)
  end
  for _ = 1, busy do
    loops[#loops + 1] = assert(uv.spawn("sh", { args = words, detached = true }, ended))
  end
end

local function end_loops()
  over = true
  for _, handle in ipairs(loops) do handle:kill "sigkill" end
  uv.run() -- until all have ended
end

--- Run the suite once.  Return its last line, the failures as "suite: test", and the seconds.
local function run_once(folder)
  local names, log = folder .. "/names", folder .. "/log"
  local began, code = uv.hrtime(), nil
  local only = options.only and " --only " .. files.quote(options.only) or ""
  uv.spawn("sh", { args = { "-c", ("exec lua5.4 %s/run.lua --build %s%s --names %s >%s 2>&1"):format(
    files.quote(here .. "/../tests"), files.quote(options.build), only, names, log) } },
      function(exit) code = exit end)
  while not code do uv.run "once" end
  local failed = {}
  for suite, verdict, name in (files.read(names) or ""):gmatch "([^\t\n]*)\t(%a+)\t([^\n]*)\n" do
    if verdict == "failed" then failed[#failed + 1] = suite .. ": " .. name end
  end
  local text = files.read(log) or ""
  if code ~= 0 and #failed == 0 then failed[1] = "tests/run.lua: exited with code " .. code end
  if #failed > 0 then print(text) end
  return text:match "([^\n]*)\n*$", failed, (uv.hrtime() - began) / 1e9
end

local folder = files.temporary()
local counts, order = {}, {}
start_loops()
for run = 1, runs do
  local closing, failed, seconds = run_once(folder)
  print(("run %d of %d beside %d busy loops: %s, %.0f s"):format(run, runs, busy, closing, seconds))
  io.stdout:flush()
  for _, name in ipairs(failed) do
    if not counts[name] then order[#order + 1] = name end
    counts[name] = (counts[name] or 0) + 1
  end
end
end_loops()
files.remove(folder)
table.sort(order, function(a, b) return counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
for _, name in ipairs(order) do print(("failed in %d of %d runs: %s"):format(counts[name], runs, name)) end
print(#order == 0 and "nothing failed" or ("%d tests failed at least once"):format(#order))
os.exit(#order > 0 and 1 or 0)
