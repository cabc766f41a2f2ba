--- The robot tries to grasp only balls in reach.
test("what is in reach is collected, the rest is never gone for, and said", function(t)
  local data = t:world "reachable_balls_world.lua"
  local run = t:run("reachable_balls.lua", { world_data = data, watch = true })
  for _ = 1, 120 do
    run:advance(0.5)
    if run.state ~= "collecting" then break end
  end
  t:equal(run.state, "collected")
  local on = {}
  for index, ball in ipairs(data.things) do on[index] = run.world:state(ball.id).on end
  t:equal(on, { "right bin", "right bin", "bench", "left bin", "left bin", "bench" })
  t:match(table.concat(t.said, "\n"), "collected 4 balls; 2 are out of reach")
  for _, one in ipairs(run:executions()) do
    if one.name:match "goes over it" then
      t:equal(one.status, "success", "no hand goes where it cannot reach")
    end
  end
end)
