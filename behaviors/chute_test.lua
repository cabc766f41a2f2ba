--- A chute and a part for each color, repeatedly; carrying through the door is tested in `make soak`.

test("each color has its own ending, and it goes on", function(t)
  local run = t:run("chute.lua", { with_world = true, watch = true })
  local seen, danced = {}, false
  for _ = 1, t:long() and 1200 or 50 do
    run:advance(0.5)
    for _, id in ipairs { "red ball", "green ball", "blue ball" } do
      local on = run.world:pose(id) and run.world:state(id).on
      if on == "box" or on == "bin" then seen[id] = on end
    end
  end
  for _, one in ipairs(run:executions()) do
    danced = danced or one.name == "to and fro" and one.status == "success"
  end
  t:equal({ run.state, run.failed }, { "working", nil })
  t:equal(seen, { ["red ball"] = t:long() and "box" or nil, ["green ball"] = "bin", ["blue ball"] = "bin" })
  t:ok(danced, "it danced for the green one")
  local memory = run.memory
  if t:long() then
    print(("# in 600 s: %d red, %d green, %d blue"):format(memory.red, memory.green, memory.blue))
    t:ok(memory.red + memory.green + memory.blue >= 12, "of 15 balls in 600 s")
  else
    t:equal({ memory.red, memory.green, memory.blue }, { 0, 1, 1 })
  end
end)

test("when no ball comes any more it says so and stops", function(t)
  if not t:long() then t:skip "takes minutes of robot time: make soak runs it" end
  local world = t:world "chute_world.lua"
  world.things, world.events = {}, {}
  local run = t:run("chute.lua", { world_data = world })
  run:advance(400)
  t:equal(run.state, "stuck")
  t:equal(run.memory.failures, 5)
end)
