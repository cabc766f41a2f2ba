--- The robot from the views of the wizard and of people near it.
local stand = { RShoulderPitch = 1.45, RElbowRoll = 0.5, HeadYaw = 0, HeadPitch = -0.15,
  LShoulderPitch = 1.45 }

local function start(t, options)
  local run = t:run("wizard.lua", options)
  run:advance(2)
  t:equal(run.state, "ready")
  return run
end

local function near_stand(t, run)
  for joint, value in pairs(stand) do t:near(run:command(joint), value, 0.2, joint) end
end

local function range_of(run, seconds, value)
  local least, most = math.huge, -math.huge
  for _ = 1, seconds * 10 do
    run:advance(0.1)
    local now = value()
    least, most = math.min(least, now), math.max(most, now)
  end
  return most - least
end

local function nearest(run, key)
  local least = math.huge
  for _, pair in ipairs(run.solver:proximity()) do
    if not key or pair.a == key or pair.b == key then least = math.min(least, pair.distance) end
  end
  return least
end

test("a movement is played as the library has it, and then the robot stands again", function(t)
  local run = start(t, { recorded = true })
  near_stand(t, run)
  run:emit("play", "wave")
  run:advance(0.9)
  t:equal(run.state, "playing")
  run:advance(0.2)
  t:near(run:command "RShoulderPitch", 0.40, 0.12, "the arm is up")
  t:near(run:command "LShoulderPitch", stand.LShoulderPitch, 0.12, "the other is not")
  local bends = {}
  for i = 1, 2 do
    run:advance(0.6)
    bends[i] = run:command "RElbowRoll"
  end
  t:ok(math.abs(bends[1] - bends[2]) > 0.25, "the forearm swings from %.2f to %.2f rad only", bends[1],
    bends[2])
  run:advance(3)
  t:equal(run.state, "ready")
  near_stand(t, run)
  run:finish()
  local said = {}
  for _, row in ipairs(run:sql "select name from events where name in ('plays', 'played') order by id") do
    said[#said + 1] = row.name
  end
  t:equal(said, { "plays", "played" })
end)

test("every movement of the library can be played, one into the other", function(t)
  local run = start(t)
  for _, name in ipairs { "nod", "shake", "welcome", "point", "wave" } do
    run:emit("play", name)
    run:advance(0.7)
    t:equal(run.state, "playing", name)
    t:equal(run.memory.action, name)
  end
  run:advance(6)
  t:equal(run.state, "ready")
  near_stand(t, run)
  t:equal(run.failed, nil)
end)

test("what is not in the library is refused in words, and nothing else happens", function(t)
  local run = start(t, { recorded = true })
  run:emit("play", "dance")
  run:emit("play", nil)
  run:emit("play", { "wave" })
  run:emit("set", { Tail = 1, HeadYaw = "left" })
  run:emit("set", 5)
  run:advance(1)
  t:equal(run.state, "ready")
  t:equal(run.failed, nil)
  t:match(table.concat(t.said, "\n"), "'dance', which is no movement")
  t:match(table.concat(t.said, "\n"), "'Tail', which is no joint")
  run:finish()
  t:equal(#run:sql "select 1 from events where name = 'refused'", 3)
end)

test("single joints are held where the wizard sets them, also while a movement plays, until set free",
  function(t)
  local run = start(t)
  run:emit("set", { HeadYaw = 0.6 })
  run:advance(1.5)
  t:near(run:command "HeadYaw", 0.6, 0.15)
  run:emit("play", "shake")
  run:advance(1.5)
  t:near(run:command "HeadYaw", 0.6, 0.15, "while it would shake its head")
  run:advance(3)
  run:emit "free"
  run:advance(2)
  t:near(run:command "HeadYaw", 0, 0.15, "free again")
end)

test("it is alive while it stands and while it plays: the head turns, the torso sways", function(t)
  local run = start(t)
  local function head() return run:command "HeadYaw" end
  local function sway() return run.solver:frames().torso.position[2] end
  t:ok(range_of(run, 8, head) > 0.03, "the head is still while it stands")
  t:ok(range_of(run, 8, sway) > 0.006, "the torso is still while it stands")
  run:emit("set", { RShoulderPitch = 0.9 })
  run:advance(2)
  local past, moved = head(), 0
  for _ = 1, 30 do
    run:emit("play", "point")
    run:advance(0.2)
    moved, past = moved + math.abs(head() - past), head()
  end
  t:ok(moved > 0.02, "the head moves by %.3f rad while it plays", moved)
end)

test("an arm that is sent where a thing is stays clear of it, and goes there when it is gone", function(t)
  local free = start(t)
  free:emit("play", "point")
  free:advance(2)
  local there = free.solver:frames().r_gripper.position
  local run = start(t)
  run:see { kind = "cup", id = "cup", at = there, during = 6 }
  run:advance(1)
  run:emit("play", "point")
  local least = math.huge
  for _ = 1, 3.5 * 20 do
    run:advance(0.05)
    least = math.min(least, nearest(run, "seen cup"))
  end
  t:ok(least > 0, "the nearest to the cup was %.4f m", least)
  t:ok(least < 0.2, "it never came near the cup: %.3f m; the test shows nothing", least)
  run:advance(4)
  t:equal(nearest(run, "seen cup"), math.huge, "the cup is gone")
  run:emit("play", "point")
  run:advance(2)
  t:near(run.solver:frames().r_gripper.position, there, 0.05, "nothing is in the way")
end)

test("somebody who steps up to a waving robot is not touched, nor does it touch itself; limits hold",
  function(t)
  local run = start(t)
  run:see { kind = "person", id = "ann", path = { { 0, 3, 0, 1.6 }, { 3, 0.75, -0.2, 1.6 }, { 12, 0.75, -0.2,
    1.6 } } }
  local variables, past, speed, acceleration, least = run.description.robot:variables(), {}, 0, 0, math.huge
  for tick = 1, 12 * 200 do
    if tick % 700 == 1 then run:emit("play", ({ "wave", "point", "welcome", "wave" })[tick // 700 + 1]) end
    run:advance(1 / 200)
    for _, v in ipairs(variables) do
      local now, one, two = run:command(v.name), table.unpack(past[v.name] or {})
      if two then
        speed = math.max(speed, math.abs(now - one) * 200 / v.velocity)
        acceleration = math.max(acceleration, math.abs(now - 2 * one + two) * 200 * 200 / v.acceleration)
      end
      t:ok(now >= v.lower and now <= v.upper, "%s is at %g", v.name, now)
      past[v.name] = { now, one }
    end
    if tick % 10 == 0 then least = math.min(least, nearest(run)) end
  end
  t:ok(least > 0, "the nearest two were %.4f m apart", least)
  t:ok(speed <= 1 + 1e-6, "%.3f of the greatest speed", speed)
  t:ok(acceleration <= 1 + 1e-6, "%.3f of the greatest acceleration", acceleration)
end)
