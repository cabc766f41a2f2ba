--- brio backup, merge and prune as a person types them, also beside a live run.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local source = [[
local brio = require "brio"
local made = brio.behavior "counter" { robot = "pepper", start = "on" }
made.on = { enter = function(self) self:log("begins") end, tick = function(self) print(("t=%.3f"):format(self.now)) end }
return made
]]

--- Record a short run.
local function record(t, folder, store)
  files.write(folder .. "/counter.lua", source)
  t:code(brio("run", folder .. "/counter.lua", "--for", 0.3, "--clock", "fast", "--quiet", "--store",
    store), 0)
end

local function whole(t, store)
  t:equal(harness.sql(store, "pragma integrity_check; pragma foreign_key_check"), "ok",
    "what is in " .. store)
end

test("stores are copied, put together and made smaller, and each command says what it did", function(t)
  local folder = t:folder()
  local a, b, copy, all = folder .. "/a.db", folder .. "/b.db", folder .. "/copy.db", folder .. "/all.db"
  record(t, folder, a)
  record(t, folder, b)
  local run = brio("backup", copy, "--store", a)
  t:code(run, 0)
  t:has(run.out, "is a whole copy of")
  t:has(run.out, "1 runs")
  run = brio("backup", copy, "--store", a)
  t:code(run, 1)
  t:has(run.err, "only with --force")
  t:code(brio("backup", copy, "--store", a, "--force"), 0)
  run = brio("merge", all, a, b, copy)
  t:code(run, 0)
  t:has(run.out, "1 run taken, now run 1")
  t:has(run.out, "1 run taken, now run 2")
  t:has(run.out, "1 was here already")
  t:equal(harness.sql(all, "select count(*), count(distinct uuid) from runs"), "2|2", "runs")
  t:equal(harness.sql(all, "select count(*) from samples where run = 2 and name = 'HeadYaw'"),
    harness.sql(b, "select count(*) from samples where run = 1 and name = 'HeadYaw'"), "samples")
  whole(t, all)
  run = brio("prune", "--store", all, "--runs", 1)
  t:code(run, 0)
  t:has(run.out, "nothing was done: --yes does it")
  t:equal(harness.sql(all, "select count(*) from runs"), "2", "runs")
  run = brio("prune", "--store", all, "--runs", 1, "--samples", "--yes")
  t:code(run, 0)
  t:equal(harness.sql(all, "select count(*) from samples where run = 1"), "0", "samples")
  run = brio("prune", "--store", all, "--keep-last", 1, "--yes", "--json")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "JSON: %s", run.out)
  t:equal(harness.sql(all, "select group_concat(id) from runs"), "2", "runs")
  whole(t, all)
end)

test("what cannot be done is said", function(t)
  local folder = t:folder()
  local a = folder .. "/a.db"
  record(t, folder, a)
  files.write(folder .. "/text.db", ("no store\n"):rep(2000))
  for _, words in ipairs {
    { 2, "expects the file", "backup" },
      { 1, "cannot open", "backup", folder .. "/x.db", "--store", folder .. "/none.db" },
    { 1, "store itself", "backup", a, "--store", a, "--force" },
      { 2, "expects the store to merge into", "merge", a },
    { 1, "not a database", "merge", a, folder .. "/text.db" },
      { 1, "cannot open", "merge", a, folder .. "/none.db" },
    { 1, "cannot open", "merge", folder .. "/new.db", folder .. "/none.db" },
    { 1, "not a database", "merge", folder .. "/text.db", a }, { 2, "which runs go", "prune", "--store", a },
    { 2, "numbers of runs", "prune", "--store", a, "--runs", "1-" },
      { 2, "a number from 0", "prune", "--store", a, "--older", "-1" },
    { 1, "cannot open", "prune", "--store", folder .. "/none.db", "--older", 1 },
  } do
    local run = brio(table.unpack(words, 3))
    t:code(run, words[1])
    t:has(run.err, words[2])
  end
  whole(t, a)
  t:check(not files.exists(a .. ".merging") and not files.exists(folder .. "/x.db.part")
    and not files.exists(folder .. "/new.db"),
    "nothing is left about")
end)

test("a run that goes on is copied, is not pruned, and is merged when it is over", function(t)
  local folder = t:folder()
  local live, copy, all = folder .. "/live.db", folder .. "/copy.db", folder .. "/all.db"
  files.write(folder .. "/counter.lua", source)
  local process = harness.start_brio("run", folder .. "/counter.lua", "--clock", "real", "--store", live)
  harness.await_output(process, "t=0.5")
  harness.await_row(live, "select count(*) >= 0 from events")
  for _ = 1, 3 do
    local run = brio("backup", copy, "--store", live, "--force")
    t:code(run, 0)
    whole(t, copy)
  end
  local run = brio("prune", "--store", live, "--older", 0)
  t:code(run, 1)
  t:has(run.err, "is being recorded")
  run = brio("merge", all, live)
  t:code(run, 0)
  t:has(run.out, "left out")
  harness.signal(process, "INT")
  local code, text = harness.wait(process)
  t:equal(code, 0, "exit code of the run: " .. text:sub(-300))
  run = brio("merge", all, live)
  t:has(run.out, "1 run taken")
  t:equal(harness.sql(all, "select lost_rows from runs"), "0", "rows that the run lost")
  whole(t, all)
end)

harness.done()
