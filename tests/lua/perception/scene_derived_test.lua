--- Objects of the scene that are estimated: hinges and sliders from motion, tables and doors from point
--- clouds.
local brio = require "brio"
local geometry = require "brio.geometry"
local scene_objects = require "brio.perception.objects"

local tree = [[
local brio = require "brio"
local b = brio.behavior "t" { robot = "biped", start = "a" }
b.a = { tree = { "sequence", %s }, on = { tree_done = "b", tree_failed = "b" } }
b.b = {}
return b]]

-- How things move ---------------------------------------------------------------------------------------

--- Observe something in a scene while it moves, place(share) -> position[, orientation]; `said` sets it up in
--- every tick.
local function watched(said, place, noise, till)
  local s, random = brio.scene.new { appear_after = 1, smoothing = 0, lost_after = 5 },
    require("brio.random").stream(7, "noise")
  local object, why, ticks
  for k = 0, till or 200 do
    local p, q = place(k / 200)
    for i = 1, 3 do p[i] = p[i] + noise * random:normal() end
    s:update(k * 0.02, { { kind = "lever", id = "l", position = p, orientation = q } })
    if not s:object "lever" then
      s:set_up { name = "lever", history = 1 }
    elseif not object then
      said.what, said.name = "lever", "it"
      object, why = s:set_up(said)
      ticks = k
    end
    scene_objects.of(s):work()
  end
  return s, s:object "it", why, ticks
end

local function on_door(angle_to)
  return function(share)
    local angle = share * angle_to
    return { 2 + 0.8 * math.cos(angle), 1 + 0.8 * math.sin(angle), 1 },
      { 0, 0, math.sin(angle / 2), math.cos(angle / 2) }
  end
end

test("a hinge is where what is watched turns about, also with noise and over a short arc", function(t)
  for _, case in ipairs { { 1.2, 0.002, nil }, { 0.5, 0.001, nil }, { 0.5, 0.002, { 0, 0, 1 } },
      { -0.9, 0.002, nil } } do
    local s, hinge = watched({ derive = "hinge", axis = case[3] }, on_door(case[1]), case[2])
    t:ok(hinge, "over %g rad", case[1])
    local p = hinge.position
    t:ok(math.sqrt((p[1] - 2) ^ 2 + (p[2] - 1) ^ 2) < 0.03, "over %g rad: at %.3f %.3f", case[1], p[1], p[2])
    local x = geometry.turn(hinge.pose.orientation, { 1, 0, 0 })
    t:near(x[3], case[1] > 0 and 1 or -1, 0.01)
    local to = geometry.turn(hinge.pose.orientation, { 0, 1, 0 })
    local lever = s:frame("lever").position
    t:near(to[1], (lever[1] - p[1]) / 0.8, 0.06)
    t:near(to[2], (lever[2] - p[2]) / 0.8, 0.06)
  end
end)

test("the plane of the points tells the axis of what has no orientation", function(t)
  local axis = geometry.turn(geometry.from_rpy(0.7, 0.4, 0), { 0, 0, 1 })
  local q = geometry.from_rpy(0.7, 0.4, 0)
  local _, hinge = watched({ derive = "hinge" }, function(share)
    local p = geometry.turn(q, { 0.12 * math.cos(2 * share), 0.12 * math.sin(2 * share), 0 })
    return { p[1] + 1, p[2], p[3] + 1 }
  end, 0.001)
  t:near(geometry.turn(hinge.pose.orientation, { 1, 0, 0 }), axis, 0.03)
  t:near(hinge.position, { 1, 0, 1 }, 0.005)
end)

test("a slider is along the way, and neither is told too early or of the other", function(t)
  local function drawer(share) return { 1 - 0.3 * share, 0.1 * share, 0.8 } end
  local s, slider, _, ticks = watched({ derive = "slider" }, drawer, 0.001)
  local length = math.sqrt(0.3 ^ 2 + 0.1 ^ 2)
  t:near(geometry.turn(slider.pose.orientation, { 1, 0, 0 }), { -0.3 / length, 0.1 / length, 0 }, 0.02)
  t:near(geometry.turn(slider.pose.orientation, { 0, 0, 1 })[3], 1, 0.02)
  t:near(slider.position, s:frame("lever").position, 0.01)
  t:ok(ticks > 20, "told after %d ticks", ticks)
  local _, none, why = watched({ derive = "hinge" }, drawer, 0.001)
  t:equal(none, nil)
  t:match(why, "moves as a slider so far")
  -- the beginning of an arc fits a line, the whole arc does not
  local arc, early = watched({ derive = "slider" }, on_door(1.2), 0.001)
  t:equal(early.stale, true)
  t:match(scene_objects.of(arc).derived.it.why, "does not slide along a line")
  _, none, why = watched({ derive = "hinge" }, on_door(1.2), 0.001, 10)
  t:equal(none, nil)
  t:match(why, "not moved yet")
end)

-- Point clouds --------------------------------------------------------------------------------------------

--- Points of a rectangle: its corner and two sides, the number of points along each, turned about z by `yaw`
--- and seen from a pose.
local function rectangle(list, corner, a, b, n, m)
  for i = 0, n - 1 do
    for j = 0, m - 1 do
      local u, v = i / (n - 1), j / (m - 1)
      list[#list + 1] = { corner[1] + u * a[1] + v * b[1], corner[2] + u * a[2] + v * b[2],
        corner[3] + u * a[3] + v * b[3] }
    end
  end
end

--- Run a setup_object with a cloud of points in the world, as the robot's torso sees them. Return the run and
--- the object.
local function set_up_with_cloud(t, points, form)
  local run = t:run("x", { watch = true, source = tree:format(form) })
  run:advance(0.1)
  local back = geometry.inverse(run.scene:frame "torso")
  for index, p in ipairs(points) do points[index] = geometry.within(back, { position = p }).position end
  local viewpoint = geometry.within(back, { position = { 0, 0, 1.5 } })
  local cloud = require("brio.cloud").new { points = points, frame = "torso", time = run.now,
    viewpoint = viewpoint }
  run.run.clouds:offer("depth", function() return cloud, true end)
  run:advance(1)
  return run, run.scene:object "it"
end

test("a table's edge is an object: where to stand before it", function(t)
  local yaw, points = 0.3, {}
  local x, y = { math.cos(yaw), math.sin(yaw), 0 }, { -math.sin(yaw), math.cos(yaw), 0 }
  rectangle(points, { 0.9 * x[1] - 0.6 * y[1], 0.9 * x[2] - 0.6 * y[2], 0.75 }, { 0.6 * x[1], 0.6 * x[2], 0 },
    { 1.2 * y[1], 1.2 * y[2], 0 }, 60, 90)
  local run, edge = set_up_with_cloud(t, points, [[ { "wait", seconds = 0.3 },
    { "setup_object", object = "it", derive = "table_edge", with = { cloud = "depth" } },
    { "setup_object", object = "spot", derive = "hybrid", with = { a = "it", b = "it" } } ]])
  t:ok(edge, "%s", (run:executions()[2] or {}).why)
  t:near(edge.position[1] * x[1] + edge.position[2] * x[2], 0.9, 0.02)
  t:near(edge.position[3], run.scene:frame("walking").position[3], 0.02)
  local _, _, turned = geometry.rpy(edge.pose.orientation)
  t:near(turned, yaw, 0.03)
  t:near(run.scene:pose("it", "spot").position, { 0, 0, 0 }, 1e-9)
end)

test("a door's panel is found at its lever, and the posts beside it", function(t)
  local points = {}
  rectangle(points, { 2, -0.45, 0.02 }, { 0, 0.9, 0 }, { 0, 0, 2 }, 60, 120)
  for _, side in ipairs { -0.49, 0.49 } do
    for k = 0, 7 do
      rectangle(points, { 2 - 0.01 + 0.005 * (k // 2), side - 0.01 + 0.02 * (k % 2), 0.1 }, { 0.001, 0, 0 },
        { 0, 0, 1.8 }, 2, 150)
    end
  end
  local run, panel = set_up_with_cloud(t, points, [[ { "wait", seconds = 0.3 },
    { "place_object", object = "lever", pose = { position = { 1.95, 0.38, 1 } } },
    { "setup_object", object = "it", derive = "door_plane", with = { mechanism = "lever" } },
    { "setup_object", object = "post", derive = "door_frame", with = { panel = "it", width = 0.83, post = "latch", points = 200 } } ]])
  t:ok(panel, "%s", (run:executions()[3] or {}).why)
  t:near(panel.position, { 2, 0.38, 1 }, 0.03)
  local x = geometry.turn(panel.pose.orientation, { 1, 0, 0 })
  t:near(x, { 0, -1, 0 }, 0.05)
  local post = run.scene:object "post"
  t:ok(post, "%s", (run:executions()[4] or {}).why)
  t:near(post.position[2], 0.49, 0.08)
  t:near(post.position[1], 2, 0.08)
end)

test("without a cloud, or without a table in it, the leaf says so", function(t)
  local points = {}
  rectangle(points, { 1, -1, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, 40, 40)
  local run = set_up_with_cloud(t, points,
    [[ { "setup_object", object = "it", derive = "table_edge", timeout = 0.05 } ]])
  t:match(run:executions()[1].why, "there is no point cloud")
  run = set_up_with_cloud(t, points,
    [[ { "wait", seconds = 0.3 }, { "setup_object", object = "it", derive = "table_edge", timeout = 0.5 } ]])
  t:match(run:executions()[2].why, "no table edge within 3 m")
end)

test("a cloud is asked in a thread of its own, and may be gone before it answers", function(t)
  local points = {}
  rectangle(points, { 1, -1, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, 50, 50)
  local cloud = require("brio.cloud").new { points = points }
  local job = cloud:later("planes", { least = 100 })
  local abandoned = cloud:later "clusters"
  cloud:close()
  local planes = job:result(true)
  t:equal(job:done(), true)
  t:equal(#planes, 1)
  t:near(math.abs(planes[1].normal[3]), 1, 1e-6)
  t:equal(type(abandoned), "userdata")
  abandoned = nil -- luacheck: ignore
  collectgarbage()
  cloud = require("brio.cloud").new { points = points }
  t:raises(function() cloud:later "voxels" end, "invalid option")
  t:raises(function() cloud:later("planes", { lest = 1 }):result(true) end, "did you mean 'least'")
  local deep = {}
  deep.deep = deep
  t:raises(function() cloud:later("planes", deep) end, "more than 12 deep")
  t:equal((select(3, cloud:later("table_edge"):result(true))), "unreachable")
end)
