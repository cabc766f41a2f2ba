--- The leaf `motion`: a motion that fits is played, one that does not is reported, and falling behind is a
--- failure.
local function run_of(t, tree, options)
  options = options or {}
  options.robot = options.robot or "pepper"
  options.source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {}, sequences = {
  bow = { curve = "minimum_jerk", tracks = { HipPitch = { { 0, kind = "input" }, { 0.8, -0.25 }, { 1.6, kind = "input" } },
    HeadPitch = { { 0, kind = "input" }, { 0.8, 0.2 }, { 1.6, kind = "input" } } } },
  fast = { curve = "linear", tracks = { HipPitch = { { 0, kind = "input" }, { 0.05, -0.9 }, { 0.1, kind = "input" } } } },
  arms = { curve = "minimum_jerk", tracks = { LShoulderPitch = { { 0, kind = "input" }, { 0.8, 1.2 }, { 1.6, kind = "input" } },
    RShoulderRoll = { { 0, kind = "input" }, { 0.8, -0.5 }, { 1.6, kind = "input" } },
    HipPitch = { { 0, kind = "input" }, { 0.05, -0.9 }, { 1.6, kind = "input" } } } },
  round = { loop = { 0, 1 }, tracks = { HeadYaw = { { 0, kind = "input" }, { 0.5, 0.2 }, { 1, kind = "input" } } } },
} }
b.one = { tree = ]] .. tree .. [[, on = { tree_done = "done", tree_failed = function(self, data)
  self.memory.why, self.memory.at = data.why, self.now return "failed" end } }
b.done, b.failed = { enter = function(self) self.memory.at = self.now end }, {}
return b
]]
  return t:run("source", options)
end

local function refused(t, tree, pattern)
  local good, why = pcall(run_of, t, tree)
  t:equal(good, false)
  t:match(tostring(why), pattern)
end

test("a motion that fits is played and over", function(t)
  local run = run_of(t, '{ "motion", motion = "bow", fit = "strict", tolerance = 0.2 }')
  run:advance(0.8)
  t:near(run:command "HipPitch", -0.25, 0.03)
  run:advance(1)
  t:equal(run.state, "done")
  t:near(run.memory.at, 1.6, 0.1)
  run = run_of(t, '{ "motion", motion = "bow", speed = 2, mirror = true }')
  run:advance(1)
  t:near(run.memory.at, 0.8, 0.1)
end)

test("every robot's own sequences are motions, too", function(t)
  local run = run_of(t, '{ "sequence", { "motion", motion = "bow" }, { "motion", motion = "nod" } }')
  run:advance(6)
  t:equal(run.state, "done")
end)

test("what does not fit, or is not there, is said before anything runs", function(t)
  refused(t, '{ "motion", motion = "bwo" }',
    "no motion 'bwo' %(did you mean 'bow'%?%): there are arms, bow, fast, round")
  refused(t, '{ "motion", motion = "fast", fit = "strict" }',
    "'fast' does not fit the robot pepper: track 'HipPitch': is as fast as")
  refused(t, '{ "motion", motion = "round" }', "loops endlessly")
end)

test("who falls behind has failed, and so has what is ended by others or too late", function(t)
  local run = run_of(t, '{ "motion", motion = "bow", tolerance = 0.1 }', { faults = { "stall HipPitch" } })
  run:advance(1.5)
  t:match(run.memory.why or "", "HipPitch is 0%.%d+ rad off at 0%.%d+ s, where 0.1 would do")
  run = run_of(t, '{ "motion", motion = "bow" }')
  run:advance(0.3)
  run.run.host.tracks:stop("bow", 0.1)
  run:advance(0.3)
  t:match(run.memory.why or "", "ended before its time: stopped")
  run = run_of(t, '{ "motion", motion = "round", timeout = 1.5 }')
  run:advance(2.5)
  t:match(run.memory.why or "", "not over after 1.5 s")
  run = run_of(t, '{ "timeout", seconds = 0.5, { "motion", motion = "bow" } }')
  run:advance(1.2)
  t:equal({ run.state, #run.run.host.tracks.player:sources() }, { "failed", 0 })
end)

test("a mask names what a motion may move: the rest is not moved, not owned, and need not fit", function(t)
  local run = run_of(t,
    [[{ "parallel", { "motion", motion = "arms", mask = { "left_arm" }, fit = "strict", tolerance = 0.3 },
    { "motion", motion = "bow", mask = { "HipPitch" } } }]]) -- both have a track of HipPitch
  run:advance(0.8)
  t:near(run:command "LShoulderPitch", 1.2, 0.05)
  t:near(run:command "RShoulderRoll", -0.14, 1e-3)
  t:near(run:command "HipPitch", -0.25, 0.03, "the other motion's")
  t:near(run:command "HeadPitch", -0.2, 1e-3)
  run:advance(1.2)
  t:equal(run.state, "done")
  run = run_of(t, '{ "motion", motion = "arms", mirror = true, mask = { "right_arm" }, tolerance = 0.3 }')
  run:advance(0.8)
  t:near(run:command "RShoulderPitch", 1.2, 0.05, "mirrored: the mask is of the robot's own DOFs")
  t:near(run:command "LShoulderRoll", 0.14, 1e-3)
  refused(t, '{ "motion", motion = "arms", mask = { "left_amr" } }',
    "a mask: there is no DOF or group 'left_amr' %(did you mean 'left_arm'")
  refused(t, '{ "motion", motion = "arms", mask = {} }', "a mask names at least one DOF or group")
  refused(t, '{ "motion", motion = "arms", mask = { "head" } }',
    "'arms' moves nothing of the robot pepper that its mask names")
  refused(t, '{ "motion", motion = "arms", mask = "head" }', "mask must be a list")
  refused(t, '{ "motion", motion = "arms", fit = "strict" }', "track 'HipPitch': is as fast as")
end)

test("a mirrored motion is held against the robot where it moves it", function(t)
  local run = run_of(t, '{ "motion", motion = "arms", mirror = true, mask = { "right_arm" }, tolerance = \z
    0.1 }', { faults = { "stall RShoulderPitch" } })
  run:advance(1.5)
  t:match(run.memory.why or "", "RShoulderPitch is 0%.%d+ rad off")
end)
