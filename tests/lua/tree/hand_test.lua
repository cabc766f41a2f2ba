--- The leaf `hand`: grips and fingers, speed, the criteria of success, and what happens otherwise.
local grips = require "brio.robots.grips"
local robots = require "brio.robots"
local setpoints = require "brio.tree.execution.setpoints"
local trees = require "brio.tree"

local function run_of(t, tree, options)
  options = options or {}
  options.robot = options.robot or "pepper"
  options.source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = ]] .. tree .. [[, on = { tree_done = "done",
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end, after = { 1, "later" } }
b.failed = { enter = function(self) self.memory.at = self.now end }
b.later = {}
return b
]]
  return t:run("source", options)
end

local function fault(form, robot)
  local made, faults = trees.compile(form)
  if not made then return faults[1].message end
  return trees.kinds.hand.record.fault(made.list[1].values, { description = robots.find(robot or "pepper") })
    or "nothing"
end

test("set points go to their goals no faster than they may, and as the filter has it", function(t)
  local way = setpoints.new({ { lower = 0, upper = 10, velocity = 2 } }, { 0 }, { 1 })
  local fastest, before = 0, 0
  for tick = 1, 400 do
    local value = way:value(1, tick * 0.005)
    fastest, before = math.max(fastest, (value - before) / 0.005), value
    t:ok(value <= 1 and value >= before - 1e-12)
  end
  t:ok(fastest <= 2 and fastest > 1.5, "%g", fastest)
  t:near(before, 1, 1e-2)
  t:ok(way.seconds < 2, "it knows that it has arrived")
  -- a step without a limit: f after n ticks is 1 - (1 - alpha)^n
  way = setpoints.new({ { lower = 0, upper = 10, velocity = 1e6 } }, { 0 }, { 1 })
  local alpha = 0.005 / (1 / (2 * math.pi) + 0.005)
  for tick = 1, 40 do way:value(1, tick * 0.005) end
  t:near(way:value(1, 0.2), 1 - (1 - alpha) ^ 40, 1e-9)
  way:lead(1, 0.5)
  for tick = 41, 800 do way:value(1, tick * 0.005) end
  t:near(way:value(1, 4), 0.5, 1e-3)
end)

test("a grip by name closes a hand at the speed that is said, and holds it", function(t)
  local run = run_of(t, '{ "hand", side = "right", grip = "close", velocity = 0.5 }')
  run:advance(0.5)
  local before, fastest = run:command "RHand", 0
  for _ = 1, 200 do
    run:advance(0.005)
    local now = run:command "RHand"
    fastest, before = math.max(fastest, math.abs(now - before) / 0.005), now
  end
  t:ok(fastest < 0.52, "%g", fastest)
  run:advance(1)
  t:ok(run.memory.at and run.memory.at > 1 and run.memory.at < 2.5, "%g", run.memory.at)
  run = run_of(t, '{ "sequence", { "hand", side = "left", fingers = { 0.9 } }, { "wait", seconds = 2 } }')
  run:advance(2.5)
  t:near(run:measured "LHand", 0.9, 0.01, "fingers go on to their goal, and stay")
  t:near(run:measured "RHand", 0.6, 0.01, "the other hand does nothing")
end)

test("who is there already is done at once", function(t)
  local run = run_of(t, '{ "hand", side = "left", grip = "relax" }')
  run:advance(0.02)
  t:equal(run.state, "done")
  run = run_of(t, '{ "hand", side = "left", fingers = { LHand = 0.64 }, already = 0.01, tolerance = 0.005 }')
  run:advance(0.02)
  t:equal(run.state, "one")
end)

test("movement of all fingers together, or the time alone, may be what counts", function(t)
  local run = run_of(t, '{ "hand", side = "left", grip = "close", success = "movement", movement = 0.2 }')
  run:advance(3)
  t:ok(run.memory.at and run.memory.at < 0.6, "%s", run.memory.at)
  run = run_of(t, '{ "hand", side = "left", grip = "close", success = "time", seconds = 0.3 }')
  run:advance(3)
  t:near(run.memory.at, 0.3, 0.02)
  run = run_of(t, '{ "hand", side = "left", grip = "relax", success = "movement", timeout = 0.5 }')
  run:advance(1)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "after 0.5 s the left hand is not done: its fingers went 0 rad together, where \z
    0.3 would do")
end)

test("a finger that sticks: the hand wiggles, and then fails in words", function(t)
  local run = run_of(t, '{ "hand", side = "left", grip = "open", velocity = 5, wiggle = true, wiggle_after \z
    = 1, timeout = 2.5 }', { faults = { "stall LHand" } })
  run:advance(1.05)
  local low, high = math.huge, -math.huge
  for _ = 1, 150 do
    run:advance(0.01)
    local said = run.run.host.tracks.player:why(run.run.host.tracks.numbers.LHand).value
    low, high = math.min(low, said), math.max(high, said)
  end
  t:ok(high - low > 0.02, "it wiggles: %g to %g", low, high)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "after 2.5 s the left hand is not done: LHand is 0.3%d* rad off its goal, where \z
    0.048 would do")
end)

test("fingers that work too hard go no further, where that is reported; else it is said", function(t)
  local tree = '{ "sequence", { "hand", side = "left", grip = "open", velocity = 0.2, load = 0.5 }, { \z
    "wait", seconds = 9 } }'
  local run = run_of(t, tree, { faults = { "strain 0.8 of LHand at 1" }, settings = { torque = 5 } })
  run:advance(1.2)
  local there = run:measured "LHand"
  t:ok(there > 0.65 and there < 0.85, "%g: it stopped before its goal", there)
  run:advance(1)
  t:near(run:measured "LHand", there, 0.03, "and holds what it has")
  run = run_of(t, tree)
  run:advance(3.5)
  t:match(table.concat(t.said, "\n"), "LHand reports no load, so its force is not limited")
  t:near(run:measured "LHand", 0.98, 0.02)
end)

test("the state's end lets go of fingers, a stop rests them", function(t)
  local run = run_of(t, '{ "timeout", seconds = 0.2, { "hand", side = "right", grip = "close" } }')
  run:advance(0.6)
  t:equal(run.state, "failed")
  run:advance(2)
  t:near(run:measured "RHand", 0.6, 0.02, "as before, where nothing else is wanted")
end)

test("the Panda's fingers are a hand without a side", function(t)
  local run = run_of(t, '{ "sequence", { "hand", grip = "close" }, { "hand", grip = "open" } }',
    { robot = "panda" })
  run:advance(8)
  t:equal(run.state, "later")
end)

test("what is wrong with a hand is said before anything runs", function(t)
  t:equal(fault { "hand", side = "left", grip = "open" }, "nothing")
  t:match(fault { "hand", grip = "open" },
    "which hand%? The robot pepper has left_hand, right_hand: say side")
  t:match(fault({ "hand", side = "left", grip = "open" }, "ur3e"), "no hand that can be moved")
  t:equal(fault({ "hand", grip = "open" }, "panda"), "nothing")
  t:match(fault { "hand", side = "left", grip = "opn" }, "no grip 'opn' %(did you mean 'open'%?%).*close")
  t:match(fault { "hand", side = "left" }, "no goal for the fingers")
  t:match(fault { "hand", side = "left", fingers = { LHand = 2 } },
    "LHand must be within its range, 0.02 to 0.98")
  t:match(fault { "hand", side = "left", fingers = { LHand = "open" } }, "fingers: LHand must be a number")
  t:match(fault { "hand", side = "left", fingers = { RHand = 0.5 } }, "'RHand' is none of its fingers")
  t:match(fault { "hand", side = "left", fingers = { 0.5, 0.6 } }, "'2' is none of its fingers")
  t:match(fault { "hand", side = "left", grip = "open", velocities = { LHand = 0 } }, "must be above 0")
  t:match(fault { "hand", side = "up", grip = "open" }, "one of left, right")
end)

test("every grips.lua that ships fits its robot, and those that do not are refused in words", function(t)
  local names = {}
  for _, name in ipairs(robots.list()) do
    local description = robots.find(name)
    t:equal(grips.fault(robots.data(description, "grips") or {}, description), nil)
    names[name] = require("brio.lib.suggest").keys(grips.hands(description))
  end
  t:equal({ names.pepper, names.panda, names.ur3e }, { { "left_hand", "right_hand" }, { "hand" }, {} })
  local pepper = robots.find "pepper"
  for _, case in ipairs { { 3, "must return a table" }, { { a = 1 }, "a must be a table" },
      { { a = { dof = {} } }, "did you mean 'dofs'" },
    { { a = { dofs = { "LHand" } } }, "needs dofs and grips" },
      { { a = { dofs = { "Lhand" }, grips = {} } }, "no DOF 'Lhand'.*LHand" },
    { { a = { dofs = { "LHand" }, grips = { open = { LHand = 5 } } } },
      "a.grips.open: LHand must be within" },
    { { a = { dofs = { "LHand" }, grips = {}, velocity = -1 } }, "above 0" } } do
    t:match(grips.fault(case[1], pepper) or "nothing", case[2])
  end
end)

test("hands, forces, motions and policies are mirrored, and twice is once back", function(t)
  local data = require "brio.tree.editing.data"
  local mirrors = require "brio.tree.mirror"
  local m = mirrors.new { description = robots.find "pepper" }
  for _, case in ipairs {
    { "hand", { side = "left", grip = "open" }, { side = "right", grip = "open" } },
    { "hand", { hand = "left_hand", fingers = { LHand = 0.5 }, velocities = { LHand = 2 } },
      { hand = "right_hand", fingers = { RHand = 0.5 }, velocities = { RHand = 2 } } },
    { "wrench", { side = "left", force = { 1, 2, 3 } }, { side = "right", force = { 1, -2, 3 } } },
    { "policy", { policy = "x", connect = "unix:/x", moves = { "left_arm", "LHand", "head" } },
      { policy = "x", connect = "unix:/x", moves = { "right_arm", "RHand", "head" } } },
    { "motion", { motion = "nod" }, { motion = "nod", mirror = true } },
    { "motion", { motion = "nod", mask = { "left_arm", "RHand", "head" } },
      { motion = "nod", mirror = true, mask = { "right_arm", "LHand", "head" } } },
    { "drive", { x = 1, y = 2, yaw = 0.5 }, { x = 1, y = -2, yaw = -0.5 } },
    { "proximity", { a = "left_hand", b = "Left Cup" }, { a = "right_hand", b = "Right Cup" } },
    { "contains", { what = "cup", frame = "world",
      shape = { kind = "sphere", size = { 1 }, pose = { position = { 1, 2, 3 } } } },
      { what = "cup", frame = "world", shape = { kind = "sphere", size = { 1 },
        pose = { position = { 1, -2, 3 } } } } },
    { "say", { text = "the left one" }, { text = "the left one" } },
  } do
    local there = assert(mirrors.fields({ kind = case[1], fields = case[2] }, m))
    t:ok(data.equal(there, case[3]), "%s: %s", case[1], require("brio.store").json(there))
    local back = assert(mirrors.fields({ kind = case[1], fields = there }, m))
    t:ok(data.equal(back, case[2]), "%s and back: %s", case[1], require("brio.store").json(back))
  end
end)

test("an edit of a hand that moves counts at once", function(t)
  local run = run_of(t, '{ "hand", side = "left", fingers = { LHand = 0.98 }, velocity = 0.05, \z
    timeout = 60 }')
  run:advance(1)
  local tree = run.run.host.top.current.tree
  local values = {}
  for key, value in next, tree.compiled.list[1].values do values[key] = value end
  values.fingers, values.velocity = { LHand = 0.4 }, 2
  tree.compiled.list[1].values = values
  run:advance(1.5)
  t:equal(run.memory.why, nil)
  t:ok(run.memory.at and run.memory.at < 2.5)
end)
