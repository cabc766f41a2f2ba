-- brio.joints: paths of a Panda's joints around a post and a shelf, in slices; what cannot be is named.
local joints = require "brio.joints"
local robot = require "brio.robot"

local names = {}
for i = 1, 7 do names[i] = "panda_joint" .. i end
local low = { 0.9, 0.6, 0, -1.9, 0, 2.5, 0.8 }
local high = { -0.9, 0.6, 0, -1.9, 0, 2.5, 0.8 }

local function arm() return assert(robot.load "drivers/robots/panda/model.urdf") end

--- A post between two poses of the hand.
local function space(options)
  options = options or {}
  options.variables = options.variables or names
  options.obstacles = options.obstacles or {
    { kind = "box", size = { 0.06, 0.06, 1.2 }, pose = { position = { 0.5, 0, 0.6 } }, name = "post" } }
  return joints.space(arm(), options)
end

local function finish(search)
  while not search:over() do search:work(200) end
  return search:path()
end

test("a path leads around a post, and each of its steps is clear", function(t)
  local here = space()
  t:equal(here:variables()[7], "panda_joint7")
  t:equal(here:clear(low), true)
  t:equal(here:motion(low, high), false)
  local search = assert(here:search { start = low, goals = { high } })
  local path = finish(search)
  t:equal(search:effort().goal, 1)
  for i = 1, 7 do
    t:near(path[1][i], low[i], 1e-12)
    t:near(path[#path][i], high[i], 1e-12)
  end
  local length = 0
  for i = 2, #path do
    local sum = 0
    for k = 1, 7 do sum = sum + (path[i][k] - path[i - 1][k]) ^ 2 end
    length = length + math.sqrt(sum)
    t:equal(here:motion(path[i - 1], path[i]), true)
  end
  t:near(search:effort().length, length, 1e-9)
  t:equal(length > 1.8 and length <= search:effort().first_length, true)
end)

test("the same seed gives the same path in slices of any size", function(t)
  local here = space()
  local function run(seed, slice)
    local search = assert(here:search { start = low, goals = { high }, seed = seed })
    while not search:over() do search:work(slice) end
    local texts = {}
    for i, values in ipairs(search:path()) do texts[i] = table.concat(values, " ") end
    return table.concat(texts, "\n")
  end
  t:equal(run(1, 17), run(1, 100000))
  t:equal(run(1, 17) ~= run(2, 17), true)
end)

test("what collides, or cannot be reached, is named", function(t)
  local here = space()
  local inside = { 0, 0.6, 0, -1.9, 0, 2.5, 0.8 }
  t:equal(here:clear(inside), false)
  local contact = here:nearest(inside)
  t:equal(contact.obstacle, 1)
  t:equal(contact.distance < 0, true)
  local none, why, code = here:search { start = inside, goals = { high } }
  t:equal(none, nil)
  t:match(why, "the start collides: link '.*' is .* mm inside obstacle 1 'post'")
  t:equal(code, "unreachable")
  -- a cage closes around the goal's side
  local search = assert(here:search { start = low, goals = { high }, checks = 20, range = 0.1 })
  local found, sentence
  repeat found, sentence = search:work(5) until found ~= nil
  t:equal(found, false)
  t:match(sentence, "no path was found: all checks are used up")
  t:equal(search:path(), nil)
end)

test("wrong use says what was expected", function(t)
  t:raises(function() space { variables = { "panda_joint9" } } end,
    "variables: robot 'panda' has no variable 'panda_joint9'")
  t:raises(function() space { clearence = 1 } end,
    "a space has no field 'clearence' %(did you mean 'clearance'%?%)")
  t:raises(function() space():clear { 1, 2 } end, "values")
  t:raises(function() space():search { start = low, goals = {} } end, "1 to 1000 goals, not 0")
end)

--- A straight path of 30 points between the two poses, through the post.
local function through()
  local path = {}
  for k = 0, 29 do
    path[k + 1] = {}
    for i = 1, 7 do path[k + 1][i] = low[i] + k / 29 * (high[i] - low[i]) end
  end
  return path
end

test("a path through a post is repaired: clear, with its ends, and the same again", function(t)
  local here = space { clearance = 0.005 }
  local made, report = here:repair(through())
  t:ok(made, "%s", report)
  t:equal(report.left, 0)
  t:ok(report.colliding > 0 and report.moved >= report.colliding, "%d of %d", report.moved, report.colliding)
  for i = 2, 30 do t:equal(here:motion(made[i - 1], made[i]), true) end
  for i = 1, 7 do
    t:near(made[1][i], low[i], 1e-12)
    t:near(made[30][i], high[i], 1e-12)
  end
  local again = here:repair(through())
  for k = 1, 30 do t:equal(table.concat(made[k], " "), table.concat(again[k], " ")) end
end)

test("a path that cannot be repaired says where, and what is in the way", function(t)
  local here = space { variables = { "panda_joint1" }, configuration = { joints = (function()
    local joints_ = {}
    for i = 1, 7 do joints_[names[i]] = low[i] end
    return joints_
  end)() } }
  local path = {}
  for k = 0, 20 do path[k + 1] = { 0.9 - 0.09 * k } end
  local none, why, code, left, report = here:repair(path)
  t:equal(none, nil)
  t:equal(code, "unreachable")
  t:match(why, "of 21 collides: link 'panda_%w+' is %d+%.%d mm inside obstacle 1 'post'")
  t:equal(#left, 21)
  t:ok(report.left > 0, "left")
  t:match(select(2, pcall(here.repair, here, path, { metod = "push" })), "a repair has no field 'metod'")
  t:match(select(2, pcall(here.repair, here, path, { method = "pull" })), "method must be push or swarm")
  t:match(select(2, pcall(here.repair, here, { { 0 } })), "a path to repair has 2 to 100000 points, not 1")
end)

-- What is kept, regions, shortest paths, optimization, ways out --------------------------------------------

local hand = "panda_hand"

--- Where the hand is.
local function hand_at(values)
  local joints_ = {}
  for i, name in ipairs(names) do joints_[name] = values[i] end
  return arm():forward({ joints = joints_ }).links[hand]
end

--- Values at even shares of a path's steps.
local function each_place(path, count, see)
  for k = 2, #path do
    for step = 0, count do
      local values = {}
      for i = 1, 7 do values[i] = path[k - 1][i] + step / count * (path[k][i] - path[k - 1][i]) end
      see(values)
    end
  end
end

test("what a space keeps is kept on all of a path, and named where it is not", function(t)
  local geometry = require "brio.lib.geometry"
  local up = geometry.turn(geometry.inverse(hand_at(low)).orientation, { 0, 0, 1 })
  local here = space { keep = { { link = hand, axis = up, angle = 0.1, name = "cup" } } }
  local path, most = finish(assert(here:search { start = low, goals = { high } })), 0
  each_place(path, 8, function(values)
    local now = geometry.turn(hand_at(values).orientation, up)
    most = math.max(most, math.acos(math.min(1, now[3])))
  end)
  t:ok(most <= 0.1 + 1e-9 and most > 0.001, "tilted by %g rad", most)
  local tilted = { table.unpack(low) }
  tilted[6] = tilted[6] + 0.3
  t:equal({ here:kept(low) }, { true })
  t:equal({ here:kept(tilted) }, { false, "there: 'cup' is tilted by 0.300 rad, and 0.100 are kept" })
  t:equal(here:clear(tilted), false)
  local back = here:project(tilted)
  t:equal(here:kept(back), true)
  local _, why_not = here:search { start = low, goals = { tilted } }
  t:match(why_not, "the goal: 'cup' is tilted by 0.300 rad")
  for said, why in next, {
    [{ link = "nothing" }] = "keep: robot 'panda' has no link 'nothing'",
    [{ link = hand, axis = "w", angle = 1 }] = 'axis must be "x", "y", "z" or a vector',
    [{ link = hand, position = { { 1, 0 } } }] = "a coordinate from 1 to 0 has no room",
    [{ link = hand, turn = { { -1, 1 } } }] = "bounds of its turn are three ranges",
    [{ link = hand, tilt = 1 }] = "keep has no field 'tilt'",
  } do
    t:raises(function() space { keep = { said } } end, why)
  end
end)

test("a region is a goal, and draws of it are there", function(t)
  local there = hand_at(high)
  local region = { { link = hand, reference = { position = there.position }, position = { { -0.02, 0.02 },
    { -0.02, 0.02 }, { -0.02, 0.02 } } } }
  local here = space()
  local drawn, numbers = here:draw { region = region, count = 5, seed = 3 }
  t:equal(#drawn, 5)
  t:ok(numbers.draws >= 5 and numbers.draws <= 200)
  for _, values in ipairs(drawn) do
    for k = 1, 3 do t:near(hand_at(values).position[k], there.position[k], 0.02) end
    t:equal(here:clear(values), true)
  end
  local search = assert(here:search { start = low, goals = {}, region = region, drawn = 4 })
  local path = finish(search)
  t:ok(search:effort().goal >= 1 and search:effort().goal <= 4)
  for k = 1, 3 do t:near(hand_at(path[#path]).position[k], there.position[k], 0.02) end
end)

test("an optimal search only gets shorter, and shorter than a plain one", function(t)
  local here = space()
  local plain = assert(here:search { start = low, goals = { high } })
  finish(plain)
  local last = math.huge
  local search = assert(here:search { start = low, goals = { high }, optimal = true, checks = 15000 })
  while not search:over() do
    search:work(1000)
    local length = search:effort().length or math.huge
    t:ok(length <= last + 1e-9, "from %g to %g", last, length)
    last = length
  end
  t:ok(last < plain:effort().length, "%g, plain %g", last, plain:effort().length)
  t:ok(search:effort().improvements > 0)
end)

test("an optimized path is clear and keeps its ends; what cannot be is named", function(t)
  local here, path = space(), through()
  for k, point in ipairs(path) do point[4] = point[4] - 0.15 * math.sin(math.pi * (k - 1) / 29) end
  local work = assert(here:optimize(path))
  local found
  repeat found = work:work(100) until found ~= nil
  t:equal(found, true)
  local made = work:path()
  for k = 2, #made do t:equal(here:motion(made[k - 1], made[k]), true) end
  t:equal({ made[1], made[30] }, { path[1], path[30] })
  t:equal(work:report().blocked, 0)
  t:ok(work:report().length > work:report().before)
  local inside = { 0, 0.6, 0, -1.9, 0, 2.5, 0.8 }
  local none, why, code = here:optimize { low, inside, inside }
  t:equal({ none, code }, { nil, "unreachable" })
  t:match(why, "the end collides: link '.*' is .* mm inside obstacle 1 'post'")
  t:raises(function() here:optimize({ low, high }) end, "a path to optimize has 3 to 2000 points, not 2")
end)

test("a way out of contact gets no deeper", function(t)
  local inside = { 0.11, 0.6, 0, -1.9, 0, 2.5, 0.8 }
  local here = space()
  local depth = here:nearest(inside).distance
  t:ok(depth < -0.001 and depth > -0.06, "%g m deep", depth)
  local out = here:out(inside, 0.005)
  t:ok(out and #out > 1, "there is a way out")
  t:equal(out[1], inside)
  each_place(out, 4, function(values)
    local now = here:nearest(values).distance
    t:ok(now >= depth - 0.0005, "%g m, of %g", now, depth)
    depth = math.max(depth, math.min(now, 0))
  end)
  t:ok(here:nearest(out[#out]).distance >= 0.005)
end)
