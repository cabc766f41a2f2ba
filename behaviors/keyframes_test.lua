--- The arm from an observer's view: in time, in order, within its volumes.
local geometry = require "brio.geometry"

local down, tilted = { 1, 0, 0, 0 }, { 0.9239, 0.3827, 0, 0 }
local keys = {
  { "over", { 0.50, -0.20, 0.45 }, down, 1.5 }, { "at", { 0.50, -0.20, 0.25 }, down, 1.5 },
  { "lifted", { 0.45, 0.00, 0.55 }, down, 1.5 }, { "shown", { 0.45, 0.25, 0.50 }, tilted, 2.0 },
}

--- The relative distance of a point from an ellipsoid's center: 1 is the surface.
local function out_of(room, point)
  local square = 0
  for i = 1, 3 do square = square + ((point[i] - room.position[i]) / room.size[i]) ^ 2 end
  return math.sqrt(square)
end

test("the hand is where each keyframe wants it before the next one begins", function(t)
  local run = t:run "keyframes.lua"
  local ends = 0
  for round = 1, 2 do
    for _, key in ipairs(keys) do
      ends = ends + key[4]
      run:advance(ends - 0.05 - run.now)
      t:equal(run.state, key[1])
      local hand = run.solver:frames().panda_hand
      t:near(hand.position, key[2], 0.02, key[1])
      local off = geometry.angle(hand.orientation, key[3])
      t:ok(off < 0.1, "%s: turned by %.3f rad", key[1], off)
    end
    run:advance(ends + 0.1 - run.now)
    t:equal(run.state, "over")
    t:equal(run.memory.rounds, round)
  end
end)

test("states follow each other by time alone, to the tick", function(t)
  local run = t:run("keyframes.lua", { recorded = true })
  run:advance(14)
  run:finish()
  local expected = 0
  for i, row in ipairs(run:sql "select state, entered from states order by id limit 8") do
    local key = keys[(i - 1) % 4 + 1]
    t:equal(row.state, key[1])
    t:near(row.entered, expected, 0.0051 * i, row.state .. " begins")
    expected = expected + key[4]
  end
end)

test("hand and elbow stay within their room, whatever keyframe is next", function(t)
  local run = t:run "keyframes.lua"
  local hand = { position = { 0.45, 0, 0.42 }, size = { 0.20, 0.40, 0.30 } }
  local elbow = { position = { 0.0, 0, 0.60 }, size = { 0.25, 0.25, 0.15 } }
  run:advance(3) -- from its home pose into the volume
  local worst_hand, worst_elbow = 0, 0
  for _ = 1, 13 * 20 do
    run:advance(0.05)
    local frames = run.solver:frames()
    worst_hand = math.max(worst_hand, out_of(hand, frames.panda_hand.position))
    worst_elbow = math.max(worst_elbow, out_of(elbow, frames.panda_link4.position))
  end
  t:ok(worst_hand < 1.02, "the hand is %.3f of its room out", worst_hand)
  t:ok(worst_elbow < 1.02, "the elbow is %.3f of its room out", worst_elbow)
end)

test("the room is what keeps the elbow in: without it, it leaves", function(t)
  local elbow = { position = { 0.0, 0, 0.60 }, size = { 0.25, 0.25, 0.15 } }
  local worst = {}
  for i, weight in ipairs { 0, 1 } do
    local run = t:run "keyframes.lua"
    for _, objective in ipairs(run.solver:objectives()) do
      if weight == 0 and objective.key:find "panda_link4" then
        run.run.steering:steer_weight(objective.handle, 0)
      end
    end
    run:advance(3)
    worst[i] = 0
    for _ = 1, 13 * 20 do
      run:advance(0.05)
      worst[i] = math.max(worst[i], out_of(elbow, run.solver:frames().panda_link4.position))
    end
  end
  t:ok(worst[1] > worst[2] + 0.05, "out by %.3f without, %.3f with its room", worst[1], worst[2])
end)

test("limits hold in every command", function(t)
  local run = t:run "keyframes.lua"
  local variables, past, speed, acceleration = run.description.robot:variables(), {}, 0, 0
  for _ = 1, 8 * 200 do
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
  end
  t:ok(speed <= 1 + 1e-6, "%.3f of the greatest speed", speed)
  t:ok(acceleration <= 1 + 1e-6, "%.3f of the greatest acceleration", acceleration)
end)

test("it keeps clear of a post put in its way", function(t)
  local run = t:run "keyframes.lua"
  run:advance(1)
  run.solver:shape("post", { kind = "cylinder", size = { 0.03, 0, 0.6 },
    pose = { position = { 0.62, 0.05, 0.3 } } })
  local nearest = math.huge
  for _ = 1, 130 do
    run:advance(0.1)
    for _, pair in ipairs(run.solver:proximity()) do nearest = math.min(nearest, pair.distance) end
  end
  t:ok(nearest > 0, "the nearest was %.4f m", nearest)
end)
