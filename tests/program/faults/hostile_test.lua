--- Unforeseen conditions: people and programs that disturb a run, judged by a robot in another process
--- (device.lua): it gets no command that it cannot follow, and the run goes on, stops or ends as it should.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local injections = require "injections"
local test, files = harness.test, harness.files

test("the terminal hangs up", function(t)
  local robot, one = device.moving(t)
  harness.signal(one.process, "HUP")
  local code, text = harness.wait(one.process)
  t:equal(code, 0, text)
  robot:finish()
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "hang-up")
end)

test("nobody reads what it says: a pipe that is full", function(t)
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", (device.behavior:gsub("after = { 0.6",
    "tick = function(self) for i = 1, 20 do self:log(('x'):rep(200)) end end, after = { 0.6")))
  os.execute("mkfifo " .. robot.folder .. "/unread")
  local nobody = harness.start(("sh -c 'exec sleep 100000 <>%s/unread'"):format(robot.folder))
  local before = ("sh -c 'exec \"$@\" >%s/unread 2>&1' sh"):format(robot.folder)
  local one = device.run(t, robot, { before = before })
  -- 4 kB in each tick: more than any pipe holds.
  harness.await_row(one.store, "select count(*) > 300 from solves")
  device.goes_on(robot, "unread")
  harness.signal(one.process, "INT")
  t:check(harness.wait(one.process), "it does not end")
  harness.signal(nobody, "KILL")
  robot:finish()
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select outcome from runs"), "stopped", "outcome")
  device.no_leap(t, robot:frames(), "full pipe")
end)

test("standard input and output are closed", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = "sh -c 'exec \"$@\" <&- >&- 2>&-' sh" })
  device.goes_on(robot, "closed")
  device.more(robot, 300)
  harness.signal(one.process, "INT")
  t:equal(harness.wait(one.process), 0, "exit code")
  robot:finish()
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "closed")
end)

test("a panic at the very start, and many at once", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  for _ = 1, 300 do harness.signal(one.process, "USR1") end
  device.say(one, "panic\npanic")
  device.await_rest(robot, "panic")
  t:has(device.say(one, "motors").out, "held by panic")
  t:has(device.release(one).out, "continue")
  device.goes_on(robot, "release")
  device.over(t, robot, one, "panics")
end)

test("disarmed and armed in motion", function(t)
  local robot, one = device.moving(t)
  for k = 1, 4 do
    device.say(one, "disarm")
    if k % 2 == 0 then -- else it may still be on its way to rest
      device.await(robot, "limp motors", function()
        local frames = robot:frames()
        return not next(frames[#frames].goals)
      end)
    end
    device.say(one, "arm")
    device.goes_on(robot, "armed")
  end
  device.over(t, robot, one, "arm")
end)

test("a device that returns with its joints elsewhere", function(t)
  local robot, one = device.moving(t)
  harness.signal(robot.process, "KILL")
  device.await_said(robot, "does not answer")
  t:has(device.say(one, "motors").out, "fault")
  local again = device.start(t, { port = robot.port, from = { 0.5, -1, 0.2, -1, 0.3, 0.2 } })
  again.one = one
  device.await_said(again, "answers again")
  device.release(one)
  device.await_motion(again, "returned")
  local text = device.finish(t, one)
  again:finish()
  t:has(text, "answers again")
  device.no_leap(t, again:frames(), "returned")
end)

test("a panic while the device is gone, and a release", function(t)
  local robot, one = device.moving(t)
  harness.signal(robot.process, "STOP")
  device.say(one, "panic")
  device.say(one, "release")
  device.await_said(robot, "does not answer")
  harness.signal(robot.process, "CONT")
  device.await_said(robot, "answers again")
  device.release(one)
  device.goes_on(robot, "released")
  local text = device.finish(t, one)
  robot:finish()
  t:has(text, "panic stop")
  t:has(text, "does not answer")
end)

test("a flood of words at the prompt", function(t)
  local robot, one = device.moving(t)
  local dry = injections.flood(one, robot.folder, 6, 20000)
  local answer = device.say(one, "motors")
  t:code(answer, 0)
  t:has(answer.out, "armed")
  device.goes_on(robot, "flood")
  dry()
  device.over(t, robot, one, "flood")
end)

test("hundreds of connections to its socket that say nothing, or rubbish", function(t)
  local robot, one = device.moving(t)
  local leave = injections.crowd(one, robot.folder, 400)
  device.goes_on(robot, "crowd")
  leave()
  t:has(device.say(one, "motors").out, "armed")
  device.over(t, robot, one, "crowd")
end)

test("states that change in every tick, and a log without end", function(t)
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", (device.behavior:gsub("after = { 0.6",
    "tick = function(self) for i = 1, 500 do self:log('line %%d', i) end end, after = { 0")))
  local one = device.run(t, robot)
  device.await_said(robot, "endless loop")
  device.more(robot, 300)
  local text = device.finish(t, one)
  robot:finish()
  t:has(text, "endless loop")
  device.no_leap(t, robot:frames(), "states")
end)

test("SIGINT, SIGTERM and SIGHUP together, and again", function(t)
  local robot, one = device.moving(t)
  -- The process is stopped meanwhile and gets them together, however long sending takes.
  for _, names in ipairs { { "STOP", "INT", "TERM", "HUP", "USR1", "CONT" }, { "INT" } } do
    for _, name in ipairs(names) do harness.signal(one.process, name) end
  end
  local code, text = harness.wait(one.process)
  robot:finish()
  -- 130: the last arrived after the end
  t:check(code == 0 or code == 130, "exit code %s: %s", tostring(code), text)
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "signals")
end)

harness.done()
