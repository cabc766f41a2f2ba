--- Balls whose color counts only in the hand.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

local function check(t, change)
  local data = t:world "check_in_hand_world.lua"
  if change then change(data) end
  local run = t:run("check_in_hand.lua", { rate = rate_of(t), world_data = data })
  for _ = 1, 240 do
    run:advance(0.5)
    if run.state ~= "checking" then break end
  end
  local right = 0
  for _, ball in ipairs(data.things) do
    if run.world:state(ball.id).on == (ball.color[1] > ball.color[3] and "red bin" or "blue bin") then
      right = right + 1
    end
  end
  return run, right
end

test("each ball lies in the bin of its color, also one that was knocked out of the hand", function(t)
  local run, right = check(t, function(data)
    data.events = { { at = 4.2, what = "put", id = "ball 2", to = { 0.40, -0.20 } } }
  end)
  t:equal({ run.state, right }, { "checked", 4 })
end)

test("balls that slip out of every grasp are left, in words, and nothing hangs", function(t)
  local run, right = check(t, function(data)
    for index, ball in ipairs(data.things) do ball.friction = index == 1 and 0.02 or 1 end
    data.things[3], data.things[4] = nil, nil
  end)
  t:equal({ run.state, right }, { "not_all", 1 })
  t:match(table.concat(t.said, "\n"), "left %d: it does not hold")
end)
