--- The kiosk as a visitor sees it.
local ann = { kind = "person", id = "ann", path = {
  { 0, 4, 1.5, 1.6 }, { 2, 1.2, 0.3, 1.6 }, { 8, 1.2, -0.3, 1.6 }, { 10, 4, -1.5, 1.6 }, { 12, 6, -2, 1.6 },
} }

test("a visitor is greeted, thought with and seen off, once", function(t)
  local run = t:run("kiosk.lua", { recorded = true })
  run:advance(2)
  t:equal(run.state, "idle")
  run:see(ann)
  run:advance(2.2)
  t:equal(run.state, "greet")
  run:advance(3)
  t:equal(run.state, "think")
  run:advance(5.5)
  t:equal(run.state, "farewell")
  run:advance(2.5)
  t:equal(run.state, "idle")
  t:equal(run.memory.visitors, 1)
  t:equal(run:finish(), "finished")
  local stays = {}
  for _, row in ipairs(run:sql "select state from states order by id") do stays[#stays + 1] = row.state end
  t:equal(stays, { "power_on", "idle", "greet", "think", "farewell", "idle", "power_off" })
end)

test("the gaze follows the visitor", function(t)
  local run = t:run "kiosk.lua"
  run:advance(1)
  run:see { kind = "person", id = "bob", path = { { 0, 1.5, 1.2, 1.5 }, { 4, 1.5, 1.2, 1.5 }, { 6, 1.5, -1.2, 1.5 }, { 20, 1.5, -1.2, 1.5 } } }
  run:advance(3.5)
  t:near(run:command "HeadYaw", math.atan(1.2, 1.5), 0.25, "to the left")
  run:advance(4.5)
  t:near(run:command "HeadYaw", math.atan(-1.2, 1.5), 0.25, "to the right")
end)

test("it is never still, and never jerks", function(t)
  local run = t:run "kiosk.lua"
  run:advance(3)
  local least, most, before, fastest = math.huge, -math.huge, run:command "HeadYaw", 0
  for _ = 1, 20 * 200 do
    run:advance(1 / 200)
    local now = run:command "HeadYaw"
    least, most = math.min(least, now), math.max(most, now)
    fastest = math.max(fastest, math.abs(now - before) * 200)
    before = now
  end
  t:ok(most - least > 0.2, "the head looks around over %.3f rad only", most - least)
  t:ok(fastest < 1.5, "the head turns at %.2f rad/s while nobody is there", fastest)
end)

test("nothing it does brings it within a centimetre of itself", function(t)
  local run = t:run "kiosk.lua"
  run:see(ann)
  local nearest = math.huge
  for _ = 1, 16 * 10 do
    run:advance(0.1)
    for _, pair in ipairs(run.solver:proximity()) do
      if pair.distance < nearest then nearest = pair.distance end
    end
  end
  t:ok(nearest > 0.01, "it came within %.4f m of itself", nearest)
end)

test("limits of speed and acceleration hold in every command", function(t)
  local run = t:run "kiosk.lua"
  run:see(ann)
  local variables = run.description.robot:variables()
  local past = {}
  local worst_speed, worst_acceleration = 0, 0
  for tick = 1, 15 * 200 do
    run:advance(1 / 200)
    for _, v in ipairs(variables) do
      local now, one, two = run:command(v.name), past[v.name] and past[v.name][1], past[v.name] and past[v.name][2]
      if tick > 3 then
        worst_speed = math.max(worst_speed, math.abs(now - one) * 200 / v.velocity)
        worst_acceleration = math.max(worst_acceleration, math.abs(now - 2 * one + two) * 200 * 200 / v.acceleration)
      end
      past[v.name] = { now, one or now }
    end
  end
  t:ok(worst_speed <= 1 + 1e-6, "%.3f of the greatest speed", worst_speed)
  t:ok(worst_acceleration <= 1 + 1e-6, "%.3f of the greatest acceleration", worst_acceleration)
end)
