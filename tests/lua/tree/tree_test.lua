--- Behavior trees in states: run on the simulator, checked, printed, reloaded.
local nodes = require "brio.nodes"
local trees = require "brio.tree"

local function run_of(t, text)
  return t:run("source", { robot = "ur3e", source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { log = {} } }
local function note(word, result, why)
  return { "action", name = word, seconds = 0.1, enter = function(self) table.insert(self.memory.log, word) end,
    tick = function(_, elapsed) if elapsed >= 0.1 then return result, why end end,
    exit = function(self) table.insert(self.memory.log, "/" .. word) end }
end
]] .. text .. "\nreturn b\n" })
end

test("a state's tree runs, and its end leads on", function(t)
  local run = run_of(t, [[
b.one = { tree = { "sequence", note("a", true), { "fallback", note("c", false, "no"), note("d", true) } }, on = { tree_done = "two" } }
b.two = { tree = { "sequence", note("e", false, "too heavy") }, on = { tree_failed = function(self, data)
  table.insert(self.memory.log, data.node .. ": " .. data.why) return "three" end } }
b.three = {}
]])
  run:advance(1)
  t:equal(run.memory.log, { "a", "/a", "c", "/c", "d", "/d", "e", "/e", "e: too heavy" })
  t:equal(run.state, "three")
end)

test("what runs in a tree is let go of when its state is left", function(t)
  local run = run_of(t, [[
b.one = { tree = { "parallel", note("a", true), { "loop", { "action", name = "x", tick = function() end, exit = function(self)
  table.insert(self.memory.log, "/x") end } } }, after = { 0.3, "two" } }
b.two = {}
]])
  run:advance(1)
  t:equal(run.memory.log, { "a", "/a", "/x" })
end)

test("conditions guard what follows, and are asked each tick", function(t)
  local run = run_of(t, [[
b.one = { tree = { "reactive_sequence", { "condition", holds = function(self) return self.now < 0.45 end }, { "wait", name = "w", seconds = 9 } },
  on = { tree_failed = "two" } }
b.two = { enter = function(self) self.memory.at = self.now end }
]])
  run:advance(1)
  t:equal(run.state, "two")
  t:near(run.memory.at, 0.45, 0.02)
end)

test("an error in a leaf is the behavior's failure, with its line", function(t)
  local run = run_of(t, [[
b.one = { tree = { "sequence", { "action", tick = function() error "ouch" end } } }
]])
  run:advance(0.5)
  t:match(tostring(run.failed), "ouch")
end)

test("what is wrong with a tree is said", function(t)
  local function fault(form)
    local made, faults = trees.compile(form)
    return made and "nothing" or faults[1].message
  end
  t:match(fault { "sequense" }, "did you mean 'sequence'")
  t:match(fault { "sequence", { "wait", second = 2 } }, "did you mean 'seconds'")
  t:match(fault { "sequence", { "wait", seconds = "2" } }, "must be a number, not a string")
  t:match(fault { "sequence", { "wait", seconds = -2 } }, "must be at least 0 s, not %-2")
  t:match(fault { "sequence", { "goto" } }, "needs 'to'")
  t:match(fault { "sequence", { "goto", to = "nowhere" } }, "no node it can reach")
  t:match(fault { "sequence", { "wait", after = "later" }, { "wait", name = "later" } }, "no earlier node")
  t:match(fault { "wait", { "wait" } }, "is a leaf")
  t:match(fault { "sequence", { "condition" } }, "needs 'holds'")
  t:match(fault { "sequence", 5 }, "is no node but a number")
  t:match(fault { "sequence", {} }, "without a kind")
  local circle = { "sequence" }
  circle[2] = circle
  t:match(fault(circle), "a table that holds itself")
  t:equal(fault { "sequence", { "wait", name = "x" } }, "nothing")
end)

test("tables and JSON say the same", function(t)
  local made = assert(trees.compile { "sequence", { "wait", name = "x", seconds = 2 },
    { "fail", after = { whole = "x" } } })
  local same = assert(trees.compile { kind = "sequence",
    children = { { kind = "wait", name = "x", seconds = 2 },
    { kind = "fail", after = { whole = "x" } } } })
  t:equal(made.signature, same.signature)
  t:match(trees.print(made), "3    fail  after x %(waits for 2%)")
end)

test("nodes have ids, and references may say them", function(t)
  local made = assert(trees.compile { "sequence", { "wait", name = "x", id = 2 }, { "wait", name = "x" },
    { "wait", after = 2.0 }, { "wait", after = { whole = 2 } }, { "goto", to = 2 } })
  local ids = {}
  for index, record in ipairs(made.list) do ids[index] = record.id end
  t:equal(ids, { 1, 2, 3, 4, 5, 6 })
  t:equal({ made.shape:waits(4) }, { 2, 2 }, "not the nearest of that name")
  t:equal({ made.shape:waits(5) }, { 2, 2 })
  t:equal(made.shape:target(6), 2)
  t:match(trees.print(made), "6    goto  to 2 x")
  local function fault(form)
    local good, faults = trees.compile(form)
    return good and "nothing" or faults[1].message
  end
  t:match(fault { "sequence", { "wait", after = 9 } }, "there is no id 9")
  t:match(fault { "sequence", { "wait", after = 3 }, { "wait" } }, "no earlier node")
  t:match(fault { "sequence", { "goto", to = 2 } }, "no other node")
  t:match(fault { "sequence", { "goto", to = 77 } }, "no other node: id 77")
  t:match(fault { "sequence", { "wait", after = { whole = 1 } } }, "inside of")
  t:match(fault { "sequence", id = 1.5 }, "id must be a whole number")
  t:match(fault { "sequence", id = 2, { "wait", id = 2 } }, "two nodes have the id 2")
end)

test("a tree goes on with new functions, and not as another tree", function(t)
  local function form(word, log, seconds)
    return assert(trees.compile { "sequence", { "wait", seconds = seconds },
      { "action", enter = function() log[#log + 1] = word end } })
  end
  local log = {}
  local running = trees.begin(form("old", log, 1), { call = function(fn, ...) return fn(nil, ...) end })
  running:work(0)
  t:ok(not running:take(form("new", log, 2)), "another one")
  t:ok(running:take(form("new", log, 1)), "the same one")
  t:equal(running:work(1), "success")
  t:equal(running:work(2), nil, "once")
  t:equal(log, { "new" })
end)

test("a tree's own functions cannot drive it while it ticks", function(t)
  local tree
  tree = assert(nodes.new({ { kind = "call", parent = 0 } }, function() tree:halt() return true end))
  tree:begin()
  t:raises(function() tree:work(0) end, "under way")
end)

test("the groups of Shakeout.json come out by steps", function(t)
  local names = { "back", "forward", "right out", "left out", "right back", "left back", "yaw right",
    "yaw left", "center", "lower", "raise", "home right", "home left" }
  local after = { ["left out"] = "forward", ["left back"] = "left out", ["home left"] = "raise" }
  local form = { "sequence" }
  for index, name in ipairs(names) do
    form[index + 1] = { "wait", name = name, seconds = 1, after = after[name] }
  end
  local tree = assert(nodes.new(assert(trees.compile(form)).list))
  local sets, now = {}, 0
  while tree:next() do
    tree:step()
    tree:work(now)
    local set = {}
    for _, node in ipairs(tree:running()) do set[#set + 1] = node - 2 end
    sets[#sets + 1], now = table.concat(set, " "), now + 2
    tree:work(now)
  end
  t:equal(sets, { "0", "1", "2 3", "4 5", "6", "7", "8", "9", "10", "11 12" })
end)

local function swapped(from, to)
  return function(text)
    local first, last = text:find(from, 1, true)
    return text:sub(1, first - 1) .. to .. text:sub(last + 1)
  end
end

local long = [[
local function long(word, seconds)
  return { "action", name = "long", seconds = 1, enter = function(self) table.insert(self.memory.log, word) end,
    tick = function(self, elapsed) if elapsed >= 0.5 then table.insert(self.memory.log, "end of " .. word) return true end end,
    exit = function(self) table.insert(self.memory.log, "/" .. word) end }
end
b.one = { tree = { "sequence", long("old"), { "wait", seconds = 5 } } }
]]

test("a reload: the same tree runs on with its new functions, another begins anew", function(t)
  local run = run_of(t, long)
  run:advance(0.3)
  t:equal(run:reload(swapped([[long("old")]], [[long("new")]])), true)
  run:advance(0.3)
  t:equal(run.memory.log, { "old", "end of new", "/new" }, "not begun again")
  run:advance(1)
  t:equal(run:reload(swapped("seconds = 5", "seconds = 6")), true)
  run:advance(0.1)
  t:equal(run.memory.log[#run.memory.log], "new", "begun again")
  run:advance(1.5)
  t:equal(run:reload(swapped([[tree = { "sequence", long("new"), { "wait", seconds = 6 } }]], "")), true)
  run:advance(0.5)
  t:equal(run.state, "one")
  t:equal(run.failed, nil)
end)

test("a version whose tree fails in its first second is rolled back, and its tree begins anew", function(t)
  local run = run_of(t, long)
  run:advance(0.2)
  t:equal(run:reload(swapped([[if elapsed >= 0.5 then]],
    [[if elapsed > 0.3 then error "ouch" end if elapsed >= 0.5 then]])), true)
  run:advance(1)
  t:equal(run.failed, nil)
  t:equal(run.state, "one")
  t:equal(run.memory.log, { "old", "old", "end of old", "/old" })
end)

local robots = require "brio.robots"
local owns = require "brio.tree.model.owns"

--- Conflicts over DOFs in a tree on Pepper: the names of nodes that may run at once, or another fault's
--- message.
local function owners(form, sequences)
  local list = {}
  for index, fault in ipairs(owns.faults(assert(trees.compile(form)),
      { description = assert(robots.find "pepper"), sequences = sequences or {} },
        function(node) return "node " .. node end)) do
    local first, second = fault.message:match "'(%w+)' %(node %d+%) and '(%w+)' %(node %d+%) may run at once"
    list[index] = first and first .. " " .. second or fault.message
  end
  return list
end

local function left(name, after) return { "action", name = name, owns = { "left_arm" }, after = after } end
local function right(name, after) return { "action", name = name, owns = { "right_arm" }, after = after } end
local function free(name, after) return { "wait", name = name, after = after } end

test("leaves that own one thing must not run at once", function(t)
  t:equal(owners { "sequence", left "a", left("b", "beginning") }, { "a b" })
  t:equal(owners { "sequence", left "a", free("w", "beginning"), left "b" }, { "a b" },
    "b waits for the wait alone")
  t:equal(owners { "parallel", left "a", { "sequence", right "r", left "b" } }, { "a b" })
  t:equal(owners { "parallel", left "a", { "selector", right "r", left "b", left "c" } }, { "a b", "a c" })
  t:equal(owners { "fallback", try = { left "a", left("b", "beginning") }, catch = { left "c" } }, { "a b" })
  t:equal(owners { "fallback", left "a", left("b", "beginning"), left "c" }, { "a b" },
    "tried because it begins at once")
  t:equal(owners { "sequence", { "loop", left "a" },
    { "retry", after = "beginning", { "timeout", left "b" } } }, { "a b" })
  t:equal(owners { "sequence", left "a", right("r", "beginning"),
    { "action", name = "hand", owns = { "LHand" } } },
    { "a hand" }, "a DOF of the arm")
  t:equal(owners { "parallel", { "gosub", to = "a" }, left "a" }, { "a a" }, "a routine is what it leads to")
end)

test("trees in which each has its own are fine", function(t)
  local fine = {
    { "sequence", left "a", left "b", left "c" },
    { "parallel", left "a", right "b" },
    { "sequence", left "a", right("r", "beginning"), left("b", "all") },
    { "sequence", left "a", right("r", "beginning"), left("b", "a") },
    { "sequence", { "sequence", name = "g", left "a", right("r", "beginning") }, left("b", { whole = "g" }) },
    { "sequence", left "a", free("w", "beginning"), { "loop", right "r", left("b", "a") } },
    { "selector", left "a", left "b" },
    { "reactive_sequence", left "a", left "b" },
    { "reactive_selector", left "a", left "b" },
    { "fallback", try = { left "a" }, catch = { left "b" }, finally = { left "c" } },
    { "sequence", left "a", { "goto", to = "a" } },
    { "sequence", left "a", { "gosub", to = "a" } },
    { "parallel", left "a", free "w" },
  }
  for index, form in ipairs(fine) do t:equal(owners(form), {}, "tree " .. index) end
end)

test("what a sequence has tracks for is owned by what plays it, unless it says otherwise", function(t)
  local sequences = { nod = { description = { tracks = { HeadPitch = {}, LHand = { active = false } } } },
    wave = { description = { tracks = { LHand = {}, HeadPitch = {} } } } }
  t:equal(owners({ "parallel", { "play", sequence = "nod" }, { "play", sequence = "wave" } }, sequences),
    { "nod wave" })
  t:equal(owners({ "parallel", { "play", sequence = "nod" }, left "a" }, sequences), {},
    "a track that is off")
  t:equal(owners({ "parallel", { "play", sequence = "nod", owns = {} }, { "play", sequence = "wave" } },
    sequences), {})
  t:equal(owners({ "parallel", { "play", sequence = "x" }, { "play", sequence = "y" } }, sequences), {},
    "not known")
end)

test("of two steps of another program's tree the later one takes what both own", function(t)
  local theirs, ours = left "a", left "b"
  theirs.from = "<ArmActionDefinition>"
  t:equal(owners { "parallel", theirs, ours }, { "a b" })
  ours.from = "<ArmActionDefinition>"
  t:equal(owners { "parallel", theirs, ours }, {})
end)

test("what is owned must be there, and said as a list of names", function(t)
  t:match(owners({ "action", name = "a", owns = { "left_amr" } })[1],
    "'a' owns 'left_amr': .*did you mean 'left_arm'")
  local made, faults = trees.compile { "action", name = "a", owns = { 5 } }
  t:ok(not made and faults[1].message:find("item 1 must be the name of a part, not a number", 1, true))
  made, faults = trees.compile { "wait", owns = { "left_arm" } }
  t:ok(not made and faults[1].message:find("has no field 'owns'", 1, true), "leaves that move something own")
  t:match(trees.print(assert(trees.compile(left "a"))), "owns left_arm")
end)

test("a tree of many leaves that own is gone through quickly", function(t)
  local form = { "sequence" }
  for index = 1, 2000 do form[index + 1] = left("n" .. index) end
  t:equal(owners(form), {})
  for index = 2, #form do form[index].after = "beginning" end
  t:equal(#owners(form), owns.most_faults)
end)

test("a behavior whose leaves would both have the arm does not begin, and is told both lines", function(t)
  local good, why = pcall(run_of, t, [[
b.one = { tree = { "parallel",
  { "action", name = "wave", owns = { "wrist_1_joint" } },
  { "action", name = "reach", owns = { "all" } } } }
]])
  t:ok(not good)
  t:match(tostring(why), ":10: state 'one': tree: 'wave' %(line 9%) and 'reach' %(line 10%) may run at \z
    once, and both own wrist_1_joint")
end)

test("the store says which node ran when, and what failed and why", function(t)
  local run = t:run("source", { robot = "ur3e", recorded = true, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
local tries = 0
local function try(_, elapsed) if elapsed < 0.1 then return nil end tries = tries + 1 if tries < 3 then return false, "slip \xff" .. tries end return true end
b.one = { tree = { "sequence", { "wait", name = "w", seconds = 0.5 },
  { "fallback", try = { { "action", name = "turn", tick = try } }, catch = { { "goto", to = "turn" } } },
  { "loop", name = "on", { "wait", name = "long", seconds = 9 } } }, after = { 2, "two" } }
b.two = {}
return b
]] })
  run:advance(2.5)
  run:finish()
  local rows = run:sql
    [[SELECT tree, state, node, name, status, round(started, 1) AS started, round(ended, 1) AS ended, why
    FROM tree_nodes WHERE kind IN ('action', 'wait', 'loop') ORDER BY ended, node]]
  local list = {}
  for index, row in ipairs(rows) do
    t:equal({ row.tree, row.state }, { 1, "one" })
    list[index] = ("%s %s %g %g"):format(row.name, row.status, row.started, row.ended)
  end
  t:equal(list, { "w success 0 0.5", "turn failure 0.5 0.6", "turn failure 0.6 0.7", "turn success 0.7 0.8",
    "on stopped 0.8 2", "long stopped 0.8 2" })
  t:equal(run:sql "SELECT count(*) AS n FROM tree_records WHERE t BETWEEN 0.9 AND 1.9", { { n = 0 } },
    "nothing new, nothing recorded")
  t:match(rows[2].why, "^slip .*1$")
  t:match(rows[3].why, "^slip .*2$")
end)

test("a condition that is asked in every tick is one row while it answers the same", function(t)
  local run = t:run("source", { robot = "ur3e", recorded = true, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { tree = { "reactive_sequence", { "condition", name = "calm", holds = function(self) return self.now < 0.5 end },
  { "wait", name = "w", seconds = 9 } } }
return b
]] })
  run:advance(1)
  run:finish()
  local list = run:sql "SELECT name, status, why FROM tree_nodes ORDER BY ended, node"
  t:equal(list, { { name = "calm", status = "success" }, { name = "reactive_sequence", status = "failure",
    why = "one of its children failed" }, { name = "calm", status = "failure", why = "it does not hold" },
    { name = "w", status = "stopped" } })
end)

test("what comes to the same in three attempts is three rows, and three marks of the timeline", function(t)
  local run = t:run("source", { robot = "ur3e", recorded = true, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { tree = { "retry", times = 3, { "sequence", { "wait", name = "w", seconds = 0.5 },
  { "condition", name = "free", holds = function() return false end } } } }
return b
]] })
  run:advance(2)
  run:finish()
  local rows = run:sql "SELECT status, round(started, 1) AS started, ended - started AS took, why FROM \z
    tree_nodes WHERE name = 'free' ORDER BY ended"
  local expected = {}
  for index = 1, 3 do
    expected[index] = { status = "failure", started = index / 2, took = 0.0, why = "it does not hold" }
  end
  t:equal(rows, expected)
  local db = assert(require("brio.store").open(run.store))
  local bars = 0
  for _, bar in ipairs(require("brio.trials.timeline").of_run(db, 1, require("cjson").decode)[1].bars) do
    bars = bars + (bar.why and bar.status == "failure" and bar.started == bar.ended and 1 or 0)
  end
  db:close()
  t:equal(bars, 3)
end)

test("what changed in the tick in which a leaf raised an error is in the store", function(t)
  local run = t:run("source", { robot = "ur3e", recorded = true, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { tree = { "sequence", { "succeed", name = "first" }, { "action", name = "bad", tick = function() error "ouch" end } } }
return b
]] })
  run:advance(0.3)
  run:close()
  t:equal(run:sql "SELECT status FROM tree_nodes WHERE name = 'first'", { { status = "success" } })
end)

test("a running tree goes over to an edited one: what is unchanged runs on, what is gone is stopped",
  function(t)
  local log = {}
  local function act(name, seconds, after)
    return { "action", name = name, after = after, enter = function() log[#log + 1] = name end,
      tick = function(_, elapsed) return elapsed >= seconds or nil end,
        exit = function() log[#log + 1] = "/" .. name end }
  end
  local compiled = assert(trees.compile { "sequence", act("a", 1), act("b", 1, "beginning"), act("c", 1) })
  local running = trees.begin(compiled, { call = function(fn, ...) return fn(nil, ...) end })
  running:work(0)
  local function edit(...)
    local made, faults = trees.edit(running.compiled, { ... })
    if not made then return faults[1].message end
    running:migrate(made)
    return trees.print(made)
  end
  t:match(edit({ verb = "insert", parent = 1, before = 2, form = act("early", 1) },
    { verb = "remove", node = 3 },
    { verb = "insert", parent = 1, before = 4,
      form = { "sequence", name = "s", act("x", 1), act("y", 1, "beginning") } }),
    "action 'early'.*action 'a'.*sequence 's'.*action 'x'.*action 'y'.*action 'c'")
  t:equal(log, { "a", "b", "/b" })
  running:work(0.5)
  t:equal(log, { "a", "b", "/b" }, "a runs on, and what was put in before it does not begin")
  running:work(1)
  t:equal(table.concat(log, " "), "a b /b /a x y")
  t:match(edit { verb = "set", node = 4, form = { "wait", seconds = 1 } }, "wait  seconds 1 s")
  running:work(2)
  t:equal(running:work(3.5), "success")
  t:equal(table.concat(log, " "), "a b /b /a x y /x /y")
end)

test("an edit that cannot be is refused with a sentence, and nothing changes", function(t)
  local compiled = assert(trees.compile { "sequence", { "wait", name = "a" }, { "goto", to = "a" } })
  local function fault(...)
    local made, faults = trees.edit(compiled, { ... })
    return made and "nothing" or faults[1].message
  end
  t:match(fault { verb = "remove", node = 2 }, "to names 'a', which is no node")
  t:match(fault { verb = "remove", node = 1 }, "the root cannot be taken out")
  t:match(fault { verb = "remove", node = 9 }, "no node with the id 9")
  t:match(fault { verb = "insert", parent = 2, form = { "wait" } }, "'a' is a leaf")
  t:match(fault { verb = "insert", parent = 1, before = 1, form = { "wait" } }, "is no child of")
  t:match(fault { verb = "insert", parent = 1, form = { "wiat" } }, "did you mean 'wait'")
  t:match(fault { verb = "set", node = 1, form = { "wait" } }, "has children: it cannot become a leaf")
  t:match(fault { verb = "move", node = 1, parent = 1 }, "cannot be moved into itself")
  t:raises(function() trees.edit(compiled, { { verb = "change" } }) end,
    "verb is insert, remove, move or set")
  t:equal(#compiled.list, 3)
  t:equal(fault { verb = "move", node = 2, parent = 1 }, "nothing")
end)

test("what comes finally comes when the state is left, in the next ticks, and when what it is in is stopped",
  function(t)
  local run = run_of(t, [[
b.one = { tree = { "sequence", { "fallback", try = { { "action", name = "x", tick = function() end, exit = function(self)
  table.insert(self.memory.log, "/x") end } }, finally = { note("f", true), note("g", true) } } }, after = { 0.3, "two" } }
b.two = { enter = function(self) table.insert(self.memory.log, "two") end, after = { 1, "three" },
  tree = { "timeout", seconds = 0.2, { "fallback", try = { { "wait", seconds = 9 } }, finally = { note("h", true) } } },
  on = { tree_failed = "three" } }
b.three = { enter = function(self) table.insert(self.memory.log, ("three %.1f"):format(self.now)) end }
]])
  run:advance(2)
  t:equal(table.concat(run.memory.log, " "), "/x two f /f g h /g /h three 0.6")
end)

test("conditions are functions of the behavior: they see its face, their errors are its failures, a reload \z
  brings new ones", function(t)
  local source = [[
b.one = { tree = { "loop", { "selector", { "condition", name = "near", holds = function(self)
  self.memory.state = self.state
  self.memory.asked = (self.memory.asked or 0) + 1
  return self.now > 0.205
end }, { "succeed" } } } }
]]
  local run = run_of(t, source)
  run:advance(0.1)
  t:equal(run.memory.state, "one")
  local asked = run.memory.asked
  t:ok(asked >= 19, "once in each tick")
  t:equal(run:reload(swapped("self.memory.asked = (self.memory.asked or 0) + 1", "self.memory.again = true")),
    true)
  run:advance(0.05)
  t:equal({ run.memory.asked, run.memory.again }, { asked, true }, "the new function is asked")
  run = run_of(t, (source:gsub("self%.now > 0%.205", "error 'no eyes'")))
  run:advance(0.1)
  t:match(tostring(run.failed), "no eyes")
end)

test("a condition's function is edited while its tree runs", function(t)
  local first, second = 0, 0
  local function asks(count)
    return { "condition", name = "c", holds = function() count() return false end }
  end
  local compiled = assert(trees.compile { "loop",
    { "selector", asks(function() first = first + 1 end), { "succeed" } } })
  local running = trees.begin(compiled, { call = function(fn, ...) return fn(nil, ...) end })
  running:work(0)
  local made = assert(trees.edit(compiled,
    { { verb = "set", node = 3, form = asks(function() second = second + 1 end) },
    { verb = "insert", parent = 2, before = 3, form = { "fail", name = "before" } } }))
  running:migrate(made)
  running:work(1)
  running:work(2)
  t:equal({ first, second }, { 1, 2 })
  local third = 0
  running:migrate(assert(trees.edit(running.compiled,
    { { verb = "set", node = 3, form = asks(function() third = third + 1 end) } })))
  running:work(3)
  t:equal({ first, second, third }, { 1, 2, 1 }, "in its place")
  t:equal({ running.nodes:status(running.nodes:find(3)) }, { "failure", 0, "it does not hold" })
end)

test("what an edit stops, and what runs on over it, is one row each in the store, with the words of each \z
  failure", function(t)
  local recorder, store = require "brio.record.recorder", require "brio.store"
  local path = t:temporary ".db"
  local writer = assert(store.record(path, {}))
  assert(writer:begin { robot = "none" })
  local own, host, fails = recorder.new(writer), { now = 0 }, false
  local compiled = assert(trees.compile { "parallel", failures = 9, { "wait", name = "gone", seconds = 9 },
    { "wait", name = "stays", seconds = 9 },
    { "loop", { "selector", { "condition", name = "asked", holds = function() return not fails end },
      { "succeed" } } } })
  local running = trees.begin(compiled, { call = function(fn, ...) return fn(nil, ...) end },
    function(made_nodes) return own:tree(nil, made_nodes, host) end)
  local function tick(at, failing)
    host.now, fails = at, failing
    running:work(at)
  end
  tick(0)
  tick(1, true)
  host.now = 2
  running:migrate(assert(trees.edit(running.compiled, { { verb = "remove", node = 2 },
    { verb = "insert", parent = 1, before = 3, form = { "wait", name = "new", seconds = 1 } } })))
  tick(2, false)
  tick(3, true)
  running:halt()
  writer:finish {}
  writer:close()
  local db = assert(store.open(path))
  local list = {}
  for row in db:rows "SELECT node, name, status, started, ended, why FROM tree_nodes WHERE kind IN ('wait', \z
    'condition') ORDER BY name, ended" do
    list[#list + 1] = ("%d %s %s %g %g %s"):format(row.node, row.name, row.status, row.started, row.ended,
      row.why or "")
  end
  t:equal(list, { "6 asked success 0 0 ", "6 asked failure 1 1 it does not hold", "6 asked success 2 2 ",
    "6 asked failure 3 3 it does not hold",
    "2 gone stopped 0 2 ", "2 new success 2 3 ", "3 stays stopped 0 3 " })
  t:equal(db:query "SELECT count(*) AS n FROM tree_words WHERE why = 'it does not hold'"[1].n, 1, "said once")
  t:equal(db:query "SELECT count(*) AS n FROM tree_shapes"[1].n, 2)
  db:close()
end)
