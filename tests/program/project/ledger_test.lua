--- The ledger: no workload costs over 3 % more instructions than its row allows; and the tool that checks
--- this.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local workloads = dofile(harness.root .. "/scripts/ledger/workloads.lua")
local test, files = harness.test, harness.files

local function ledger(words)
  return harness.run(("cd %s && lua5.4 scripts/ledger.lua --build %s %s"):format(files.quote(harness.root),
    files.quote(harness.build), words))
end

--- The names to measure: all under `make soak`, otherwise another one each day.
local function chosen()
  local names, day = {}, tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
  if harness.scale > 1 then
    for k, workload in ipairs(workloads) do names[k] = workload.name end
    return names
  end
  names[1] = workloads[day % #workloads + 1].name
  print(("# 1 of %d workloads (seed %d; make ledger and make soak: all)"):format(#workloads, day))
  return names
end

test("no workload costs over 3 % more instructions than its row", function(t)
  local here = ledger "--check"
  if here.code == 3 then t:skip(here.text:match "skipped: ([^\n]*)") end
  for _, name in ipairs(chosen()) do
    local run = ledger("--only " .. files.quote(name))
    t:check(run.code == 0, "%s", run.text)
    t:has(run.text, name)
  end
end)

test("each workload has its row, each row its workload and its reason", function(t)
  local rows, known = dofile(harness.root .. "/scripts/ledger/rows.lua"), {}
  for _, workload in ipairs(workloads) do
    local row = rows[workload.name]
    known[workload.name] = true
    t:check(row and math.type(row[1]) == "integer" and row[1] > 0 and #row[2] > 10,
      "%s has no row, or no reason", workload.name)
  end
  for name in pairs(rows) do t:check(known[name], "the row '%s' has no workload", name) end
end)

test("a row changes for a reason only, and wrong words are named", function(t)
  local run = ledger "--set help"
  t:equal(run.code, 2, "exit code")
  t:has(run.text, "--because REASON")
  run = ledger "--onyl help"
  t:equal(run.code, 2, "exit code")
  t:has(run.text, "got --onyl")
end)

harness.done()
