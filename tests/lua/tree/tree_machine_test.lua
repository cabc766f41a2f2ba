--- Machines inside trees, trees inside machines.
local function run_of(t, text)
  return t:run("source", { robot = "ur3e", source = [[
local brio = require "brio"
local log = function(self, ...) table.insert(self.memory.log, string.format(...)) end
local function said(word) return { enter = function(self) log(self, word) end, exit = function(self) log(self, "/" .. word) end } end
local function state(word, fields) local made = said(word) for k, v in pairs(fields) do made[k] = v end return made end
local function note(word) return { "action", name = word, enter = function(self) log(self, word) end } end
]] .. text .. "\nreturn b\n" })
end

local plain = [[local b = brio.behavior "b" { start = "one", memory = { log = {}, tries = 0 } }
]]

test("a machine in a tree runs until it comes to success, or fails with the state that led there", function(t)
  local run = run_of(t, plain .. [[
b.one = { tree = { "sequence", note "before",
    { "machine", name = "knob", start = "reach", states = {
      reach = state("reach", { after = { 0.2, "turn" } }),
      turn = state("turn", { tick = function(self) self.memory.tries = self.memory.tries + 1 if self.memory.tries == 10 then return "success" end end }) } },
    note "after",
    { "machine", name = "pull", start = "hold", states = { hold = state("hold", { on = { slipped = "failure" } }) } } },
  on = { tree_failed = function(self, data) log(self, "%s: %s", data.node, data.why) return "two" end } }
b.two = {}
]])
  run:advance(0.5)
  t:equal(run.memory.log, { "before", "reach", "/reach", "turn", "/turn", "after", "hold" })
  run:emit "slipped"
  run:advance(0.1)
  t:equal({ table.unpack(run.memory.log, 8) }, { "/hold", "pull: 'hold' led to failure (event slipped)" })
  t:equal(run.state, "two")
end)

test("events that came before a machine began are not its own", function(t)
  local run = run_of(t, plain .. [[
b.one = { tree = { "sequence", { "action", tick = function(self) return self.memory.went end },
    { "machine", start = "a", states = { a = { on = { go = "failure" }, after = { 0.2, "success" } } } } },
  on = { tree_done = "two", go = function(self) self.memory.went = true end } }
b.two = {}
]])
  run:advance(0.1)
  run:emit "go"
  run:advance(0.6)
  t:equal(run.state, "two")
end)

test("named machines serve several places, with trees of their own; wants and transitions outward hold",
function(t)
  local run = run_of(t, [[
local want = brio.want
local b = brio.behavior "b" { start = "one", memory = { log = {}, tries = 0 }, machines = {
  knob = { start = "turn", states = {
    turn = { wants = { want.joint_match { joint = "wrist_1_joint", goal = 0.5, weight = 30 } },
      tree = { "sequence", { "wait", seconds = 0.5 }, note "turned" }, on = { tree_done = "success", stop = "two" } } } } } }
b.one = { tree = { "sequence", { "machine", run = "knob", name = "left" }, { "machine", run = "knob", name = "right" }, note "done" } }
b.two = {}
]])
  run:advance(0.05)
  local before = run:command "wrist_1_joint"
  run:advance(0.4)
  local now = run:command "wrist_1_joint"
  t:ok(now > before + 0.5, "what it wants counts: from %g to %g", before, now)
  run:advance(0.25)
  t:equal(run.memory.log, { "turned" })
  local paths = {}
  run.run.host.top:each_outer_first(function(active) paths[#paths + 1] = active.state.path end)
  t:equal(paths, { "one", "one/right.turn" })
  run:emit "stop"
  run:advance(0.1)
  t:equal(run.state, "two")
end)

test("a machine is left when its tree stops it, and only then", function(t)
  local run = run_of(t, plain .. [[
b.one = { tree = { "sequence", { "fallback", try = { { "timeout", seconds = 0.3,
    { "machine", start = "a", states = { a = state("a", { start = "deep", states = { deep = said "deep" } }) } } } }, catch = { note "caught" } }, { "wait", seconds = 9 } } }
]])
  run:advance(0.2)
  t:equal(run.memory.log, { "a", "deep" })
  run:advance(0.3)
  t:equal(run.memory.log, { "a", "deep", "/deep", "/a", "caught" })
  t:equal(#run.run.host.top.current.regions, 0)
  t:equal(run.failed, nil)
end)

test("a machine that is held stands still, and its timers with it", function(t)
  local run = run_of(t, plain .. [[
b.one = { tree = { "machine", name = "m", start = "a", states = { a = { after = { 0.3, "success" }, tick = function(self) self.memory.tries = self.memory.tries + 1 end } } },
  on = { tree_done = "two" } }
b.two = {}
]])
  run:advance(0.1)
  local tree, ticks = run.run.host.top.current.tree.nodes, run.memory.tries
  tree:pause(1, true)
  run:advance(1)
  t:equal(run.memory.tries, ticks)
  t:equal(run.state, "one/m.a")
  tree:pause(1, false)
  run:advance(0.1)
  t:equal(run.state, "one/m.a")
  run:advance(0.2)
  t:equal(run.state, "two")
end)

test("what is wrong with a machine is said, with its line", function(t)
  local function fault(machine, more)
    local good, why = pcall(run_of, t,
      ([[local b = brio.behavior "b" { start = "one", memory = { log = {} }, machines = { %s } }
b.one = { tree = { "sequence",
  %s } }]]):format(more or "", machine))
    return good and "nothing" or tostring(why)
  end
  t:match(fault [[{ "machine", run = "knub" }]], "no machine 'knub'")
  t:match(fault([[{ "machine", run = "knub" }]], [[knob = { start = "a", states = { a = {} } }]]),
    "did you mean 'knob'")
  t:match(fault [[{ "machine" }]], ":8: state 'one': tree: 'machine' %(machine%): a machine has `run`")
  t:match(fault([[{ "machine", run = "k", states = {} }]], [[k = { start = "a", states = { a = {} } }]]),
    "a machine has `run`")
  t:match(fault [[{ "machine", states = { a = {} } }]], "has states but no start")
  t:match(fault [[{ "machine", start = "b", states = { a = {} } }]], "no state 'b' to start in")
  t:match(fault [[{ "machine", start = "a", states = { a = { on = { x = "c" } } } }]],
    "leads to 'c', which is no state")
  t:match(fault [[{ "machine", start = "a", states = { a = { after = { 1, "sucess" } } } }]],
    "leads to 'sucess'.*did you mean 'success'")
  t:match(fault [[{ "machine", start = "a", states = { a = { tree = { "wiat" } } } }]],
    "no kind of node 'wiat'")
  t:match(fault([[{ "machine", run = "k" }]],
    [[k = { start = "a", states = { a = { tree = { "machine", run = "k" } } } }]]), "'k' runs itself")
  t:match(fault([[{ "wait" }]], [[k = 5]]), "machines: 'k' must be a table")
  t:match(fault([[{ "wait" }]], [[k = { start = "a", states = { a = {} }, hist = 1 }]]),
    "has no field 'hist'")
end)

local swapped = function(from, to)
  return function(text)
    local first, last = text:find(from, 1, true)
    return text:sub(1, first - 1) .. to .. text:sub(last + 1)
  end
end

local long = plain .. [[
b.one = { tree = { "sequence", note "tree", { "machine", name = "m", start = "a", states = {
  a = state("a", { tick = function(self) if self.now > 0.9 then log(self, "old") return "success" end end }) } }, note "end", { "wait", seconds = 9 } } }
]]

test("a reload: a machine in a tree that is the same goes on where it was, with its new functions",
function(t)
  local run = run_of(t, long)
  run:advance(0.3)
  t:equal(run:reload(swapped('"old"', '"new"')), true)
  run:advance(1)
  t:equal(run.memory.log, { "tree", "a", "new", "/a", "end" })
end)

test("a reload: another tree begins anew and leaves the old one's machines; what is gone is left", function(t)
  local run = run_of(t, long)
  run:advance(0.3)
  t:equal(run:reload(swapped('note "tree",', 'note "other", note "tree",')), true)
  run:advance(0.1)
  t:equal(run.memory.log, { "tree", "a", "/a", "other", "tree", "a" })
  t:equal(run:reload(swapped('start = "a", states = {',
    'start = "b", states = { b = said "b" }, notes = "" }, { "machine", start = "a", states = {')), true)
  run:advance(0.1)
  t:equal({ table.unpack(run.memory.log, 7) }, { "/a", "other", "tree", "b" })
  t:equal(run.failed, nil)
end)

test("a version that fails in its first second is rolled back, and the tree with its machine begins anew",
function(t)
  local run = run_of(t, long)
  run:advance(0.3)
  t:equal(run:reload(swapped("if self.now > 0.9 then",
    "if self.now > 0.5 then error 'ouch' end if self.now > 0.9 then")), true)
  run:advance(1)
  t:equal(run.failed, nil)
  t:equal(run.memory.log, { "tree", "a", "tree", "a", "old", "/a", "end" })
end)

test("machines run in a tree that was edited since", function(t)
  local author, sessions = require "brio.tree.author", require "brio.tree.session"
  local run = run_of(t, [[
local b = brio.behavior "b" { start = "one", memory = { log = {} }, machines = {
  knob = { start = "k", states = { k = state("k", { after = { 0.2, "success" } }) } } } }
b.one = { tree = { "sequence", { "wait", name = "w", seconds = 0.2 }, { "machine", run = "knob" },
  { "machine", name = "m", start = "a", states = { a = state("a", { after = { 0.2, "success" } }) } } }, on = { tree_done = "two" } }
b.two = {}
]])
  run:advance(0.05)
  local host = run.run.host
  local one = assert(sessions.of(host, host.machine.states.one))
  local doc = one.document
  t:ok(one:edit(assert(author.set(doc, doc:find "w", "seconds", 0.3)), "ann"))
  t:ok(one:edit(assert(author.insert(doc, { behind = doc:find "knob" },
    { "machine", name = "again", run = "knob" }, one:ids())), "ann"))
  run:advance(0.4)
  t:equal(run.memory.log, { "k" })
  t:ok(one:edit(assert(author.set(doc, doc:find "m", "notes", "the last one")), "ann"))
  run:advance(0.8)
  t:equal(run.memory.log, { "k", "/k", "k", "/k", "a", "/a" })
  t:equal(run.state, "two")
end)

test("the guard of the manual opens, or is stuck after three slips", function(t)
  local manual = assert(io.open "docs/trees/files.md"):read "a"
  local source = manual:match "## Machines.-```lua\n(.-)```"
  for _, row in ipairs { { "turned", "opening/push.lean", "through" },
                         { "slipped", "opening/knob.reach", "stuck" } } do
    local run = t:run("source", { robot = "ur3e", source = source })
    run:advance(0.5)
    t:equal(run.state, "opening/knob.turn")
    run:emit(row[1])
    run:advance(0.1)
    t:equal(run.state, row[2])
    for _ = 1, 2 do
      run:advance(0.5)
      run:emit(row[1])
    end
    run:advance(0.1)
    t:equal(run.state, row[3])
  end
end)

test("what ran in machines of trees is in the store as states are", function(t)
  local run = t:run("source", { robot = "ur3e", recorded = true, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { tree = { "machine", name = "m", start = "a", states = { a = { after = { 0.2, "success" } } } }, on = { tree_done = "two" } }
b.two = {}
return b
]] })
  run:advance(0.5)
  run:finish()
  t:equal(run:sql "SELECT state FROM states ORDER BY id",
    { { state = "one" }, { state = "one/m.a" }, { state = "one/m.success" }, { state = "two" } })
end)
