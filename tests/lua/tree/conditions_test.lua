--- The conditions of trees on frames: proximity and contains.
local trees = require "brio.tree"
local volumes = require "brio.perception.volumes"

--- A run on Pepper of one state with such a tree, where people and things stand.
local function run_of(t, tree, seen)
  local run = t:run("source", { robot = "pepper", world_data = {}, source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
b.one = { tree = ]] .. tree .. [[, on = { tree_done = "done",
  tree_failed = function(self, data) self.memory.why = data.why return "failed" end } }
b.done = { enter = function(self) self.memory.at = self.now end }
b.failed = { enter = function(self) self.memory.at = self.now end }
return b
]] })
  for _, what in ipairs(seen or {}) do run:see(what) end
  return run
end

local function fault(form)
  local made, faults = trees.compile(form)
  if not made then return faults[1].message end
  return trees.kinds[form[1]].record.fault(made.list[1].values, {}) or "nothing"
end

test("proximity waits for somebody to come near, and says how far they are", function(t)
  local form = '{ "proximity", name = "near", a = "head", b = "ann", distance = "%s", min = 0.2, max = %g, \z
    timeout = 3 }'
  local path = { { 0, 4, 0, 1 }, { 2, 1, 0, 1 }, { 9, 1, 0, 1 } }
  local run = run_of(t, form:format("xy", 2), { { kind = "person", id = "ann", path = path } })
  run:advance(1)
  t:equal(run.state, "one")
  local active = run.run.host.top.current
  local node = active.tree.nodes:running()[1]
  local record = active.tree.compiled.list[node]
  local said = trees.kinds.proximity.record.progress(nil, record.values, { distance = 2.5 })
  t:equal({ said.value, said.error, said.unit, said.nominal }, { 2.5, 0.5, "m", 3 })
  run:advance(1)
  t:equal(run.state, "done")
  t:near(run.memory.at, 1.33, 0.25)
  run = run_of(t, form:format("z", 0.21), { { kind = "person", id = "ann", at = { 1, 0, 1.6 } } })
  run:advance(3.2)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "'head' and 'ann' are %d%.%d+ m from each other %(z%) after 3 s, wanted 0.2 to \z
    0.21 m")
end)

test("a frame that does not come is waited for until the timeout", function(t)
  local run = run_of(t, '{ "proximity", b = "nobody", timeout = 0.5 }')
  run:advance(0.4)
  t:equal(run.state, "one")
  run:advance(0.2)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "there is no frame 'nobody' now.*looked for 0.5 s")
end)

test("distances count in space, level, or up and down", function(t)
  for _, case in ipairs { { "xyz", math.sqrt(0.3 ^ 2 + 0.4 ^ 2 + 1.2 ^ 2) }, { "xy", 0.5 }, { "z", 1.2 } } do
    local run = run_of(t, ('{ "sequence", { "wait", seconds = 1 }, { "proximity", a = "world", b = "cup", \z
      distance = "%s", '
      .. 'min = %g, max = %g, timeout = 0 } }'):format(case[1], case[2] - 0.02, case[2] + 0.02),
      { { kind = "object", id = "cup", at = { 0.3, -0.4, 1.2 } } })
    run:advance(1.2)
    t:equal(run.state, "done", case[1])
  end
end)

test("how far a point is outside or inside of each kind of volume", function(t)
  local poses = { hand = { position = { 1, 0, 0 }, orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } } }
  local site = { description = { roles = { grip = "hand" },
    robot = { links = function() return { "base" } end } },
    host = { scene = { frame = function(_, name) return poses[name]
      or name == "base" and { position = { 0, 0, 0 },
      orientation = { 0, 0, 0, 1 } } or nil end } } }
  local function far(shape, point, frame) return (volumes.distance(site, shape, frame, point)) end
  t:near(far({ kind = "sphere", size = 0.5 }, { 0, 0.3, 0.4 }), 0, 1e-12)
  t:near(far({ kind = "sphere", size = { 0.5 } }, { 0, 3, 4 }), 4.5, 1e-12)
  t:near(far({ kind = "box", size = { 2, 4, 6 } }, { 0.5, 0, 0 }), -0.5, 1e-12)
  t:near(far({ kind = "box", size = { 2, 4, 6 } }, { 4, 6, 3 }), 5, 1e-12)
  t:near(far({ kind = "capsule", size = { 0.5, 0, 2 } }, { 0, 0, 2 }), 0.5, 1e-12)
  t:near(far({ kind = "capsule", size = { 0.5, 0, 2 } }, { 0.1, 0, 0.9 }), -0.4, 1e-12)
  t:near(far({ kind = "cylinder", size = { 0.5, 0, 2 } }, { 3.5, 0, 5 }), 5, 1e-12)
  t:near(far({ kind = "cylinder", size = { 0.5, 0, 2 } }, { 0, 0, 0.8 }), -0.2, 1e-12)
  t:near(far({ kind = "half_space" }, { 9, 9, -2 }), -2, 1e-12)
  t:near(far({ kind = "half_space", pose = { orientation = { math.sqrt(0.5), 0, 0, math.sqrt(0.5) } } },
    { 0, 3, 0 }), -3, 1e-12, "its z axis points along -y")
  t:near(far({ kind = "box", size = { 2, 0.2, 0.2 } }, { 1, 0.9, 0 }, "hand"), -0.1, 1e-12,
    "it turns with its frame")
  t:near(far({ kind = "sphere", size = 0.1, pose = { position = { 0.5, 0, 0 } }, frame = "grip" },
    { 1, 0.5, 0 }), -0.1, 1e-12)
  local union = { kind = "union", shapes = { { kind = "sphere", size = 1 },
    { kind = "sphere", size = 1, frame = "hand",
    pose = { position = { 5, 0, 0 } } } } }
  t:near(far(union, { 1, 5, 0.5 }), -0.5, 1e-12)
  t:near(far(union, { 0, 0, 3 }), 2, 1e-12)
  t:equal(far({ kind = "sphere", size = 1, frame = "ghost" }, { 0, 0, 0 }), nil)
end)

test("a volume that moves with a hand, and one that is at a place", function(t)
  local box = '{ "contains", what = "head", shape = { kind = "box", size = { 1, 1, 1 }, pose = { position = \z
    { 0, 0, %g } } }, frame = "%s" }'
  local run = run_of(t, box:format(1, "world"))
  run:advance(0.1)
  t:equal(run.state, "done")
  run = run_of(t, box:format(9, "torso"))
  run:advance(0.1)
  t:equal(run.state, "failed")
  t:match(run.memory.why, "'head' is %d%.%d+ m outside of the box")
  run = run_of(t, '{ "contains", what = "ann", timeout = 3, shape = { kind = "cylinder", size = { 1.2, 0, 4 \z
    } } }',
    { { kind = "person", id = "ann", path = { { 0, 4, 0, 1 }, { 2, 1, 0, 1 }, { 9, 1, 0, 1 } } } })
  run:advance(1)
  t:equal(run.state, "one")
  run:advance(2)
  t:equal(run.state, "done")
end)

--- A cloud in the frame of Pepper's torso: 11 x 11 green points, 2 cm apart, 1 m ahead; above them as many
--- red ones.
local function cloud_ahead(time)
  local points, colors = {}, {}
  for i = -5, 5 do
    for j = -5, 5 do
      points[#points + 1], colors[#colors + 1] = { 1 + 0.02 * i, 0.02 * j, 0 }, { 0.1, 0.8, 0.1 }
      points[#points + 1], colors[#colors + 1] = { 1 + 0.02 * i, 0.02 * j, 0.3 }, { 0.8, 0.1, 0.1 }
    end
  end
  return require("brio.cloud").new { points = points, colors = colors, frame = "torso", time = time }
end

test("points of a cloud are counted in a volume, by color if that is asked", function(t)
  local ball = 'shape = { kind = "sphere", size = 0.2, pose = { position = { 1, 0, %g } } }, frame = "torso"'
  local function try(fields, cloud, at)
    local run = run_of(t, ('{ "contains", %s, %s }'):format(fields, ball:format(at or 0)))
    run.run.host.clouds = { list = {}, find = function(_, name) return name ~= "other" and cloud or nil end,
      work = function() end }
    run:advance(0.2)
    return run.state, run.memory.why
  end
  t:equal((try("min_points = 100", cloud_ahead())), "done")
  t:equal((try("min_points = 100, max_points = 121", cloud_ahead(0))), "done")
  t:equal((try("color = \"green\"", cloud_ahead())), "done")
  t:equal((try("color = { hue = { 340, 20 } }", cloud_ahead(), 0.3)), "done")
  for _, case in ipairs { { "min_points = 122", "121 points are in the sphere, at least 122" },
      { "max_points = 7", "at most 7" },
    { "color = \"red\"", "of another color: hue 120" },
      { "cloud = \"other\"", "there is no cloud 'other'" } } do
    local state, why = try(case[1], cloud_ahead())
    t:equal(state, "failed")
    t:match(why, case[2])
  end
  local state, why = try("min_points = 1", cloud_ahead(-5))
  t:equal(state, "failed")
  t:match(why, "the cloud is 5.%d s old")
  state, why = try "min_points = 1"
  t:equal(state, "failed")
  t:match(why, "there is no point cloud")
end)

test("a volume of points may be a union whose parts stand in frames of their own", function(t)
  local run = run_of(t,
    [[{ "contains", min_points = 242, max_points = 242, timeout = 1, shape = { kind = "union", shapes = {
    { kind = "box", size = { 0.5, 0.5, 0.1 }, frame = "torso", pose = { position = { 1, 0, 0.3 } } },
    { kind = "half_space", frame = "torso", pose = { position = { 0, 0, 0.1 } } } } } }]])
  local there
  run.run.host.clouds = { list = {}, find = function() return there end, work = function() end }
  run:advance(0.5)
  t:equal(run.state, "one", "it is waited for")
  there = cloud_ahead()
  run:advance(0.2)
  t:equal(run.state, "done")
end)

test("what is wrong with conditions is said before anything runs", function(t)
  local ball = { kind = "sphere", size = 1 }
  t:equal(fault { "contains", what = "x", shape = ball }, "nothing")
  t:equal(fault { "contains", min_points = 3, shape = ball }, "nothing")
  t:match(fault { "contains", shape = ball }, "needs 'what', a frame, or 'min_points'")
  t:match(fault { "contains", what = "x", min_points = 3, shape = ball }, "give one of them")
  t:match(fault { "contains", min_points = 3, max_points = 2, shape = ball }, "it can never succeed")
  t:match(fault { "contains", color = "greeen", shape = ball }, "did you mean 'green'")
  t:equal(fault { "proximity", b = "x" }, "nothing")
  t:match(fault { "proximity", b = "x", min = 2, max = 1 }, "it can never succeed")
  t:match(fault { "proximity", a = "x" }, "needs 'b'")
  t:match(fault { "proximity", b = "x", distance = "yz" }, "one of xyz, xy, z")
  for _, case in ipairs { { { kind = "sphere" }, "a sphere needs its size" },
      { { kind = "ball", size = 1 }, "not 'ball'" },
    { { kind = "capsule", size = { 1, 0, 0 } }, "size%[3%] in m, above 0" },
      { { kind = "sphere", size = 0 / 0 }, "above 0" },
    { { kind = "union" }, "a union needs shapes" },
      { { kind = "union", shapes = { ball, { kind = "box" } } }, "shapes%[2%]: a box needs" },
    { { kind = "sphere", size = 1, radius = 2 }, "has no 'radius'" },
      { { kind = "sphere", size = 1, frame = 2 }, "frame must be a name" },
    { { kind = "sphere", size = 1, pose = { position = { 1 } } }, "pose position must be a list of 3" } } do
    t:match(fault { "contains", what = "x", shape = case[1] }, case[2])
  end
  local circle = { kind = "union" }
  circle.shapes = { circle }
  t:match(fault { "contains", what = "x", shape = circle }, "more than 200 parts, or more than 8 inside")
end)
