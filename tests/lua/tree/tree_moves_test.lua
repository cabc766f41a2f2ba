--- Leaves that move limbs, on robots of the simulator.
local robots = require "brio.robots"
local trees = require "brio.tree"
local check = require "brio.tree.model.check"

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

--- Run until the tree has ended, for at most this many seconds.
local function finish(run, seconds)
  local till = run.now + (seconds or 20)
  while not run.memory.ended and run.now < till do run:advance(0.05) end
  return run.memory.ended, run.memory.why
end

--- The greatest error of a joint.
local function off(run, joints)
  local most = 0
  for name, value in next, joints do most = math.max(most, math.abs(run:measured(name) - value)) end
  return most
end

--- The fault of a node on a robot, or "nothing".
local function fault(robot, form)
  local faults = check.faults(assert(trees.compile(form)),
    { description = assert(robots.find(robot)), name = "one" },
    function(node) return "node " .. node end)
  return faults[1] and faults[1].message or "nothing"
end

test("an arm goes to a preset and to joints, in its time", function(t)
  for _, robot in ipairs { "ur3e", "panda" } do
    local run = run_of(t, robot, '{ "sequence", { "arm", preset = "reach", seconds = 1.5 }, \z
      { "arm", preset = "ready", seconds = 1.3 } }')
    run:advance(1.55)
    local poses = run.description.poses
    local arm = {}
    for _, name in ipairs(run.description.parts.arm) do arm[name] = poses.reach.joints[name] end
    t:ok(off(run, arm) < 0.05, "at reach: %g", off(run, arm))
    local ended, why = finish(run)
    t:equal(why, nil)
    t:near(ended, 2.81, 0.06)
    for name in next, arm do t:near(run:measured(name), poses.ready.joints[name], 0.01, name) end
  end
end)

test("a time that is none, as files of others have it, is as if none were said", function(t)
  local record = trees.kinds.arm.record
  local site = { description = assert(robots.find "ur3e"), name = "one" }
  local function seconds(form) return record.seconds(assert(trees.compile(form)).list[1].values, site) end
  local free = seconds { "arm", preset = "reach" }
  t:ok(free > 0.3, "%g s", free)
  t:equal(seconds { "arm", preset = "reach", seconds = 0 }, free)
  t:equal(seconds { "arm", preset = "reach", seconds = 9.97e-20 }, free)
  local slow = seconds { "arm", preset = "reach", speed = 0.25 } / free
  t:ok(slow >= math.sqrt(2) - 1e-9 and slow <= 2 + 1e-9, "as acceleration or speed counts: %g times as long",
    slow)
  t:equal(seconds { "arm", preset = "reach", seconds = 3 }, 3)
end)

test("what is wrong with an arm's node is said before anything moves", function(t)
  t:match(fault("ur3e", { "arm" }), "it has no goal")
  t:match(fault("ur3e", { "arm", preset = "reach", joints = { elbow_joint = 1 } }),
    "joints and preset: give one of them")
  t:match(fault("ur3e", { "arm", preset = "raech" }), "no pose 'raech' %(did you mean 'reach'%?%)")
  t:equal(fault("ur3e", { "arm", preset = "home" }), "nothing", "the pose that its file calls home")
  t:match(fault("ur3e", { "arm", joints = { 1, 2 } }), "2 values, but the arm has 6 joints")
  t:match(fault("ur3e", { "arm", joints = { elbow = 1 } }), "no joint 'elbow'.*: it has shoulder_pan_joint")
  t:match(fault("ur3e", { "arm", joints = { elbow_joint = 9 } }), "elbow_joint goes from .* not to 9")
  t:match(fault("ur3e", { "arm", side = "left", preset = "reach" }), "has no left arm: it has one arm")
  t:match(fault("pepper", { "arm", preset = "greet" }),
    "which arm%? The robot pepper has left, right: say side")
  t:match(fault("pepper", { "arm", side = "lft", preset = "greet" }), "no lft arm")
  t:match(fault("ur3e", { "arm", pose = { position = { 3, 0, 0 } } }),
    "cannot get there: tool0 comes as near as 2%.%d+ m")
  t:match(fault("ur3e", { "arm", link = "tool9", pose = { position = { 0.3, 0, 0.3 } } }),
    "no link or role 'tool9'")
  t:match(fault("ur3e", { "arm", waypoints = { { preset = "reach", at = 1 }, { preset = "rest" } } }),
    "have `at`, or none")
  t:match(fault("ur3e", { "arm", waypoints = "no_such" }), "no sequence 'no_such'")
  for _, case in ipairs { { { joints = 0.3 }, "joints must be a table, not a number" },
    { { pose = 5 }, "pose must be a table" }, { { pose = { position = { 1, 2 } } }, "pose.position must be" },
    { { pose = { position = { 0.3, 0, 0.3 } }, frame = 5 }, "frame must be a string" },
    { { preset = "reach", at = "soon" }, "at must be a number" } } do
    t:match(fault("ur3e", { "arm", waypoints = { case[1] } }), "waypoints%[1%]: " .. case[2])
  end
  t:equal(fault("ur3e", { "arm", side = "right",
    pose = { position = { 0.3, 0.1, 0.3 }, orientation = { 1, 0, 0, 0 } } }), "nothing")
  t:equal(fault("ur3e", { "arm", frame = "cup", pose = { position = { 0, 0, 0.1 } } }), "nothing",
    "known when it is seen")
  t:match(fault("pepper", { "parallel", { "arm", name = "a", side = "left", preset = "greet" },
    { "arm", name = "b", side = "left", preset = "think" } }),
      "'a' .* and 'b' .* may run at once, and both own LElbowRoll and 4 more")
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
      if run.now > 1.6 then
        straight = math.max(straight, math.abs(hand[1] - 0.3), math.abs(hand[3] - 0.3))
      end
    end
    t:equal(run.memory.why, nil)
    t:near(run.memory.ended, 3.51, 0.06)
    local hand = run.solver:frames()[tool]
    t:near(hand.position, { 0.3, -0.2, 0.3 }, 0.005, robot)
    t:ok(straight < 0.03, "%s: straight, when the pose is wanted as well: %g", robot, straight)
  end
end)

test("what is in the way keeps an arm from its goal, and is named", function(t)
  for _, plan in ipairs { "false", "true" } do
    local run = t:run("source", { robot = "ur3e", source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { enter = function(self) self:shape("crate", { kind = "box", size = { 0.3, 0.6, 0.3 }, pose = { position = { 0.35, 0, 0.05 } } }) end,
  tree = { "sequence", { "arm", name = "down", pose = { position = { 0.3, 0, 0.12 } }, seconds = 1, timeout = 1.6, plan = ]] .. plan .. [[ } },
  on = { tree_failed = function(self, data) self.memory.why, self.memory.at, self.memory.node = data.why, self.now, data.node end } }
return b
]] })
    run:advance(2)
    t:equal(run.memory.node, "down")
    if plan == "false" then
      t:near(run.memory.at or 0, 1.6, 0.02, "it waited for its timeout")
      t:match(run.memory.why, "the arm is off: tool0 by 0%.%d+ m, where 0%.02 would do; [%w_]+ is 0%.00%d m \z
        from crate")
    else
      t:ok(run.memory.at < 0.5, "it is refused at once: %g s", run.memory.at)
      t:match(run.memory.why, "no way around crate: all %d+ ways to be there collide: [%w_]+ is [%d.]+ mm \z
        inside crate")
    end
    run:advance(0.5)
    t:equal(run.failed, nil)
  end
end)

test("what cannot be reached fails at once, with how near it comes and its quality", function(t)
  local run = run_of(t, "ur3e",
    [[{ "arm", frame = "world", pose = { position = { 0.3, -0.1, 0.3 } }, part = "wrist", link = "tool0" }]])
  local ended, why = finish(run, 1)
  t:ok(ended and ended < 0.1, "it does not begin to move")
  t:match(why, "the arm cannot get there: it comes as near as 0%.%d+ m and 0 rad off.*quality %d+%.?%d*, \z
    good up to 1")
end)

test("a frame that is not there is waited for until the timeout", function(t)
  local tree = '{ "arm", frame = "cup", pose = { position = { 0, 0, 0.1 }, orientation = { 1, 0, 0, 0 } }, \z
    position_tolerance = 0.03%s }'
  local run = run_of(t, "panda", tree:format "")
  local _, why = finish(run, 1)
  t:match(why, "there is no frame 'cup' now")
  run = run_of(t, "panda", tree:format ", timeout = 4, seconds = 1")
  run:advance(0.3)
  run:see { kind = "object", id = "cup", at = { 0.45, 0.1, 0.2 }, during = 60 }
  local ended
  ended, why = finish(run, 6)
  t:equal(why, nil)
  t:ok(ended and ended < 4, "it came")
  t:near(run.solver:frames()[run.description.roles.tool].position, { 0.45, 0.1, 0.3 }, 0.03)
end)

--- The greatest change of speed between ticks, as a share of what a joint's acceleration allows, during
--- `seconds`.
local function roughness(run, names, seconds, each)
  local before, speeds, most = {}, {}, 0
  local limits = {}
  for _, dof in ipairs(run.description.dofs) do limits[dof.name] = dof.acceleration end
  for tick = 1, math.floor(seconds * 200 + 0.5) do
    run:advance(0.005)
    for _, name in ipairs(names) do
      local now = run.actuator:state(name).target
      local speed = before[name] and (now - before[name]) / 0.005
      if speed and speeds[name] then
        most = math.max(most, math.abs(speed - speeds[name]) / 0.005 / limits[name])
      end
      before[name], speeds[name] = now, speed
    end
    if each then each(tick * 0.005) end
  end
  return most
end

test("a leaf that takes an arm on its way begins with its speed: nothing jumps", function(t)
  local run = run_of(t, "ur3e", [[{ "sequence", { "reactive_selector",
    { "reactive_sequence", { "condition", holds = function(self) return self.now > 0.6 end }, { "arm", name = "back", preset = "rest", seconds = 1.5 } },
    { "arm", name = "out", preset = "reach", seconds = 1.5 } } }]])
  local names = run.description.parts.arm
  local fastest = 0
  local rough = roughness(run, names, 2.1, function(at)
    if at > 0.55 and at < 0.6 then
      fastest = math.max(fastest, math.abs(run.actuator:state("shoulder_lift_joint").velocity))
    end
  end)
  t:ok(fastest > 0.2, "it was on its way: %g rad/s", fastest)
  t:ok(rough <= 1.01, "%g of what accelerations allow", rough)
  t:ok(off(run, { shoulder_lift_joint = -2.3, elbow_joint = 2.4 }) < 0.01)
  t:equal(run.memory.why, nil)
end)

test("when its state is left an arm rests, and goes back to what the next state wants, unless it is held \z
  for good", function(t)
  for _, hold in ipairs { "true", "\"always\"" } do
    local run = run_of(t, "ur3e",
      ([[{ "sequence", { "arm", preset = "reach", seconds = 1, hold = %s } }]]):format(hold))
    run:advance(1.3)
    t:equal(run.state, "two")
    run:advance(2)
    local here = run.description.poses[hold == "true" and "ready" or "reach"].joints
    t:near(run:measured "elbow_joint", here.elbow_joint, 0.02, hold)
  end
end)

test("two arms at once, and a trunk whose end the arms reckon with", function(t)
  local run = run_of(t, "pepper", [[{ "parallel",
    { "arm", side = "left", preset = "open_arms", seconds = 1.2 }, { "arm", side = "right", joints = { RShoulderPitch = 0.5, RElbowRoll = 1.2 }, seconds = 1 } }]])
  local _, why = finish(run, 3)
  t:equal(why, nil)
  t:ok(off(run, { LShoulderPitch = 0.9, LElbowRoll = -0.7, RShoulderPitch = 0.5, RElbowRoll = 1.2 }) < 0.02)

  run = run_of(t, "pepper", [[{ "parallel",
    { "arm", side = "right", pose = { position = { 0.3, -0.25, 0.95 } }, seconds = 1.5, position_tolerance = 0.01 },
    { "spine", joints = { HipPitch = -0.3 }, seconds = 1.5 } }]])
  _, why = finish(run, 3)
  t:equal(why, nil)
  t:near(run.solver:frames().r_gripper.position, { 0.3, -0.25, 0.95 }, 0.01,
    "where it is although the trunk has bent")
end)

test("a hand may stay in the world while the trunk moves", function(t)
  local run = run_of(t, "pepper", [[{ "sequence",
    { "arm", side = "right", pose = { position = { 0.25, -0.3, 0.85 } }, hold_in_world = true, seconds = 1.2 },
    { "spine", joints = { HipPitch = -0.2 }, seconds = 1.5 }, { "wait", seconds = 0.2 } }]])
  local far = 0
  while not run.memory.ended and run.now < 5 do
    run:advance(0.05)
    local hand = run.solver:frames().r_gripper.position
    if run.now > 1.5 and not run.memory.ended then
      far = math.max(far, math.abs(hand[1] - 0.25), math.abs(hand[2] + 0.3), math.abs(hand[3] - 0.85)) end
  end
  t:equal(run.memory.why, nil)
  t:ok(far < 0.02, "%g m", far)
end)

test("heads, chests and pelvises by words", function(t)
  local run = run_of(t, "pepper", [[{ "sequence", { "neck", yaw = 0.5, pitch = -0.2, seconds = 0.8 }, { "chest", pitch = 0.2, roll = 0.1, seconds = 1 },
    { "pelvis", link = "Pelvis", height = 0.59, seconds = 1, position_tolerance = 0.002 } }]])
  local _, why = finish(run, 5)
  t:equal(why, nil)
  t:ok(off(run, { HeadYaw = 0.5, HeadPitch = -0.2 }) < 0.02)
  t:match(fault("ur3e", { "neck", yaw = 0.5 }), "the robot ur3e has no neck that can be moved")
  t:match(fault("ur3e", { "leg", side = "left", preset = "reach" }),
    "the robot ur3e has no left leg: it has one leg")
  t:match(fault("ur3e", { "spine", preset = "reach" }),
    "has no spine that can be moved: its file has parts arm, wrist")
  t:match(fault("panda", { "pelvis", height = 1 }), "has no pelvis")
  t:match(fault("pepper", { "pelvis" }), "it has no goal")
end)

test("a robot that stands on legs lowers its pelvis above the ground between its feet, and reaches from its \z
  chest", function(t)
  local run = run_of(t, "biped", [[{ "sequence", { "pelvis", frame = "walking", height = 0.85, seconds = 1 },
    { "arm", side = "left", frame = "chest", pose = { position = { 0.25, 0.4, -0.05 } }, seconds = 1 } }]])
  local before = run.solver:frames()
  local _, why = finish(run, 4)
  t:equal(why, nil)
  local frames, roles = run.solver:frames(), run.description.roles
  local ground = frames[roles.left_foot].position[3] - before[roles.left_foot].position[3]
  t:near(ground, 0, 0.005, "its feet stay")
  t:ok(frames[roles.pelvis].position[3] < before[roles.pelvis].position[3] - 0.02, "it went down")
  local geometry = require "brio.geometry"
  local hand = geometry.within(geometry.inverse(frames[roles.chest]), frames[roles.left_hand])
  t:near(hand.position, { 0.25, 0.4, -0.05 }, 0.02)
end)

test("settings of steps are checked before anything walks", function(t)
  for _, form in ipairs { { "go_to", at = { 1, 0 } }, { "follow" }, { "search", what = "mug" } } do
    t:equal(fault("biped", form), "nothing")
    form.settings = { near_swng = 0.5 }
    t:match(fault("biped", form), "settings has no field 'near_swng' %(did you mean 'near_swing'")
    form.settings = { near_swing = "long" }
    t:match(fault("biped", form), "settings: near_swing must be a number")
  end
end)

test("waypoints are gone through without a stop, at their times; and those of a sequence", function(t)
  local run = run_of(t, "ur3e", [[{ "arm", waypoints = { { joints = { elbow_joint = 1.2 }, at = 0.8 }, { joints = { elbow_joint = 0.9 }, at = 1.4 },
    { preset = "ready", at = 2.4 } } }]])
  local slowest, at_first, at_second = math.huge, nil, nil
  local rough = roughness(run, { "elbow_joint", "wrist_1_joint" }, 2.5, function(at)
    if at > 0.6 and at < 1.2 then
      slowest = math.min(slowest, math.abs(run.actuator:state("elbow_joint").velocity))
    end
    if math.abs(at - 0.82) < 0.003 then at_first = run:command "elbow_joint" end
    if math.abs(at - 1.42) < 0.003 then at_second = run:command "elbow_joint" end
  end)
  t:equal(run.memory.why, nil)
  t:near(at_first, 1.2, 0.03)
  t:near(at_second, 0.9, 0.02)
  t:ok(slowest > 0.2, "it goes on through the first: %g rad/s", slowest)
  t:ok(rough <= 1.01, "%g", rough)
  local points = run_of(t, "pepper", [[{ "arm", side = "right", waypoints = "wave" }]])
  local ended, why = finish(points, 12)
  t:equal(why, nil)
  t:ok(ended and ended > 1, "a wave takes its time: %s", tostring(ended))
  t:match(fault("pepper", { "arm", side = "right", waypoints = {} }), "there is none")
end)

test("what a robot was led to do in a recorded run is a way of its arm", function(t)
  local sequence, motions = require "brio.sequence", require "brio.terminal.motion_files"
  local led = run_of(t, "ur3e", '{ "arm", waypoints = { { joints = { elbow_joint = 1.1 }, at = 0.8 }, \z
      { joints = { elbow_joint = 1.5, wrist_1_joint = -1 }, at = 1.6 } } }',
    { recorded = true })
  led:advance(1.6)
  local there = { elbow_joint = led:measured "elbow_joint", wrist_1_joint = led:measured "wrist_1_joint" }
  led:close()
  t:match(select(2, motions.read(led.store, { clip = "9" })), "has no run 9: there are 1")
  t:match(select(2, motions.read(led.store, { clip = "1@x" })), "must be the number of a run")
  local made = assert(motions.sequence(led.store, "ur3e", { clip = "1@0-1.6" }))
  local file = t:temporary ".lua"
  local handle = assert(io.open(file, "w"))
  handle:write(sequence.text(made))
  handle:close()
  local run = run_of(t, "ur3e", [[{ "arm", waypoints = "led" }]],
    { fields = (", sequences = { led = %q }"):format(file) })
  local lowest = 2
  local till = run.now + 5
  while not run.memory.ended and run.now < till do
    run:advance(0.02)
    lowest = math.min(lowest, run:measured "elbow_joint")
  end
  t:equal(run.memory.why, nil)
  t:near(lowest, 1.1, 0.03, "through where it was led")
  t:ok(off(run, there) < 0.02, "to where it was led: %g", off(run, there))
end)

test("a motion that is paused rests on its way and goes on; one that is stopped holds there", function(t)
  local motion = require "brio.tree.execution.motion"
  local run = run_of(t, "ur3e", [[{ "arm", preset = "reach", seconds = 1 }]])
  run:advance(0.4)
  local moving = motion.of(run.run.host).list[1]
  moving:rest(true)
  local rough = roughness(run, { "shoulder_lift_joint" }, 0.6)
  local here = run:measured "shoulder_lift_joint"
  run:advance(0.5)
  t:near(run:measured "shoulder_lift_joint", here, 1e-4, "it rests")
  t:ok(here > -1.5 and here < -1.1 and not run.memory.ended, "on its way: %g", here)
  moving:rest(false)
  local ended, why = finish(run, 2)
  t:equal(why, nil)
  t:ok(ended > 1.8, "as much later")
  t:ok(rough <= 1.01, "%g", rough)
end)

test("a robot that is held rests on its way and goes on; one whose behavior fails lets go", function(t)
  local run = t:run("source", { robot = "ur3e", source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = { "sequence", { "arm", preset = "reach", seconds = 1 }, { "arm", preset = "rest", seconds = 1 } },
  tick = function(self) if self.memory.broken then error "ouch" end end,
  on = { tree_done = function(self) self.memory.ended = self.now end } }
return b
]] })
  run:advance(0.4)
  run.run.host:hold()
  local rough = roughness(run, { "elbow_joint", "wrist_2_joint" }, 0.6)
  local here = run:command "elbow_joint"
  run:advance(0.5)
  t:near(run:command "elbow_joint", here, 1e-3, "it rests")
  run.run.host:go_on()
  rough = math.max(rough, roughness(run, { "elbow_joint", "wrist_2_joint" }, 1.3))
  t:ok(rough <= 1.01, "%g", rough)
  run.memory.broken = true
  run:advance(2)
  t:match(run.failed or "", "ouch")
  t:near(run:command "elbow_joint", run.description.poses.ready.joints.elbow_joint, 0.1,
    "back to where it stands without the tree")
  t:equal(#run.run.host.motions.list, 0)
end)

test("somebody else who has the arm is named", function(t)
  local run = run_of(t, "ur3e", [[{ "arm", preset = "reach", seconds = 0.8 }]])
  run:advance(0.1)
  local slide = run.run.host.tracks:live("hand", { stage = "operator", owner = "operator" })
  run.run.host.tracks:say_value(slide, "elbow_joint", 1.5)
  local _, why = finish(run, 2)
  t:match(why, "sum of its joints by 0%.%d+ rad, where 0%.1 would do; hand has elbow_joint %(operator%)")
end)

test("the present pose is taken into a node, in its own words", function(t)
  local kinds = trees.kinds
  local run = run_of(t, "pepper", '{ "parallel", { "arm", side = "left", preset = "open_arms", \z
    seconds = 0.8 }, { "neck", yaw = 0.4, pitch = 0.1, seconds = 0.8 } }')
  finish(run, 2)
  local host = run.run.host
  local site = { host = host, description = run.description, name = "one" }
  local fields = kinds.neck.record.capture({ "neck", yaw = 0 }, site)
  t:near(fields, { yaw = 0.4, pitch = 0.1 }, 0.01)
  fields = kinds.arm.record.capture({ "arm", side = "left", joints = {} }, site)
  t:near(fields.joints.LShoulderPitch, 0.9, 0.01)
  local node = { "arm", side = "left", frame = "torso",
    pose = { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } } }
  fields = kinds.arm.record.capture(node, site)
  local geometry = require "brio.geometry"
  local back = geometry.within(run.solver:frames().torso, fields.pose)
  t:near(back.position, run.solver:frames().l_gripper.position, 0.01, "in the frame that the node says")
  fields = kinds.arm.record.capture({ "arm", side = "left", waypoints = { { preset = "stand" } } }, site)
  t:equal(#fields.waypoints, 2, "one more, as a hand leads it")
  t:equal(kinds.arm.record.capture({ "arm", preset = "stand" }, site), nil)
  fields = kinds.arm.record.capture({ "arm", side = "left", preset = "stand" }, site)
  t:ok(fields.joints.LElbowRoll and fields.preset == require("brio.tree.author").none,
    "values in the place of the preset")
  fields = kinds.screw.record.capture({ "screw", side = "left", axis = {}, rotation = 1 }, site)
  t:near(fields.axis.position, run.solver:frames().l_gripper.position, 0.01,
    "a screw's axis, where the hand is")
end)

--- Two legs of six joints on a pelvis, in a folder of its own: a robot file.
local function walker(t, base)
  local parts = { '<robot name="walker"><link name="pelvis"><inertial><mass value="10"/><inertia ixx="0.1" \z
    ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>' }
  local function link(name)
    parts[#parts + 1] = ('<link name="%s"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" \z
      iyy="0.01" iyz="0" izz="0.01"/></inertial></link>'):format(name)
  end
  for _, side in ipairs { { "left", 0.1 }, { "right", -0.1 } } do
    local before = "pelvis"
    for _, row in ipairs { { "hip_yaw", "0 0 1", 0 }, { "hip_roll", "1 0 0", 0 }, { "hip_pitch", "0 1 0", 0 },
        { "knee", "0 1 0", -0.4 }, { "ankle_pitch", "0 1 0", -0.4 }, { "ankle_roll", "1 0 0", 0 } } do
      local name = side[1] .. "_" .. row[1]
      link(name .. "_link")
      parts[#parts + 1] = ('<joint name="%s" type="revolute"><parent link="%s"/><child \z
        link="%s_link"/><origin xyz="0 %g %g"/><axis xyz="%s"/><limit lower="-2.2" upper="2.2" \z
        velocity="6" effort="100"/></joint>')
        :format(name, before, name, before == "pelvis" and side[2] or 0, row[3], row[2])
      before = name .. "_link"
    end
  end
  parts[#parts + 1] = "</robot>"
  local model, file = t:temporary "_walker.urdf", t:temporary "_robot.lua"
  local handle = assert(io.open(model, "w"))
  handle:write(table.concat(parts, "\n"))
  handle:close()
  local dofs = {}
  for _, side in ipairs { "left", "right" } do
    for _, name in ipairs { "hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll" } do
      dofs[#dofs + 1] = ("{ name = \"%s_%s\", group = \"%s_leg\" }"):format(side, name, side)
    end
  end
  handle = assert(io.open(file, "w"))
  handle:write(([[return { name = "walker", model = "%s", base = "%s", base_range = { 0.5, 0.5, 0.5, 1, 1, 1 }, groups = { "left_leg", "right_leg" },
    dofs = { %s }, parts = { left_leg = { "left_leg" }, right_leg = { "right_leg" } }, default_acceleration = 20,
    home = "bent", poses = { bent = { joints = { left_hip_pitch = -0.5, left_knee = 1, left_ankle_pitch = -0.5, right_hip_pitch = -0.5, right_knee = 1, right_ankle_pitch = -0.5 } } },
    roles = { pelvis = "pelvis", left_foot = "left_ankle_roll_link", right_foot = "right_ankle_roll_link" } }]])
    :format(model, base, table.concat(dofs, ", ")))
  handle:close()
  return file
end

test("a leg brings its foot to a pose in the other foot's frame", function(t)
  local run = run_of(t, walker(t, "fixed"), [[{ "leg", side = "left", frame = "right_foot",
    pose = { position = { 0.2, 0.2, 0.15 }, orientation = { 0, 0, 0, 1 } }, seconds = 1 }]])
  local _, why = finish(run, 3)
  t:equal(why, nil)
  local frames = run.solver:frames()
  local left, right = frames.left_ankle_roll_link.position, frames.right_ankle_roll_link.position
  t:near({ left[1] - right[1], left[2] - right[2], left[3] - right[3] }, { 0.2, 0.2, 0.15 }, 0.01)
end)

test("a base that can move brings the pelvis to a height, and holds it there", function(t)
  local run = run_of(t, walker(t, "bounded"),
    [[{ "sequence", { "pelvis", height = 0.2, pitch = 0.2, seconds = 1.5 }, { "wait", seconds = 0.5 } }]])
  run:advance(1.9)
  t:equal(run.memory.why, nil)
  t:near(run.solver:frames().pelvis.position[3], 0.2, 0.02)
  t:equal(run.memory.ended, nil)
end)

test("of several ways to hold a hand there, one is taken that touches nothing", function(t)
  local reach, limbs, solver = require "brio.tree.execution.reach", require "brio.robots.limbs",
    require "brio.solver"
  local description = assert(robots.find "ur3e")
  local limb = assert(limbs.find(description, "arm", {}))
  local box = { kind = "box", size = { 0.12, 0.3, 0.1 }, pose = { position = { 0.1, 0.15, 0.42 } } }
  local judge = solver.new(description.robot, { unguarded = true })
  judge:shape("box", box)
  local function distance(joints)
    judge:reset({ joints = joints }, true)
    judge:solve(0, 0.005)
    local least = 1
    for _, pair in ipairs(judge:proximity(0.3)) do
      if pair.a == "box" or pair.b == "box" then least = math.min(least, pair.distance) end
    end
    return least
  end
  local function found(shapes)
    local home = {}
    for _, variable in ipairs(description.robot:variables()) do
      home[variable.name] = description.poses.rest.joints[variable.name]
    end
    return reach.find { robot = description.robot, link = limb.link, dofs = limb.dofs,
      goal = { position = { 0.35, 0.15, 0.25 } },
      from = { joints = home }, tolerances = { position = 0.01, orientation = 0.1 }, kept = {},
        shapes = shapes }
  end
  local free, clear = found {}, found { box = box }
  t:ok(free.quality < 0.1 and clear.quality < 0.1)
  t:ok(distance(free.joints) < 0, "the nearest way is through the box: %g m", distance(free.joints))
  t:ok(distance(clear.joints) > 0, "and the other beside it: %g m", distance(clear.joints))
end)

test("an arm that runs into the body does not push it away", function(t)
  local run = run_of(t, "pepper", '{ "arm", side = "right", joints = { RShoulderPitch = 1.2, \z
    RShoulderRoll = -0.01, RElbowYaw = 0, RElbowRoll = 1.56 }, seconds = 1.2 }')
  local _, why = finish(run, 3)
  t:match(why or "it came through", "the right arm is off: sum of its joints by [%d.]+ rad, where 0.1 would \z
    do; .* m from ")
  t:near(run:measured "HipPitch", run.description.poses.stand.joints.HipPitch, 0.005)
  t:near(run:measured "HipRoll", 0, 0.005)
end)
