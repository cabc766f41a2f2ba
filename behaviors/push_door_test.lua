--- Tests of push_door.lua, judged by the true state of the world and by the robot's speeds.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 40 end

local function world(events, door)
  local row = { id = "office", at = { 1.5, 0 }, handle = "lever" }
  for key, value in pairs(door or {}) do row[key] = value end
  return { sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004, dropout = 0.1 },
    doors = { row },
    events = events }
end

--- Run until it has left `opening`, for at most `seconds`; record how deep the body penetrated anything (m),
--- and the greatest speeds of hands and body (m/s). Return these, and the state of the door.
local function watched(run, seconds)
  local seen, past = { bump = 0, hand = 0, body = 0 }, {}
  for _ = 1, seconds * 20 do
    if run.state == "through" or run.state == "stuck" then break end
    run:advance(0.05)
    seen.bump = math.max(seen.bump, select(2, run.run.world:bumped()) or 0)
    for key, link in pairs { hand = "left_palm", other = "right_palm", body = "pelvis" } do
      local p, q = run.scene:frame(link).position, past[key]
      if q then
        local speed = math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2) * 20
        local of = key == "body" and "body" or "hand"
        seen[of] = math.max(seen[of], speed)
      end
      past[key] = p
    end
  end
  return seen, run.run.world:state "office"
end

test("it opens the door and is through within 14 s, no faster than a person", function(t)
  local run = t:run("push_door.lua", { rate = rate_of(t), with_world = true })
  local seen, door = watched(run, 20)
  t:equal(run.state, "through")
  t:ok(run.now <= 14, "%.2f s", run.now)
  t:ok(run.scene:frame("walking").position[1] > 2.3, "it stands behind the doorway")
  t:ok(seen.hand < 1.5 and seen.body < 1.3, "hands at up to %.2f m/s, the body at %.2f m/s", seen.hand,
    seen.body)
  t:equal({ door.opened, door.passed }, { 1, 0 })
  t:ok(seen.bump < 0.01 and door.deepest < 0.01, "the body was %.3f m deep in something", seen.bump)
end)

test("held shut for a while, it tries again until it opens", function(t)
  local run = t:run("push_door.lua", { rate = rate_of(t), recorded = true,
    world_data = world { { at = 1, what = "hold_shut", id = "office", seconds = 7 } } })
  watched(run, 30)
  t:equal(run.state, "through")
  run:finish()
  t:ok(run:sql "SELECT count(*) AS n FROM tree_nodes WHERE name = 'press'"[1].n >= 2, "more than one try")
end)

test("locked, it is given up after four tries, in words, and nobody walks into it", function(t)
  local run = t:run("push_door.lua", { rate = rate_of(t), world_data = world(nil, { locked = true }) })
  local seen = watched(run, 40)
  t:equal(run.state, "stuck")
  t:match(run.memory.why, "it opens within four tries")
  t:ok(seen.bump < 0.01 and run.run.world:state "office".angle == 0, "%.3f m deep", seen.bump)
  run:advance(2)
  t:equal({ run.state, run.run.host.stance.gait:walks() }, { "stuck", false })
end)

test("without a door to be seen it says so, and stands", function(t)
  local run = t:run("push_door.lua", { rate = rate_of(t), world_data = world { { at = 0, what = "blind",
    seconds = 60 } } })
  watched(run, 10)
  t:equal(run.state, "stuck")
  t:match(run.memory.why, "'setup_object': 'handle' is not set up")
end)

test("it lets somebody pass who stands in the doorway, and goes through then", function(t)
  local data = world()
  data.people = { { id = "ann", path = { { 0, 2.1, 0.1 }, { 9, 2.1, 0.1 }, { 12, 5, 2 } } } }
  local run = t:run("push_door.lua", { rate = rate_of(t), world_data = data })
  run:advance(8.5)
  t:equal(run.run.world:state "office".angle, 0, "it waits before the door")
  watched(run, 20)
  t:equal(run.state, "through")
  t:ok(run.run.world:state "office".deepest < 0.01, "nobody was hit")
end)
