--- The workloads of the ledger (scripts/ledger.lua), one row each:
---
---   name     of the row
---   what     the measured quantity, in words
---   run      the words of a program run; {store} is a file that `before` has filled
---   less     the words of a run whose cost is subtracted; nil: none
---   units    the difference of the two in units of work; default 1
---   before   the words of a run that is not measured
---
--- A row needs a few seconds of CPU time, as valgrind is slow: a workload is as short as possible for a
--- stable result.
local workloads = {}

local function run_of(file, seconds, ...)
  return { "run", file, "--for", tostring(seconds), "--clock", "fast", "--quiet", ... }
end

--- Ticks of a behavior in a steady state, at 200 Hz: from second `from` on, for a second.
local function ticks(name, file, from)
  workloads[#workloads + 1] = { name = name, what = "a tick of " .. file, units = 200,
    run = run_of(file, from + 1, "--store", "none"), less = run_of(file, from, "--store", "none") }
end

--- The same script with two counts.
local function script(name, what, file, subject, few, many)
  workloads[#workloads + 1] = { name = name, what = what, units = many - few,
    run = { "lua", "scripts/ledger/" .. file, subject, tostring(many) },
    less = { "lua", "scripts/ledger/" .. file, subject, tostring(few) } }
end

local function add(row) workloads[#workloads + 1] = row end

add { name = "start", what = "brio --version: the program, and nothing else", run = { "--version" } }
add { name = "help", what = "brio help", run = { "help" } }
add { name = "check", what = "brio check behaviors/kiosk.lua", run = { "check", "behaviors/kiosk.lua" } }
add { name = "run", what = "a run of behaviors/kiosk.lua for 0.1 s, and its way to rest",
  run = run_of("behaviors/kiosk.lua", 0.1, "--store", "none") }
ticks("kiosk tick", "behaviors/kiosk.lua", 1)
ticks("probo tick", "behaviors/probo.lua", 1)
ticks("keyframes tick", "behaviors/keyframes.lua", 1)
add { name = "recorded tick", what = "a tick of behaviors/kiosk.lua that is recorded", units = 200,
  run = run_of("behaviors/kiosk.lua", 2, "--store", "{fresh}"),
  less = run_of("behaviors/kiosk.lua", 1, "--store", "{fresh}") }
script("solve pepper", "a solve: Pepper's hand follows a point", "solve.lua", "pepper", 20, 120)
script("solve panda", "a solve: the Panda's hand follows a point", "solve.lua", "panda", 20, 220)
script("solve ur3e", "a solve: the UR3e's hand follows a point", "solve.lua", "ur3e", 20, 220)
script("solve many", "a solve: a hand of 101 joints follows a point, the head looks", "solve.lua", "many", 20,
  120)
script("solve far", "the same, with a point that the hand cannot reach", "solve.lua", "far", 20, 120)
script("reload", "behaviors/kiosk.lua is taken over anew while it runs", "reload.lua", "behaviors/kiosk.lua",
  1, 6)
script("reload states", "a behavior of 1,000 states is taken over while it runs", "reload.lua", "1000", 1, 3)
script("tree pass", "a pass over a tree of 1,000 conditions, of which ten change", "tree.lua", "1000", 20,
  120)
ticks("sequence tick", "scripts/ledger/waving.lua", 1)
add { name = "replay", what = "a tick of behaviors/kiosk.lua that is replayed", units = 200,
  before = run_of("behaviors/kiosk.lua", 3, "--store", "{store}"),
  run = { "replay", "1", "--store", "{store}", "--for", "2" },
  less = { "replay", "1", "--store", "{store}", "--for", "1" } }
add { name = "query", what = "brio sql: the greatest command of each DOF in three seconds",
  before = run_of("behaviors/kiosk.lua", 3, "--store", "{store}"),
  run = { "sql", "SELECT name, max(command) FROM samples WHERE run = 1 GROUP BY name", "--store", "{store}" },
  less = { "sql", "SELECT 1", "--store", "{store}" } }

return workloads
