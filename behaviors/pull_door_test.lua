--- A door that opens towards the robot, from an observer's view.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 40 end

local function world(events, door)
  local row = { id = "office", at = { 1.5, 0 }, opens = "toward", handle = "lever" }
  for key, value in pairs(door or {}) do row[key] = value end
  return { seed = 2, sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004,
    dropout = 0.1 }, doors = { row },
    events = events }
end

--- Run until it has left `opening`; return how deep the body penetrated anything, and the state of the door.
local function watched(run, seconds)
  local bump = 0
  for _ = 1, seconds * 20 do
    if run.state == "through" or run.state == "stuck" then break end
    run:advance(0.05)
    bump = math.max(bump, select(2, run.run.world:bumped()) or 0)
  end
  return bump, run.run.world:state "office"
end

test("it opens the door and is through within 19 s", function(t)
  local run = t:run("pull_door.lua", { rate = rate_of(t), with_world = true })
  local bump, door = watched(run, 25)
  t:equal(run.state, "through")
  t:ok(run.now <= 19, "%.2f s", run.now)
  t:ok(run.scene:frame("walking").position[1] > 2.2, "it stands behind the doorway")
  t:equal({ door.slips, door.passed }, { 0, 0 })
  t:ok(bump < 0.01 and door.deepest < 0.01, "the body was %.3f m deep in something", bump)
end)

test("when its hand slips off, or the panel does not come along, it takes the handle again", function(t)
  local run = t:run("pull_door.lua", { rate = rate_of(t), recorded = true, world_data = world(nil,
    { grip = 0.6 }) })
  local _, door = watched(run, 60)
  t:equal(run.state, "through")
  t:ok(door.slips >= 1, "%d slips", door.slips)
  run:finish()
  local tries = run:sql "SELECT count(*) AS n FROM tree_nodes WHERE name = 'to the handle'"[1].n
  t:ok(tries == door.slips + 1, "%d tries after %d slips", tries, door.slips)
end)

test("pushed away from the handle it takes it again", function(t)
  local run = t:run("pull_door.lua", { rate = rate_of(t), recorded = true, world_data = world {
    { at = 5.6, what = "push", id = "right_elbow", by = -0.7, seconds = 1.2 } } })
  local bump = watched(run, 60)
  t:equal(run.state, "through")
  t:ok(bump < 0.03, "%.3f m deep", bump)
end)
