--- Two benches: nine of nine balls, each in a bin of its color, also one that comes late.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

test("nine of nine balls are sorted at two benches", function(t)
  local data = t:world "two_stations_world.lua"
  local run = t:run("two_stations.lua", { rate = rate_of(t), world_data = data, watch = true })
  for _ = 1, 300 do
    run:advance(0.5)
    if run.state ~= "working" then break end
  end
  t:equal(run.state, "sorted")
  local sorted = 0
  for _, ball in ipairs(data.things) do
    local color = ball.color[1] > ball.color[3] and "red" or "blue"
    if run.world:state(ball.id).on:match("^" .. color .. " bin of the") then sorted = sorted + 1 end
  end
  t:equal(sorted, 9)
  local approaches = 0
  for _, one in ipairs(run:executions()) do
    if one.name == "it is near enough" and one.status == "success" then approaches = approaches + 1 end
  end
  t:equal(approaches, 3)
end)
