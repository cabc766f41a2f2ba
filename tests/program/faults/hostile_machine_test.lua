--- Unforeseen conditions: a machine, its files and its limits that disturb a run, judged by a robot in
--- another process (device.lua): it gets no command that it cannot follow, and the run goes on, stops or ends
--- as it should.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local injections = require "injections"
local test, files = harness.test, harness.files

test("the store's file is removed while it is written", function(t)
  local robot, one = device.moving(t)
  os.execute("rm -f " .. one.store .. "*")
  device.await_said(robot, "was removed or replaced")
  device.goes_on(robot, "removed")
  harness.signal(one.process, "INT")
  t:check(harness.wait(one.process), "it does not end")
  robot:finish()
  device.no_leap(t, robot:frames(), "removed")
end)

test("somebody else locks the store for seconds", function(t)
  local robot, one = device.moving(t)
  local free = injections.lock(one.store, robot.folder)
  local count = #robot:frames()
  harness.sleep(3) -- the fault: longer than the store waits for a lock, 2 s
  device.goes_on(robot, "locked")
  t:check(#robot:frames() > count, "frames while it was locked")
  free()
  device.over(t, robot, one, "locked")
  local ticks = harness.number(one.store, "select ticks from runs")
  t:check(ticks and ticks > 100, "ticks: %s", tostring(ticks))
  t:equal(harness.number(one.store, "select count(*) from solves"), ticks, "rows")
end)

--- Run under a resource limit of the shell, with several values at once: the run does its work, or reports
--- why it cannot, and never leaves a robot in motion.
local function limited(t, command, values)
  local list = {}
  for i, value in ipairs(values) do
    local robot = device.start(t)
    files.write(robot.folder .. "/made.lua", device.behavior)
    local words = ("exec %s run made.lua --driver json --set port=%s --store x.db --for 0.8 \z
      --quiet --arm"):format(
      harness.program, robot.port)
    local line = ("sh -c 'cd %s && %s && %s'"):format(robot.folder, command:format(value), words)
    list[i] = { robot = robot, value = value, process = harness.start(line) }
  end
  for _, one in ipairs(list) do
    local code, said = harness.wait(one.process)
    t:check(code and code <= 3, "at %d: exit code %s: %s", one.value, tostring(code), said)
    t:check(code == 0 or #said > 0, "at %d: nothing is said", one.value)
    one.robot:finish()
    local frames = one.robot:frames()
    if device.measure(frames).told > 50 then
      device.no_leap(t, frames, "limited")
      device.ends_at_rest(t, frames, "limited")
    end
  end
end

test("out of file descriptors", function(t) limited(t, "ulimit -n %d", { 65, 70, 80 }) end)

test("too few file descriptors: it says so, and does not begin", function(t)
  for _, count in ipairs { 8, 20, 60 } do
    local said = harness.run(("ulimit -n %d; exec %s run --help"):format(count, harness.program))
    t:code(said, 1)
    t:has(said.text, ("it may open %d files, and needs 64: raise the limit (ulimit -n)"):format(count))
  end
  -- it raises the limit as far as allowed
  t:code(harness.run(("ulimit -Sn 8; exec %s run --help"):format(harness.program)), 0)
end)

test("out of memory", function(t) limited(t, "ulimit -v %d", { 22000, 40000, 80000, 120000, 200000 }) end)

test("the robot's file: tighter limits, a folder in its place, and it is gone", function(t)
  local robot = device.start(t)
  local text = (
    [[return { name = "tight", model = "%s/drivers/robots/ur3e/model.urdf", default_acceleration = 8,
    acceleration = { wrist_1_joint = 16, wrist_2_joint = 16, wrist_3_joint = 16 },
    dofs = { { name = "shoulder_pan_joint" }, { name = "shoulder_lift_joint" }, { name = "elbow_joint", %%s },
      { name = "wrist_1_joint" }, { name = "wrist_2_joint" }, { name = "wrist_3_joint" } } }]])
    :format(harness.root)
  files.write(robot.folder .. "/robot.lua", text:format "")
  local one = device.run(t, robot, "--robot", robot.folder)
  device.await_motion(robot)
  files.write(robot.folder .. "/robot.lua", text:format "lower = -1, upper = 0.6")
  -- It swings to 1.4 rad and back in 1.2 s, close to its limits.
  local checked, beyond = 0, 0
  device.await(robot, "1300 frames in a row within the tighter limits", function()
    local frames = robot:frames()
    for k = checked + 1, #frames do
      if not frames[k].goals[3] or frames[k].goals[3] > 0.6 + 1e-3 then beyond = k end
    end
    checked = #frames
    return checked - beyond > 1300
  end)
  device.goes_on(robot, "tight")
  files.write(robot.folder .. "/robot.lua", text:format "lower = 2, upper = 1")
  device.await_said(robot, "was not taken")
  os.remove(robot.folder .. "/robot.lua")
  os.execute("mkdir " .. robot.folder .. "/robot.lua")
  device.more(robot, 500)
  device.goes_on(robot, "gone")
  t:has(device.over(t, robot, one, "robot file"), "was not taken")
end)

test("everything it needs on disk is removed", function(t)
  local robot, one = device.moving(t)
  os.execute("rm -rf " .. robot.folder .. "/made.lua " .. robot.folder .. "/x.sock")
  device.more(robot, 500)
  device.goes_on(robot, "removed")
  device.over(t, robot, one, "removed")
end)

test("files that never end, and pipes in their place", function(t)
  local robot, one = device.moving(t)
  local function replace(make)
    os.execute(("cd %s && %s && mv -Tf other made.lua"):format(robot.folder, make))
  end
  for k, make in ipairs { "ln -s /dev/zero other", "ln -s /dev/random other", "ln -s . other", "mkfifo other",
                          "truncate -s 20G other" } do
    replace(make)
    device.await_said(robot, "was not taken", k)
    if k < 5 then -- a good file in between: the same message is not repeated
      files.write(robot.folder .. "/other", device.behavior .. "-- " .. k .. "\n")
      replace "true"
      device.await_said(robot, "runs in place of", k)
    end
  end
  device.goes_on(robot, "endless")
  local kilobytes = tonumber((files.output("ps -o rss= -p " .. one.process.pid):match "%d+")) or 0
  t:check(kilobytes < 200000, "%g kB", kilobytes)
  t:has(device.over(t, robot, one, "endless"), "was not taken")
end)

test("two runs that write into one store", function(t)
  local robot, one = device.moving(t)
  local other = device.start(t)
  local second = device.run(t, other, { store = one.store })
  device.more(other, 300)
  device.finish(t, { process = second.process, store = one.store })
  other:finish()
  device.goes_on(robot, "shared")
  device.over(t, robot, one, "shared")
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome = 'stopped'"), "2", "runs")
end)

test("a hog with a higher real-time priority", function(t)
  if harness.run { "chrt -f 1 true" }.code ~= 0 then t:skip "no real-time scheduling here" end
  -- On one core that only the run uses, so that other programs go on.
  local core = (files.read "/proc/self/status"):match "Cpus_allowed_list:%s*(%d+)"
  local robot, one = device.moving(t, { before = "taskset -c " .. core })
  for _, seconds in ipairs { 0.05, 0.15, 0.6 } do -- the fault: a hog for so long
    harness.run { ("timeout %g taskset -c %s chrt -f 90 sh -c 'while :; do :; done'"):format(seconds, core) }
    device.goes_on(robot, "hog")
  end
  -- The hog may start between making and sending a frame, any number of times: each delays a whole step.
  t:has(device.over(t, robot, one, "hog", 0.0203), "the motor thread did not run for")
end)

test("stopped and continued ten times in a second", function(t)
  local robot, one = device.moving(t, { sag = -0.05 })
  for _ = 1, 10 do -- the fault: each is too short to count as a pause
    injections.standstill(one.process, 0.05)
    harness.sleep(0.05)
  end
  device.goes_on(robot, "stopped")
  device.over(t, robot, one, "stopped")
end)

harness.done()
