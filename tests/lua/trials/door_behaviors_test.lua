--- Doors opened again and again, with varied start, friction, latch, closer, grip and handle height. It takes
--- minutes: only `make soak` runs it.
local random = require "brio.random"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1

--- A world with one door, by a seed.
local function world_of(seed, opens, handle)
  local stream = random.stream(seed, "doors")
  local function from(lower, upper) return stream:uniform(lower, upper) end
  local door = { id = "office", at = { from(1.3, 2), from(-0.3, 0.3) }, yaw = from(-0.25, 0.25),
    opens = opens, handle = handle,
    friction = from(0.5, 3), damping = from(1, 6), handle_height = from(0.95, 1.05), grip = from(0.8, 1) }
  if handle == "lever" then door.free = from(0.35, 0.55) end
  if from(0, 1) < 0.5 then door.closer, door.damping = from(3, 8), from(15, 30) end
  return { seed = seed, sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004,
    dropout = 0.1 }, doors = { door } }
end

--- Run a behavior until it is through or stuck. Return its duration, its state, the reason, and the door's
--- state.
local function opened(t, file, seed, opens)
  local run = t:run("behaviors/" .. file, { world_data = world_of(seed, opens, "lever"), seed = seed })
  local bump = 0
  for _ = 1, 90 * 20 do
    run:advance(0.05)
    bump = math.max(bump, select(2, run.run.world:bumped()) or 0)
    if run.state == "through" or run.state == "stuck" then break end
  end
  local result = { state = run.state, seconds = run.now, why = run.memory.why,
    door = run.run.world:state "office", bump = bump }
  run:finish()
  return result
end

--- Open this many doors; nothing passes through a panel, and a door that does not open ends as stated.
local function campaign(t, file, opens, count)
  local good, slips, longest, times = 0, 0, 0, {}
  for seed = 1, count do
    local one = opened(t, file, seed, opens)
    slips = slips + one.door.slips
    t:ok(one.state ~= "opening", "seed %d hangs", seed)
    t:ok(one.door.passed == 0 and one.bump < 0.03, "seed %d: %d through the panel, %.3f m deep", seed,
      one.door.passed, one.bump)
    if one.state == "through" then
      good, times[#times + 1] = good + 1, one.seconds
      if one.door.slips == 0 then longest = math.max(longest, one.seconds) end
    else
      print(("# seed %d: %s"):format(seed, one.why))
    end
  end
  table.sort(times)
  t:ok(good >= 0.9 * count, "%d of %d", good, count)
  print(("# %s: %d of %d, median %.1f s, longest without a slip %.1f s, %d slips"):format(file, good, count,
    times[#times // 2 + 1], longest, slips))
end

local function long(t)
  if not soak then t:skip "it takes minutes: make soak" end
end

test("doors of many kinds are pushed open", function(t)
  long(t)
  campaign(t, "push_door.lua", "away", 40)
end)

test("doors of many kinds are pulled open", function(t)
  long(t)
  campaign(t, "pull_door.lua", "toward", 40)
end)

test("a locked door that opens towards the robot is given up after five tries, in words, and it stands",
  function(t)
  long(t)
  local data = world_of(1, "toward", "lever")
  data.doors[1].locked = true
  local run = t:run("behaviors/pull_door.lua", { world_data = data })
  for _ = 1, 90 * 20 do
    run:advance(0.05)
    if run.state == "through" or run.state == "stuck" then break end
  end
  t:equal(run.state, "stuck")
  t:match(run.memory.why, "it opens within five tries")
  t:ok(run.run.world:state "office".angle == 0, "it stays shut")
end)

test("33 openings in a row", function(t)
  long(t)
  local run = t:run("behaviors/repeat_door.lua", { with_world = true, seed = 4 })
  for _ = 1, 33 * 60 * 20 do
    run:advance(0.05)
    if run.state == "done" or run.state == "stuck" then break end
  end
  local door = run.run.world:state "office"
  t:equal({ run.state, run.memory.opened, door.passed }, { "done", 33, 0 }, run.memory.why[1])
  print(("# %d openings in %.0f s, %d slips"):format(run.memory.opened, run.now, door.slips))
end)
