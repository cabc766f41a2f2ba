--- Scenes that an arm finds its way in: shelves, slots, cages, what is carried, an arm in front of the other
--- one.  Everything that moves is measured every few ticks by a solver that plans nothing (arm_runs.lua).
--- make test has the first of them, make soak all.
package.path = "tests/lua/ways/?.lua;" .. package.path

local runs = require "arm_runs"

local run_of, shape, box, finish = runs.run_of, runs.shape, runs.box, runs.finish

--- The text of a leaf that brings the hand to a point; `how`: further fields, else its orientation is free.
local function hand(x, y, z, how)
  return ("{ 'arm', name = '%g %g %g', pose = { position = { %g, %g, %g }%s }"):format(x, y, z, x, y, z,
    how or " }, orientation_tolerance = 4")
end

local down = ", orientation = { 1, 0, 0, 0 } }"

--- A tree of hands' places, in turn.
local function through(...)
  return "{ 'sequence', " .. table.concat({ ... }, ", ") .. " }"
end

--- A post of this thickness and height.
local function post(x, y, wide, high) return box({ wide, wide, high }, { x, y, high / 2 }) end

--- The tree for one side of the biped.
local function side(name, x, y, z)
  return hand(x, y, z, (" }, orientation_tolerance = 4, side = '%s', frame = 'world', plan = 'always'")
    :format(name))
end

--- Each scene: the shapes by name, and the tree; `fails`: the reason that is expected; `robot`: other than
--- the Panda.
local scenes = {
  { "a hand goes into a shelf, and from one board to the next",
    tree = through(hand(0.62, 0, 0.42), hand(0.62, 0.05, 0.72), hand(0.4, 0.4, 0.3)), shapes = {
      lower = box({ 0.4, 0.9, 0.02 }, { 0.7, 0, 0.28 }), middle = box({ 0.4, 0.9, 0.02 }, { 0.7, 0, 0.56 }),
      upper = box({ 0.4, 0.9, 0.02 }, { 0.7, 0, 0.88 }), left = box({ 0.4, 0.02, 0.9 }, { 0.7, 0.46, 0.45 }),
      right = box({ 0.4, 0.02, 0.9 }, { 0.7, -0.46, 0.45 }),
      back = box({ 0.02, 0.9, 0.9 }, { 0.91, 0, 0.45 }) } },
  { "a hand reaches through a slot in a wall",
    tree = through(hand(0.66, 0, 0.45), hand(0.3, 0.4, 0.5)), shapes = {
      left = box({ 0.04, 0.8, 1.4 }, { 0.45, 0.53, 0.6 }),
      right = box({ 0.04, 0.8, 1.4 }, { 0.45, -0.53, 0.6 }),
      lintel = box({ 0.04, 0.3, 0.5 }, { 0.45, 0, 0.95 }) } },
  { "a hand goes into a cage from above, and out of it",
    tree = through(hand(0.5, 0, 0.2, down), hand(0.3, -0.45, 0.25)), shapes = {
      front = box({ 0.02, 0.4, 0.35 }, { 0.3, 0, 0.175 }), back = box({ 0.02, 0.4, 0.35 }, { 0.7, 0, 0.175 }),
      left = box({ 0.42, 0.02, 0.35 }, { 0.5, 0.2, 0.175 }),
      right = box({ 0.42, 0.02, 0.35 }, { 0.5, -0.2, 0.175 }) } },
  { "a cup is kept upright around a bottle on a table",
    tree = through(hand(0.45, 0.3, 0.3, down), hand(0.45, -0.3, 0.3, down .. ", keep = 'upright'")),
    shapes = { table = box({ 0.8, 1.4, 0.04 }, { 0.65, 0, 0.02 }),
      bottle = box({ 0.08, 0.08, 0.5 }, { 0.45, 0, 0.29 }) } },
  { "a hand goes through a wood of posts",
    tree = through(hand(0.55, 0.3, 0.4), hand(0.55, -0.3, 0.4), hand(-0.3, 0.45, 0.5)), shapes = {
      one = post(0.4, 0, 0.04, 1.2), two = post(0.65, 0, 0.04, 1.2), three = post(0.35, 0.42, 0.04, 1.2),
      four = post(0.35, -0.42, 0.04, 1.2), five = post(0, 0.45, 0.04, 1.2),
      six = post(0, -0.45, 0.04, 1.2) } },
  { "a hand goes into a tunnel", tree = through(hand(0.66, 0, 0.4), hand(0.35, 0.35, 0.4)), shapes = {
    floor = box({ 0.4, 0.34, 0.02 }, { 0.7, 0, 0.22 }), roof = box({ 0.4, 0.34, 0.02 }, { 0.7, 0, 0.58 }),
    left = box({ 0.4, 0.02, 0.36 }, { 0.7, 0.17, 0.4 }),
    right = box({ 0.4, 0.02, 0.36 }, { 0.7, -0.17, 0.4 }) } },
  { "an arm turns between a table and a low roof",
    tree = through(hand(0.5, 0.35, 0.3), hand(0.5, -0.35, 0.3)), shapes = {
      table = box({ 0.8, 1.6, 0.04 }, { 0.7, 0, 0.1 }), roof = box({ 1.4, 1.6, 0.04 }, { 0.8, 0, 0.85 }),
      post = box({ 0.06, 0.06, 0.4 }, { 0.55, 0, 0.3 }) } },
  { "a hand goes behind a screen", tree = through(hand(0.35, 0, 0.5), hand(0.66, 0, 0.25)), shapes = {
    screen = box({ 0.02, 0.6, 0.45 }, { 0.5, 0, 0.225 }) } },
  { "a rod in the hand goes between two posts with it",
    tree = through(hand(0.5, 0.3, 0.5, down), hand(0.5, -0.3, 0.5, down)), shapes = {
      rod = { kind = "box", size = { 0.02, 0.3, 0.02 }, link = "panda_hand",
        pose = { position = { 0, 0, 0.11 } } },
      one = post(0.44, 0, 0.05, 0.9), two = post(0.8, 0, 0.05, 0.9) } },
  { "what is shut in is out of reach, and the reason says so", fails = "no way around %w+: all %d+ ways",
    tree = through(hand(0.5, 0, 0.25)), shapes = {
      front = box({ 0.02, 0.3, 0.3 }, { 0.35, 0, 0.25 }), back = box({ 0.02, 0.3, 0.3 }, { 0.65, 0, 0.25 }),
      left = box({ 0.3, 0.02, 0.3 }, { 0.5, 0.15, 0.25 }),
      right = box({ 0.3, 0.02, 0.3 }, { 0.5, -0.15, 0.25 }),
      lid = box({ 0.3, 0.3, 0.02 }, { 0.5, 0, 0.41 }), floor = box({ 0.3, 0.3, 0.02 }, { 0.5, 0, 0.09 }) } },
  { "an arm goes around the other one, which is in front of the body", robot = "biped",
    tree = through(side("left", 0.32, -0.12, 1.05), side("right", 0.3, 0.14, 1.12)), shapes = {} },
}

--- The least distance of two of the robot's own links as it moves, by its own solver's pairs, m.
local function watch_own_pairs(run, shapes, seen)
  for _, pair in ipairs(run.solver:proximity(0.02)) do
    if not shapes[pair.a] and not shapes[pair.b] then seen.least = math.min(seen.least, pair.distance) end
  end
end

local function judge(t, scene)
  local run, seen = run_of(t, scene.tree, { robot = scene.robot }), { least = 1 }
  for name, said in next, scene.shapes do shape(run, name, said) end
  local least = finish(run, 60, function() watch_own_pairs(run, scene.shapes, seen) end)
  t:ok(run.memory.ended, "%s: it has not ended", scene[1])
  if scene.fails then t:match(run.memory.why or scene[1] .. ": it got there", scene.fails)
  else t:equal({ scene[1], run.memory.why }, { scene[1] }) end
  for name, distance in next, least do
    -- What is in the hand may touch its fingers.
    t:ok(distance > 0.002 or scene.shapes[name].link, "%s: it kept %g m from %s", scene[1], distance, name)
  end
  t:ok(seen.least > 0.002, "%s: links come to %g m", scene[1], seen.least)
end

test("an arm finds its way in scenes", function(t)
  for index = 1, t:long() and #scenes or 1 do judge(t, scenes[index]) end
end)
