--- A person in charge of a behavior tree: steps, modes, breakpoints, failures that wait; and the words for
--- it.
local trees = require "brio.operator.prompt.trees"

local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one", memory = { log = {}, slips = 1 } }
local function note(word, seconds, after)
  return { "action", name = word, seconds = seconds, after = after, enter = function(self) table.insert(self.memory.log, word) end,
    tick = function(_, elapsed) if elapsed >= seconds - 1e-9 then return true end end,
    exit = function(self) table.insert(self.memory.log, "/" .. word) end }
end
b.one = { tree = { "sequence", name = "all of it",
  note("walk up", 0.5), note("lift the hand", 0.2, "beginning"),
  { "action", name = "turn the knob", enter = function(self) table.insert(self.memory.log, "turn") end, tick = function(self)
    if self.memory.slips > 0 then self.memory.slips = self.memory.slips - 1 return false, "it slipped" end return true end },
  note("walk through", 0.2) }, on = { tree_done = "done", tree_failed = "stuck" } }
b.done, b.stuck = {}, {}
return b
]]

--- Send a line to the prompt of a run without a socket.
local function say(run, line, who)
  local prompt = { run = run.run }
  return trees.run(prompt, line, { who = who or "ann", client = 1 })
end

local function started(t, source)
  local run = t:run("source", { robot = "ur3e", source = source or behavior })
  run:advance(0.01)
  return run
end

test("nobody in charge: a failure is the behavior's, as ever", function(t)
  local run = started(t)
  run:advance(1)
  t:equal(run.state, "stuck")
  local answer, why = say(run, "step")
  t:equal(answer, nil)
  t:match(why, "no tree runs")
end)

test("in charge: a failure waits, with the failed leaf next, and goes on when it is told to", function(t)
  local run = started(t)
  t:match(say(run, "hold"), "you are in charge")
  run:advance(1)
  t:equal(run.state, "one")
  t:match(say(run, ""), "one: failed, waits, in charge: ann")
  t:match(say(run, ""), "4 >x   action 'turn the knob'  %[failed after 0.00 s: it slipped%]")
  t:match(say(run, "next"), "next: 4 turn the knob")
  t:equal(run.memory.log, { "walk up", "lift the hand", "/lift the hand", "turn", "/walk up" },
    "walk up comes to its end")
  t:match(table.concat(t.said, "\n"), "the tree of 'one' waits at 'turn the knob': it failed: it slipped")
  run:advance(0.5)
  say(run, "auto on")
  run:advance(0.1)
  t:equal(run.memory.log[6], "turn", "tried again")
  run:advance(0.3)
  t:match(say(run, ""), "at its end")
  t:equal(run.state, "one", "the end waits, too")
  t:match(say(run, "hold off"), "by themselves again")
  run:advance(0.1)
  t:equal(run.state, "done")
end)

test("steps are concurrent sets, and what runs can be paused, stopped at once and later", function(t)
  local run = started(t)
  say(run, "reset")
  run:advance(0.05)
  t:equal(run.memory.log, { "walk up", "lift the hand", "/walk up", "/lift the hand" },
    "reset lets go of what runs")
  t:match(say(run, "next 2"), "next: 2 walk up, 3 lift the hand; `tree step`")
  t:match(say(run, "step"), "begins: 2 walk up, 3 lift the hand")
  run:advance(0.1)
  t:match(say(run, "pause walk up"), "2 walk up: paused")
  run:advance(1)
  t:match(say(run, ""), "\n   2  = +action 'walk up'  %[0%.%d+ of 0%.5 s, paused%]")
  t:match(say(run, ""), "\n   3  %+ +action 'lift")
  t:match(say(run, "resume walk"), "2 walk up: goes on")
  run:advance(0.1)
  t:match(say(run, "show walk up"), "2 action 'walk up', id %d+\n  running, 0%.[12]%d* of 0%.5 s\n  seconds \z
    = 0.5")
  t:match(say(run, "stop walk up in 0.1 s"), "2 walk up ends in 0.1 s, as failed")
  t:match(say(run, ""), "stops in 0.1 s")
  run:advance(0.2)
  t:match(say(run, ""), "x +action 'walk up'  %[failed after 0.%d+ s: stopped%]")
  t:equal(run.state, "one")
  t:equal(select(2, say(run, "stop walk up")), "'walk up' does not run")
  t:equal(say(run, "concurrency off"), "one after the other: nothing runs at once")
  t:match(say(run, "step"), "begins: 2 walk up;?")
end)

test("a breakpoint stops a tree each time, also when the state is entered again", function(t)
  local run = started(t, (behavior:gsub("slips = 1", "slips = 0")))
  t:match(say(run, "break turn"), "it stops before 4 turn the knob; you are in charge")
  run:advance(1)
  t:match(say(run, ""), "4!> +action 'turn the knob'")
  t:match(table.concat(t.said, "\n"), "waits at 'turn the knob': a breakpoint")
  t:match(say(run, "break"), "breakpoints: 4 turn the knob")
  say(run, "auto on")
  run:advance(0.5)
  t:match(say(run, ""), "at its end")
  run.run.host:force(run.run.host.machine.states.one, "ann")
  run:advance(1)
  t:match(say(run, ""), "waits for a step")
  t:match(say(run, "break 4 off"), "no breakpoint any more at 4")
  say(run, "hold off")
  run:advance(0.5)
  t:equal(run.state, "done")
end)

test("nodes are found by number, id, name and piece; what is not clear is said", function(t)
  local run = started(t)
  local function why(line) return select(2, say(run, line)) end
  t:match(say(run, "next #4"), "next: 4 turn")
  t:match(say(run, 'next "turn the knob"'), "next: 4 turn")
  t:match(say(run, "next KNOB"), "next: 4 turn")
  t:match(say(run, "next all of it"), "next: 2 walk up")
  t:match(why "next walk", "'walk' fits 2 nodes: give the number: 2 walk up, 5 walk through")
  t:match(why "next trn the knob", "did you mean 'turn the knob'")
  t:match(why "next 77", "there is no node 77: the tree has 5")
  t:match(why "next #77", "no node has the id 77")
  t:match(why "pause", "name a node")
  t:match(why "stepp", "did you mean 'step'")
  t:match(why "auto maybe", "say on or off, not 'maybe'")
  t:match(why "in two step", "no tree runs in a state 'two'")
  t:match(say(run, "in one next"), "next: ")
  local names, length = trees.complete(run.run, "next turn the")
  t:equal({ names[4], length }, { "turn the knob", 8 })
  t:equal({ trees.complete(run.run, "auto o") }, { { "on", "off" }, 1 })
  t:equal({ trees.complete(run.run, "in o") }, { { "one" }, 1 })
end)

test("while the pose is held, a tree's time stands still", function(t)
  local run = started(t)
  run:advance(0.3)
  run.run.host:hold()
  run:advance(2)
  run.run.host:go_on()
  run:advance(0.1)
  t:match(say(run, ""), "%* +action 'walk up'  %[0%.4%d* of 0.5 s%]")
end)

test("modes and breakpoints are said before a tree begins, too, and stay over a reload", function(t)
  local run = started(t, (behavior:gsub('b.done, b.stuck',
    'b.two = { tree = { "sequence", note("x", 0.1), note("y", 0.1) } }\nb.done, b.stuck')))
  run:advance(1)
  t:equal(run.state, "stuck")
  t:match(say(run, "in two break y"), "it stops before 3 y; you are in charge")
  t:match(say(run, "in two break"), "breakpoints: 3 y")
  t:match(say(run, "auto off"), "automatic is off")
  run.run.host:force(run.run.host.machine.states.two, "ann")
  run:advance(0.3)
  t:match(say(run, ""), "two: waits for a step.-2 > +action 'x'.-3!")
  say(run, "auto on")
  run:advance(0.3)
  t:match(say(run, ""), "2  %+ +action 'x'.-3!> +action 'y'")
  t:equal(run:reload(function(text) return (text:gsub('note%("y", 0.1%)', 'note("y", 0.2)')) end), true)
  run:advance(0.3)
  t:match(say(run, ""), "in charge: ann.-2  %+ +action 'x'.-3!> +action 'y'",
    "another tree: it begins anew, as it is told")
  t:equal(run.failed, nil)
  t:match(say(run, "hold off"), "by themselves")
  run:advance(1)
  t:equal(run.memory.log[#run.memory.log], "/y")
end)

test("the manual's page lists the words behind `tree` as help does", function(t)
  local file = assert(io.open "docs/trees/live.md")
  local page = file:read "a"
  file:close()
  for _, row in ipairs(trees.list) do
    local line = ("| `tree %s` | %s |"):format(row.usage:gsub("|", "\\|"), row.summary)
    t:ok(page:find(line, 1, true), "docs/trees/live.md has no row %s", line)
  end
end)
