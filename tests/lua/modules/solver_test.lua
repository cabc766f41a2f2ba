require "brio"
local robot = require "brio.robot"
local solver = require "brio.solver"

local arm = [[
<robot name="two">
  <link name="root"><collision><geometry><box size=".2 .2 .2"/></geometry></collision></link>
  <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .3"/><geometry><sphere radius=".05"/></geometry></collision></link>
  <link name="hand"><collision><geometry><sphere radius=".05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="root"/><child link="upper"/><origin xyz="0 0 .2"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="hand"/><origin xyz="0 0 .6"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2" effort="1"/></joint>
</robot>]]

local function make(options)
  return solver.new(robot.parse(arm, "two.urdf"), options)
end

test("a joint goes where it is asked", function(t)
  local s = make()
  local handle = s:add("match", "joint_match", { joint = "shoulder" })
  s:goal("match", 0.5)
  s:weight(handle, 10)
  local result
  for i = 1, 400 do result = s:solve(i * 0.005, 0.005) end
  t:near(result.joints.shoulder, 0.5, 1e-5)
  t:equal(result.status, "converged")
  t:near(s:frames().hand.position[1], 0.6 * math.sin(0.5), 1e-5)
  local known = s:objectives()[1]
  t:equal(known.key, "match")
  t:equal(known.kind, "joint_match")
  t:equal(known.goal, 0.5)
  t:equal(known.weight, 10.0)
  s:remove "match"
  t:equal(#s:objectives(), 0)
end)

test("every kind of goal is read as its example shows, and comes back", function(t)
  local names = { link = { "hand", "upper", "root" }, joint = { "elbow", "shoulder" } }
  local s = make()
  local examples = {}
  for _, goal in ipairs(solver.goals()) do examples[goal.name] = load("return " .. goal.example)() end
  for _, kind in ipairs(solver.kinds()) do
    local args, given = {}, { link = 0, joint = 0 }
    for _, param in ipairs(kind.params) do
      if not param.optional then
        given[param.type] = given[param.type] + 1
        args[param.name] = names[param.type][given[param.type]]
      end
      if param.default ~= nil then args[param.name] = param.default end
    end
    local handle = s:add(kind.name, kind.name, args)
    if kind.goal then
      s:goal(handle, examples[kind.goal])
      local last = s:objectives()[handle + 1]
      t:equal(last.key, kind.name)
      t:equal(type(last.goal), type(examples[kind.goal]))
    end
    s:weight(handle, 1)
  end
  local result = s:solve(0.01, 0.01)
  t:equal(result.cost == result.cost, true)
end)

test("flags, vectors and links that may be left out are arguments like others", function(t)
  local s = make()
  s:add("com", "center_of_mass_match", { horizontal = true })
  s:add("see", "look_at", { link = "hand", target = "root", axis = { 0, 0, 1 }, up = { 1, 0, 0 } })
  t:raises(function() s:add("x", "center_of_mass_match", { horizontal = 1 }) end,
    "horizontal must be true or false")
  t:raises(function() s:add("x", "look_at", { link = "hand", axis = "x" }) end,
    "axis must be a list of three numbers")
  t:raises(function() s:add("x", "look_at", { link = "hand", axis = { 0, 0, 0 } }) end,
    "axis must be a direction")
  t:raises(function() s:add("x", "look_at", { link = "hand", axis = { 0, 0 } }) end,
    "axis must be a table of 3")
  t:raises(function() s:add("x", "look_at", { link = true }) end, "link must be the name of a link")
  t:raises(function() s:add("x", "look_at", { link = "hand", target = "hand" }) end,
    "link and target must be two, not both 'hand'")
  t:raises(function() s:add("x", "joint_coupling", { joint1 = "elbow", factor1 = 0 }) end,
    "some factor must be other than 0")
end)

test("an ellipse is a table with its parts", function(t)
  local s = make()
  s:add("stay", "position_bounding", { link = "hand" })
  s:goal("stay", { position = { 0, 0, 1 }, size = { 0.1, 0.2, 0.3 } })
  t:equal(s:objectives()[1].goal.orientation[4], 1.0)
  t:equal(s:objectives()[1].goal.size[2], 0.2)
  t:raises(function() s:goal("stay", { position = { 0, 0, 1 }, orientation = { 0, 0, 0, 1 } }) end,
    "field 'size'")
end)

test("wrong use raises", function(t)
  local s = make()
  t:raises(function() s:add("x", "joint_mach", { joint = "elbow" }) end, "did you mean 'joint_match'")
  t:raises(function() s:add("x", "joint_match", { jont = "elbow" }) end, "no argument 'jont'")
  t:raises(function() s:add("x", "joint_match") end, "needs the argument 'joint'")
  t:raises(function() s:add("x", "joint_match", { joint = "elbo" }) end, "elbow")
  s:add("match", "joint_match", { joint = "elbow" })
  s:add("limits", "joint_limits")
  t:raises(function() s:goal("limits", 1) end, "takes no goal")
  t:raises(function() s:goal("match", { 1 }) end, "a scalar goal must be")
  t:raises(function() s:goal("match", 0 / 0) end, "a scalar goal must be")
  t:raises(function() s:weight("match", -1) end, "weight")
  t:raises(function() s:weight("mach", 1) end, "did you mean 'match'")
  t:raises(function() s:solve(0, 0) end, "dt must be")
  t:raises(function() make { backend = "magic" } end, "backend")
  t:raises(function() make { bakend = "nlopt" } end, "did you mean 'backend'")
  t:raises(function() make { seed = 1.5 } end, "seed must be a whole number, not 1.5")
  t:raises(function() make { max_shapes = 1.5 } end, "max_shapes must be a whole number")
end)

test("shapes come, move and go", function(t)
  local s = make()
  local before = #s:proximity()
  s:shape("table", { kind = "box", size = { 1, 1, 0.1 }, pose = { position = { 0, 0, 2 } } })
  s:solve(0.01, 0.01)
  t:equal(#s:proximity(), before, "what is far is told only to who asks")
  t:equal(#s:proximity(3), before + 2)
  t:equal(s:proximity(3)[before + 1].physical, true)
  t:equal(s:proximity(3)[before + 1].b, "table")
  s:move_shape("table", { position = { 0, 0, 1 } })
  t:near(s:solve(0.02, 0.01).distance, 0.1, 1e-6)
  s:remove_shape "table"
  t:equal(#s:proximity(), before)
  t:raises(function() s:remove_shape "table" end, "no shape")
  t:raises(function() s:shape("x", { kind = "cube" }) end, "kind must be")
  t:raises(function() s:shape("x", { kind = "hull" }) end, "a hull needs `points`")
  s:shape("floor", { kind = "half_space", pose = { position = { 0, 0, -3 } } })
  local floor = s:proximity(10)[before + 1]
  t:equal(floor.b, "floor")
  t:near(floor.normal[3], -1, 1e-12)
  s:shape_motion("floor", { 0, 0, 0.1 })
  t:raises(function() s:shape_motion("flor", { 0, 0, 0.1 }) end, "did you mean 'floor'")
  t:raises(function() s:shape_motion("floor", { 0, 0, 1e4 }) end, "expected a velocity up to 1000 m/s")
  s:remove_shape "floor"
  for kind, size in next, { box = "{x, y, z}", sphere = "{radius, 0, 0}", capsule = "{radius, 0, length}",
                            cylinder = "{radius, 0, length}" } do
    t:raises(function() s:shape("x", { kind = kind }) end, "a " .. kind .. " needs `size`: " .. size)
  end
  t:equal(#s:proximity(), before)
  s:shape("rock", { kind = "hull", link = "hand", physical = false,
    points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } } })
end)

test("reset puts the robot where it is told", function(t)
  local s = make()
  s:reset({ joints = { shoulder = 0.3, elbow = 5 } }, true)
  local joints = s:solve(0.01, 0.01).joints
  t:near(joints.shoulder, 0.3, 1e-12)
  t:near(joints.elbow, 2, 1e-12)
  t:near(s:center_of_mass()[3], 0.2, 1e-9)
end)

test("a robot too large for a solver is the world's failure, not the caller's", function(t)
  local parts = { "<robot name='large'><link name='root'/>" }
  for i = 1, 1001 do
    parts[#parts + 1] = ("<link name='l%d'/><joint name='j%d' type='continuous'><parent link='root'/>"
      .. "<child link='l%d'/></joint>"):format(i, i, i)
  end
  parts[#parts + 1] = "</robot>"
  local made, why, code = solver.new(robot.parse(table.concat(parts), "large.urdf"))
  t:equal(made, nil)
  t:equal(code, "limit")
  t:match(why, "1001 numbers that move")
end)

test("one call asks for goals and weights by key, changes shapes and solves: all of it, or nothing",
  function(t)
  local s = make()
  s:add("hand", "position_match", { link = "hand" })
  s:add("elbow", "joint_match", { joint = "elbow" })
  local state = s:solve({ elbow = 0.4 }, { elbow = 20 }, 10)
  t:equal(state.time, 10.0)
  for tick = 1, 200 do state = s:solve(nil, nil, 10 + tick * 0.005) end
  t:near(state.joints.elbow, 0.4, 1e-6)
  t:equal(state.costs.hand, nil, "weight 0 takes no part")
  state = s:solve({ hand = { 0.3, 0, 0.6 } }, { hand = 50, elbow = 0 }, 11.1,
    { ball = { kind = "sphere", size = { 0.05, 0, 0 },
    pose = { position = { 2, 0, 0 } } } })
  t:equal(state.costs.elbow, nil)
  t:near(state.costs.hand, state.cost, 1e-12)
  t:equal(s:objectives()[2].goal, 0.4, "what is not named stays")
  local known = s:objectives()
  for _, bad in ipairs {
    { { hand = { 1, 2, 3 }, elbw = 1 }, { hand = 1 }, "did you mean 'elbow'" },
    { { hand = { 1, 2, 3 } }, { hand = 1, elbow = -1 }, "a weight must be" },
    { { hand = { 1, 2, 3 } }, { hand = 0 / 0 }, "a weight must be" },
    { { hand = { 1, 2 } }, { hand = 1 }, "a translation goal must be" },
    { { hand = { 1, 2, 3 }, elbow = { 1 } }, { hand = 1 }, "a scalar goal must be" },
    { { hand = { 1, 2, 3 } }, { [{}] = 1 }, "key must be a text, not a table" },
    { {}, 5, "table expected" },
  } do
    t:raises(function() s:solve(bad[1], bad[2], 12) end, bad[3])
  end
  t:equal(s:objectives(), known, "what was refused changed nothing")
  t:raises(function() s:solve({}, {}, 11.1) end, "time must be 1e%-6 to 1000 s after that of the last solve")
  t:raises(function() s:solve({}, {}, 12, { ball = 5 }) end, "shape 'ball' must be")
  t:raises(function() s:solve({}, {}, 12, { { kind = "sphere" } }) end, "shapes are given by name")
  s:reset()
  t:equal(s:solve({}, {}, 0).time, 0.0, "after a reset, any time may be the first")
end)

test("shapes are added, moved and removed by name", function(t)
  local s = make()
  local before = #s:solve(nil, nil, 0).proximity
  local function near(state)
    local least = math.huge
    for _, pair in ipairs(state.proximity) do
      if pair.b == "ball" then least = math.min(least, pair.distance) end
    end
    return least
  end
  local ball = { kind = "sphere", size = { 0.1, 0, 0 }, pose = { position = { 0.4, 0, 0.8 } } }
  local state = s:solve(nil, nil, 0.1, { ball = ball })
  t:near(near(state), 0.25, 1e-9)
  state = s:solve(nil, nil, 0.2, { ball = { position = { 0.3, 0, 0.8 } } })
  t:near(near(state), 0.15, 1e-9)
  t:near(state.distance, 0.15, 1e-9)
  for _, pair in ipairs(state.proximity) do
    if pair.b == "ball" and pair.a == "hand" then
      t:near(pair.point_a, { 0.05, 0, 0.8 }, 1e-9)
      t:near(pair.point_b, { 0.2, 0, 0.8 }, 1e-9)
      t:equal(pair.physical, true)
    end
  end
  t:equal(#s:solve(nil, nil, 0.3, { ball = false }).proximity, before)
  t:raises(function() s:solve(nil, nil, 0.4, { ball = false }) end, "no shape")
end)

test("a state has its parts on request, as they were found", function(t)
  local arm_ = robot.load "drivers/robots/panda/model.urdf"
  local s = solver.new(arm_)
  s:add("finger", "joint_match", { joint = "panda_finger_joint1" })
  s:add("hand", "position_match", { link = "panda_hand" })
  local state = s:solve({ finger = 0.02, hand = { 0.4, 0.2, 0.5 } }, { finger = 10, hand = 40 }, 0)
  for tick = 1, 400 do state = s:solve(nil, nil, tick / 200) end
  t:near(state.joints.panda_finger_joint2, state.joints.panda_finger_joint1, 1e-12, "mimic joints too")
  t:near(state.joints.panda_finger_joint1, 0.02, 1e-6)
  t:equal(state.frames, s:frames())
  t:equal(state.center_of_mass, s:center_of_mass())
  t:equal(state.origin.position, { 0.0, 0.0, 0.0 })
  local sum = 0
  for _, cost in pairs(state.costs) do sum = sum + cost end
  t:near(sum, state.cost, 1e-12)
  -- the local frames, one after the other, lead to the world's
  local geometry = require "brio.geometry"
  local chain = { "panda_link0", "panda_link1", "panda_link2", "panda_link3", "panda_link4", "panda_link5",
    "panda_link6", "panda_link7", "panda_link8", "panda_hand" }
  local p, q = { 0, 0, 0 }, { 0, 0, 0, 1 }
  for _, link in ipairs(chain) do
    local pose = state.local_frames[link]
    local step = geometry.turn(q, pose.position)
    p = { p[1] + step[1], p[2] + step[2], p[3] + step[3] }
    q = geometry.times(q, pose.orientation)
  end
  t:near(p, state.frames.panda_hand.position, 1e-12)
  t:equal(state.nothing, nil)
  local joints = state.joints
  s:solve(nil, nil, 3)
  t:equal(state.joints, joints, "what was asked for stays")
  t:raises(function() return state.base end, "of an earlier solve: ask for its 'base' before the next")
  s:reset()
  t:equal(rawget(state, "proximity"), nil)
  t:raises(function() return state.proximity end, "earlier solve")
end)

test("weights and goals blend in one call as well", function(t)
  local s = make()
  s:add("elbow", "joint_match", { joint = "elbow" })
  s:solve({ elbow = 0 }, { elbow = 10 }, 0)
  s:solve({ elbow = 1 }, { elbow = 20 }, 0.1, nil, 0.2)
  local known = s:objectives()[1]
  t:near(known.goal, 1 - math.exp(-0.5), 1e-9)
  t:near(known.weight, 20 - 10 * math.exp(-0.5), 1e-9)
  t:raises(function() s:solve(nil, nil, 0.2, nil, -1) end, "blend must be")
end)

test("joints are tied, work is limited, and who comes too near is named", function(t)
  local s = make()
  s:couple({ { "shoulder", 1 }, { "elbow", 2 } }, 0.4)
  s:add("match", "joint_match", { joint = "elbow" })
  s:goal("match", 0.6)
  s:weight("match", 20)
  local state
  for tick = 1, 400 do state = s:solve(tick / 100, 0.01) end
  t:near(state.joints.elbow, 0.6, 1e-6)
  t:near(state.joints.shoulder, -0.8, 1e-6)
  t:equal(state.granted, 1.0)
  t:equal(state.fault, nil)
  t:raises(function() s:couple({ { "shoulder", 1 } }, 0) end, "two variables at least")
  t:raises(function() s:couple({ { "shoulder", 1 }, { "elbow", 1 } }, 0) end, "tied")
  t:raises(function() s:couple({ { "shoulder", 1 }, { "elbw", 1 } }, 0) end, "elbow")
  s:iterations(0)
  t:equal(s:solve(4.01, 0.01).status, "held")
  local hand = s:frames().hand.position
  s:shape("ball", { kind = "sphere", size = { 0.05, 0, 0 },
    pose = { position = { hand[1], hand[2], hand[3] + 0.06 } } })
  state = s:solve(4.02, 0.01)
  t:match(table.concat(state.fault or {}, " "), "ball")
  t:equal(table.concat(s:too_near(), " "), table.concat(state.fault, " "))
end)

--- How fast the elbow gets, rad/s, on its way from -1.8 to 1.8.
local function speed_of_elbow(s)
  s:reset { joints = { shoulder = -0.18, elbow = -1.8 } }
  local at, most = -1.8, 0
  for tick = 1, 200 do
    local now = s:solve(tick / 100, 0.01).joints.elbow
    at, most = now, math.max(most, math.abs(now - at) / 0.01)
  end
  return most
end

test("a joint that follows keeps its limits, whatever limits are set later", function(t)
  local s = make()
  s:couple({ { "shoulder", 10 }, { "elbow", -1 } }, 0) -- elbow = 10 shoulder
  s:add("match", "joint_match", { joint = "elbow" })
  s:goal("match", 1.8)
  s:weight("match", 50)
  t:near(speed_of_elbow(s), 2, 1e-6)
  s:set_limits("shoulder", { velocity = 1.9 })
  t:near(speed_of_elbow(s), 2, 1e-6)
  s:set_limits("elbow", { velocity = 0.5 })
  t:near(speed_of_elbow(s), 0.5, 1e-6)
  s:set_limits("shoulder", { velocity = 0.01 })
  t:near(speed_of_elbow(s), 0.1, 1e-6)
  s:set_limits("shoulder", {})
  s:set_limits("elbow", {})
  t:near(speed_of_elbow(s), 2, 1e-6)
end)

test("what an objective yields is no part of its cost", function(t)
  local s = make()
  for key, goal in pairs { up = 1.2, down = -1.2 } do
    s:add(key, "joint_match", { joint = "elbow" })
    s:goal(key, goal)
    s:weight(key, 10)
  end
  s:yield("up", 0.75)
  local state
  for tick = 1, 300 do state = s:solve(tick / 100, 0.01) end
  local costs = state.costs
  t:ok(costs.up > 0 and costs.down > 0)
  t:near(costs.up + costs.down, state.cost, 1e-9 * state.cost)
end)

test("a number that is no handle names no objective", function(t)
  local s = make()
  local handle = s:add("match", "joint_match", { joint = "elbow" })
  for _, number in ipairs { handle + (1 << 32), -1, math.mininteger, math.maxinteger, 1000 } do
    t:raises(function() s:weight(number, 1) end, "no objective in slot")
  end
  t:equal(s:objectives()[1].weight, 0.0)
end)

test("a range of 0 is no default", function(t)
  local s = make { collision_range = 0.5 }
  for key, x in pairs { near = 0.3, touching = 0 } do
    s:shape(key, { kind = "sphere", size = { 0.1, 0, 0 }, physical = false,
      pose = { position = { x, 0, 0.8 } } })
  end
  s:solve(0.01, 0.01)
  local function measured(range)
    local found = {}
    for _, pair in ipairs(s:proximity(range)) do
      if pair.point_a then found[pair.a .. " " .. pair.b] = pair.distance end
    end
    return found["hand near"] or found["near hand"], found["hand touching"] or found["touching hand"]
  end
  local near, touching = measured()
  t:ok(near > 0 and touching < 0)
  near, touching = measured(0)
  t:equal(near, nil)
  t:ok(touching < 0)
end)
