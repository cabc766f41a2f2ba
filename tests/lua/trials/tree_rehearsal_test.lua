--- Leaves with scripted results, the nodes of a tree that ran, and those that tests have covered.
local coverage = require "brio.trials.coverage"
local piece = require "brio.tree.model.piece"
local rehearsal = require "brio.trials.rehearsal"
local trees = require "brio.tree"
local watch = require "brio.trials.watch"

local source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one", memory = { log = {} } }
local function act(word) return { "action", name = word, enter = function(self) table.insert(self.memory.log, word) end } end
b.one = { tree = TREE, on = { tree_done = "two", tree_failed = "three" } }
b.two = {}
b.three = {}
return b
]]

local function run_of(t, tree, options)
  options.robot, options.source = "ur3e", source:gsub("TREE", (tree:gsub("%%", "%%%%")))
  return t:run("source", options)
end

local function told(run)
  local list = {}
  for _, one in ipairs(run:executions()) do list[#list + 1] = ("%s %s"):format(one.name, one.status) end
  return table.concat(list, ", ")
end

test("a script says at which executions a leaf fails, how long it takes and why", function(t)
  local run = run_of(t, [[{ "retry", times = 5, act "turn" }]],
    { leaves = { turn = { fails = { 1, 2, 3 }, seconds = 0.5, why = "it slips" } } })
  run:advance(4)
  t:equal(run.state, "two")
  t:equal(run.memory.log, {}, "the leaf itself does nothing")
  local list = run:executions()
  t:equal(#list, 5)
  for index = 1, 4 do
    local one = list[index + 1]
    t:equal(one.status, index < 4 and "failure" or "success")
    t:equal(one.why, index < 4 and "it slips" or nil)
    t:near(one.ended - one.started, 0.5, 1e-9)
  end
end)

test("leaves that the core runs can be scripted, and those of other programs; the rest does what it does",
  function(t)
  local run = run_of(t,
    [[{ "sequence", { "wait", seconds = 99 }, { "fail" }, { "foreign", name = "grasp" }, act "own" }]],
    { leaves = { wait = {}, fail = {}, grasp = {
      does = function(count, self) return self.now > 0 and count == 1 end } } })
  run:advance(0.1)
  t:equal(run.state, "three", "at the time 0 it comes to false")
  run = run_of(t,
    [[{ "sequence", { "wait", seconds = 99 }, { "fail" }, { "foreign", name = "grasp" }, act "own" }]],
    { leaves = { wait = { seconds = 0.1 }, fail = {},
      grasp = { does = function(count, self) return self.now > 0 and count == 1 end } } })
  run:advance(0.5)
  t:equal(run.state, "two")
  t:equal(told(run), "wait success, fail success, grasp success, own success")
  t:equal(run.memory.log, { "own" })
end)

test("how often a leaf succeeds by chance follows from the seed", function(t)
  local function count(seed)
    local run = run_of(t, [[{ "loop", { "selector", { "foreign", name = "x" }, { "succeed" } } }]],
      { leaves = { x = { rate = 0.7 } }, seed = seed })
    run:advance(2)
    local good, all = 0, 0
    for _, one in ipairs(run:executions()) do
      if one.name == "x" then
        all = all + one.times
        good = good + (one.status == "success" and one.times or 0)
      end
    end
    return good, all
  end
  local good, all = count(3)
  t:equal(all, 400)
  t:near(good / all, 0.7, 0.1)
  t:equal(count(3), good)
  t:ok(count(4) ~= good or count(5) ~= good, "another seed")
end)

test("what is wrong with a script is said", function(t)
  local function fault(leaves)
    local good, why = pcall(run_of, t, [[{ "sequence", act "turn", { "wait", name = "rest" } }]],
      { leaves = leaves })
    return good and "nothing" or tostring(why)
  end
  t:match(fault { turm = {} }, "no tree has a leaf 'turm' %(did you mean 'turn'%?%)")
  t:match(fault { turn = { fail = true } }, "did you mean 'fails'")
  t:match(fault { turn = { seconds = "1" } }, "seconds must be a number")
  t:match(fault { turn = { seconds = -1 } }, "at least 0")
  t:match(fault { turn = { rate = 2 } }, "from 0 to 1")
  t:match(fault { turn = { fails = 2 } }, "a list of numbers")
  t:match(fault { turn = 3 }, "must be a table")
  t:match(fault { sequence = {} }, "no tree has a leaf 'sequence'")
  t:equal(fault { turn = {}, rest = { seconds = 1 } }, "nothing")
end)

test("what runs is told: what was stopped, what is asked again and again, and counters exactly", function(t)
  local run = run_of(t,
    [[{ "parallel", failures = 1, { "foreign", name = "long" }, { "sequence", { "wait", seconds = 0.2 },
    { "fail" } }, { "reactive_sequence", { "condition", name = "sees", holds = function() return true end }, { "wait", name = "w", seconds = 9 } } }]],
    { leaves = { long = { seconds = 9 } } })
  run:advance(1)
  t:equal(run.state, "three")
  local by_name = {}
  for _, one in ipairs(run:executions()) do by_name[one.name] = one end
  t:equal(by_name.long.status, "stopped")
  t:near(by_name.long.ended, 0.2, 0.011)
  t:equal(by_name.sees.status, "success")
  t:ok(by_name.sees.times > 30, "asked %d times, one execution", by_name.sees.times)
  t:equal(by_name.w.status, "stopped")
  t:equal(by_name.parallel.status, "failure")
  run = run_of(t, [[{ "loop", { "counter", limit = 4 } }]], { watch = true })
  run:advance(1)
  t:equal(told(run), "loop failure, counter success, counter failure")
  t:equal(run:executions()[2].times, 3)
end)

test("a reload with the same tree is watched on", function(t)
  local run = run_of(t, [[{ "sequence", { "wait", seconds = 0.2 }, act "new" }]], { watch = true })
  run:advance(0.1)
  t:equal(run:reload(function(text) return text .. "\n-- later\n" end), true)
  run:advance(0.5)
  t:equal(run.state, "two")
  t:equal(told(run), "wait success, new success")
end)

test("an edit of a running tree is watched on, and what is scripted stays so", function(t)
  local now, watched = 0, watch.new()
  local site = { name = "one", call = function(fn, ...) return fn(nil, ...) end,
    host = { now = 0, dt = 0.01 },
    rehearsal = rehearsal.new { leaves = { a = { seconds = 1 }, b = { fails = true } }, watch = watched } }
  local running = trees.begin(assert(trees.compile { "sequence", { "wait", name = "a", seconds = 99 },
    { "wait", name = "b" } }), site)
  local function work(time)
    site.host.now = time
    return running:work(time)
  end
  work(now)
  local made = assert(trees.edit(running.compiled,
    { { verb = "insert", parent = 1, before = 2, form = { "wait", name = "early" } } }))
  running:migrate(made)
  work(0.5)
  t:equal(work(1), "failure", "b fails as the script says")
  local list = {}
  for _, tree in ipairs(watched.trees) do
    for _, one in ipairs(tree.executions) do
      list[#list + 1] = ("%s %g-%g %s"):format(tree.compiled.list[one.node].name, one.started, one.ended,
        one.status)
    end
  end
  t:equal(list, { "a 0-1 success", "b 1-1 failure" })
end)

test("coverage tells which nodes ran, succeeded and failed", function(t)
  local run = run_of(t, [[{ "sequence", { "fallback", try = { act "try" }, catch = { act "catch" } }, { "fallback", try = { act "sure" },
    catch = { act "never" } } }]], { leaves = { try = { fails = true } } })
  run:advance(1)
  local covered = coverage.new()
  covered:know("dir/b.lua", { { path = "one", tree = run.rehearsal.watch.trees[1].compiled } })
  covered:add("dir/b.lua", run.rehearsal.watch)
  local report = covered:report()[1]
  t:equal({ report.nodes, report.ran, report.succeeded, report.failed, report.runs }, { 6, 5, 4, 1, 1 })
  local missing = {}
  for _, item in ipairs(report.missing) do missing[item.node] = item.what end
  t:equal(missing, { [2] = "never failed", [3] = "never succeeded", [4] = "never failed",
    [5] = "never failed", [6] = "never failed",
    [7] = "never ran" })
  t:equal(covered:lines()[1], "coverage of b.lua, state one: 5 of 6 nodes ran, 4 succeeded, 1 failed (1 run)")
end)

test("a piece of a tree is a tree of its own", function(t)
  local whole = assert(trees.compile { "sequence", { "wait", name = "first" },
    { "sequence", name = "part", after = "beginning",
    { "wait", name = "a", after = "first" }, { "wait", name = "b", after = "a" }, { "goto", to = "first" },
      { "goto", to = "a" },
    { "gosub", to = "routine" }, { "fallback", try = { { "wait", name = "c" } }, catch = { { "fail" } } } },
    { "sequence", name = "routine", { "wait", name = "r" }, { "gosub", to = "part" } } })
  local made = assert(trees.compile(piece.cut(whole, assert(piece.find(whole, "part")))))
  t:equal(trees.print(made), table.concat(
    { "   1  sequence 'part'", "   2    wait 'a'  after beginning (waits for nothing)",
    "   3    wait 'b'  after a (waits for 2)", "   4    succeed 'goto first'", "   5    goto  to 2 a",
    "   6    subtree 'gosub routine'", "   7      sequence 'routine'", "   8        wait 'r'",
    "   9        gosub  to 1 part", "  10    fallback",
    "  11      wait 'c'", "  12      catch: fail" }, "\n"))
  t:equal(select(2, piece.find(whole, "prt")), "the tree has no node 'prt' (did you mean 'part'?)")
  t:equal(piece.find(whole, "3"), 3)
  t:match(select(2, piece.find(assert(trees.compile { "sequence", { "wait" }, { "wait" } }), "wait")),
    "2 nodes called 'wait'")
end)
