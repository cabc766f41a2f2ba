local brio = require "brio"
local world = brio.world

local function yaw_of(pose)
  local q = pose.orientation
  return 2 * math.atan(q[3], q[4])
end

test("people walk, face where they walk and leave", function(t)
  local w = world.new { people = { { id = "ann", path = { { 1, 0, 0 }, { 3, 0, 2 } } } } }
  t:equal(w:pose "ann", nil)
  w:advance(2)
  local pose = w:pose "ann"
  t:near(pose.position[2], 1, 1e-12)
  t:near(pose.position[3], 1.6, 1e-12)
  t:near(yaw_of(pose), math.pi / 2, 1e-9)
  w:advance(3.1)
  t:equal(w:pose "ann", nil)
  t:equal(w:pose "nobody", nil)
end)

test("the height says where the head is, the path may say better", function(t)
  local w = world.new {
    people = {
      { id = "child", height = 1.1, path = { { 0, 1, 0 } } },
      { id = "sitting", path = { { 0, 2, 0, 1.2, 0.5 } } },
    },
  }
  t:near(w:pose("child").position[3], 1.0, 1e-12)
  t:near(w:pose("sitting").position[3], 1.2, 1e-12)
  t:near(yaw_of(w:pose "sitting"), 0.5, 1e-12)
  t:near(math.abs(yaw_of(w:pose "child")), math.pi, 1e-12)
end)

test("the sensor reports what it sees", function(t)
  local w = world.new {
    sensor = { range = 3, view = math.pi, pose = { position = { 0, 0, 1.6 } } },
    people = { { id = "ann", path = { { 0, 2, 0 } } }, { id = "far", path = { { 0, 9, 0 } } },
               { id = "behind", path = { { 0, -2, 0 } } } },
    objects = { { kind = "cup", id = "c", size = { 0.1, 0.1, 0.2 }, path = { { 0, 1, 0, 0.8 } } } },
  }
  local seen = w:detect()
  t:equal(#seen, 2)
  t:equal(seen[1].id, "ann")
  t:equal(seen[1].kind, "person")
  t:near(seen[1].size[3], 1.7, 1e-12)
  t:equal(seen[2].kind, "cup")
  t:near(seen[2].size[3], 0.2, 1e-12)
  w:add { id = "ball", kind = "ball", path = { { 0, 0.5, 0, 1.6 }, { 1, 0.6, 0, 1.6 } }, loop = true }
  t:equal(#w:detect(), 3)
end)

test("noise repeats with its seed", function(t)
  local function reports(seed)
    local w = world.new { seed = seed, sensor = { noise = 0.1 },
      people = { { id = "ann", path = { { 0, 1, 0 } } } } }
    local xs = {}
    for i = 1, 5 do xs[i] = w:detect()[1].position[1] end
    return table.concat(xs, " ")
  end
  t:equal(reports(1), reports(1))
  t:ok(reports(1) ~= reports(2), "another seed gives other noise")
end)

test("wrong worlds raise", function(t)
  t:raises(function() world.new { peopel = {} } end, "did you mean 'people'")
  t:raises(function() world.new { people = { { id = "ann" } } } end, "path must be a list")
  t:raises(function() world.new { people = { { id = "ann", path = {} } } } end, "walk")
  t:raises(function() world.new { people = { { id = "ann", path = { { 1, 0, 0 }, { 0, 0, 0 } } } } } end,
    "point 2")
  t:raises(function() world.new { people = { { path = { { 1, 0, 0 } } } } } end, "an id")
  t:raises(function() world.new { people = { { id = "a", path = { { 1, 0 } } } } } end, "t, x, y")
  t:raises(function() world.new { people = { { id = "a", path = { { 1, 0, 0 / 0 } } } } } end, "finite")
  t:raises(function() world.new { sensor = { dropout = 2 } } end, "dropout")
  t:raises(function() world.new { people = 3 } end, "people")
  t:raises(function() world.new():advance(1 / 0) end, "time")
end)
