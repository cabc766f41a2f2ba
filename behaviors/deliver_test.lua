--- A ball is carried through a door: where it is in the end, and that nothing is hit on the way.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 50 end

test("the ball is in the box behind the door, and the door was opened with the other hand", function(t)
  local run = t:run("deliver.lua", { rate = rate_of(t), with_world = true })
  local bump = 0
  for _ = 1, 60 * 10 do
    run:advance(0.1)
    bump = math.max(bump, select(2, run.run.world:bumped()) or 0)
    if run.state == "delivered" or run.state == "stuck" then break end
  end
  t:equal({ run.state, run.memory.why }, { "delivered", "" })
  t:equal({ run.run.world:state("ball").on, run.run.world:state("ball").held_by }, { "box", "nobody" })
  local door = run.run.world:state "office"
  t:ok(door.opened == 1 and door.passed == 0 and door.deepest < 0.02, "opened %d times, %.3f m deep",
    door.opened, door.deepest)
  t:ok(bump < 0.03, "the body was %.3f m deep in something", bump)
end)
