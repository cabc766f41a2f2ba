--- The arm reaches each of its keyframes, in order, in time.
test("the hand is where each keyframe wants it before the next one begins", function(t)
  local run = t:run "keyframes.lua"
  local expected = {
    { "over", { 0.50, -0.20, 0.45 }, 1.45 }, { "at", { 0.50, -0.20, 0.25 }, 1.5 },
    { "lifted", { 0.45, 0.00, 0.55 }, 1.5 }, { "shown", { 0.45, 0.25, 0.50 }, 2.0 },
  }
  for _, key in ipairs(expected) do
    run:advance(key[3])
    t:equal(run.state, key[1])
    t:near(run.solver:frames()["panda_hand"].position, key[2], 0.02, key[1])
  end
  run:advance(0.2)
  t:equal(run.state, "over")
  t:equal(run.memory.rounds, 1)
end)

test("it keeps clear of a post put in its way", function(t)
  local run = t:run "keyframes.lua"
  run:advance(1)
  run.solver:shape("post", { kind = "cylinder", size = { 0.03, 0, 0.6 }, pose = { position = { 0.62, 0.05, 0.3 } } })
  local nearest = math.huge
  for _ = 1, 130 do
    run:advance(0.1)
    for _, pair in ipairs(run.solver:proximity()) do nearest = math.min(nearest, pair.distance) end
  end
  t:ok(nearest > 0, "the nearest was %.4f m", nearest)
end)
