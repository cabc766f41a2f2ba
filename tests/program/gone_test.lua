--- What a robot in another process was told when the engine is gone for a while, or for good.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local test = harness.test

test("armed, a robot is found where it is, and every frame can be reached in a period", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  device.wait_for_motion(t, robot)
  device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "a run")
end)

test("SIGKILL in motion: the last frame is safe alone, and nothing comes after it", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  device.wait_for_motion(t, robot)
  harness.signal(one.process, "KILL")
  t:equal(harness.wait(one.process, 5), 137, "exit code")
  local count = #robot:frames()
  harness.sleep(0.3)
  t:equal(#robot:frames(), count, "frames")
  robot:finish()
  device.no_leap(t, robot:frames(), "killed")
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome is null"), "1", "runs that did not end")
  t:has(harness.brio("history", "--store", one.store).out, "kill")
end)

test("SIGSTOP and SIGCONT: a robot that sagged meanwhile is read, and led from where it is", function(t)
  local robot = device.start(t, { sag = -0.3 })
  local one = device.run(t, robot)
  device.wait_for_motion(t, robot)
  harness.signal(one.process, "STOP")
  harness.sleep(0.5)
  local count = #robot:frames()
  harness.signal(one.process, "CONT")
  device.wait_for(function() return device.moves(robot:frames()) end)
  local text = device.finish(t, one)
  robot:finish()
  t:has(text, "the motor thread did not run for")
  local frames = robot:frames()
  device.no_leap(t, table.move(frames, 1, count, 1, {}), "before")
  device.no_leap(t, table.move(frames, count + 2, #frames, 1, {}), "after")
  local first = frames[count + 1]
  for i, goal in pairs(first.goals) do t:check(math.abs(goal - first.places[i]) < 0.03, "told %g, it is at %g", goal, first.places[i]) end
end)

harness.done()
