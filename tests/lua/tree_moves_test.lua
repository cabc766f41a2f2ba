--- Leaves that move limbs, on robots of the simulator.
local robots = require "brio.robots"
local trees = require "brio.tree"
local owns = require "brio.tree.owns"

--- A run of one state with a tree, given as text; its end is noted in memory.ended, memory.why.
local function run_of(t, robot, tree, options)
  options = options or {}
  options.robot = robot
  options.source = ([[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {}%s }
local function ended(self, data) self.memory.ended, self.memory.why = self.now, data and data.why return "two" end
b.one = { tree = %s, on = { tree_done = ended, tree_failed = ended } }
b.two = { %s }
return b
]]):format(options.fields or "", tree, options.two or "")
  options.fields, options.two = nil, nil
  return t:run("source", options)
end

--- Let it run until the tree has ended, at most so many seconds.
local function finish(run, seconds)
  local till = run.now + (seconds or 20)
  while not run.memory.ended and run.now < till do run:advance(0.05) end
  return run.memory.ended, run.memory.why
end

--- How far off joints are, the most of them.
local function off(run, joints)
  local most = 0
  for name, value in next, joints do most = math.max(most, math.abs(run:measured(name) - value)) end
  return most
end

--- What is wrong with a node on a robot, or "nothing".
local function fault(robot, form)
  local faults = owns.faults(assert(trees.compile(form)), { description = assert(robots.find(robot)), name = "one" },
    function(node) return "node " .. node end)
  return faults[1] and faults[1].message or "nothing"
end

test("an arm goes to a preset and to joints, in its time", function(t)
  for _, robot in ipairs { "ur3e", "panda" } do
    local run = run_of(t, robot, [[{ "sequence", { "arm", preset = "reach", seconds = 1.5 }, { "arm", preset = "ready", seconds = 1 } }]])
    run:advance(1.55)
    local poses = run.description.poses
    local arm = {}
    for _, name in ipairs(run.description.parts.arm) do arm[name] = poses.reach.joints[name] end
    t:ok(off(run, arm) < 0.05, "at reach: %g", off(run, arm))
    local ended, why = finish(run)
    t:equal(why, nil)
    t:near(ended, 2.51, 0.06)
    for name in next, arm do t:near(run:measured(name), poses.ready.joints[name], 0.01, name) end
  end
end)

test("what is wrong with an arm's node is said before anything moves", function(t)
  t:match(fault("ur3e", { "arm" }), "says not where to go")
  t:match(fault("ur3e", { "arm", preset = "reach", joints = { elbow_joint = 1 } }), "joints and preset: one of them is enough")
  t:match(fault("ur3e", { "arm", preset = "raech" }), "no pose 'raech' %(did you mean 'reach'%?%)")
  t:match(fault("ur3e", { "arm", joints = { 1, 2 } }), "2 values, but the arm has 6 joints")
  t:match(fault("ur3e", { "arm", joints = { elbow = 1 } }), "no joint 'elbow'.*: it has shoulder_pan_joint")
  t:match(fault("ur3e", { "arm", joints = { elbow_joint = 9 } }), "elbow_joint goes from .* not to 9")
  t:match(fault("ur3e", { "arm", side = "left", preset = "reach" }), "has no left arm: it has one arm")
  t:match(fault("pepper", { "arm", preset = "greet" }), "which arm%? The robot pepper has left, right: say side")
  t:match(fault("pepper", { "arm", side = "lft", preset = "greet" }), "no lft arm")
  t:match(fault("ur3e", { "arm", pose = { position = { 3, 0, 0 } } }), "cannot get there: tool0 comes as near as 2%.%d+ m")
  t:match(fault("ur3e", { "arm", link = "tool9", pose = { position = { 0.3, 0, 0.3 } } }), "no link or role 'tool9'")
  t:match(fault("ur3e", { "arm", waypoints = { { preset = "reach", at = 1 }, { preset = "rest" } } }), "say `at`, or none")
  t:match(fault("ur3e", { "arm", waypoints = "no_such" }), "no sequence 'no_such'")
  t:equal(fault("ur3e", { "arm", side = "right", pose = { position = { 0.3, 0.1, 0.3 }, orientation = { 1, 0, 0, 0 } } }), "nothing")
  t:equal(fault("ur3e", { "arm", frame = "cup", pose = { position = { 0, 0, 0.1 } } }), "nothing", "known when it is seen")
  t:match(fault("pepper", { "parallel", { "arm", name = "a", side = "left", preset = "greet" },
    { "arm", name = "b", side = "left", preset = "think" } }), "'a' .* and 'b' .* may run at once, and both own LElbowRoll and 4 more")
end)

test("a hand goes to a pose in a frame, within its tolerances", function(t)
  for _, robot in ipairs { "ur3e", "panda" } do
    local run = run_of(t, robot, [[{ "sequence",
      { "arm", pose = { position = { 0.3, 0.2, 0.3 }, orientation = { 1, 0, 0, 0 } }, seconds = 1.5 },
      { "arm", pose = { position = { 0.3, -0.2, 0.3 }, orientation = { 1, 0, 0, 0 } }, jointspace_only = false, seconds = 2 } }]])
    local tool, straight = run.description.roles.tool, 0
    while not run.memory.ended and run.now < 6 do
      run:advance(0.05)
      local hand = run.solver:frames()[tool].position
      if run.now > 1.6 then straight = math.max(straight, math.abs(hand[1] - 0.3), math.abs(hand[3] - 0.3)) end
    end
    t:equal(run.memory.why, nil)
    t:near(run.memory.ended, 3.51, 0.06)
    local hand = run.solver:frames()[tool]
    t:near(hand.position, { 0.3, -0.2, 0.3 }, 0.005, robot)
    t:ok(straight < 0.03, "%s: straight, when the pose is wanted as well: %g", robot, straight)
  end
end)
