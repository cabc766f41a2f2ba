--- The pieces of a planned way, each alone: goals of joints for a pose, what must not be touched, the proof
--- of a way, and a way along the corners of a path.  Distances are measured by a solver that only measures.
local geometry = require "brio.geometry"
local joint_goals = require "brio.tree.execution.joint_goals"
local limbs = require "brio.robots.limbs"
local motion = require "brio.tree.execution.motion"
local planned_way = require "brio.tree.execution.planned_way"
local proof = require "brio.tree.execution.proof"
local shapes = require "brio.behavior.shapes"
local solids = require "brio.tree.execution.solids"
local solver = require "brio.solver"
local targets = require "brio.tree.execution.targets"
local way = require "brio.tree.execution.way"

--- A run of the Panda that does nothing, with its arm: {run, host, limb, rows, solids}.
local function arm_of(t, said)
  local run = t:run("source", { robot = "panda", source = [[
local b = require "brio".behavior "b" { start = "one" }
b.one = {}
return b
]] })
  run:advance(0.02)
  local host = run.run.host
  local limb = assert(limbs.find(run.description, "arm", {}))
  for key, shape in next, said or {} do assert(shapes.put(host, key, shape)) end
  local made = solids.new { host = host, description = run.description, limb = limb }
  assert(made:renew())
  return { run = run, host = host, limb = limb, rows = targets.rows(run.description, limb.dofs),
    solids = made }
end

--- The distance of the robot, with what it carries, from the obstacles of a run at values of its arm, at most
--- 0.2 m.
local function distance_of(arm)
  local judge = solver.new(arm.run.description.robot, { unguarded = true })
  local obstacles = {}
  for key, shape in next, arm.host.shapes do
    judge:shape(key, shape)
    obstacles[key] = not shape.link
  end
  return function(values)
    local joints = motion.of(arm.host):told()
    for d, name in ipairs(arm.limb.dofs) do joints[name] = values[d] end
    judge:reset({ joints = joints }, true)
    judge:solve(0, 0.005)
    local least = 0.2
    for _, pair in ipairs(judge:proximity(0.2)) do
      if obstacles[pair.a] or obstacles[pair.b] then least = math.min(least, pair.distance) end
    end
    return least
  end
end

local function box(size, at) return { kind = "box", size = size, pose = { position = at } } end

--- The goals for a pose of the hand.
local function goals_of(arm, goal, seed, tolerances)
  local goals = joint_goals.begin { robot = arm.run.description.robot, limb = arm.limb, rows = arm.rows,
    solids = arm.solids, goal = goal, tolerances = tolerances or { position = 0.02, orientation = 0.1 },
    from = arm.solids.configuration, kept = {}, ample = 0.025, seed = seed,
    least = function() return 0.003 end }
  while not goals:step() do end
  return goals
end

test("goals of joints meet the pose, touch nothing, keep limits, differ, and repeat", function(t)
  local arm = arm_of(t, { screen = box({ 0.5, 0.02, 0.5 }, { 0.55, -0.12, 0.25 }) })
  local pose = { position = { 0.45, -0.3, 0.35 }, orientation = { 1, 0, 0, 0 } }
  local goals, distance = goals_of(arm, pose, 3), distance_of(arm)
  t:ok(#goals.list >= 2, "%d goals", #goals.list)
  for k, goal in ipairs(goals.list) do
    local joints = motion.of(arm.host):told()
    for d, name in ipairs(arm.limb.dofs) do
      joints[name] = goal.values[d]
      t:ok(goal.values[d] >= arm.rows[d].lower and goal.values[d] <= arm.rows[d].upper, "limits of %s", name)
    end
    local hand = arm.run.description.robot:forward({ joints = joints }).links[arm.limb.link]
    t:near(hand.position, pose.position, 1e-3)
    t:ok(geometry.angle(hand.orientation, pose.orientation) < 0.01)
    t:ok(distance(goal.values) > 0, "goal %d is %g m from the screen", k, distance(goal.values))
    t:ok(goal.room <= distance(goal.values) + 1e-6, "room is a lower bound")
    for other = 1, k - 1 do
      local far = 0
      for d in ipairs(goal.values) do
        far = math.max(far, math.abs(goal.values[d] - goals.list[other].values[d]))
      end
      t:ok(far > 0.09, "goals %d and %d are the same", other, k)
    end
  end
  local function text(seed)
    local list = {}
    for k, goal in ipairs(goals_of(arm, pose, seed).list) do list[k] = table.concat(goal.values, " ") end
    return table.concat(list, "\n")
  end
  t:equal(text(3), text(3))
  t:ok(text(3) ~= text(4), "another seed gives others")
end)

test("a pose with a free part has goals that differ in it", function(t)
  local arm = arm_of(t)
  local goals = goals_of(arm, { position = { 0.4, 0.2, 0.4 } }, 1)
  t:ok(#goals.list >= 4, "%d goals", #goals.list)
  local free = goals_of(arm, { position = { 0.4, 0.2, 0.4 }, orientation = { 1, 0, 0, 0 } }, 1,
    { position = 0.02, orientation = math.pi })
  t:ok(#free.list >= 4, "an orientation with a tolerance of pi is free")
end)

test("why there is no goal: out of reach, or all collide, with the least depth", function(t)
  local arm = arm_of(t, { crate = box({ 0.4, 0.4, 0.4 }, { 0.45, 0, 0.3 }) })
  local far = goals_of(arm, { position = { 2, 0, 0.3 } })
  t:equal(#far.list, 0)
  t:match(far:why(), "no values of its joints bring its end there within their limits")
  local inside = goals_of(arm, { position = { 0.45, 0, 0.3 } })
  t:equal(#inside.list, 0)
  t:match(inside:why(), "all %d+ ways to be there collide: panda_%w+ is [%d.]+ mm inside crate")
end)

test("solids: a shape that a link carries goes with it, and changes are noticed", function(t)
  local arm = arm_of(t, { post = box({ 0.06, 0.06, 1 }, { 0.307, 0.2, 0.5 }) })
  local values = {}
  for d, name in ipairs(arm.limb.dofs) do values[d] = arm.solids.configuration.joints[name] end
  local _, before = arm.solids:room(values, 1)
  t:ok(before.name ~= "post", "something else is nearer")
  t:equal(arm.solids:changed(), false)
  -- A bar from the hand sideways, to a centimeter before the post.
  assert(shapes.put(arm.host, "bar", { kind = "box", size = { 0.02, 0.32, 0.02 }, link = "panda_hand",
    pose = { position = { 0, 0, 0.1 } } }))
  t:equal(arm.solids:changed(), true)
  assert(arm.solids:renew())
  t:equal(arm.solids:changed(), false)
  local carried, near = arm.solids:room(values, 1)
  t:ok(carried < 0.015 and carried > 0, "%g m", carried)
  t:ok(math.abs(distance_of(arm)(values) - carried) < 1e-6, "as the solver has it")
  t:equal({ near.link, near.name }, { "panda_hand", "post" })
  -- A shape at the same place is no change; one that is gone is.
  assert(shapes.put(arm.host, "post", box({ 0.06, 0.06, 1 }, { 0.307, 0.2, 0.5 })))
  t:equal(arm.solids:changed(), false)
  shapes.put(arm.host, "post", nil)
  t:equal(arm.solids:changed(), true)
end)

test("a proof finds a thin plate that steps would jump over, and agrees with dense samples", function(t)
  local arm = arm_of(t, { plate = box({ 0.0005, 0.3, 0.3 }, { 0.42, 0.1, 0.45 }) })
  local distance = distance_of(arm)
  local random, clear, blocked = require("brio.random").stream(5, "ways"), 0, 0
  local first = {}
  for d, name in ipairs(arm.limb.dofs) do first[d] = arm.solids.configuration.joints[name] end
  for _ = 1, 25 do
    local last = {}
    for d, row in ipairs(arm.rows) do
      last[d] = math.max(row.lower, math.min(row.upper, first[d] + random:uniform(-0.7, 0.7)))
    end
    local path = way.through { dofs = arm.rows, points = { first, last }, seconds = 1.5 }
    local it = proof.begin(arm.solids, path, 0, 0.001)
    local proven
    repeat proven = it:work(7) until proven ~= nil
    local least = 1
    for k = 0, 150 do
      local values = {}
      for d in ipairs(arm.rows) do values[d] = path:value(d, path.seconds * k / 150) end
      least = math.min(least, distance(values))
    end
    if proven then
      clear = clear + 1
      t:ok(least > 0.0005, "proven, and %g m from the plate", least)
    else
      blocked = blocked + 1
      t:ok(least < 0.02, "blocked, and %g m from everything", least)
      t:ok(distance(it.values) < 0.02, "where it is blocked")
    end
  end
  t:ok(clear > 3 and blocked > 3, "%d clear, %d blocked", clear, blocked)
end)

test("a way along corners keeps limits, rounds them the less the finer, and takes what is asked", function(t)
  local arm = arm_of(t)
  local corners = { {}, {}, {} }
  for d, row in ipairs(arm.rows) do
    local middle = (row.lower + row.upper) / 2
    corners[1][d], corners[2][d], corners[3][d] = middle, middle + 0.5 * (-1) ^ d, middle + 0.8
  end
  local function off(path, time, a, b) -- the distance of a position from the step from a to b
    local along, square, off_it = 0, 0, 0
    for d in ipairs(a) do
      along, square = along + (path:value(d, time) - a[d]) * (b[d] - a[d]), square + (b[d] - a[d]) ^ 2
    end
    local share = math.max(0, math.min(1, along / square))
    for d in ipairs(a) do
      off_it = off_it + (path:value(d, time) - a[d] - share * (b[d] - a[d])) ^ 2
    end
    return math.sqrt(off_it)
  end
  local function farthest(path)
    local most = 0
    for k = 1, 99 do
      local time = path.seconds * k / 100
      most = math.max(most, math.min(off(path, time, corners[1], corners[2]),
        off(path, time, corners[2], corners[3])))
    end
    return most
  end
  local coarse = assert(planned_way.through { rows = arm.rows, corners = corners, spacing = 0.3 })
  local fine = assert(planned_way.through { rows = arm.rows, corners = corners, spacing = 0.03 })
  t:ok(farthest(fine) < farthest(coarse) / 3, "%g and %g", farthest(fine), farthest(coarse))
  for _, path in ipairs { coarse, fine } do
    local dt = 1e-3
    for d, row in ipairs(arm.rows) do
      t:near(path:value(d, 0), corners[1][d], 1e-9)
      t:near(path:value(d, path.seconds), corners[3][d], 1e-9)
      t:equal(path:last(d), corners[3][d])
      for at = dt, path.seconds - dt, 0.037 do
        local a, b, c = path:value(d, at - dt), path:value(d, at), path:value(d, at + dt)
        t:ok(math.abs(c - a) / (2 * dt) <= 0.5 * row.velocity * 1.01, "%s: velocity", row.name)
        t:ok(math.abs(c - 2 * b + a) / dt ^ 2 <= 0.5 * row.acceleration * 1.05 + 1e-3, "%s: acceleration",
          row.name)
        t:near(path:speed(d, at), (c - a) / (2 * dt), 0.02)
      end
    end
  end
  for seconds, takes in next, { [9] = 9, [0.1] = coarse.seconds } do
    local path = assert(planned_way.through { rows = arm.rows, corners = corners, spacing = 0.3,
      seconds = seconds })
    t:near(path.seconds, takes, 1e-9)
  end
end)
