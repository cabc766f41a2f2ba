--- Shared control: who owns which DOFs, and the transitions.
local dispatch = require "brio.io.dispatch"
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

--- Sample a DOF's command over time: each change from tick to tick, and the change of that.
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

test("a behavior may let people have parts, and takes nothing from them", function(t)
  local run, control = started(t)
  local face = run.run.host.self.control
  t:equal({ face:take "head", face:taken "head", face:move("HeadYaw", -0.3) }, { true, 1, true })
  run:advance(1.5)
  t:near(run:command "HeadYaw", -0.3, 2e-3)
  assert(control:move("HeadYaw", 0.5, "ann"))
  t:equal({ control.of.HeadYaw.who, control.of.HeadPitch.who }, { "ann", "behavior made" },
    "who moves a DOF of another's has that")
  t:equal({ face:move("HeadYaw", 0), face:take "head", face:share("head", 0.5), face:give "HeadYaw" },
    { false, false, false, false })
  t:equal(face:give "HeadPitch", true)
  t:equal(face:level("idle", 0.5, 0), 1)
  run:advance(0.1)
  t:equal(face:level "idle", 0.5)
  t:raises(function() face:take "haed" end, "did you mean 'head'")
  t:raises(function() face:level("idle", 7) end, "from 0 to 1")
end)

test("levels turn down what the robot does of itself, gradually; what its states want stays", function(t)
  local run, control = started(t)
  local tracks, host = run.run.host.tracks, run.run.host
  local sway = assert(tracks:live("sway", { owner = "autonomy", faculty = "idle" }))
  local mine = assert(tracks:live("mine", {}))
  local slot
  dispatch.call(host, { owner = "autonomy", faculty = "gaze" }, function()
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
  for words, pattern in pairs { [{ "gaez", 0.5 }] = "no part 'gaez'.-faculties are",
      [{ "gaze", 2 }] = "from 0 to 1", [{ "gaze", 1, -1 }] = "0 to 3600" } do
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
  local rows = run:sql "SELECT owner, whose, round(seconds, 1) AS s FROM ownership WHERE dof = 'HeadYaw' \z
    ORDER BY started"
  t:equal(#rows, 3)
  t:equal({ rows[1].owner, rows[1].whose, rows[2].owner, rows[2].whose, rows[3].whose },
    { "idle", "autonomy", "take head", "operator", "autonomy" })
  t:near(rows[2].s, 1, 0.05)
  rows = run:sql "SELECT name, json_extract(data, '$.part') AS part, json_extract(data, '$.who') AS who \z
    FROM events WHERE source = 'operator' ORDER BY id"
  t:equal({ rows[1].name, rows[1].part, rows[1].who, rows[2].name }, { "take", "head", "ann", "give" })
end)

-- Nothing fights ----------------------------------------------------------------------------------------

local alive = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "%s", start = "calm", %s }
made.calm = { wants = { %s want.collision_avoidance {}, want.joint_limits {} } }
return made
]]

--- Robots with motion in every part, and the pose to which a person takes the head.
local scenes = {
  pepper = {
    head = { HeadYaw = -0.5, HeadPitch = 0.1 }, fields = "",
    wants = [[want.look_at { link = "gaze", goal = { 2, 0.8, 1.2 } }, want.joint_match { joint = "HipPitch", goal = -0.1 },
      want.joint_match { joint = "LShoulderPitch", goal = 1.1 }, want.orientation_match { link = "torso", goal = { 0, 0, 0, 1 } },
      want.joint_match { joint = "RElbowRoll", goal = 0.9 }, want.joint_liveliness { joint = "LElbowYaw", goal = 0.1 },
      want.joint_liveliness { joint = "HeadYaw", goal = 0.1 },]],
  },
  probo = {
    head = { NeckPan = -0.1, NeckTilt = 0.1, NeckSwing = 0 },
    fields = 'life = { blink = { play = "blink", every = "blink" }, flap = { play = "ear_flap", every = { \z
      mean = 3 } } }',
    wants = [[want.look_at { link = "head", goal = { 2, 0.3, 0.6 } }, want.look_at { link = "left_eye", goal = { 2, 0.3, 0.6 } },
      want.look_at { link = "right_eye", goal = { 2, 0.3, 0.6 } }, want.joint_liveliness { joint = "NeckPan", goal = 0.1 },]],
  },
}

local rate = 50

--- Run a scene for this long, with the head taken from 2 s on; look(run, tick) is called in each tick.
local function play_scene(t, name, fields, seconds, taken, look)
  local scene = scenes[name]
  local run = t:run("none", { source = alive:format(name, fields, scene.wants), rate = rate })
  run:see { kind = "person", id = "ann",
    path = { { 0, 1.5, 1, 1.4 }, { 4, 1.5, -0.6, 1.4 }, { 1e6, 1.5, -0.6, 1.4 } } }
  for tick = 1, rate * seconds do
    if taken and tick == 2 * rate then
      local control = run.run.host.control
      assert(control:take "head")
      for dof, value in next, scene.head do assert(control:move(dof, value)) end
    end
    run:advance(1 / rate)
    look(run, tick)
  end
  return run
end

local function commands_of(run)
  local row = {}
  for _, dof in ipairs(run.description.dofs) do row[dof.name] = run:command(dof.name) end
  return row
end

--- Unweighted costs of the objectives for other parts than the head.
local function costs_of(run)
  local row = {}
  for _, objective in ipairs(run.solver:objectives()) do
    local key = objective.key
    local head = key:find "^track" or key:find "Head" or key:find "Neck" or key:find "gaze"
      or key:find "link=head"
    if not head then row[key] = objective.cost end
  end
  return row
end

local scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")

for _, name in ipairs { "pepper", "probo" } do
  test(("a person has the head of %s: nothing outside the tree changes, and every other goal holds"):format(
    name), function(t)
    local seconds, fields = scale > 1 and 62 or 10, scenes[name].fields
    local plain, cost, outside, more, count = {}, {}, 0, 0, 0
    play_scene(t, name, fields, seconds, false,
      function(run, tick) plain[tick], cost[tick] = commands_of(run), costs_of(run) end)
    local run = play_scene(t, name, fields, seconds, true, function(run, tick)
      local now, costs = commands_of(run), costs_of(run)
      for _, dof in ipairs(run.description.dofs) do
        if dof.outside then outside = math.max(outside, math.abs(now[dof.name] - plain[tick][dof.name])) end
      end
      for key, value in next, tick > 3.5 * rate and costs or {} do -- when the head has reached its target
        more, count = math.max(more, value - cost[tick][key]), count + 1
      end
    end)
    t:ok(outside <= 1e-9, "a DOF outside the tree changes by %g", outside)
    t:ok(more < 1e-3 and count > rate * seconds, "a goal costs %g more (of %d)", more, count)
    for dof, value in next, scenes[name].head do t:near(run:command(dof), value, 2e-3, dof) end
  end)
end

test("gaze and idle life do not fight the person: what is taken stands still, and nothing else swings",
  function(t)
  for _, name in ipairs { "pepper", "probo" } do
    local before, restless, turns, way = nil, 0, {}, {}
    local fields = scenes[name].fields .. (scenes[name].fields == "" and "" or ", ")
      .. "character = { gaze = { explore = false } }"
    local run = play_scene(t, name, fields, 10, true, function(run, tick)
      local now = commands_of(run)
      for _, dof in ipairs(run.description.dofs) do
        local moved = before and (now[dof.name] - before[dof.name]) * rate or 0
        if tick > 6 * rate and not dof.outside and math.abs(moved) > 0.02 then
          if scenes[name].head[dof.name] then restless = math.max(restless, math.abs(moved)) end
          if moved * (way[dof.name] or moved) < 0 then turns[dof.name] = (turns[dof.name] or 0) + 1 end
          way[dof.name] = moved
        end
      end
      before = now
    end)
    t:equal(restless, 0, name .. ": speed of the taken head")
    for dof, count in next, turns do
      t:ok(count <= 20, "%s of %s turns round %d times in 4 s", dof, name, count)
    end
    for dof, value in next, scenes[name].head do t:near(run:command(dof), value, 2e-3, dof) end
  end
end)

-- Above it all -------------------------------------------------------------------------------------------

test("on hold nothing moves, whatever a person says; at the run's end and in a failure everything is given \z
  back", function(t)
  local run, control = started(t, "memory = {}")
  local host = run.run.host
  assert(control:take "head")
  run:advance(0.5)
  host:hold()
  run:advance(0.5)
  local yaw = run:command "HeadYaw"
  assert(control:move("HeadYaw", -1))
  assert(control:take "left_arm")
  run:advance(1)
  t:near(run:command "HeadYaw", yaw, 1e-9, "on hold")
  host:go_on()
  run:advance(1.5)
  t:near(run:command "HeadYaw", -1, 2e-3, "it goes on")
  run.run.engine:stop "script"
  run:advance(0.01)
  t:equal(#control.takings, 0, "given back as the run ends")
  local failing = t:run("none", { source = [[
    local brio = require "brio"
    local made = brio.behavior "made" { robot = "pepper", start = "calm" }
    made.calm = { tick = function(self) if self.now > 0.5 then error "no more" end end }
    return made]] })
  failing:advance(0.3)
  control = failing.run.host.control
  assert(control:take "head")
  failing:advance(0.5)
  t:ok(failing.failed, "it failed")
  t:equal(#control.takings, 0)
  assert(control:move("HeadYaw", 0.5))
  failing:advance(2)
  t:near(failing:command "HeadYaw", 0.5, 2e-3, "a person can still move what failed")
end)

test("a reload, and a stop of its source, leave what is taken in order", function(t)
  local run, control = started(t)
  assert(control:take("head", { who = "ann" }))
  assert(control:move("HeadYaw", -0.4))
  run:advance(1)
  assert(run:reload(function(text) return (text:gsub("goal = 1.2", "goal = 1.0")) end))
  run:advance(1)
  t:near(run:command "HeadYaw", -0.4, 2e-3, "it is still the person's")
  t:near(run:command "LShoulderPitch", 1.0, 0.02, "the new version's arm")
  assert(run:reload(function(text) return (text:gsub("goal = 0.3", "goal = 0.2")) end))
  run:advance(1)
  t:near(run:command "HeadYaw", -0.4, 2e-3, "an objective that is new yields too")
  run.run.host.tracks:stop("take head", 0.2)
  run:advance(2)
  t:equal(control:taken "head", false)
  t:near(run:command "HeadYaw", 0.2, 0.02)
  assert(control:take "head")
  run:advance(0.1)
  t:equal(control:taken "head", 1)
end)

test("what a person makes the robot feel counts at any level of autonomy", function(t)
  local run = t:run("none", { source = [[
    local brio = require "brio"
    local made = brio.behavior "made" { robot = "probo", start = "calm", character = { emotion = true, control = { level = 0 } } }
    made.calm = { wants = { brio.want.joint_limits {} } }
    return made]] })
  run:advance(2)
  local host = run.run.host
  t:equal(host.control:level "emotion", 0)
  host.emotion:feel("happy", 1, 5)
  run:advance(1)
  t:near(run:command "MouthCornerLeft", 0, 1e-6, "its own emotion shows nothing")
  host.emotion:override(0.9, 0.1, "ann")
  run:advance(2)
  t:ok(run:command "MouthCornerLeft" > 0.3, "a person's does: %g", run:command "MouthCornerLeft")
  host.emotion:release(0.5)
  run:advance(2)
  t:near(run:command "MouthCornerLeft", 0, 1e-3, "and is gone")
end)

test("a panic stop is above it: what is taken stays where it was stopped", function(t)
  local run, control = started(t)
  assert(control:take "head")
  run:advance(0.5)
  assert(control:move("HeadYaw", -1.5))
  run:advance(0.25)
  run.run.engine:order "panic"
  run:advance(1)
  local yaw = run.actuator:state("HeadYaw").command
  t:ok(yaw > -1.2, "stopped on the way: %g", yaw)
  assert(control:move("HeadYaw", 1.5))
  run:advance(1)
  t:near(run.actuator:state("HeadYaw").command, yaw, 1e-9, "nothing moves it")
  run.run.engine:order "release"
  run:advance(2)
  t:near(run.actuator:state("HeadYaw").command, yaw, 5e-3, "it stays there")
  assert(control:move("HeadYaw", 0.5))
  run:advance(2)
  t:near(run.actuator:state("HeadYaw").command, 0.5, 2e-3, "until it is moved")
end)
