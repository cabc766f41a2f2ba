--- Three doors in a row: a lever, a knob on a door whose hinge is on the left, a push bar; two of them with
--- closers.

--- Ticks a second: make soak uses the default of 200.
local function rate_of(t) return t:long() and 200 or 40 end

test("it goes through all three, and all three are as doors should be", function(t)
  local run = t:run("three_doors.lua", { rate = rate_of(t), with_world = true })
  local bump = 0
  for _ = 1, 60 * 20 do
    run:advance(0.05)
    bump = math.max(bump, select(2, run.run.world:bumped()) or 0)
    if run.state == "outside" or run.state == "stuck" then break end
  end
  t:equal({ run.state, run.memory.through, run.memory.why }, { "outside", 3, "" })
  t:ok(run.now < 45, "%.1f s", run.now)
  for _, id in ipairs { "office", "store", "yard" } do
    local door = run.run.world:state(id)
    t:equal(door.passed, 0, id)
    t:ok(door.deepest < 0.02, "%s: %.3f m deep", id, door.deepest)
  end
  t:equal({ run.run.world:state("office").opened, run.run.world:state("yard").opened }, { 1, 1 })
  t:ok(bump < 0.02, "the body was %.3f m deep in something", bump)
  t:ok(run.scene:frame("walking").position[1] > 8.5, "it stands outside")
end)
