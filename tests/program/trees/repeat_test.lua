--- `brio repeat`: a tree run again and again, the same by one process and by several, kept in the store.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()

harness.files.write(folder .. "/seven.lua", [[
local brio = require "brio"
local b = brio.behavior "seven" { robot = "ur3e", start = "other", world = "seven_world.lua", memory = { force = 1 },
  tune = { near = brio.param(1.0, "m", 0.1, 2) } }
local tree = { "sequence", name = "all" }
for index = 1, 7 do tree[index + 1] = { "action", name = "step " .. index, tick = function(self) return self:random() < 0.9, "it slipped" end } end
b.other = { tree = { "sequence", { "condition", name = "is near", holds = function(self) return self.tune.near < 1.5 end },
  { "condition", name = "is there", holds = function(self) return self.memory.force > 1 or self:where "cup" == nil end } } }
b.seven = { tree = tree }
return b
]])
harness.files.write(folder .. "/seven_world.lua", [[
return { objects = { { kind = "object", id = "cup", path = { { 0, 1, 0, 1 }, { 9, 1, 0, 1 } } } } }
]])

local function repeated(...)
  local list = { "repeat", folder .. "/seven.lua", ... }
  return brio(table.unpack(list))
end

test("seven steps that succeed nine times in ten come to what is predicted, by one process and by two alike",
function(t)
  local one = repeated("--tree", "seven", "--times", "40", "--jobs", "1", "--store", folder .. "/one.db")
  t:code(one, 0)
  t:has(one.out, "seven.lua, state seven on ur3e: 40 runs, seeds 1 to 40")
  t:has(one.out, "'step 1': it slipped")
  local good, rate, predicted = one.out:match "the whole: (%d+) of 40 succeeded, ([%d.]+) %% .- its leaves \z
    predict ([%d.]+) %%"
  t:check(math.abs(tonumber(rate) - 47.8) < 22 and math.abs(tonumber(rate) - tonumber(predicted)) < 1e-9,
    "%s %s %s: each fails once at most, so both are the same", good, rate, predicted)
  local two = repeated("--tree", "seven", "--times", "40", "--jobs", "2", "--store", "none")
  t:equal(two.out, one.out)
  local sql = brio("sql", "--store", folder .. "/one.db", "--csv",
    "SELECT runs, successes, round(predicted, 4) AS predicted, first_failure FROM repeat_summary")
  t:has(sql.out, ("\n40,%s,"):format(good))
  sql = brio("sql", "--store", folder .. "/one.db", "--csv",
    "SELECT name, runs, round(100 * low, 1) AS low, round(100 * high, 1) AS high FROM repeat_nodes WHERE \z
      name = 'step 1'")
  local low, high = one.out:match "step 1 +40 +[%d.]+ %% +([%d.]+) to ([%d.]+)"
  t:has(sql.out, ("step 1,40,%g,%g"):format(tonumber(low), tonumber(high)))
end)

test("the first failure ends it, and is done again by its seed", function(t)
  local run = repeated("--tree", "seven", "--until-failure", "--seed", "2", "--store", "none", "--jobs", "2")
  t:code(run, 3)
  local seed, at, line = run.out:match "run %d+ %(seed (%d+)%): failure at '(step %d)' after [^\n]*\nagain: \z
    brio ([^\n]*)"
  t:check(seed and line:find("--seed " .. seed, 1, true), "%s", run.text)
  local again = harness.run(harness.files.quote(harness.program) .. " " .. line
    .. " --store none --until-failure")
  t:code(again, 3)
  t:has(again.out, ("run 1 (seed %s): failure at '%s'"):format(seed, at))
  local alone = repeated("--tree", "seven", "--until-failure", "--seed", "2", "--store", "none", "--jobs",
    "1")
  t:equal(alone.out, run.out)
end)

test("what is varied is drawn anew, and is told with a failure", function(t)
  local run = repeated("--tree", "other", "--times", "40", "--vary", "near=0.1..2", "--vary",
    "memory.force=0,2", "--store", "none", "--json")
  t:code(run, 0)
  local got = require "cjson".decode(run.out)
  t:check(got.nodes[2].failures > 2 and got.nodes[2].failures < 20, "near was varied: %d",
    got.nodes[2].failures)
  t:check(got.nodes[2].runs == 40, "all ran")
  run = repeated("--tree", "other", "--times", "3", "--vary", "near=1.6,1.7", "--store", "none", "--jobs",
    "1")
  t:has(run.out, "near 1.")
  t:has(run.out, "--vary 'near=1.6,1.7'")
  run = repeated("--times", "3", "--store", "none", "--jobs", "1", "--vary", "world.cup.x=-0.2..0.2",
    "--vary", "set.noise=0..0.001")
  t:code(run, 0)
  run = repeated("--times", "3", "--store", "none", "--jobs", "1")
  t:has(run.out, "all runs went alike: nothing in them is random, and nothing was varied (see --vary)")
end)

test("leaves can be pretended, and a node run alone", function(t)
  local run = repeated("--tree", "seven", "--times", "50", "--store", "none", "--jobs", "1", "--leaf",
    "step 3=10%,0.2")
  t:code(run, 0)
  local rate = run.out:match "step 3 +%d+ +([%d.]+) %%"
  t:check(tonumber(rate) < 40, "%s", run.out)
  run = repeated("--tree", "step 2", "--times", "5", "--store", "none", "--jobs", "1", "--leaf", "step 2=1")
  t:has(run.out, "state seven, from 'step 2' on ur3e: 5 runs")
  t:has(run.out, "the whole: 5 of 5 succeeded")
end)

test("what cannot be repeated is refused in words", function(t)
  local rows = {
    { { "--times", "2.5" }, 2, "whole number" },
    { { "--vary", "near" }, 1, "expects NAME=LO..HI" },
    { { "--vary", "nea=1" }, 1, "did you mean 'near'" },
    { { "--vary", "near=0..9" }, 1, "must be from 0.1 to 2 m" },
    { { "--vary", "world.mug.x=1" }, 1, "the world has no 'mug'" },
    { { "--vary", "set.nois=1" }, 1, "did you mean 'noise'" },
    { { "--vary", "memory.x=1" }, 1, "memory has no 'x'" },
    { { "--vary", "tree.nobody.seconds=1", "--jobs", "1" }, 1, "no tree has a node 'nobody'" },
    { { "--leaf", "step 1=120%" }, 2, "NAME=RATE" },
    { { "--leaf", "stap 1=90%" }, 1, "did you mean 'step 1'" },
    { { "--tree", "eight" }, 1, "no state or node 'eight'" },
    { { "--share", "3/2" }, 2, "--share must be K/N" },
  }
  for _, row in ipairs(rows) do
    local run = repeated(table.unpack(row[1]))
    t:code(run, row[2])
    t:has(run.text, row[3])
  end
  t:code(brio "repeat", 2)
  local run = brio("repeat", "/no/such.lua")
  t:code(run, 1)
  run = brio("repeat", "behaviors/kiosk.lua")
  t:has(run.err, "none of its states has a tree")
end)
harness.files.remove(folder)
harness.done()
