local brio = require "brio"
local scene = brio.scene

local function person(id, x, y)
  return { kind = "person", id = id, position = { x, y, 1.6 }, size = { 0.5, 0.5, 1.7 }, confidence = 0.9 }
end

test("an object appears, is found and is lost", function(t)
  local s = scene.new { appear_after = 2, lost_after = 0.5 }
  s:update(0, { person(nil, 1, 0) })
  t:equal(#s:events(), 0)
  s:update(0.1, { person(nil, 1, 0) })
  local events = s:events()
  t:equal(#events, 1)
  t:equal(events[1].change, "appeared")
  t:equal(events[1].object.id, "person-1")
  t:equal(#s:events(), 0)
  local one = s:find "person-1"
  t:equal(one.kind, "person")
  t:equal(one.number, 1)
  t:equal(one.sightings, 2)
  t:near(one.position[1], 1, 1e-12)
  t:near(one.pose.position[3], 1.6, 1e-12)
  t:near(one.size[3], 1.7, 1e-12)
  t:near(one.velocity[1], 0, 1e-12)
  t:near(one.confidence, 0.9, 1e-12)
  t:equal(one.first_seen, 0.0)
  t:equal(one.last_seen, 0.1)
  s:update(1, {})
  t:equal(s:events()[1].change, "lost")
  t:equal(s:find "person-1", nil)
  t:equal(#s:objects(), 0)
end)

test("objects are listed by kind and the nearest is found", function(t)
  local s = scene.new { appear_after = 1, smoothing = 0 }
  s:update(0, { person("ann", 2, 0), { kind = "cup", position = { 0.5, 0, 0 } }, person("bob", -1, 0) })
  t:equal(#s:objects(), 3)
  t:equal(#s:objects "person", 2)
  t:equal(s:objects("person")[1].id, "ann")
  t:equal(s:nearest().kind, "cup")
  t:equal(s:nearest("person").id, "bob")
  t:equal(s:nearest("person", { of = { 3, 0, 1.6 } }).id, "ann")
  t:equal(s:nearest("person", { of = s:find "ann" }).id, "ann")
  t:equal(s:nearest("person", { within = 0.5 }), nil)
  t:equal(s:nearest "dog", nil)
end)

test("frames are declared once and set often", function(t)
  local s = scene.new { appear_after = 1 }
  local head = s:declare_frame "head"
  t:equal(s:declare_frame "head", head)
  t:equal(s:frame "head", nil)
  s:set_frame(head, { position = { 0, 0, 1 } })
  t:near(s:frame("head").position[3], 1, 1e-12)
  s:update(0, { person("ann", 2, 0) })
  t:near(s:frame("ann").position[1], 2, 1e-12)
  t:equal(s:frame "foot", nil)
end)

test("an object has the color, time and detector of what was seen", function(t)
  local s = scene.new { appear_after = 1 }
  s:update(2, { { kind = "cup", position = { 1, 0, 0 }, time = 1.9, color = { 1, 0.5, 0 }, detector = 2 } })
  s:update(2.1, { { kind = "cup", position = { 1, 0, 0 }, orientation = { 0, 0, 0, 1 } } })
  local cup = s:objects()[1]
  t:equal(table.concat(cup.color, " "), "1.0 0.5 0.0", "the newest that is known")
  t:equal(cup.time, 2.1, "seen now")
  t:equal(cup.detector, 0)
  t:equal(cup.oriented, true)
end)

test("a world seen through a scene", function(t)
  local w = brio.world.new {
    seed = 3, sensor = { noise = 0.02, rate = 30 },
    people = { { id = "ann", path = { { 1, 3, 0 }, { 4, 1, 0 } } } },
  }
  local s, story = scene.new(), {}
  for tick = 0, 1200 do
    w:advance(tick * 0.005)
    s:update(tick * 0.005, w:detect())
    for _, event in ipairs(s:events()) do story[#story + 1] = event.change .. " " .. event.object.id end
  end
  t:equal(table.concat(story, ", "), "appeared ann, lost ann")
end)

test("wrong use raises", function(t)
  local s = scene.new()
  t:raises(function() scene.new { lost_afte = 1 } end, "did you mean 'lost_after'")
  t:raises(function() scene.new { lost_after = -1 } end, "lost_after")
  t:raises(function() scene.new { most_objects = 0 } end, "most_objects")
  t:raises(function() scene.new { appear_after = 1.5 } end, "whole number")
  t:raises(function() s:update(0, { { kind = "cup" } }) end, "position")
  t:raises(function() s:update(0, { { kind = "cup", position = { 0, 0, 0 / 0 } } }) end, "finite")
  t:raises(function() s:update(0 / 0, {}) end, "time")
  t:raises(function() s:update(0, { 3 }) end, "a detection must be a table")
  t:raises(function() s:set_frame(0, 5) end, "pose")
  t:raises(function() s:set_frame(0, { 1, 2, 3 }) end, "pose")
  t:equal(s:refused(), 0)
end)

local function cup(x, extra)
  local d = { kind = "cup", position = { x, 0, 0.8 }, confidence = 0.8 }
  for key, value in pairs(extra or {}) do d[key] = value end
  return d
end

test("settings by class hold for what begins later", function(t)
  local s = scene.new()
  t:equal(s:configure("cup", { appear_after = 1, lost_after = 30, moves = false, alpha = 0.5 }), true)
  s:update(0, { cup(0), { kind = "bowl", position = { 3, 0, 0.8 } } })
  t:equal(#s:objects(), 1)
  t:equal(s:settings("cup").alpha, 0.5)
  t:equal(s:settings("cup").moves, false)
  t:equal(s:settings("cup").radius, 0.5, "as it was")
  t:equal(s:settings().lost_after, 1.0, "of all others")
  s:configure("cup", { smoothing = 0 })
  t:equal(s:settings("cup").alpha, nil, "a time constant takes an alpha's place")
  t:equal(s:settings("cup").smoothing, 0.0)
  s:configure(nil, { radius = 1 })
  t:equal(s:settings("bowl").radius, 1.0)
  t:equal(s:settings("cup").radius, 0.5)
end)

test("what is tracked is listed, also before it is believed", function(t)
  local s = scene.new()
  s:configure(nil, { stability = 2, history = 1 })
  s:update(0, { cup(0) })
  local one = s:tracks()[1]
  t:equal(one.track, 1)
  t:equal(one.number, 0)
  t:equal(one.id, "")
  t:equal(one.stable, false)
  for k = 1, 20 do s:update(k * 0.1, { cup(0) }) end
  one = s:tracks("cup")[1]
  t:equal(one.track, 1)
  t:equal(one.id, "cup-1")
  t:equal(one.stable, true)
  t:equal(one.history, 10)
  t:equal(one.sightings, 21)
  t:near(one.frequency, 10 / 0.9, 1e-6)
  t:near(one.mean_confidence, 0.8, 1e-6)
  t:equal(#s:tracks "bowl", 0)
end)

test("a thing that is taken for another stays one", function(t)
  local s = scene.new()
  t:equal(s:configure("cup", { confusion = { "bowl", "vase" } }), true)
  for k = 0, 30 do s:update(k * 0.1, { cup(0, { kind = k % 3 == 1 and "bowl" or "cup" }) }) end
  t:equal(#s:tracks(), 1)
  t:equal(s:objects()[1].kind, "cup")
  s:configure("cup", { confusion = {} })
  s:update(3.1, { cup(0, { kind = "bowl" }) })
  t:equal(#s:tracks(), 2, "not any more")
  local bad, why, code = s:configure("a", { confusion = { "b", "c", "d", "e", "f", "g", "h", "i" } })
  t:equal(bad, nil)
  t:match(why, "at most 8 classes")
  t:equal(code, "limit")
end)

test("what is refused is told", function(t)
  local s = scene.new()
  s:update(10, { cup(0, { time = 3 }), cup(1, { time = 12 }), cup(2, { time = 10.2 }) })
  local why = s:refusals()
  t:equal(why.late, 1)
  t:equal(why.future, 1)
  t:equal(why.clamped, 1)
  t:equal(why.bad + why.flood + why.room, 0)
  t:match(why.last, "is 7 s old, but only 2 s are remembered")
  t:equal(s:refused(), 2)
  t:equal(scene.new():refusals().last, nil)
end)

test("wrong settings raise", function(t)
  local s = scene.new()
  t:raises(function() s:configure("cup", { alfa = 1 }) end, "did you mean 'alpha'")
  t:raises(function() s:configure("cup", { alpha = 2 }) end, "alpha must be from 1e%-06 to 1")
  t:raises(function() s:configure("cup", { appear_after = 1.5 }) end, "whole number")
  t:raises(function() s:configure("cup", { moves = 1 }) end, "moves")
  t:raises(function() s:configure("cup", { confusion = "bowl" }) end, "list of classes")
  t:raises(function() s:configure("cup", { confusion = { 3 } }) end, "list of classes")
  t:raises(function() s:configure("cup", { confusion = { "1", "2", "3", "4", "5", "6", "7", "8", "9" } }) end,
    "at most 8")
  t:raises(function() s:configure(nil, { confusion = { "bowl" } }) end, "one class")
  t:raises(function() s:configure("", {}) end, "name")
  t:raises(function() s:configure("cup") end, "table")
end)

test("what is refused changes nothing", function(t)
  local s = scene.new()
  t:raises(function() s:configure("cup", { radius = 2, confusion = "bowl" }) end, "list of classes")
  t:near(s:settings("cup").radius, 0.5, 0)
  local fine, why, code = s:configure("cup",
    { radius = 2, confusion = { "1", "2", "3", "4", "5", "6", "7", "8" } })
  t:equal(fine, nil)
  t:match(why, "at most 8 classes")
  t:equal(code, "limit")
  t:near(s:settings("cup").radius, 0.5, 0)
  t:raises(function() s:configure("cup", { radius = -2, confusion = { "bowl" } }) end, "radius")
  --- Nor is the confusion set: a cup and a bowl in one place are two things.
  s:update(0, { cup(0) })
  s:update(0.1, { cup(0, { kind = "bowl" }) })
  t:equal(#s:tracks(), 2)
end)

test("a thing that may be another now is not that at once", function(t)
  local s = scene.new { appear_after = 1 }
  s:configure("cup", { confusion = { "bowl" } })
  local function see(kind, first, last)
    for tick = first, last do s:update(tick / 20, { cup(0, { kind = kind, confidence = 0.9 }) }) end
    return s:objects()[1].kind
  end
  t:equal(see("bowl", 1, 30), "bowl")
  s:configure("bowl", { confusion = { "vase" } })
  t:equal(see("bowl", 31, 35), "bowl")
  t:equal(#s:objects(), 1)
end)

test("a detection from before all that is remembered does not move a thing", function(t)
  local s = scene.new { appear_after = 1 }
  s:configure(nil, { smoothing = 100, moves = false, history = 3 })
  local time = 0
  for _ = 1, 1000 do
    time = time + 1 / 60
    s:update(time, { cup(0, { position = { 0, 0, 0 } }) })
  end
  --- 64 are remembered: one before them, then one between the two oldest.
  for _, late in ipairs { 1.5, 62.5 / 60 } do
    s:update(time, { cup(0, { position = { 0.4, 0, 0 }, time = time - late }) })
    local place = s:objects()[1].position[1]
    t:ok(place >= 0 and place < 0.001, "it is at " .. place)
  end
  t:equal(s:refused(), 0)
  t:equal(s:objects()[1].sightings, 1002)
end)

test("an object cannot have the name of a frame, whether its pose is known or not", function(t)
  local s = scene.new()
  local pose = { position = { 1, 0, 0 } }
  s:declare_frame "rack"
  s:declare_frame "hand"
  s:alias("gripper", "hand")
  for _, name in ipairs { "world", "rack", "gripper" } do
    local object, why, code = s:put { name = name, pose = pose }
    t:equal(object, nil)
    t:match(why, "is a frame already")
    t:equal(code, "limit")
  end
  t:ok(s:put { name = "box", pose = pose })
  t:ok(s:put { name = "box", pose = pose })
end)
