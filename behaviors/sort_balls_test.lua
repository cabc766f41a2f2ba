--- Sorting balls from an observer's view: the final positions, the duration, the speed of the hands, and the
--- reactions when a ball is taken, a hand is pushed, or nothing is seen.
local random = require "brio.random"

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

--- The world's data, modified by `change(data)`.
local function world(t, change)
  local data = t:world "sort_balls_world.lua"
  if change then change(data) end
  return data
end

--- Run until it is finished, up to a time limit. Return the run and the maximum speed of a hand, m/s.
local function sort(t, data, options)
  options = options or {}
  local rate = rate_of(t)
  local run = t:run("sort_balls.lua", { rate = rate, world_data = data, seed = options.seed,
    base = options.base,
    start = options.start })
  local fastest, before = 0, {}
  for _ = 1, 90 * rate do
    run:advance(1 / rate)
    if run.state ~= "sorting" and run.now > 2 / rate then break end
    for _, side in ipairs { "left", "right" } do
      local p, q = run.scene:frame(side .. "_palm").position, before[side]
      local far = q and math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2) or 0
      fastest = math.max(fastest, rate * far)
      before[side] = p
    end
  end
  return run, fastest
end

--- The number of balls in the bin of their color, and the number of all.
local function count(run, data)
  local right, there = 0, 0
  for _, ball in ipairs(data.things) do
    local color = ball.color[1] > ball.color[3] and "red bin" or "blue bin"
    local on = run.world:state(ball.id).on
    if on ~= "nowhere" then there = there + 1 end
    if on == color then right = right + 1 end
  end
  return right, there
end

test("six balls lie in the bins of their colors within 42 s, at a person's speed", function(t)
  local data = world(t)
  local run, fastest = sort(t, data)
  t:equal(run.state, "sorted")
  t:equal({ count(run, data) }, { 6, 6 })
  t:ok(run.now <= 42, "%.1f s", run.now)
  t:ok(fastest <= 1.5, "a hand at %.2f m/s", fastest)
  t:match(table.concat(t.said, "\n"), "sorted 6 balls")
end)

--- Disturbances, and the number of balls that are sorted at the end.
local disturbances = {
  { "a ball is taken away as the hand goes to it", 5, { at = 2.2, what = "take", id = "ball 1" } },
  { "a ball is taken out of the hand and put back", 6, { at = 3.6, what = "put", id = "ball 1", to = { 0.40,
    -0.25 } } },
  { "an arm is pushed away as it grasps", 6, { at = 2.5, what = "push", id = "right_elbow", by = 0.5,
    seconds = 1 } },
  { "no ball is seen for a while", 6, { at = 4.5, what = "blind", kind = "ball", seconds = 1.5 } },
  { "a ball is put elsewhere as the hand goes to it", 6,
    { at = 1.8, what = "put", id = "ball 1", to = { 0.45, -0.25 } } },
}

test("it goes on when a ball is taken or put elsewhere, an arm pushed, or nothing seen for a while",
  function(t)
  for index, said in ipairs(disturbances) do
    if index > 2 and not t:long() then break end
    local data = world(t, function(data) data.events = { said[3] } end)
    local run = sort(t, data)
    t:equal({ said[1], run.state, count(run, data) }, { said[1], "sorted", said[2], said[2] })
    run:close()
  end
end)

test("when nothing is seen it ends, and says why", function(t)
  local data = world(t, function(data) data.events = { { at = 0, what = "blind", seconds = 100 } } end)
  local run = sort(t, data)
  t:equal({ run.state, count(run, data) }, { "not_all", 0, 6 })
  t:match(table.concat(t.said, "\n"), "no 'red bin' is seen")
end)

--- Balls at random positions in the reach of their hand, not on each other; their friction, the robot's
--- position and its arms' poses vary.
local function varied(t, seed)
  local stream = random.stream(seed, "balls")
  local function draw(a, b) return stream:uniform(a, b) end
  local data, placed = world(t), {}
  for _, ball in ipairs(data.things) do
    local sign = ball.color[1] > ball.color[3] and -1 or 1
    repeat
      local x, y, free = draw(0.28, 0.45), sign * draw(0.05, 0.30), true
      for _, other in ipairs(placed) do free = free and (x - other[1]) ^ 2 + (y - other[2]) ^ 2 > 0.09 ^ 2 end
      ball.at = { x, y }
    until free
    placed[#placed + 1] = ball.at
    ball.friction, ball.radius = draw(0.5, 1), draw(0.032, 0.038)
  end
  local yaw = draw(-0.06, 0.06)
  local base = { position = { draw(-0.02, 0.02), draw(-0.02, 0.02), 0.905 },
    orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
  return data, { seed = seed, base = base,
    start = { right_elbow = draw(-0.9, -0.2), left_elbow = draw(-0.9, -0.2), neck_yaw = draw(-0.2, 0.2) } }
end

test("balls in a row, wherever they lie", function(t)
  local runs, good, slowest = t:long() and 34 or 1, 0, 0
  for seed = 1, runs do
    local data, options = varied(t, seed)
    local run = sort(t, data, options)
    local sorted = count(run, data)
    good, slowest = good + sorted, math.max(slowest, run.now)
    t:equal({ seed, run.state, sorted }, { seed, "sorted", 6 })
    run:close()
  end
  if t:long() then print(("# %d of %d balls, at most %.1f s for six"):format(good, 6 * runs, slowest)) end
end)
