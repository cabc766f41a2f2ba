--- Back and forth through a door with a closer, from which a hand slips one time in ten.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 40 end

test("it goes through a door, turns around, and comes back", function(t)
  local run = t:run("repeat_door.lua", { rate = rate_of(t), with_world = true, seed = 4 })
  run.run.host.self.tune.times = 2
  local bump = 0
  for _ = 1, 80 * 20 do
    run:advance(0.05)
    bump = math.max(bump, select(2, run.run.world:bumped()) or 0)
    if run.state == "done" or run.state == "stuck" then break end
  end
  t:equal({ run.state, run.memory.opened, run.memory.failed }, { "done", 2, 0 }, run.memory.why[1])
  t:ok(bump < 0.03 and run.run.world:state "office".passed == 0, "the body was %.3f m deep in something",
    bump)
end)
