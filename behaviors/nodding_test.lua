-- The nod is added to the gaze, the robot waves as long as a hand is on its head, and the store has the
-- owners of the joints.
test("it looks at whoever comes and nods over that", function(t)
  local run = t:run("nodding.lua", { recorded = true })
  run:advance(1)
  t:equal(run.state, "alone")
  run:see { kind = "person", id = "ann", at = { 1.2, 0.5, 1.5 }, during = 12 }
  local lowest, highest = math.huge, -math.huge
  for _ = 1, 1600 do
    run:advance(0.005)
    lowest, highest = math.min(lowest, run:command "HeadPitch"), math.max(highest, run:command "HeadPitch")
  end
  t:equal(run.state, "listening")
  t:ok(run:command "HeadYaw" > 0.2, "it looks %.2f rad to the left", run:command "HeadYaw")
  t:ok(highest - lowest > 0.12, "the nods are %.3f rad", highest - lowest)
  t:ok(run.memory.nods >= 2, "%d nods", run.memory.nods)
  run:advance(8)
  t:equal(run.state, "alone")
  run:finish()
  local owned = run:sql "SELECT count(*) AS n, min(seconds) AS shortest FROM ownership WHERE dof \z
    = 'HeadPitch' AND owner = 'nod'"
  t:ok(owned[1].n >= 2 and owned[1].shortest > 1)
end)

test("it waves as long as its head is touched", function(t)
  local run = t:run "nodding.lua"
  run:see { kind = "person", id = "ann", at = { 1.2, 0, 1.5 }, during = 60 }
  run:advance(3)
  run:input("touch_head", true)
  run:advance(8)
  t:near(run:command "RShoulderPitch", -0.2, 0.1)
  run:input("touch_head", false)
  run:advance(4)
  t:ok(run:command "RShoulderPitch" > 1, "the arm is down again")
end)
