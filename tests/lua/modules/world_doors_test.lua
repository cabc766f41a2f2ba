--- Doors of the simulated world, as world files define them.
local world = require "brio.world"

local function with(more)
  local door = { id = "office", at = { 2, 0 } }
  for key, value in next, more or {} do door[key] = value end
  return { sensor = { identity = true, occlusion = false }, doors = { door } }
end

local function run(made, from, to)
  for tick = math.floor(from * 100) + 1, math.floor(to * 100) do
    made:advance(tick / 100)
    made:step()
  end
end

test("a door is seen as its panel and its handle, and tests know its angle", function(t)
  local made = world.new(with { hinge = "left", angle = 0.5 })
  local seen = {}
  for _, one in ipairs(made:detect()) do seen[one.id] = one end
  t:equal({ seen["office.panel"].kind, seen["office.handle"].kind }, { "door_panel", "door_lever" })
  t:near(seen["office.panel"].position, { 2 + 0.45 * math.sin(0.5), 0.45 - 0.45 * math.cos(0.5), 1 }, 1e-9)
  t:near(made:pose "office".position, seen["office.panel"].position, 1e-9)
  t:near(seen["office.panel"].size, { 0.04, 0.9, 2 }, 1e-9)
  local state = made:state "office"
  t:near(state.angle, 0.5, 0)
  t:equal({ state.latched, state.slips, state.passed }, { "no", 0, 0 })
end)

test("people push doors that are free, and stand in those that are latched", function(t)
  local free, shut = with { handle = "pull" }, with()
  for _, data in ipairs { free, shut } do
    data.people = { { id = "ann", path = { { 0, 0, 0.1 }, { 4, 4, 0.1 } } } }
  end
  free, shut = world.new(free), world.new(shut)
  run(free, 0, 4)
  run(shut, 0, 4)
  t:ok(free:state "office".angle > 0.8, "opened to %.2f", free:state "office".angle)
  t:near(free:state "office".deepest, 0, 1e-9)
  t:near(shut:state "office".angle, 0, 0)
  t:ok(shut:state "office".deepest > 0.2 and shut:state "office".passed == 1, "she went through a shut door")
end)

test("walkers push doors as people on a given path do", function(t)
  local data = with { handle = "pull" }
  data.walkers = { { id = "ann", path = { { 0, 0.1 }, { 4, 0.1 } } } }
  local made = world.new(data)
  run(made, 0, 5)
  t:ok(made:state "office".angle > 0.8, "opened to %.2f", made:state "office".angle)
  t:near(made:state "office".deepest, 0, 1e-9)
end)

test("who holds a door holds it for so long", function(t)
  local data = with { handle = "pull", closer = 10 }
  data.people = { { id = "ann", path = { { 0, 1.6, 0.1 }, { 4, 3.4, 0.1 } } } }
  data.events = { { at = 1, what = "hold_shut", id = "office", seconds = 1 } }
  local made = world.new(data)
  run(made, 0, 1.02)
  local angle = made:state "office".angle
  run(made, 1.02, 1.9)
  t:ok(made:state "office".angle <= angle and made:state "office".pressed > 0.1, "held at %.2f", angle)
  run(made, 1.9, 3)
  t:ok(made:state "office".angle > angle + 0.2, "let go: %.2f", made:state "office".angle)
end)

test("a door stays as it stands when the world file is read again, and is as it says from then on",
  function(t)
  local made = world.new(with { angle = 0.7 })
  made:exchange(world.new(with { angle = 0, friction = 5 }))
  t:near(made:state "office".angle, 0.7, 1e-12)
end)

test("what no door can be is refused in words", function(t)
  local function refused(more, pattern)
    t:raises(function() world.new(with(more)) end, pattern)
  end
  refused({ handle = "button" }, 'handle must be "lever", "knob", "push_bar" or "pull" of a door, not \z
    "button"')
  refused({ hinge = "top" }, 'hinge must be "right" or "left"')
  refused({ opens = "up" }, 'opens must be "away" or "toward"')
  refused({ width = 0.1 }, "door 'office': width must be a number from 0.3 to 3, not 0.1")
  refused({ angle = 3 }, "angle must be a number from 0 to 1.9")
  refused({ grip = 2 }, "grip must be a number from 0 to 1")
  refused({ friction = 0 / 0 }, "friction")
  refused({ angel = 1 }, "angel")
  refused({ id = "" }, "id")
  refused({ color = { 2, 0, 0 } }, "color")
  t:raises(function() world.new { doors = { { id = "office" } } } end, "a door needs at = {x, y %[, z%]}")
  t:raises(function() world.new { doors = { { id = "a", at = { 0, 0 } }, { id = "a", at = { 3, 0 } } } } end,
    "already has a 'a'")
  t:raises(function() world.new { doors = {},
    events = { { at = 1, what = "hold_shut", id = "b", seconds = 1 } } } end,
    "the world has no door 'b'")
  t:raises(function() world.new { bodies = { { link = "torso", radius = 9 } } } end, "radius")
  t:raises(function() world.new { bodies = { { radius = 0.1, above = 1 } } } end, "must have a link")
end)

test("a robot that walks into a shut door is told so", function(t)
  local run_ = t:run("walker", { robot = "biped", world_data = with(), source = [[
local brio = require "brio"
local walker = brio.behavior "walker" { robot = "biped", start = "going" }
walker.going = { tree = { "walk", stance = { 2, 0, 0 }, focal = { 4, 0, 0 } }, on = { tree_done = "there" , tree_failed = "stopped" } }
walker.there = {}
walker.stopped = {}
return walker
]] })
  t:equal(run_.run.world:bumped(), nil)
  for _ = 1, 150 do
    run_:advance(0.1)
    if run_.state ~= "going" then break end
  end
  t:equal(run_.state, "stopped")
  t:equal((run_.run.world:bumped()), "office")
end)

local function with_drawer(more)
  local drawer = { id = "desk", at = { 2, 0, 0.5 }, yaw = math.pi, open = 0.3 }
  for key, value in next, more or {} do drawer[key] = value end
  return { sensor = { identity = true, occlusion = false }, drawers = { drawer },
    things = { { id = "pen", kind = "box", shape = "box", size = { 0.02, 0.1, 0.02 },
      at = { 2, 0, 0.54 } } } }
end

test("a drawer is seen as its front and its handle; people push it in, with what lies in it", function(t)
  local data = with_drawer()
  data.people = { { id = "ann", path = { { 0, 0, 0.05 }, { 4, 1.65, 0.05 } } } }
  local made = world.new(data)
  local seen = {}
  for _, one in ipairs(made:detect()) do seen[one.id] = one end
  t:equal({ seen["desk.panel"].kind, seen["desk.handle"].kind }, { "drawer_front", "drawer_handle" })
  t:near(seen["desk.handle"].position, { 2 - 0.3 - 0.04, 0, 0.575 }, 1e-9)
  run(made, 0, 4)
  -- A person of 0.22 m stands at 1.65 m.
  t:near(made:state "desk".angle, 2 - 1.65 - 0.22, 1e-6)
  t:near(made:pose "pen".position[1], 2 + 0.3 - made:state "desk".angle, 1e-3, "it came along")
  t:equal(made:state "pen".on, "desk")
end)

test("what a drawer or a ground cannot be is refused", function(t)
  for _, row in ipairs {
    { with_drawer { most = 2 }, "drawer 'desk': most must be a number from 0.01 to 0.45, not 2" },
    { with_drawer { hinge = "left" }, "hinge" },
    { { ground = { soft = 1 } }, "soft" },
    { { ground = 3 }, "the world's ground must be a table" },
  } do
    local good, why = pcall(world.new, row[1])
    t:ok(not good, "taken")
    t:ok(tostring(why):find(row[2], 1, true), "%s", tostring(why))
  end
end)
