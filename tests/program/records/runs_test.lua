--- Names of runs: every command accepts the same names, of runs in a store and of live runs
--- (docs/analysis/runs.md); and `brio attach` starts ssh only for a possible host name, reports that, and
--- waits for it no longer than reported.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, files = harness.test, harness.files

local folder = files.temporary()
local store = folder .. "/runs.db"
local brio = files.quote(harness.program)

local function write_behavior(name)
  files.write(("%s/%s.lua"):format(folder, name), ([[
local brio = require "brio"
local made = brio.behavior "%s" { robot = "pepper", start = "calm" }
made.calm = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.3 } } }
return made
]]):format(name))
end

for _, name in ipairs { "alpha", "beta" } do
  write_behavior(name)
  assert(harness.brio("run", ("%s/%s.lua"):format(folder, name), "--store", store, "--for", "0.4", "--clock",
    "fast").code == 0)
end

-- Each row: the words of a command with RUN for the run, and its output for run 1 (nil: its output for `1`).
local commands = {
  { "history", "--run", "RUN" }, { "at", "RUN", "0.1" }, { "quality", "RUN", "--dof", "HeadYaw" },
  { "plot", "RUN", "--dof", "HeadYaw", "--panel", "dofs" },
    { "export", "RUN", "--as", "csv", "--table", "samples", "--out", "-" },
  { "liven", "RUN", "--dof", "HeadYaw" }, { "replay", "RUN", "--json" },
}

--- The output of a command for a run, without the parts that differ from call to call.
local function said(words, run, ...)
  local list = {}
  for index, word in ipairs(words) do list[index] = word == "RUN" and run or word end
  for _, word in ipairs { ... } do list[#list + 1] = word end
  local answer = harness.brio(table.unpack(list))
  return answer, (answer.text:gsub('"cpu":[%d.e-]+', ""):gsub('"wall":[%d.e-]+', ""))
end

test("every command takes the same names of a run that is recorded", function(t)
  for _, words in ipairs(commands) do
    local first, expected = said(words, "1", "--store", store)
    t:check(first.text ~= "", "%s prints nothing", words[1])
    for _, name in ipairs { "alpha", store .. "#1" } do
      local answer, got = said(words, name, table.unpack(name == "alpha" and { "--store", store } or {}))
      t:equal(answer.code, first.code, ("%s %s: exit code (%s)"):format(words[1], name, answer.err))
      t:equal(got, expected, words[1] .. " " .. name)
    end
  end
  for _, name in ipairs { store, store .. "#", store .. "#last", store .. "#beta", store .. "#2" } do
    t:has(harness.brio("history", "--run", name).out, "~^run 2: ")
  end
  t:has(harness.brio("history", "alpha", "--store", store).out, "~^run 1: ")
  t:has(harness.brio("history", "verions").err, "history has no word 'verions' (did you mean 'versions'?)")
  t:has(harness.brio("plot", store, "--panel", "dofs").out, "run 2: beta.lua on pepper")
end)

test("a name that means no run is refused, with what was expected", function(t)
  for index = 1, #commands, 3 do
    local words = commands[index]
    local answer = said(words, "gamma", "--store", store)
    t:check(answer.code ~= 0, "%s takes gamma", words[1])
    t:has(answer.err, "'gamma' is no run of this store: a number, last,")
  end
  t:has(harness.brio("at", folder .. "/none.db#1", "0.1").err, "none.db is not a run store")
  t:has(harness.brio("at", store .. "#1", "0.1", "--store", folder .. "/other.db").err,
    "is in another store than --store")
  t:has(harness.brio("at", "9", "0.1", "--store", store).err, "there is no run 9")
end)

test("sets of runs take these names too, and the store's", function(t)
  local function prints(piece, ...)
    local answer = harness.brio(...)
    t:code(answer, 0)
    t:has(answer.out, piece)
  end
  prints("A: alpha, 1 run (1)", "compare", store .. "#alpha", "beta", "--no-motion")
  prints("B: 2, 1 run (2)", "compare", "1", "2", "--store", store, "--no-motion")
  prints("run 1 at", "search", "calm", "--kind", "state", "--runs", store .. "#alpha")
  prints("~^run +started_at.-\n *2 [^\n]*\n\nrun 2: ", "history", "--of", store .. "#beta")
  prints("~\n *1 .-the samples of 1 run would go", "prune", "--runs", store .. "#1-2", "--keep", "beta",
    "--samples")
  t:has(harness.brio("compare", store .. "#1", folder .. "/alpha.lua#2").err, "is not a run store")
  assert(uv.fs_copyfile(store, folder .. "/other.db"))
  local answer = harness.brio("compare", store .. "#1", folder .. "/other.db#2")
  t:code(answer, 1)
  t:has(answer.err, ("other.db#2' is in another store than %s"):format(store))
end)

test("a motion and recorded operators are found by these names", function(t)
  local out = folder .. "/led.lua"
  for _, words in ipairs { { store .. "#alpha" }, { store, "--clip", "alpha" }, { store, "--clip", "1" },
    { store, "--clip", "alpha@0-9" } } do
    t:code(harness.brio("import", words[1], "--robot", "pepper", "--out", out, table.unpack(words, 2)), 0)
    local text = files.read(out)
    t:has(text, "HeadYaw")
    os.remove(out)
  end
  t:has(harness.brio("import", store, "--clip", "gamma", "--robot", "pepper").err,
    "'gamma' must be the number of a run, last,")
  for _, name in ipairs { "alpha", "1", "last", store .. "#1" } do
    local run = harness.brio("run", folder .. "/alpha.lua", "--clock", "fast", "--rehearse", "--operator",
      name, "--store", store)
    t:has(run.err, ("--operator: run %d has no operator lines"):format(name == "last" and 2 or 1))
  end
  local run = harness.brio("run", folder .. "/alpha.lua", "--clock", "fast", "--rehearse", "--operator",
    "gamma", "--store", store)
  t:has(run.err, "'gamma' is no file, and names no run: 'gamma' is no run of this store")
end)

-- Runs that go on -----------------------------------------------------------------------------------------

files.write(folder .. "/bin/ssh", ([[#!/bin/sh
# Stands in for an ssh that reaches nothing: it says what it was asked for, and waits.
echo "$$ $*" >>%s/asked
exec sleep 600
]]):format(folder))
os.execute("chmod +x " .. folder .. "/bin/ssh")

local environment = ("env XDG_RUNTIME_DIR=%s PATH=%s/bin:%s "):format(folder, folder, os.getenv "PATH")
local unique = ("beta%d"):format(uv.os_getpid())
write_behavior(unique)
local live = harness.start(environment .. ("%s run %s/%s.lua --store %s --quiet --rate 50 --motor-rate 200")
  :format(brio, folder, unique, store))
local socket = harness.await_path(("%s/brio/%d.sock"):format(folder, live.pid), {
  stop = function() return harness.has_ended(live) and harness.output_of(live) end })
harness.await_answer({ socket = socket, process = live }, "state", "calm, for")

local function attached(words)
  return harness.run { ("%s%s attach %s"):format(environment, brio, words), input = "state\n" }
end

test("a run that goes on is attached to by process, number, name, store and socket", function(t)
  -- other tests have runs of their own in /tmp
  local within = { "#", "#3", "#last", "#pepper", "#beta", "#" .. live.pid }
  for index, word in ipairs(within) do within[index] = store .. word end
  for _, name in ipairs { live.pid, unique, unique:sub(1, -2), unique .. ".lua", store, socket,
      table.unpack(within) } do
    local answer = attached(tostring(name))
    t:code(answer, 0)
    t:has(answer.out, "calm, for")
  end
  local function once(words) return harness.run { ("%s%s %s"):format(environment, brio, words) } end
  for _, name in ipairs { live.pid, unique, store .. "#3" } do
    t:has(once("monitor --once " .. name).out, "HeadYaw")
  end
  t:has(attached("--list").out, "~%.sock +%g*" .. unique .. ".lua +pepper +3")
  t:has(once("at " .. socket .. " 0.1").text, "calm")
  t:check(not files.read(folder .. "/asked"), "no ssh was started")
end)

test("a number, a store's run and a path are never taken for a machine", function(t)
  for _, name in ipairs { "12345", "lab@12345", "gone.db#3", "/no/such.sock", store .. "#1" } do
    local answer = attached(name)
    t:check(answer.code == 1 or answer.code == 2, "%s: exit code %s", name, tostring(answer.code))
    t:check(answer.err ~= "", "%s: nothing is said", name)
  end
  t:has(attached("12345").err, "no run matches '12345'")
  t:has(attached("lab@12345").err, "a number is no host's name")
  t:check(not files.read(folder .. "/asked"), "no ssh was started")
end)

test("another machine is said, and waited for no longer than --wait", function(t)
  for _, place in ipairs { "nowhere", "ann@nowhere:beta" } do
    local answer = attached("--wait 0.3 " .. place)
    t:code(answer, 1)
    t:has(answer.err, ("`ssh %s` is started"):format(place:match "^[^:]*"))
    t:has(answer.err, "no run answered within 0.3 s")
  end
  t:has(attached("--wait 0.3 nowhere").err, "no run matches 'nowhere'")
  for line in files.read(folder .. "/asked"):gmatch "[^\n]+" do
    t:has(line, "ConnectTimeout=15")
    local process = tonumber(line:match "^%d+")
    harness.await("the end of ssh", function() return not uv.kill(process, 0) end)
  end
end)

test("the run ends", function(t)
  t:code(harness.say({ socket = socket }, "stop\nstop"), 0)
  t:equal(harness.wait(live), 0, "exit code")
  files.remove(folder)
end)

harness.done()
