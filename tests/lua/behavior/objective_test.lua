--- Objectives, goal kinds and features written in Lua: their effect, their limits, and their failures.
local brio = require "brio"
local robot = require "brio.robot"
local solver = require "brio.solver"

local arm = robot.load "drivers/robots/panda/model.urdf"
local start = { joints = { panda_joint2 = -0.78, panda_joint4 = -2.35, panda_joint6 = 1.57,
  panda_joint7 = 0.78 } }

local function make(options)
  local s = assert(solver.new(arm, options))
  s:reset(start, true)
  return s
end

local function run(s, ticks, from)
  local state
  for tick = 1, ticks or 200 do state = s:solve((from or 0) + tick * 0.005, 0.005) end
  return state
end

--- A solver with one objective: its key is "own".
local function with(definition, args, goal, weight)
  local s = make()
  s:add("own", definition, args)
  s:ask({ own = goal }, { own = weight or 20 })
  return s
end

local function reach(fields)
  local full = { goal = "translation", params = { link = "link" }, residual = function(self, state, goal)
    local p = state.frames[self.link].position
    return p[1] - goal[1], p[2] - goal[2], p[3] - goal[3]
  end }
  for key, value in pairs(fields or {}) do full[key] = value end
  return brio.objective "reach" (full)
end

local place = { 0.5, 0.2, 0.5 }

test("an objective in Lua goes where the one in C goes", function(t)
  local built_in = make()
  built_in:add("own", "position_match", { link = "panda_hand" })
  built_in:ask({ own = place }, { own = 20 })
  local own = with(reach(), { link = "panda_hand" }, place)
  for tick = 1, 200 do
    local a, b = built_in:solve(tick * 0.005, 0.005), own:solve(tick * 0.005, 0.005)
    t:near(b.joints, a.joints, 1e-6)
    t:near(b.cost, a.cost, 1e-7)
  end
  t:near(own:frames().panda_hand.position, place, 1e-6)
end)

test("its Jacobian is taken by differences, or is its own", function(t)
  local x, y, z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
  local differed = with(reach(), { link = "panda_hand" }, place)
  local own = with(reach { jacobian = function(self, state, _, rows)
    local p = state.frames[self.link].position
    rows[1]:point(self.link, p, x)
    rows[2]:point(self.link, p, y)
    rows[3]:point(self.link, p, z)
  end }, { link = "panda_hand" }, place)
  for tick = 1, 100 do
    t:near(own:solve(tick * 0.005, 0.005).joints, differed:solve(tick * 0.005, 0.005).joints, 1e-6)
  end
end)

--- Rows of every kind, with a Jacobian and with differences: the residual is the same, so must be the path.
test("rows turn, slide, take joints and the center of mass", function(t)
  local geometry = require "brio.geometry"
  local function residual(self, state, goal)
    local up = geometry.turn(state.frames[self.link].orientation, { 0, 0, 1 })
    local com = state.center_of_mass
    return up[1], up[2], state.joints.panda_joint1 - 0.3, com[1] - goal[1], state.joints.panda_finger_joint2
  end
  local function jacobian(self, state, _, rows)
    local up = geometry.turn(state.frames[self.link].orientation, { 0, 0, 1 })
    rows[1]:turn(self.link, { 0, up[3], -up[2] })   -- d(up) = w x up
    rows[2]:turn(self.link, { -2 * up[3], 0, 2 * up[1] }, 0.5)
    rows[3]:joint("panda_joint1", 1)
    rows[4]:center_of_mass { 1, 0, 0 }
    rows[5]:joint("panda_finger_joint1", 1)
  end
  local fields = { params = { link = "link" }, goal = "translation", residual = residual }
  local a = with(brio.objective "differed" (fields), { link = "panda_hand" }, place)
  fields.jacobian = jacobian
  local b = with(brio.objective "given" (fields), { link = "panda_hand" }, place)
  for tick = 1, 60 do
    local sa, sb = a:solve(tick * 0.005, 0.005), b:solve(tick * 0.005, 0.005)
    t:equal(sb.faults, nil)
    t:near(sb.joints, sa.joints, 1e-5)
  end
end)

test("a cost may be given instead, with a gradient or without, and may be negative without", function(t)
  local function cost(self, state) return 0.5 * (state.joints[self.joint] - 0.4) ^ 2 end
  local params = { joint = "joint" }
  local definitions = {
    brio.objective "plain" { params = params, cost = cost },
    brio.objective "negative" { params = params,
      cost = function(self, state) return cost(self, state) - 3 end },
    brio.objective "steep" { params = params, cost = cost, gradient = function(self, state, _, row)
      row:joint(self.joint, state.joints[self.joint] - 0.4)
    end },
  }
  for _, definition in ipairs(definitions) do
    local s = with(definition, { joint = "panda_joint1" })
    local state = run(s, 400)
    t:near(state.joints.panda_joint1, 0.4, 1e-4, definition.name)
    t:equal(state.faults, nil)
  end
end)

test("arguments have types, defaults and ranges", function(t)
  local seen
  local definition = brio.objective "typed" {
    params = { link = "link", other = "optional link", joint = "joint", lever = brio.param(0.2, "m", 0.01, 2),
      strict = true, axis = { 0, 0, 1 } },
    residual = function(self) seen = self return 0 end,
  }
  local s = with(definition, { link = "panda_hand", joint = "panda_joint2", lever = 0.5 })
  run(s, 1)
  t:equal({ seen.link, seen.other or false, seen.joint, seen.lever, seen.strict, seen.axis, seen.name },
    { "panda_hand", false, "panda_joint2", 0.5, true, { 0.0, 0.0, 1.0 }, "typed" })
  t:equal(math.type(seen.seed), "integer")
  t:raises(function() definition { joint = "panda_joint2" } end, "typed needs link")
  t:raises(function() definition { link = "a", joint = "b", lever = 5 } end,
    "lever must be from 0.01 to 2 m, not 5")
  t:raises(function() definition { link = "a", joint = "b", levr = 5 } end, "did you mean 'lever'")
  t:raises(function() definition { link = "a", joint = "b", strict = 1 } end, "strict must be true or false")
  t:raises(function() definition { link = "a", joint = "b", goal = 1 } end, "typed takes no goal")
  t:raises(function() s:add("x", definition, { link = "panda_hand", joint = "panda_joint9" }) end,
    "panda_joint9")
end)

test("a description that is none is refused where it stands", function(t)
  local function residual() return 0 end
  t:raises(function() brio.objective "position_match" { residual = residual } end,
    "there is an objective 'position_match' already")
  t:raises(function() brio.objective "a b" end, "a name of letters")
  t:raises(function() brio.objective "a" {} end,
    "tests/lua/behavior/objective_test.lua:%d+: objective 'a' needs residual.*or cost")
  t:raises(function() brio.objective "a" { residual = residual, cost = residual } end, "residual.*or cost")
  t:raises(function() brio.objective "a" { residual = residual, gradient = residual } end,
    "a gradient goes with a cost")
  t:raises(function() brio.objective "a" { residual = 5 } end, "residual must be a function")
  t:raises(function() brio.objective "a" { residual = residual, jacobain = residual } end,
    "did you mean 'jacobian'")
  t:raises(function() brio.objective "a" { residual = residual, goal = "translatoin" } end,
    "did you mean 'translation'")
  t:raises(function() brio.objective "a" { residual = residual, loss = "round" } end,
    "there is no loss 'round'")
  t:raises(function() brio.objective "a" { residual = residual, rows = 0 } end, "rows must be")
  t:raises(function() brio.objective "a" { residual = residual, step = 1 } end, "step must be")
  t:raises(function() brio.objective "a" { residual = residual, params = { link = "lnk" } } end,
    "argument 'link' must be")
  t:raises(function() brio.objective "a" { residual = residual, params = { weight = "link" } } end,
    "cannot be called 'weight'")
  t:raises(function() brio.objective "a" { residual = residual, params = { "link" } } end, "params must be")
  t:raises(function() brio.objective "a" { residual = residual, features = { 5 } } end, "item 1 of features")
  t:raises(function() brio.feature "center_of_mass_velocity" end, "already")
  t:raises(function() brio.feature "f" { doc = "x" } end, "needs the function compute")
  t:raises(function() brio.feature "f" { compute = residual, count = 13 } end, "count must be")
  t:raises(function() brio.goal_kind "rotation" end, "already")
  t:raises(function() brio.goal_kind "g" { fields = { "a" } } end, "needs 'example'")
  t:raises(function() brio.goal_kind "g" { example = "1" } end, "1 to 192 numbers")
  t:raises(function() brio.goal_kind "g" { example = "1", items = { "x", "y" }, most = 100 } end,
    "most must be")
  t:raises(function() make():add("x", 5) end, "given by its name")
  t:raises(function() make():add("x", { record = 5 }) end, "given by its name")
end)

--- Ways to fail: with the functions of an objective that fails at the 40th call, or from then on.
local asked
local function at_40(what)
  return function()
    asked = asked + 1
    if asked >= 40 then return what() end
    return 0.1
  end
end

local failures = {
  ["attempt to index"] = function() return (nil).field end,
  ["finite numbers, but number 1 is %-?nan"] = function() return 0 / 0 end,
  ["finite numbers, but number 2 is inf"] = function() return 0, 1 / 0 end,
  ["must return numbers, not nothing"] = function() end,
  ["must return numbers, but number 1 is a string"] = function() return "0.5" end,
  ["number 1 is a boolean"] = function() return { true } end,
  ["returned 20 numbers: set `rows = 20`"] = function()
    local list = {}
    for i = 1, 20 do list[i] = i end
    return list
  end,
  ["attempt to yield"] = function() return coroutine.yield() end,
  ["no text but a table"] = function() error {} end,
}

test("what fails is left out of that solve, said once by name and with its traceback, and the robot goes on",
  function(t)
  for expected, what in pairs(failures) do
    asked = 0
    local s = with(brio.objective "failing" { residual = at_40(what) })
    s:add("hand", "position_match", { link = "panda_hand" })
    s:ask({ hand = place }, { hand = 50 })
    local said = {}
    for tick = 1, 300 do
      for _, fault in ipairs(s:solve(tick * 0.005, 0.005).faults or {}) do said[#said + 1] = fault end
    end
    t:equal(#said, 1, expected)
    t:equal(said[1].key, "own")
    t:equal(said[1].kind, "failing")
    t:match(said[1].message, expected)
    t:match(said[1].message, "stack traceback:")
    t:near(s:frames().panda_hand.position, place, 1e-6)
    t:equal(s:objectives()[1].failed, true)
    t:equal(s:objectives()[2].failed, false)
  end
end)

test("what fails now and then counts again in the next solve", function(t)
  local count = 0
  local s = with(reach { update = function()
    count = count + 1
    if count % 2 == 0 then error "now and then" end
  end }, { link = "panda_hand" }, place, 50)
  run(s, 800)
  t:near(s:frames().panda_hand.position, place, 1e-4)
  t:match(s:faults() == nil and "none", "none")
end)

test("an objective that runs on is stopped by the budget, and not asked again; others are", function(t)
  local clock = require "brio.clock"
  local calls = 0
  local s = with(brio.objective "endless" { residual = function()
    calls = calls + 1
    while true do pcall(function() while true do end end) end
  end })
  s:add("hand", reach(), { link = "panda_hand" })
  s:ask({ hand = place }, { hand = 50 })
  local began = clock.cpu()
  local state = s:solve(0.005, 0.005)
  t:equal(#state.faults, 1)
  t:match(state.faults[1].message, "used up its time budget")
  for tick = 2, 300 do t:equal(s:solve(tick * 0.005, 0.005).faults, nil) end
  t:equal(calls, 1)
  t:ok(clock.cpu() - began < 5, "one budget was spent, not one a solve")
  t:near(s:frames().panda_hand.position, place, 1e-6)
end)

test("one that goes too deep, or takes all memory, is stopped one way or the other", function(t)
  local greedy = {
    function()
      local function deep() return 1 + deep() end
      return deep()
    end,
    function()
      local list = {}
      for i = 1, 1e6 do list[i] = ("x"):rep(5e6 + i) end
      return #list
    end,
  }
  for _, what in ipairs(greedy) do
    local s = with(brio.objective "greedy" { residual = what })
    local said = s:solve(0.005, 0.005).faults[1].message
    t:ok(said:find "stack overflow" or said:find "not enough memory" or said:find "time budget", "%s", said)
    collectgarbage()
    t:equal(s:solve(0.01, 0.005).status, "converged")
  end
end)

test("a check that runs on is stopped too", function(t)
  local kind = brio.goal_kind "running" { example = "1", fields = { "value" },
    check = function() while true do end end }
  local definition = brio.objective "checked" { goal = kind, residual = function() return 0 end }
  t:raises(function() with(definition, nil, 1) end, "a running goal: .*used up its time budget")
end)

test("nobody changes or runs a solver from inside", function(t)
  local s, other = nil, make()
  local tries = {
    function() s:weight("own", 0) end, function() s:goal("own", place) end, function() s:remove "own" end,
    function() s:add("x", "joint_limits") end, function() s:reset() end, function() s:solve(1, 0.1) end,
    function() other:solve(1, 0.1) end, function() s:ask({}, {}) end, function() s:remove_shape "x" end,
    function() s:shape("x", { kind = "sphere", size = { 1, 0, 0 } }) end,
    function() s:set_limits("panda_joint1", { velocity = 0.1 }) end, function() s:tempo(0.5) end,
      function() getmetatable(s).__gc(s) end,
  }
  local said = {}
  s = with(brio.objective "meddling" { goal = "translation", residual = function()
    for index, try in ipairs(tries) do
      local good, why = pcall(try)
      said[index] = good and "nothing" or why
    end
    return 0
  end }, nil, place)
  local state = run(s, 3)
  t:equal(state.faults, nil)
  for index = 1, #tries - 1 do t:match(said[index], "the solver is running") end
  t:equal(said[#tries], "nothing")
  t:equal(s:objectives()[1].weight, 20.0)
end)

test("a state is read only while it is shown", function(t)
  local kept = {}
  local s = with(brio.objective "keeping" { params = { link = "link" }, residual = function(self, state)
    kept.state, kept.frames = state, state.frames
    t:raises(function() state.time = 5 end, "not to be changed")
    t:raises(function() return state.tiem end, "a state has no 'tiem': it has frames")
    t:raises(function() return state.frames.panda_hnad end, "panda_hand")
    t:raises(function() return state.joints.panda_joint9 end, "panda_joint9")
    t:raises(function() return state.features.speed end, "no feature 'speed'")
    return 0
  end, jacobian = function(_, _, _, rows) kept.row = rows[1] end }, { link = "panda_hand" })
  s:solve(0.005, 0.005)
  for _, try in ipairs { function() return kept.state.time end, function() return kept.frames.panda_hand end,
                         function() return kept.row:joint("panda_joint1", 1) end } do
    t:raises(try, "only be ")
  end
  s:remove "own"
  collectgarbage()
  collectgarbage()
  t:raises(function() return kept.frames.panda_hand end, "only be ")
  t:raises(function() return kept.row:joint("panda_joint1", 1) end, "only be ")
end)

test("a state has a past of three", function(t)
  local s
  local states, checked = {}, 0
  s = with(reach { update = function(_, time, state)
    local n = #states
    t:near(state.dt, 0.005, 1e-12)
    t:near(time, state.time, 0)
    if n >= 3 then
      for back = 1, 3 do
        local then_, past = states[n + 1 - back], state.past[back]
        t:near(past.frames.panda_hand.position, then_.frames.panda_hand.position, 0)
        t:near(past.joints.panda_joint4, then_.joints.panda_joint4, 0)
        t:near(past.joints.panda_finger_joint2, then_.joints.panda_finger_joint2, 0)
        t:near(past.center_of_mass, then_.center_of_mass, 1e-12)
        t:near(past.origin.position, { 0, 0, 0 }, 0)
        t:near(past.time, then_.time, 1e-9)
      end
      checked = checked + 1
    end
    t:equal(state.past[4], nil)
  end }, { link = "panda_hand" }, place)
  for tick = 1, 20 do
    local state = s:solve(tick * 0.005, 0.005)
    t:equal(state.faults and state.faults[1].message, nil)
    states[tick] = { frames = state.frames, joints = state.joints, center_of_mass = state.center_of_mass,
      time = state.time }
  end
  t:equal(checked, 17)
end)

test("update comes once a solve, reset when history begins or the weight leaves 0", function(t)
  local updates, resets = 0, 0
  local s = with(reach { update = function() updates = updates + 1 end,
    reset = function() resets = resets + 1 end },
    { link = "panda_hand" }, place)
  run(s, 10)
  t:equal({ updates, resets }, { 10, 1 })
  s:weight("own", 0)
  run(s, 5, 1)
  t:equal({ updates, resets }, { 10, 1 })
  s:weight("own", 3)
  run(s, 5, 2)
  t:equal({ updates, resets }, { 15, 2 })
  s:reset(start)
  run(s, 5, 3)
  t:equal({ updates, resets }, { 20, 3 })
end)

test("a goal kind of one's own: fields, quaternions, lists that blend, and a check", function(t)
  local seen
  local stops = brio.goal_kind "stops" {
    example = "{speed = 1, stops = {{position = {0, 0, 0}}}}",
    fields = { "speed" },
    items = { "stops.position.x", "stops.position.y", "stops.position.z",
      "stops.orientation.x", "stops.orientation.y", "stops.orientation.z", "stops.orientation.w" },
    most = 5,
    check = function(goal) if goal.speed <= 0 then error("the speed must be above 0", 0) end end,
  }
  local visit = brio.objective "visit" { goal = stops,
    residual = function(_, _, goal) seen = goal return 0 end }
  local s = with(visit, nil, { speed = 2,
    stops = { { position = { 1, 2, 3 } }, { position = { 2, 2, 3 }, orientation = { 0, 0, 2, 0 } } } })
  run(s, 1)
  t:equal(seen.speed, 2.0)
  t:equal(#seen.stops, 2)
  t:equal(seen.stops[1].orientation, { 0.0, 0.0, 0.0, 1.0 })
  t:equal(seen.stops[2].orientation, { 0.0, 0.0, 1.0, 0.0 })
  s:goal("own", { speed = 4, stops = { { position = { 3, 2, 3 } }, { position = { 4, 2, 3 } },
    { position = { 6, 2, 3 } } } }, 0.5)
  run(s, 100, 0)
  local share = 1 - math.exp(-1)
  t:near(seen.stops[1].position[1], 1 + 2 * share, 1e-9)
  t:near(seen.stops[3].position[1], 2 + 4 * share, 1e-9, "the third comes out of the second")
  t:near(seen.speed, 2 + 2 * share, 1e-9)
  local good = { { position = { 1, 2, 3 } } }
  t:raises(function() s:goal("own", { speed = -1, stops = good }) end,
    "a stops goal: the speed must be above 0")
  t:raises(function() s:goal("own", { speed = 1 }) end, "stops")
  t:raises(function() s:goal("own", { speed = 1, stops = {} }) end, "1 to 5 items")
  t:raises(function() s:goal("own", { speed = 1, stops = { {} } }) end,
    "item 1 of a stops goal's stops needs the field 'position'")
  t:raises(function() s:goal("own", { sped = 1, stops = good }) end, "did you mean 'speed'")
  t:raises(function() s:goal("own", 5) end, "must be written as in")
  t:near(s:objectives()[1].goal.stops[2].position[1], 2 + 2 * share, 1e-9, "what was refused changed nothing")
end)

test("features are computed once a pose, shared, and may fail", function(t)
  local computed, broken = 0, false
  local height = brio.feature "height" { unit = "m", compute = function(state)
    computed = computed + 1
    if broken then error "the ruler broke" end
    return state.frames.panda_hand.position[3]
  end }
  local lift = brio.objective "lift" { goal = "scalar", features = { height },
    residual = function(_, state, goal) return state.features.height - goal end }
  local s = make()
  s:add("a", lift)
  s:add("b", lift)
  s:ask({ a = 0.4, b = 0.4 }, { a = 20, b = 10 })
  local evaluations, alone = 0, 0
  for tick = 1, 100 do evaluations = evaluations + s:solve(tick * 0.005, 0.005).evaluations end
  t:near(s:frames().panda_hand.position[3], 0.4, 1e-6)
  local shared = computed
  computed = 0
  s:reset(start, true)
  s:ask({ a = 0.4 }, { a = 30 })
  for tick = 1, 100 do alone = alone + s:solve(tick * 0.005, 0.005).evaluations end
  t:ok(shared - evaluations <= 2.2 * (computed - alone), "%d for two, %d for one", shared, computed)
  broken = true
  local state = s:solve(1, 0.005)
  t:match(state.faults[1].message, "the ruler broke")
  local still = brio.objective "still" { residual = function(_, state_)
    local v = state_.features.center_of_mass_velocity
    return v[1], v[2], v[3]
  end }
  s:add("still", still)
  s:weight("still", 1)
  t:equal(s:solve(1.005, 0.005).status ~= nil, true)
end)

test("distances are measured, and have slopes", function(t)
  local seen
  local aside = brio.objective "aside" { goal = "scalar", proximity = true, params = { link = "link" },
    residual = function(self, state, goal)
      seen = state:distance(self.link, "ball")
      t:equal(state:distance(self.link, "nothing"), nil)
      t:raises(function() state.past[1]:distance(self.link, "ball") end, "in the current state")
      return seen and seen - goal or 0
    end }
  local s = make()
  local hand = s:frames().panda_hand.position
  s:shape("ball", { kind = "sphere", size = { 0.05, 0, 0 },
    pose = { position = { hand[1] + 0.2, hand[2], hand[3] } } })
  s:add("own", aside, { link = "panda_hand" })
  for _, goal in ipairs { 0.1, 0.03, 0.2 } do
    s:ask({ own = goal }, { own = 20 })
    local state = run(s, 200)
    t:equal(state.faults, nil)
    local least = math.huge
    for _, pair in ipairs(state.proximity) do
      if pair.a == "panda_hand" and pair.b == "ball" then least = math.min(least, pair.distance) end
    end
    t:near(least, goal, 1e-5)
  end
  s:remove_shape "ball"
  s:solve(5, 0.005)
  t:equal(seen, nil)
  local blind = with(brio.objective "blind" {
    residual = function(_, state) return state:distance("a", "b") or 0 end })
  t:match(blind:solve(0.005, 0.005).faults[1].message, "objective with `proximity = true`")
end)

test("runs of an objective in Lua repeat to the last bit", function(t)
  local noise = require "brio.noise"
  local function path()
    local s = with(reach { update = function(self, time)
      self.offset = noise.octaves(self.seed, 0.4 * time, 3)
    end, residual = function(self, state, goal)
      local p = state.frames[self.link].position
      return p[1] - goal[1] - 0.05 * self.offset, p[2] - goal[2], p[3] - goal[3]
    end }, { link = "panda_hand" }, place)
    local list = {}
    for tick = 1, 100 do
      local joints = s:solve(tick * 0.005, 0.005).joints
      for index = 1, 7 do list[#list + 1] = ("%a"):format(joints["panda_joint" .. index]) end
    end
    return list
  end
  t:equal(path(), path())
end)

test("objectives, solvers and their definitions may go in any order", function(t)
  for round = 1, 20 do
    local s = with(reach(), { link = "panda_hand" }, place)
    if round % 2 == 0 then run(s, 2) end
    if round % 3 == 0 then s:remove "own" end
    collectgarbage()
    if round % 5 == 0 then t:equal(run(s, 2).faults, nil) end
  end
end)

test("they work with every backend, and where the base moves", function(t)
  local free = robot.load("drivers/robots/panda/model.urdf",
    { base = "bounded", base_range = { 0.2, 0.2, 0.2, 0.4, 0.4, 0.4 } })
  local x, y, z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
  local given = reach { jacobian = function(self, state, _, rows)
    local p = state.frames[self.link].position
    rows[1]:point(self.link, p, x)
    rows[2]:point(self.link, p, y)
    rows[3]:point(self.link, p, z)
  end }
  local level = { params = { link = "link" }, residual = function(self, state)
    local up = require("brio.geometry").turn(state.frames[self.link].orientation, { 0, 0, 1 })
    local com = state.center_of_mass
    return up[1], up[2], com[1] - 0.1, state.origin.position[2] - 0.05
  end }
  local first
  for _, backend in ipairs { "gauss_newton", "nlopt" } do
    for _, definition in ipairs { reach(), given } do
      local s = solver.new(free, { backend = backend })
      s:reset(start, true)
      s:add("own", definition, { link = "panda_hand" })
      s:add("level", brio.objective "level" (level), { link = "panda_hand" })
      s:ask({ own = { 0.7, 0.5, 0.9 } }, { own = 50, level = 5 })
      local state = run(s, backend == "nlopt" and 120 or 300)
      t:equal(state.faults, nil)
      local p = s:frames().panda_hand.position
      t:near(p, { 0.7, 0.5, 0.9 }, 1e-2, backend)
      first = first or p
      t:near(p, first, 5e-4, backend)
    end
  end
end)

test("the maker of records takes nothing that is none", function(t)
  local extension = require "brio.extension"
  local function residual() return 0 end
  local good = { name = "a", doc = "x", example = "{}", category = "own", params = {}, residual = residual }
  local odd = { 5, "x", true, {}, residual, 0 / 0, -1, 1e300, ("x"):rep(100) }
  local random = require("brio.random").stream(11, "odd")
  local fields = { "name", "doc", "example", "category", "params", "goal", "features", "loss", "rows", "step",
    "residual", "cost",
    "jacobian", "gradient", "update", "reset", "fields", "items", "least", "most", "check", "count",
      "compute", "unit" }
  t:ok(extension.objective(good), "it is good")
  local made = 0
  for round = 1, 2000 do
    local bad = {}
    for key, value in pairs(good) do bad[key] = value end
    for _ = 1, random:whole(4) do bad[fields[random:whole(#fields)]] = odd[random:whole(#odd)] end
    for _, maker in ipairs { extension.objective, extension.goal_kind, extension.feature } do
      local well, record = pcall(maker, bad)
      if well and maker == extension.objective then
        local s = make()
        if pcall(s.add, s, "own", record) then
          s:weight("own", 1)
          s:solve(0.005, 0.005)
          made = made + 1
        end
      end
    end
    if round % 500 == 0 then collectgarbage() end
  end
  t:ok(made > 20, "%d were good after all", made)
  for _, maker in ipairs { extension.objective, extension.goal_kind, extension.feature } do
    t:raises(function() maker(5) end, "table expected")
    t:raises(maker, "table expected")
  end
end)

test("the check of a goal cannot remove its objective", function(t)
  local s = make()
  local kind = brio.goal_kind "guarded" { fields = { "value" }, example = "1",
    check = function() s:remove "own" end }
  s:add("own", brio.objective "guard" { goal = kind, residual = function() return 1 end })
  t:raises(function() s:goal("own", 1) end, "cannot change its solver")
  t:equal(#s:objectives(), 1)
end)

test("a list of names that changes later changes no kind of goal", function(t)
  local names = { "first" .. os.time(), "second" .. os.time() }
  local kind = brio.goal_kind "renamed" { fields = names, example = "{}" }
  local name = names[1]
  names[1], names[2] = nil, nil
  collectgarbage()
  local s = make()
  s:add("own", brio.objective "rename" { goal = kind, residual = function() return 1 end })
  for i = 1, 2000 do names[i] = "other" .. i .. "0123456789" end
  t:raises(function() s:goal("own", {}) end, "needs the field '" .. name .. "'")
end)
