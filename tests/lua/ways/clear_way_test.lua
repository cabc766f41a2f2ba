--- Arms that find a way: leaves of the Panda among shapes that are put, moved and removed while it goes.
--- What it goes is judged by a solver of its own, which measures every tick and plans nothing.
package.path = "tests/lua/ways/?.lua;" .. package.path

local runs = require "arm_runs"

local run_of, shape, box, finish = runs.run_of, runs.shape, runs.box, runs.finish
local at_left = runs.at_left

local sideways = [[{ "sequence", { "arm", name = "left", joints = { panda_joint1 = 0.9, panda_joint2 = 0.6,
  panda_joint4 = -1.9, panda_joint6 = 2.5, panda_joint7 = 0.8 } },
  { "arm", name = "right", joints = { panda_joint1 = -0.9 }%s } }]]
local post = box({ 0.06, 0.06, 1.2 }, { 0.5, 0, 0.6 })

test("an arm goes around a post that stands between it and its goal", function(t)
  local run = run_of(t, sideways:format "")
  local least = finish(run, 30, at_left(run, "post", function() return post end))
  t:equal(run.memory.why, nil)
  t:near(run:measured "panda_joint1", -0.9, 0.02)
  t:equal(run.memory.around, "post")
  t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
end)

test("with `improve` the search goes on: the way around is shorter, and as clear", function(t)
  local lengths = {}
  for index, more in ipairs { "", ", improve = 1" } do
    local run = run_of(t, sideways:format(more))
    local least = finish(run, 30, at_left(run, "post", function() return post end))
    t:equal(run.memory.why, nil)
    t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
    lengths[index] = run.memory.planned.length
  end
  t:ok(lengths[2] < lengths[1], "%g rad instead of %g", lengths[2], lengths[1])
end)

test("a post that comes while the arm is on its way makes it brake, plan, and go around", function(t)
  local run = run_of(t, sideways:format ", seconds = 2")
  local put, at
  local least = finish(run, 30, function()
    local here = run:measured "panda_joint1"
    if not at and here > 0.85 then at = true end
    if at and not put and here < 0.6 then
      put = run.now
      shape(run, "post", post)
    end
  end)
  t:ok(put, "the post was put")
  t:equal(run.memory.why, nil)
  t:near(run:measured "panda_joint1", -0.9, 0.02)
  t:equal(run.memory.around, "post")
  t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
end)

--- How long both leaves of `sideways` take with a second for the last one, and nothing around, s.
local undisturbed = 4.13

test("a clear way is gone as ever, without a plan", function(t)
  local run = run_of(t, sideways:format ", seconds = 1",
    { enter = "self:shape('far', { kind = 'box', size = { 1, 1, 1 }, pose = { position = { 3, 0, 1 } } })" })
  finish(run, 20)
  t:equal({ run.memory.why, run.memory.around }, {})
  t:near(run.memory.ended, undisturbed, 0.06)
end)

test("a wall without a way is refused with the reason, and the arm rests", function(t)
  local wall = "self:shape('wall', { kind = 'half_space', pose = { position = { 0, -0.2, 0 }, \z
    orientation = { -0.7071068, 0, 0, 0.7071068 } } })"
  local run = run_of(t, sideways:format ", hold = \"always\"", { enter = wall })
  local least = finish(run, 20)
  t:match(run.memory.why, "no way around wall: its goal collides: panda_%w+ is [%d.]+ mm inside wall")
  t:ok(not least.wall or least.wall > 0.001)
  local here = run:measured "panda_joint1"
  t:near(here, 0.9, 0.02)
  run:advance(0.5)
  t:near(run:measured "panda_joint1", here, 0.002, "it rests")
end)

--- The goal of `sideways`, by name.
local on_right = { panda_joint1 = -0.9, panda_joint2 = 0.6, panda_joint3 = 0, panda_joint4 = -1.9,
  panda_joint5 = 0, panda_joint6 = 2.5, panda_joint7 = 0.8 }

--- A plate beside the hand on the right, this far from the arm, m.
local function plate_at(run, far)
  local joints = require "brio.joints"
  local names, values = {}, {}
  for d = 1, 7 do
    names[d] = "panda_joint" .. d
    values[d] = on_right[names[d]]
  end
  local hand = run.description.robot:forward({ joints = on_right }).links.panda_hand.position
  local near, away = 0, 0.3
  for _ = 1, 30 do
    local said = box({ 0.3, 0.02, 0.3 }, { hand[1], hand[2] - (near + away) / 2, hand[3] })
    local space = joints.space(run.description.robot, { variables = names, obstacles = { said }, allowed = {},
      configuration = { joints = { panda_finger_joint1 = run:measured "panda_finger_joint1" } } })
    space:set_clearance(far)
    if space:clear(values) then away = (near + away) / 2 else near = (near + away) / 2 end
  end
  return box({ 0.3, 0.02, 0.3 }, { hand[1], hand[2] - away, hand[3] })
end

test("a goal nearer than 3 mm to something is refused, or another one within the tolerances is gone to",
  function(t)
  local run = run_of(t, sideways:format "")
  local least = finish(run, 30, at_left(run, "plate", function() return plate_at(run, 0.0015) end))
  t:match(run.memory.why or "it got there",
    "no way around plate: its goal is too near: panda_%w+ is 1.5%d mm from plate, and 3 mm are kept")
  t:ok(not least.plate or least.plate > 0.1, "it did not go there")
  local tree = sideways:gsub("joints = { panda_joint1 = %-0.9 }", "pose = { position = %%s }")
  local tool = run.description.roles.tool
  local place = run.description.robot:forward({ joints = on_right }).links[tool].position
  run = run_of(t, tree:format(("{ %.6f, %.6f, %.6f }"):format(table.unpack(place)), ""))
  least = finish(run, 30, at_left(run, "plate", function() return plate_at(run, 0.0015) end))
  t:equal(run.memory.why, nil)
  t:near(run.solver:frames()[tool].position, place, 0.02)
  t:ok(least.plate > 0.0025, "it kept %g m", least.plate or -1)
end)

test("a planned way to a goal that is near to something is gone slowly, as motors lag", function(t)
  local seconds = {}
  for index, far in ipairs { false, 0.0035 } do
    local run = run_of(t, sideways:format "")
    local least = finish(run, 30, at_left(run, "post", function()
      if far then shape(run, "plate", plate_at(run, far)) end
      return post
    end))
    t:equal(run.memory.why, nil)
    t:near(run:measured "panda_joint1", -0.9, 0.02)
    t:ok(least.post > 0.002 and (not far or least.plate > 0.002), "it kept %g and %g m", least.post,
      least.plate or 1)
    seconds[index] = run.memory.planned.seconds
  end
  t:ok(seconds[2] > 1.3 * seconds[1], "%g s with room, %g s without", seconds[1], seconds[2])
end)

test("with plan = false it stops in front, as it would", function(t)
  local run = run_of(t, sideways:format ", seconds = 1.5, plan = false")
  local least = finish(run, 20, at_left(run, "post", function() return post end))
  t:match(run.memory.why or "it came through", "the arm is off: .* is 0.00%d m from post")
  t:equal(run.memory.around, nil)
  t:ok(least.post > -0.005, "%g: its motors lag", least.post)
end)

test("a hand finds other joint values for its pose where the nearest ones collide", function(t)
  local run = run_of(t, [[{ "arm", name = "reach", pose = { position = { 0.45, -0.3, 0.35 },
    orientation = { 1, 0, 0, 0 } } }]], { enter = [[
      self:shape("screen", { kind = "box", size = { 0.5, 0.02, 0.5 },
        pose = { position = { 0.55, -0.12, 0.25 } } })]] })
  local least = finish(run, 30)
  t:equal(run.memory.why, nil)
  local hand = run.solver:frames()[run.description.roles.tool]
  t:near(hand.position, { 0.45, -0.3, 0.35 }, 0.02)
  t:equal(run.memory.around, "screen")
  t:ok(least.screen > 0.002, "it kept %g m", least.screen or -1)
end)

test("a start in collision is named with its pair and depth", function(t)
  local run = run_of(t, sideways:format "")
  finish(run, 20, at_left(run, "block", function()
    local hand = run.solver:frames().panda_hand.position
    return box({ 0.1, 0.1, 0.1 }, { hand[1], hand[2], hand[3] + 0.06 })
  end))
  t:match(run.memory.why or "",
    "no way around block: its start collides: panda_%w+ is [%d.]+ mm inside block")
end)

test("a word that plan does not know, and a name that is none, are refused", function(t)
  local check, robots, trees = require "brio.tree.model.check", require "brio.robots", require "brio.tree"
  for field, row in pairs { plan = { "often", 'plan must be true, false, "always" or "seen"' },
    touch = { { 1 }, "touch: item 1 must be a name" } } do
    local faults = check.faults(assert(trees.compile { "arm", preset = "reach", [field] = row[1] }),
      { description = assert(robots.find "panda"), name = "one" }, function(node) return "node " .. node end)
    t:match(faults[1] and faults[1].message or "nothing", row[2])
  end
end)

--- A goal whose own way from the home pose leads through the hand.
local folded = "panda_joint1 = -2.01, panda_joint2 = 1.50, panda_joint3 = 0.66, panda_joint4 = -2.51, \z
  panda_joint5 = -0.26, panda_joint6 = 1.48, panda_joint7 = 0.81"

test("with plan = \"always\" it goes around itself, too", function(t)
  local run = run_of(t, ('{ "arm", joints = { %s }, plan = "always" }'):format(folded))
  local least = 1
  finish(run, 20, function()
    for _, pair in ipairs(run.solver:proximity(0.02)) do least = math.min(least, pair.distance) end
  end)
  t:equal(run.memory.why, nil)
  t:match(run.memory.around or "nothing", "^panda_")
  t:ok(least > 0.008, "links keep %g m from each other", least)
end)

test("a way that takes too long to find ends with the timeout", function(t)
  -- Walls before and behind the arm, as high as it reaches, and one between them above its shoulder.
  local run = run_of(t, sideways:format ", timeout = 0.4")
  finish(run, 20, at_left(run, "wall", function()
    shape(run, "behind", box({ 2, 0.04, 3 }, { -1.2, 0, 1.5 }))
    shape(run, "above", box({ 0.4, 0.04, 2 }, { 0, 0, 1.75 }))
    return box({ 2, 0.04, 3 }, { 1.2, 0, 1.5 })
  end))
  t:match(run.memory.why or "it came through",
    "it takes longer than its timeout: after 0.4%d* s it looks for a way around wall")
  t:near(run:measured "panda_joint1", 0.9, 0.05)
end)

test("the arm of the docs finds its way", function(t)
  local handle = assert(io.open "docs/trees/finding-a-way.md")
  local block = handle:read "a":match "```lua\n(.-)\n```"
  handle:close()
  local run, around = t:run("source", { source = block, robot = "panda", recorded = true }), {}
  local till = run.now + 30
  while run.state ~= "there" and not run.failed and run.now < till do run:advance(0.1) end
  t:equal({ run.state, run.failed }, { "there" })
  run:close()
  for k, row in ipairs(run:sql "SELECT data FROM events WHERE name = 'planned_around'") do
    around[k] = row.data:match '"around":"(%w+)"'
  end
  t:equal(around[#around], "post")
end)

test("an arm that is kept off its planned way waits, and gives up where it rests", function(t)
  local run = run_of(t, sideways:format ", hold = \"always\"")
  local slide
  local put = at_left(run, "post", function() return post end)
  finish(run, 20, function(now)
    put(now)
    if slide or not run.memory.around or run:measured "panda_joint1" > 0.5 then return end
    slide = run.run.host.tracks:live("hand", { stage = "operator", owner = "operator" })
    run.run.host.tracks:say_value(slide, "panda_joint1", 0.5)
  end)
  t:match(run.memory.why or "it came through", "panda_joint1 is kept 0%.%d+ off its planned way around post")
  t:near(run:measured "panda_joint1", 0.5, 0.05)
end)

test("a shape that moves all the time, but not into the way, does not hold an arm up", function(t)
  local run, tick = run_of(t, sideways:format ", seconds = 1"), 0
  finish(run, 20, function()
    tick = tick + 1
    local at = { 1.1 + 0.1 * math.sin(tick / 40), 0.2 * math.cos(tick / 40), 0.9 }
    shape(run, "person", box({ 0.3, 0.3, 1.8 }, at))
  end)
  t:equal({ run.memory.why, run.memory.around }, {})
  t:near(run.memory.ended, undisturbed, 0.1, "as long as without")
end)

test("what comes into the way while it plans is gone around, too", function(t)
  local run = run_of(t, sideways:format "")
  local put, second = at_left(run, "post", function() return post end), nil
  local least = finish(run, 30, function(now)
    put(now)
    if second or now < 2.5 or not run.run.host.shapes.post then return end
    second = true
    shape(run, "bar", box({ 0.3, 0.1, 0.06 }, { 0.4, 0, 0.85 })) -- above, where the way would be shortest
  end)
  t:equal(run.memory.why, nil)
  t:near(run:measured "panda_joint1", -0.9, 0.02)
  t:ok(least.post > 0.002 and least.bar > 0.002, "it kept %g and %g m", least.post, least.bar)
end)
