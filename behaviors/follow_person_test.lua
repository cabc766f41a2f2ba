--- The follower compared with the true positions of robot and person in the simulated world.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

local gait = require "brio.character.stance.gait"

--- Walls of the world, {x0, y0, x1, y1} in m, from which the robot's body must keep away.
local walls = { { 4, -3, 4, -0.5 }, { 4, 0.5, 4, 3 }, { -1.5, 2, 4, 2 }, { -1.5, -2, 4, -2 }, { 4, 3, 8, 3 },
  { 4, -3, 8, -3 } }

local function from_wall(x, y)
  local least = math.huge
  for _, w in ipairs(walls) do
    local dx, dy = math.max(w[1] - x, 0, x - w[3]), math.max(w[2] - y, 0, y - w[4])
    least = math.min(least, math.sqrt(dx * dx + dy * dy))
  end
  return least
end

--- Run it and record its distances to the person and to walls (m), and the angle of the person from straight
--- ahead (rad).
local function watched(run, seconds)
  local seen = { nearest = math.huge, wall = math.huge, lost = 0, states = {} }
  for _ = 1, seconds * 10 do
    run:advance(0.1)
    local here, ann = run.run.host.stance:walking(), run.run.world:pose "ann"
    local p, a = here.position, ann.position
    seen.far = math.sqrt((a[1] - p[1]) ^ 2 + (a[2] - p[2]) ^ 2)
    seen.nearest, seen.wall = math.min(seen.nearest, seen.far), math.min(seen.wall, from_wall(p[1], p[2]))
    seen.off =
      math.abs((math.atan(a[2] - p[2], a[1] - p[1]) - gait.yaw(here) + math.pi) % (2 * math.pi) - math.pi)
    if run.state == "done" or run.state == "alone" then break end
  end
  return seen
end

test("it follows a person through a doorway, loses them behind the wall, and finds them again", function(t)
  local run = t:run("follow_person.lua", { rate = rate_of(t), with_world = true, recorded = true })
  local seen = watched(run, 45)
  t:equal({ run.state, run.failed }, { "done" })
  t:ok(seen.far < 1.9 and seen.off < 0.6, "in the end it is %.2f m behind, %.2f rad aside", seen.far,
    seen.off)
  t:ok(seen.nearest > 0.6, "it came as near as %.2f m", seen.nearest)
  t:ok(seen.wall > 0.2, "its middle came as near to a wall as %.2f m", seen.wall)
  run:finish()
  local function times(name)
    return run:sql(("SELECT count(*) AS n FROM events WHERE name = '%s'"):format(name))[1].n
  end
  local lost, seen_again = times "follow_lost", times "follow_sees"
  t:ok(lost >= 1 and seen_again >= 2, "lost %d times, seen %d times", lost, seen_again)
end)

test("a person who is gone for good is looked for, and then it says so", function(t)
  local run = t:run("follow_person.lua", { rate = rate_of(t), with_world = true, recorded = true })
  run:advance(4)
  run.run.world:happen { at = 4.1, what = "blind", seconds = 100 }
  run:advance(24)
  t:equal(run.state, "alone")
  run:finish()
  t:match(run:sql("SELECT why FROM tree_nodes WHERE name = 'follow'")[1].why,
    "ann was lost: not seen for 20 s")
end)
