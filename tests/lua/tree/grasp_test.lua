--- Hands on the simulator: objects stop the closing hand, are felt, carried and dropped; and disturbances of
--- them.
local source = [[
local brio = require "brio"
local hold = brio.behavior "hold" { robot = "biped", start = "waiting" }
hold.waiting = { on = { grasp = "grasping", open = "opening", lift = "lifting" } }
hold.grasping = { tree = { "sequence",
    { "hand", side = "right", grip = "close", success = "holds", cutoff = 4, hold = "always" },
    { "holding", hand = "right", min = 0.06, max = 0.08 } },
  on = { tree_done = "has", tree_failed = "empty", open = "opening", lift = "lifting" } }
hold.lifting = { tree = { "sequence", { "arm", side = "right", preset = "ready", speed = SPEED, timeout = 4, hold = "always" }, { "holding", hand = "right" } },
  on = { tree_done = "has", tree_failed = "empty", open = "opening" } }
hold.opening = { tree = { "hand", side = "right", grip = "open", cutoff = 4, hold = "always" }, on = { tree_done = "waiting" } }
hold.has = { on = { open = "opening", lift = "lifting" } }
hold.empty = { on = { open = "opening", grasp = "grasping" } }
return hold
]]

local function begin(t, options)
  options = options or {}
  local run = t:run("hold.lua", { source = (source:gsub("SPEED", options.speed or "0.3")),
    world_data = { things = { { id = "ball", kind = "ball", radius = 0.035, friction = options.friction } },
      events = options.events } })
  run:advance(0.1)
  run:emit "open"
  run:advance(0.8)
  return run
end

--- Where the right hand would hold an object.
local function grasp_point(run)
  local palm, geometry = run.scene:frame "right_palm", require "brio.geometry"
  return geometry.within(palm, { position = run.description.hands.right.grasp }).position
end

--- Put the ball into the open hand, which closes before it has fallen out.
local function offer(run, aside)
  run:emit "grasp"
  for _ = 1, 80 do
    local p = grasp_point(run)
    run.world:put("ball", { p[1] + (aside or 0), p[2], p[3] })
    run:advance(0.005)
    if run.world:state "ball".held_by ~= "nobody" then break end
  end
  run:advance(0.6)
end

local function width(run)
  local hand = run.description.hands.right
  return hand.span * (run:measured "right_grip" - hand.shut) / (hand.open - hand.shut)
end

test("a hand stops at what it shuts around, feels it, carries it and lets it go", function(t)
  local run = begin(t)
  t:near(width(run), 0.1, 0.003, "open")
  offer(run)
  t:equal(run.state, "has")
  t:equal(run.world:state "ball".held_by, "right")
  t:near(width(run), 0.07, 0.002, "as wide as the ball")
  local before = run.world:pose "ball".position
  run:emit "lift"
  run:advance(3)
  t:equal(run.state, "has")
  local after, point = run.world:pose "ball".position, grasp_point(run)
  t:ok(math.abs(after[3] - before[3]) > 0.05, "it was carried, from %.3f to %.3f m", before[3], after[3])
  t:near(after, point, 0.02, "it is in the hand")
  run:emit "open"
  run:advance(1.5)
  t:equal(run.world:state "ball", { held_by = "nobody", on = "floor", speed = run.world:state "ball".speed })
  t:near(width(run), 0.1, 0.003, "open again")
end)

test("a hand that shuts around nothing says so", function(t)
  local run = begin(t)
  run:emit "grasp"
  run:advance(1.5)
  t:equal(run.state, "empty")
  t:near(width(run), 0, 0.006)
end)

test("what is taken out of a hand, or slips when it is carried too fast, is missed", function(t)
  local taken = begin(t)
  offer(taken)
  taken.world:happen { at = taken.now + 0.3, what = "take", id = "ball" }
  taken:emit "lift"
  taken:advance(3)
  t:equal(taken.state, "empty")
  local wet = begin(t, { friction = 0.1, speed = "0.9" })
  offer(wet)
  t:equal(wet.state, "has")
  wet:emit "lift"
  wet:advance(3)
  t:equal(wet.state, "empty")
  t:equal(wet.world:state "ball".on, "floor")
end)

test("a joint that is pushed is where it is pushed to, and comes back", function(t)
  local run = begin(t, { events = { { at = 1, what = "push", id = "right_elbow", by = -0.5,
    seconds = 0.9 } } })
  local before = run:measured "right_elbow"
  run:advance(0.8)
  t:near(run:measured "right_elbow", before - 0.5, 0.01)
  run:advance(1)
  t:near(run:measured "right_elbow", before, 0.01)
end)

test("a sensor on a link looks where the link looks, and sees nothing through a bench", function(t)
  local run = t:run("hold.lua", { source = source:gsub("SPEED", "0.3"), world_data = {
    sensor = { link = "camera", view = 1.2, rate = 20 },
    furniture = { { id = "bench", shape = "table", at = { 1.2, 0 }, size = { 0.6, 1.2, 0.9 } } },
    things = { { id = "on", kind = "on", at = { 1.1, 0 } },
      { id = "under", kind = "under", at = { 1.2, 0, 0.1 } },
      { id = "behind", kind = "behind", at = { -1, 0 } } } } })
  run:advance(0.5)
  local seen = {}
  for _, one in ipairs(run.scene:objects()) do seen[one.kind] = true end
  t:equal({ seen.on, seen.under, seen.behind, seen.table }, { true, nil, nil, true })
end)

test("equal runs are equal, bit by bit", function(t)
  local function digest()
    local run = begin(t)
    offer(run)
    run:emit "lift"
    run:advance(1)
    local p = run.world:pose "ball".position
    return ("%a %a %a"):format(p[1], p[2], p[3])
  end
  t:equal(digest(), digest())
end)
