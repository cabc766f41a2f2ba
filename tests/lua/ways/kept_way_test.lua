--- Arms that keep something on their way, go through waypoints, or go a way that is prescribed: what the hand
--- does is measured every few ticks by the robot's own kinematics.
package.path = "tests/lua/ways/?.lua;" .. package.path

local runs = require "arm_runs"
local solver = require "brio.solver"

local run_of, shape, box, finish = runs.run_of, runs.shape, runs.box, runs.finish
local at_left = runs.at_left

local post = box({ 0.06, 0.06, 1.2 }, { 0.5, 0, 0.6 })
local left = "panda_joint1 = 0.9, panda_joint2 = 0.6, panda_joint4 = -1.9, panda_joint6 = 2.5, \z
  panda_joint7 = 0.8"

--- A function for `finish` that puts a shape once the arm has left the left, for its next goal.
local function behind_left(run, key, make)
  local been, put
  return function()
    local here = run:measured "panda_joint1"
    been = been or here > 0.895
    if put or not been or here > 0.885 then return put end
    put = true
    shape(run, key, make())
    return put
  end
end

--- The hand on the left: its place, and its orientation as text.
local place, turned = { 0.391878, 0.493829, 0.078558 }, "orientation = { -0.903599, -0.428380, 0, 0 }"
local on_left = ('{ "arm", joints = { %s } }'):format(left)

--- Where the hand is, as measured.
local function hand_of(run)
  local joints = {}
  for _, dof in ipairs(run.description.dofs) do joints[dof.name] = run:measured(dof.name) end
  return run.description.robot:forward({ joints = joints }).links[run.description.roles.tool]
end

--- How far the vertical of the hand at first is tilted now, rad.
local function tilt(first, now)
  local geometry = require "brio.lib.geometry"
  local up = geometry.turn(now.orientation, geometry.turn(geometry.inverse(first).orientation, { 0, 0, 1 }))
  return math.acos(math.max(-1, math.min(1, up[3])))
end

test("a hand that keeps upright does so around a post, where it would tilt", function(t)
  for _, keep in ipairs { "", ", keep = 'upright'" } do
    local run = run_of(t, ('{ "sequence", { "arm", joints = { %s } }, \z
      { "arm", joints = { panda_joint1 = -0.9 }%s } }'):format(left, keep))
    local put, first, most = at_left(run, "post", function() return post end), nil, 0
    local least = finish(run, 30, function(now)
      if put(now) then
        first = first or hand_of(run)
        most = math.max(most, tilt(first, hand_of(run)))
      end
    end)
    t:equal(run.memory.why, nil)
    t:near(run:measured "panda_joint1", -0.9, 0.02)
    t:equal(run.memory.around, "post")
    t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
    if keep == "" then t:ok(most > 0.2, "it tilts: %g", most)
    else t:ok(most < 0.12, "tilted by %g rad, of 0.1 and what motors lag", most) end
  end
end)

test("a goal that does not keep it is refused, with by how much", function(t)
  local run = run_of(t, '{ "arm", joints = { panda_joint6 = 2.4 }, keep = { upright = 0.05 } }')
  finish(run, 10)
  t:match(run.memory.why, "no way within what it keeps: its goal does not keep it: 'panda_[%w_]+' is tilted \z
    by 0%.%d+ rad, and 0%.050 are kept")
end)

test("a hand goes along a line to a pose, turned as it was", function(t)
  local geometry = require "brio.lib.geometry"
  local run = run_of(t, ([[{ "sequence", %s, { "arm", pose = { position = { 0.391878, -0.4, 0.078558 } },
    keep = { line = { 0, 1, 0 }, orientation = 0.15, within = 0.02 } } }]]):format(on_left))
  local most, turn, count, first = 0, 0, 0, nil
  finish(run, 30, function()
    if run:measured "panda_joint1" > 0.895 then first = true end
    local hand = hand_of(run)
    if not first or hand.position[2] > place[2] - 0.01 then return end
    count = count + 1
    most = math.max(most, math.abs(hand.position[1] - place[1]), math.abs(hand.position[3] - place[3]))
    turn = math.max(turn, geometry.angle(hand.orientation, { -0.903599, -0.428380, 0, 0 }))
  end)
  t:equal(run.memory.why, nil)
  t:ok(count > 100, "%d ticks on the line", count)
  t:near(hand_of(run).position, { 0.391878, -0.4, 0.078558 }, 0.02)
  t:ok(most < 0.025, "%g m off the line, of 0.02 and what motors lag", most)
  t:ok(turn < 0.15 * math.sqrt(3) + 0.03, "turned by %g rad", turn)
end)

test("waypoints are gone through around what stands between them", function(t)
  local run = run_of(t, ('{ "sequence", { "arm", joints = { %s } }, { "arm", waypoints = { \z
    { joints = { %s } }, { joints = { panda_joint1 = -0.9 } }, \z
    { joints = { panda_joint1 = -1.3, panda_joint4 = -2.2 } } } } }'):format(left,
    (left:gsub("0.9", "0.5", 1))))
  local put, passed = at_left(run, "post", function() return post end), {}
  local least = finish(run, 40, function(now)
    if not put(now) then return end
    local a, b = run:measured "panda_joint1", run:measured "panda_joint4"
    passed[1] = passed[1] or math.abs(a - 0.5) < 0.05 and math.abs(run:measured "panda_joint2" - 0.6) < 0.05
    passed[2] = passed[2] or math.abs(a + 0.9) < 0.05 and math.abs(b + 1.9) < 0.05
  end)
  t:equal(run.memory.why, nil)
  t:equal(run.memory.around, "post")
  t:equal(passed, { true, true }, "it came by both")
  t:near(run:measured "panda_joint1", -1.3, 0.02)
  t:near(run:measured "panda_joint4", -2.2, 0.02)
  t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
end)

test("a waypoint in collision is refused by its number", function(t)
  local run = run_of(t, ('{ "sequence", { "arm", joints = { %s } }, { "arm", waypoints = { \z
    { joints = { panda_joint1 = 0 } }, { joints = { panda_joint1 = -0.9 } } } } }'):format(left))
  finish(run, 40, at_left(run, "post", function() return post end))
  t:match(run.memory.why,
    "no way around post: waypoint 1: its goal collides: panda_%w+ is [%d.]+ mm inside post")
end)

local across = "self:shape('post', { kind = 'box', size = { 0.06, 0.06, 0.8 }, \z
  pose = { position = { 0.39, 0, 0.2 } } })"
local blocked = "its way is prescribed, and blocked: at %d+ %% of it panda_%w+ is [%d.]+ mm inside post"

test("a straight way of the hand that leads through something is refused, or left if it may be", function(t)
  local tree = [[{ "sequence", %s, { "arm", pose = { position = { 0.391878, -0.4, 0.078558 }, %s },
    jointspace_only = false, detour = %s } }]]
  local run = run_of(t, tree:format(on_left, turned, "false"), { enter = across })
  finish(run, 30)
  t:match(run.memory.why, blocked)
  t:near(run:measured "panda_joint1", 0.9, 0.02, "it has not moved")
  run = run_of(t, tree:format(on_left, turned, "true"), { enter = across })
  local least = finish(run, 30)
  t:equal({ run.memory.why, run.memory.around }, { nil, "post" })
  t:near(run.solver:frames().panda_hand.position[2], -0.4, 0.02)
  t:ok(least.post > 0.002, "it kept %g m", least.post)
end)

test("a screw is refused where it leads through something, not where it begins in contact", function(t)
  local turn = ([[{ "sequence", %s, { "screw", axis = { position = { 0.391878, 0.493829, 0.078558 },
    orientation = { 0, 0, -0.7071068, 0.7071068 } }, translation = %s } }]])
  local run = run_of(t, turn:format(on_left, "0.7"), { enter = across })
  finish(run, 30)
  t:match(run.memory.why, blocked)
  -- what the hand holds goes with nothing here, and does not stop it
  run = run_of(t, turn:format(on_left, "0.05"))
  finish(run, 30, at_left(run, "knob", function()
    return { kind = "sphere", size = { 0.02, 0, 0 },
      pose = { position = { place[1], place[2], place[3] - 0.012 } } }
  end))
  t:equal(run.memory.why and run.memory.why:match "prescribed", nil)
end)

test("a screw that the elbow would stop is gone with the elbow elsewhere, the hand on its way", function(t)
  local run = run_of(t, ([[{ "sequence", %s, { "screw", axis = { position = { 0.391878, 0.493829, 0.078558 },
    orientation = { 0, 0, -0.7071068, 0.7071068 } }, translation = 0.5 } }]]):format(on_left))
  local put = at_left(run, "bar", function() return box({ 0.04, 0.04, 0.04 }, { 0.2, 0, 0.62 }) end)
  local off, geometry = 0, require "brio.lib.geometry"
  local least = finish(run, 30, function(now)
    put(now)
    local hand = run.solver:frames().panda_hand
    if not run.memory.around then return end
    -- it stays on the line, and turned as it was
    off = math.max(off, math.abs(hand.position[1] - 0.391878), math.abs(hand.position[3] - 0.181958),
      geometry.angle(hand.orientation, { -0.903599, -0.428380, 0, 0 }) / 10)
  end)
  t:equal({ run.memory.why, run.memory.around }, { nil, "bar" })
  t:near(run.solver:frames().panda_hand.position[2], -0.00617, 0.002)
  t:ok(least.bar > 0.002, "it kept %g m", least.bar)
  t:ok(off < 0.002, "the hand was %g m off its line, or ten times as many rad", off)
end)

test("an arm that something was put onto goes out of it first, then on", function(t)
  local run = run_of(t, ('{ "sequence", %s, { "arm", joints = { panda_joint1 = -0.9 }, seconds = 6 } }')
    :format(on_left))
  local depth
  local put = behind_left(run, "board", function()
    -- a board whose edge reaches some mm into the hand, from the side that it goes to
    local own = solver.new(run.description.robot, { unguarded = true })
    local hand, joints = run.solver:frames().panda_hand.position, {}
    for _, dof in ipairs(run.description.dofs) do joints[dof.name] = run:measured(dof.name) end
    own:reset({ joints = joints }, true)
    for k = 0, 60 do
      local said = box({ 0.3, 0.1, 0.04 }, { hand[1], hand[2] - 0.25 + k * 0.004, hand[3] })
      own:shape("board", said)
      own:solve(0, 0.005)
      for _, pair in ipairs(own:proximity(0.02)) do
        if (pair.a == "board" or pair.b == "board") and pair.distance < -0.004 then
          depth = pair.distance
          return said
        end
      end
      own:remove_shape("board")
    end
  end)
  local least = finish(run, 40, put)
  t:ok(depth and depth > -0.02, "the board is %g m deep", depth or 0)
  t:equal(run.memory.why, nil)
  t:equal(run.memory.around, "board")
  t:near(run:measured "panda_joint1", -0.9, 0.02)
  t:ok(least.board > depth - 0.004, "it got no deeper: %g m of %g", least.board, depth)
end)

test("a planned way that becomes blocked a little is bent around it, not searched anew", function(t)
  local run = run_of(t, ('{ "sequence", %s, { "arm", joints = { panda_joint1 = -0.9 } } }'):format(on_left))
  local put, moved = behind_left(run, "post", function() return post end), nil
  local least = finish(run, 40, function(now)
    put(now)
    if moved or not run.memory.around or run:measured "panda_joint1" > 0.75 then return end
    moved = true
    shape(run, "post", box({ 0.06, 0.06, 1.2 }, { 0.47, -0.02, 0.6 }))
  end)
  t:equal(run.memory.why, nil)
  t:ok(moved, "the post was moved")
  t:near(run:measured "panda_joint1", -0.9, 0.02)
  t:equal(run.memory.planned.bent, true)
  t:ok(least.post > 0.002, "it kept %g m", least.post or -1)
end)

test("what keep does not know is refused", function(t)
  local check, robots, trees = require "brio.tree.model.check", require "brio.robots", require "brio.tree"
  local function fault(said)
    local faults = check.faults(assert(trees.compile { "arm", preset = "reach", keep = said }),
      { description = assert(robots.find "panda"), name = "one" }, function(node) return "node " .. node end)
    return faults[1] and faults[1].message or "nothing"
  end
  t:match(fault "often", 'keep must be "upright", or a table such as')
  t:match(fault { upryght = 0.1 }, "keep has no field 'upryght' %(did you mean 'upright'%?%)")
  t:match(fault { upright = 9 }, "keep.upright must be 0.005 to 3 rad, not 9")
  t:match(fault { line = { 0, 0 } }, "keep.line must be a direction")
  t:match(fault { within = 0.1 }, "keep.within needs a line or a plane")
  t:equal(fault { upright = 0.1, plane = { 0, 0, 1 } }, "nothing")
end)
