--- The automaton as people see it: what it does when it is asked, and that no joint jumps. Parts of two
--- tests, and more schedules, run under make soak alone; they are marked.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 25 end

local function start(t, options)
  options = options or {}
  options.rate = rate_of(t)
  local run = t:run("animated_walker.lua", options)
  run:advance(0.2)
  t:equal(run.state, "standing.radio")
  return run
end

--- Advance until `done(run)` is true, at most `seconds`; fails otherwise.
local function await(t, run, what, done, seconds)
  for _ = 1, (seconds or 20) * 20 do
    if done(run) then return true end
    run:advance(0.05)
  end
  t:fail("%s: not within %g s; it is %s, waits: %s", what, seconds or 20, run.state,
    tostring(run.memory.waits))
end

local function is(state) return function(run) return run.state == state end end
local function ahead(run) return run.run.host.stance:walking().position[1] end
local function pelvis(run) return run.solver:frames().pelvis.position[3] end

test("the queue: it bows, walks, crouches, and stands again", function(t)
  local run = start(t, { recorded = true })
  local tall, from = pelvis(run), ahead(run)
  run:emit("queue", { "bow", "sneak" })
  await(t, run, "bows", is "standing.animation.play")
  run:advance(1.4)
  t:near(run:command "waist_pitch", 0.45, 0.03)
  await(t, run, "starts to walk", is "starting.height")
  await(t, run, "walks", is "walking.animation.play")
  local lowest = tall
  await(t, run, "stops", function()
    lowest = math.min(lowest, pelvis(run))
    return run.state:find "^stopping"
  end)
  t:ok(tall - lowest > 0.12, "the pelvis sank by %.3f m", tall - lowest)
  t:ok(ahead(run) - from > 0.25, "it came %.2f m ahead", ahead(run) - from)
  await(t, run, "stands", is "standing.radio")
  t:equal(run.run.host.stance.face:steps(), 0)
  if t:long() then
    run:advance(2)
    t:near(pelvis(run), tall, 0.01)
  end
  run:finish()
  local path = {}
  for _, row in ipairs(run:sql "SELECT state FROM states ORDER BY id") do
    if path[#path] ~= row.state then path[#path + 1] = row.state end
  end
  local way = table.concat(path, " ")
  t:match(way, "standing.animation.play.*starting.height.*starting.lift.*walking.animation.play.*\z
    stopping.slower.*stopping.square.*standing.radio$")
end)

test("on demand: one motion interrupts another, and the operator both, in the midst of a walk", function(t)
  local run = start(t)
  run:emit("perform", { "wave" })
  await(t, run, "waves", is "standing.animation.play")
  run:advance(1)
  run:emit("perform", { "look_around" })
  await(t, run, "looks around", function() return run.memory.id == "look_around" end, 1)
  await(t, run, "looks around", is "standing.animation.play", 4)
  if not t:long() then -- make soak: the same out of a walk
    run:emit("radio", { posture = "standing", height = -0.1 })
    run:advance(0.1)
    t:equal(run.state, "standing.radio")
    return
  end
  run:emit("perform", { "stroll" })
  await(t, run, "strolls", is "walking.animation.play")
  run:advance(1)
  run:emit("radio", { posture = "walking", vx = -0.1, height = -0.1 })
  run:advance(0.1)
  t:equal(run.state, "walking.radio")
  run:advance(2)
  t:near(run.memory.motion.q.vx, -0.1, 1e-6)
  t:near(run.memory.motion.q.height, -0.1, 1e-6)
  local from = ahead(run)
  run:advance(4)
  t:ok(ahead(run) < from - 0.15, "backwards by %.2f m", from - ahead(run))
  run:emit("radio", { posture = "standing", height = 0 })
  await(t, run, "stops", is "standing.radio")
  run:emit("queue", { "bow" })
  run:advance(1)
  t:equal(run.state, "standing.radio") -- the operator has it
  run:emit "release"
  await(t, run, "bows", is "standing.animation.play")
end)

test("a motion interrupts one of the other posture", function(t)
  local run = start(t, { recorded = true })
  run:emit("perform", { "wave" })
  await(t, run, "waves", is "standing.animation.play")
  run:emit("perform", { "stroll" })
  await(t, run, "starts", is "starting.height", 2)
  await(t, run, "walks", is "walking.animation.play")
  run:emit("perform", { "bow" })
  await(t, run, "stops", is "stopping.slower", 2)
  run:finish()
  t:equal(#run:sql "SELECT data FROM events WHERE name = 'motion_ended' AND data LIKE '%interrupted%'", 2)
end)

test("it says what it does not do, and why it waits", function(t)
  local said = {}
  local run = start(t, { recorded = true })
  run:emit("perform", { "danse" })
  run:emit("queue", { "bow", 7 })
  run:emit("radio", { posture = "flying" })
  run:emit("radio", { left_knee = 0.2 })
  run:emit("radio", { posture = "walking", vx = 9 })
  await(t, run, "walks", is "walking.radio")
  run:advance(3)
  t:near(run.memory.motion.q.vx, 0.35, 1e-6)
  run:emit("radio", { posture = "standing" })
  await(t, run, "stands", is "standing.radio")
  run:finish()
  for _, row in ipairs(run:sql "SELECT data FROM events WHERE name IN ('refused', 'command_changed')") do
    said[#said + 1] = row.data
  end
  t:match(said[1], "no motion 'danse'")
  t:match(said[2], "no motion '7'")
  t:match(said[3], "not flying")
  t:match(said[4], "no 'left_knee' to command")
  t:match(said[5], "vx of 9 is beyond %-0.2 to 0.35")
  local why = {}
  for _, row in ipairs(run:sql "SELECT value FROM watches WHERE name = 'waits' AND value IS NOT NULL") do
    why[#why + 1] = tostring(row.value)
  end
  t:match(table.concat(why, "; "), "slows down.*foot is in the air")
end)

test("it waits while it lies, and moves gently at once", function(t)
  local run = start(t)
  run:emit "fell"
  run:advance(0.05)
  run:emit("perform", { "wave" })
  run:advance(0.2)
  t:equal({ run.state, run.memory.waits }, { "standing.radio", "the robot has fallen" })
  run:emit "upright"
  await(t, run, "moves", is "standing.animation.approach", 0.5)
  run.run.host.self.tune.gentle = 0.3
  local function way(height)
    run:emit("radio", { neck_yaw = height })
    run:advance(0.48)
    return run.memory.motion.v.neck_yaw
  end
  local limit
  for _, variable in ipairs(run.description.robot:variables()) do
    if variable.name == "neck_yaw" then limit = variable.velocity end
  end
  t:ok(way(1.2) <= 0.3 * limit + 1e-6, "%.2f rad/s of %.2f", run.memory.motion.v.neck_yaw, limit)
  t:ok(run.memory.motion.v.neck_yaw > 0.29 * limit or run.memory.motion.q.neck_yaw > 1)
  run:emit "release" -- all in one tick
  run:emit("queue", { "bow" })
  run:emit("perform", { "wave" })
  run:advance(0.04)
  t:equal({ run.state, run.memory.asked.radio, run.memory.asked.queue, run.memory.id },
    { "standing.animation.approach", nil, { "bow" }, "wave" })
end)

test("a robot without legs moves its joints, and says what it cannot do", function(t)
  local inputs = {}
  for _, name in ipairs { "stick_left_x", "stick_left_y", "stick_right_x" } do
    inputs[name] = { kind = "axis" }
  end
  local run = t:run("animated_walker.lua", { rate = rate_of(t), robot = "pepper", recorded = true,
    world_data = { inputs = inputs }, with_world = true })
  run:advance(0.2)
  for _, id in ipairs { "stroll", "bow" } do run:emit("perform", { id }) end
  run:emit("radio", { posture = "walking" })
  run:input("stick_left_y", 0.5)
  run:advance(0.4)
  t:equal({ run.state, run.memory.asked.radio }, { "standing.radio" })
  run:emit("perform", { "look_around" })
  await(t, run, "looks around", is "standing.animation.play", 4)
  t:near(run:command "HeadYaw", 0.5, 0.01)
  run:finish()
  local rows = run:sql "SELECT data FROM events WHERE name = 'refused' ORDER BY id"
  t:equal(#rows, 3)
  t:match(rows[1].data, "its base does not move freely")
  t:match(rows[2].data, "no joint of this robot, which has no neck_pitch, waist_pitch")
  local logged = run:sql "SELECT text FROM logs WHERE text LIKE 'sticks do nothing%' \z
    OR text LIKE '%without neck_yaw%'"
  t:equal(#logged, 2)
end)

test("no joint jumps, whatever is asked when", function(t)
  -- 1 random schedule of 4 s; make soak: 20 of 60 s
  for seed = 1, t:long() and 20 or 1 do
    local run = start(t, { seed = seed })
    local rate = rate_of(t)
    local stream = require("brio.random").stream(seed, "asks")
    local ids = { "bow", "wave", "look_around", "stroll", "sneak", "trudge" }
    local variables, past = run.description.robot:variables(), {}
    local speed, acceleration = 0, 0
    for tick = 1, (t:long() and 60 or 4) * rate do
      if tick % (2 * rate) == 1 then
        local what = stream:whole(4)
        if what == 1 then run:emit("radio", { posture = stream:uniform() < 0.5 and "standing" or "walking",
          vx = stream:uniform(-0.3, 0.5), turn = stream:uniform(-0.5, 0.5),
          height = stream:uniform(-0.2, 0) })
        elseif what == 2 then run:emit "release"
        else run:emit("perform", { ids[stream:whole(#ids)] }) end
      end
      run:advance(1 / rate)
      for _, v in ipairs(variables) do
        local now, one, two = run:command(v.name), table.unpack(past[v.name] or {})
        if two then
          speed = math.max(speed, math.abs(now - one) * rate / v.velocity)
          acceleration = math.max(acceleration, math.abs(now - 2 * one + two) * rate * rate / v.acceleration)
        end
        past[v.name] = { now, one }
      end
    end
    t:equal(run.failed, nil)
    t:ok(speed <= 1 + 1e-6, "%d: %.3f of the greatest speed", seed, speed)
    t:ok(acceleration <= 1 + 1e-6, "%d: %.3f of the greatest acceleration", seed, acceleration)
  end
end)

test("the automaton is changed while the robot walks, and it walks on", function(t)
  local run = start(t)
  run:emit("radio", { posture = "walking", vx = 0.34 })
  await(t, run, "walks", is "walking.radio")
  run:advance(1.5)
  local from = ahead(run)
  t:near(run.memory.motion.q.vx, 0.34, 1e-6)
  local count
  t:equal(run:reload(function(text)
    text, count = text:gsub("upper = 0.35,", "upper = 0.26,", 1)
    return text
  end), true)
  t:equal({ count, run.state }, { 1, "walking.radio" })
  run:advance(0.04)
  t:ok(run.memory.motion.q.vx > 0.26, "it slows down within its limits: %.3f m/s", run.memory.motion.q.vx)
  run:advance(2)
  t:near(run.memory.motion.q.vx, 0.26, 1e-6) -- in the new range, without a stop
  t:ok(ahead(run) > from + 0.1, "it came %.2f m ahead", ahead(run) - from)
  t:equal(run.failed, nil)
  -- a range that a motion of the library leaves is rolled back
  t:equal(run:reload(function(text) return (text:gsub("upper = 0.26,", "upper = 0.1,", 1)) end), true)
  run:advance(1)
  t:equal({ run.state, run.failed }, { "walking.radio" })
  t:near(run.memory.motion.q.vx, 0.26, 1e-6)
end)

test("a stick that is moved takes over, and gives back to standing", function(t)
  local inputs = {}
  for _, name in ipairs { "stick_left_x", "stick_left_y", "stick_right_x" } do
    inputs[name] = { kind = "axis" }
  end
  local run = start(t, { world_data = { inputs = inputs }, with_world = true })
  run:emit("perform", { "wave" })
  await(t, run, "waves", is "standing.animation.play")
  run:input("stick_left_y", 0.5)
  await(t, run, "walks", is "walking.radio")
  run:advance(1.5)
  t:near(run.memory.motion.q.vx, 0.175, 1e-6)
  if not t:long() then return end -- make soak: until it stands
  run:input("stick_left_y", 0)
  await(t, run, "stands", is "standing.radio")
end)
