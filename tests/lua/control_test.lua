--- Shared control: who has what of the body, and how it comes and goes.
local robots = require "brio.robots"

local still = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "calm", %s }
made.calm = { wants = {
  want.joint_match { joint = "HeadYaw", goal = 0.3 }, want.joint_match { joint = "HeadPitch", goal = -0.1 },
  want.joint_match { joint = "LShoulderPitch", goal = 1.2 }, want.joint_match { joint = "HipPitch", goal = 0 },
  want.collision_avoidance {}, want.joint_limits {} } }
return made
]]

local function started(t, fields, options)
  options = options or {}
  options.source = still:format(fields or "")
  local run = t:run("none", options)
  run:advance(1)
  return run, run.run.host.control
end

test("a part is a name of the robot's file, a group, a DOF, a link or a role", function(t)
  local _, control = started(t)
  t:equal(control:find "head", { "HeadYaw", "HeadPitch" })
  t:equal(control:find "lights", { "EyeLedBrightness", "EarLedBrightness", "ShoulderLedBrightness" })
  t:equal(control:find "LElbowRoll", { "LElbowRoll" })
  t:equal(control:find "Neck", { "HeadYaw" }, "a link: the joint that carries it")
  t:equal(control:find "right_hand", { "RWristYaw", "RHand" }, "what the file calls so comes before the role")
  t:equal(#control:find "all", 20)
  local none, why = control:find "haed"
  t:ok(none == nil)
  t:match(why, "no part 'haed' %(did you mean 'head'%?%)")
  for _, name in ipairs(robots.list()) do
    t:ok(next(assert(robots.find(name)).parts), "%s has parts", name)
  end
end)

--- Take samples of a DOF's command as time goes on: each change from tick to tick, and the change of that.
local function watch(run, dof, seconds)
  local most, bend, before, step = 0, 0, run:command(dof), nil
  for _ = 1, math.floor(seconds * 200 + 0.5) do
    run:advance(0.005)
    local now = run:command(dof)
    local moved = now - before
    if step then bend = math.max(bend, math.abs(moved - step)) end
    most, before, step = math.max(most, math.abs(moved)), now, moved
  end
  return most * 200, bend * 200 * 200
end

test("what is taken stays where it is until it is moved; the rest goes on; it is given back", function(t)
  local run, control = started(t)
  local yaw = run:command "HeadYaw"
  assert(control:take("head", { who = "ann" }))
  run:advance(0.5)
  t:near(run:command "HeadYaw", yaw, 1e-4, "held")
  t:equal({ control:taken "head", control:taken "HeadYaw", control:taken "left_arm" }, { 1, 1, false })
  assert(control:move("HeadYaw", -0.6, "ann"))
  local speed, bend = watch(run, "HeadYaw", 2)
  t:near(run:command "HeadYaw", -0.6, 2e-3, "the person wins over a want of 0.3")
  t:ok(speed < 8 and bend < 30, "within the joint's limits: %g rad/s, %g rad/s^2", speed, bend)
  t:near(run:command "LShoulderPitch", 1.2, 0.02, "the arm does what the state wants")
  local why = run.run.host.self:why "HeadYaw"
  t:equal({ why.owner, why.whose }, { "take head", "operator" })
  assert(control:give("head", 1, "ann"))
  speed, bend = watch(run, "HeadYaw", 2)
  t:near(run:command "HeadYaw", yaw, 5e-3, "back at what the state wants")
  t:ok(speed < 4 and bend < 30, "softly: %g rad/s, %g rad/s^2", speed, bend)
  t:equal(control:taken "head", false)
  local again, sentence = control:give "head"
  t:ok(again == nil)
  t:equal(sentence, "nobody has taken head")
end)

test("a share is a share: what the state wants and what the person wants, mixed", function(t)
  local run, control = started(t)
  assert(control:share("head", 0.5, { who = "ann" }))
  assert(control:move("HeadYaw", -0.5))
  run:advance(2)
  t:near(run:command "HeadYaw", (0.3 - 0.5) / 2, 0.01)
  assert(control:share("head", 1))
  run:advance(2)
  t:near(run:command "HeadYaw", -0.5, 2e-3)
  assert(control:share("head", 0))
  run:advance(3)
  t:near(run:command "HeadYaw", 0.3, 0.01)
  for _, wrong in ipairs { -0.1, 1.1, 0 / 0, "x" } do
    local good, why = control:share("head", wrong)
    t:ok(good == nil and why == "a share is a number from 0 to 1", "%s", why)
  end
end)

test("who takes a part of what another has, has that alone; names overlap", function(t)
  local run, control = started(t)
  assert(control:take("arms", { who = "ann" }))
  assert(control:take("left_arm", { who = "bob" }))
  run:advance(0.3)
  t:equal(control.of.LElbowRoll.who, "bob")
  t:equal(control.of.RElbowRoll.who, "ann")
  assert(control:give "left_arm")
  t:equal({ control:taken "left_arm", control:taken "right_arm", control:taken "arms" }, { false, 1, 1 })
  assert(control:take "right_arm")
  run:advance(0.3)
  t:equal(#control.takings, 1, "what has no DOF any more is over")
  assert(control:give("RHand", 0.1))
  t:equal({ control:taken "RHand", control:taken "RElbowRoll" }, { false, 1 })
  assert(control:give "all")
  t:equal(#control.takings, 0)
end)

test("levels turn down what the robot does of itself, gradually; what its states want stays", function(t)
  local run, control = started(t)
  local tracks, host = run.run.host.tracks, run.run.host
  local sway = assert(tracks:live("sway", { owner = "autonomy", faculty = "idle" }))
  local mine = assert(tracks:live("mine", {}))
  local slot
  host:act("autonomy", "gaze", function()
    slot = host.solver:add("glance", "joint_match", { joint = "HeadPitch" })
    host.solver:goal(slot, 0.3)
    host.solver:weight(slot, 50)
  end)
  tracks:say_value(sway, "EarLedBrightness", 0)
  tracks:say_value(sway, "HeadYaw", 0.1, true)
  tracks:say_value(mine, "ShoulderLedBrightness", 0)
  run:advance(2)
  t:near(run:command "EarLedBrightness", 0, 1e-6)
  local glance = run:command "HeadPitch"
  t:ok(glance > 0.05, "the glance counts: %g", glance)
  assert(control:set_level("all", 0.5, 1))
  local speed = watch(run, "EarLedBrightness", 1.5)
  t:near(run:command "EarLedBrightness", 0.5, 1e-6, "half of it")
  t:ok(speed < 1.1, "gradually: at most %g a second", speed)
  t:near(run:command "ShoulderLedBrightness", 0, 1e-6, "the script's own")
  assert(control:set_level("gaze", 0, 0.5))
  run:advance(2)
  t:near(run:command "HeadPitch", -0.1, 0.01, "what the state wants, alone")
  t:near(control:level "gaze", 0, 0)
  t:near(control:level "idle", 0.5, 0)
  assert(control:set_level("all", 1, 0))
  assert(control:set_level("head", 0, 0.5))
  run:advance(1)
  t:near(run:command "HeadYaw", 0.3, 0.01, "none of it on the head")
  t:near(run:command "EarLedBrightness", 0, 1e-6, "all of it on the ears")
  t:near(control:level("idle", "head"), 0, 0)
  local later = assert(tracks:live("later", { owner = "autonomy", faculty = "idle" }))
  tracks:say_value(later, "HeadYaw", 0.2, true)
  run:advance(1)
  t:near(run:command "HeadYaw", 0.3, 0.01, "a source that comes later")
  for words, pattern in pairs { [{ "gaez", 0.5 }] = "no part 'gaez'.-faculties are", [{ "gaze", 2 }] = "from 0 to 1",
      [{ "gaze", 1, -1 }] = "0 to 3600" } do
    local good, why = control:set_level(table.unpack(words))
    t:ok(good == nil)
    t:match(why, pattern)
  end
end)

test("SQL tells who owned what when; why and the mixer tell it now", function(t)
  local run, control = started(t, nil, { recorded = true })
  local tracks = run.run.host.tracks
  local idle = assert(tracks:live("idle", { owner = "autonomy" }))
  tracks:say_value(idle, "HeadYaw", 0.1)
  run:advance(1)
  assert(control:take("head", { who = "ann" }))
  run:advance(1)
  assert(control:give("head", 0.5, "ann"))
  run:advance(1.5)
  run:close()
  local rows = run:sql "SELECT owner, whose, round(seconds, 1) AS s FROM ownership WHERE dof = 'HeadYaw' ORDER BY started"
  t:equal(#rows, 3)
  t:equal({ rows[1].owner, rows[1].whose, rows[2].owner, rows[2].whose, rows[3].whose },
    { "idle", "autonomy", "take head", "operator", "autonomy" })
  t:near(rows[2].s, 1, 0.05)
  rows = run:sql "SELECT name, json_extract(data, '$.part') AS part, json_extract(data, '$.who') AS who FROM events WHERE source = 'operator' ORDER BY id"
  t:equal({ rows[1].name, rows[1].part, rows[1].who, rows[2].name }, { "take", "head", "ann", "give" })
end)
