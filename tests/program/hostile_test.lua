--- What nobody thought of: people, programs and machines that get in the way of a run, judged by a robot in another
--- process (device.lua): it is told nothing that it cannot follow, and the run goes on, stops or ends as it should.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local test, files = harness.test, harness.files

local function goes_on(t, robot, what)
  t:check(device.wait_for(function() return device.moves(robot:frames()) end, 10), "%s: it does not go on", what)
end

local function rests(t, robot, what)
  t:check(device.wait_for(function() return device.rests(robot:frames()) end, 10), "%s: it does not come to rest", what)
end

--- A run in motion.
local function moving(t, options, ...)
  options = options or {}
  local robot = device.start(t, options)
  for name, text in pairs(options.files or {}) do files.write(robot.folder .. "/" .. name, text) end
  local words = { ... }
  words[#words + 1] = options
  local one = device.run(t, robot, table.unpack(words))
  device.wait_for_motion(t, robot)
  return robot, one
end

local function over(t, robot, one, what)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), what)
  device.ends_at_rest(t, robot:frames(), what)
  return text
end

test("the store's file is removed while it is written", function(t)
  local robot, one = moving(t)
  os.execute("rm -f " .. one.store .. "*")
  t:check(device.wait_for(function() return harness.output_of(one.process):find "was removed or replaced" end), "it is not said")
  goes_on(t, robot, "removed")
  harness.signal(one.process, "INT")
  t:check(harness.wait(one.process, 20), "it does not end")
  robot:finish()
  device.no_leap(t, robot:frames(), "removed")
end)

test("somebody else locks the store for seconds", function(t)
  local robot, one = moving(t)
  local other = harness.start("sh -c '(echo \"BEGIN EXCLUSIVE;\"; sleep 4; echo \"COMMIT;\") | sqlite3 " .. one.store .. "'")
  harness.sleep(5)
  harness.wait(other, 5)
  goes_on(t, robot, "locked")
  over(t, robot, one, "locked")
  t:check((harness.number(one.store, "select count(*) from solves") or 0) > 900, "rows")
end)

test("the terminal hangs up", function(t)
  local robot, one = moving(t)
  harness.signal(one.process, "HUP")
  local code, text = harness.wait(one.process, 20)
  t:equal(code, 0, text)
  robot:finish()
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "hang-up")
end)

test("nobody reads what it says: a pipe that is full", function(t)
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", (device.behavior:gsub("after = { 0.6",
    "tick = function(self) for i = 1, 20 do self:log(('x'):rep(200)) end end, after = { 0.6")))
  files.write(robot.folder .. "/unread.sh", ([[sh -c 'echo $$ >%s/pid; exec "$@"' sh "$@" 2>&1 | sleep 4]]):format(robot.folder))
  local one = device.run(t, robot, { before = "sh " .. robot.folder .. "/unread.sh" })
  harness.sleep(2)
  goes_on(t, robot, "unread")
  one.process.pid = files.read(robot.folder .. "/pid"):match "%d+"
  harness.signal(one.process, "INT")
  t:check(harness.wait(one.process, 10), "it does not end")
  robot:finish()
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select outcome from runs"), "stopped", "outcome")
  device.no_leap(t, robot:frames(), "full pipe")
end)

test("standard input and output are closed", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = "sh -c 'exec \"$@\" <&- >&- 2>&-' sh" })
  goes_on(t, robot, "closed")
  harness.sleep(1)
  harness.signal(one.process, "INT")
  t:equal(harness.wait(one.process, 20), 0, "exit code")
  robot:finish()
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "closed")
end)

--- Run with a shell's limit, at several of its values: it does what it should, or says why it cannot, and nothing that
--- moves is left alone.
local function limited(t, command, values)
  for _, value in ipairs(values) do
    local robot = device.start(t)
    files.write(robot.folder .. "/made.lua", device.behavior)
    local ran = harness.run { ("%s; exec %s run %s/made.lua --driver json --set port=%s --store %s/x.db --for 1 --quiet --arm"):format(
      command:format(value), harness.program, robot.folder, robot.port, robot.folder), timeout = 30 }
    t:check(ran.code and ran.code <= 3, "at %d: exit code %s: %s", value, tostring(ran.code), ran.text)
    t:check(ran.code == 0 or #ran.text > 0, "at %d: nothing is said", value)
    robot:finish()
    local frames = robot:frames()
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
  t:code(harness.run(("ulimit -Sn 8; exec %s run --help"):format(harness.program)), 0) -- it raises what it may
end)

test("out of memory", function(t) limited(t, "ulimit -v %d", { 20000, 40000, 80000, 120000, 200000 }) end)

test("a panic at the very start, and many at once", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  for _ = 1, 300 do harness.signal(one.process, "USR1") end
  device.say(one, "panic\npanic")
  rests(t, robot, "panic")
  t:has(device.say(one, "motors").out, "held by panic")
  t:has(device.say(one, "release").out, "go on")
  goes_on(t, robot, "release")
  over(t, robot, one, "panics")
end)

test("disarmed and armed in motion", function(t)
  local robot, one = moving(t)
  for _ = 1, 4 do
    device.say(one, "disarm")
    harness.sleep(0.2)
    device.say(one, "arm")
    device.wait_for_motion(t, robot)
  end
  over(t, robot, one, "arm")
end)

test("a device that returns with its joints elsewhere", function(t)
  local robot, one = moving(t)
  harness.signal(robot.process, "KILL")
  harness.sleep(1)
  t:has(device.say(one, "motors").out, "fault")
  local again = device.start(t, { port = robot.port, from = { 0.5, -1, 0.2, -1, 0.3, 0.2 } })
  t:check(device.wait_for(function() return harness.output_of(one.process):find "answers again" end), "it does not return")
  device.say(one, "release")
  goes_on(t, again, "returned")
  local text = device.finish(t, one)
  again:finish()
  t:has(text, "answers again")
  device.no_leap(t, again:frames(), "returned")
end)

test("a panic while the device is gone, and a release", function(t)
  local robot, one = moving(t)
  harness.signal(robot.process, "STOP")
  device.say(one, "panic")
  device.say(one, "release")
  t:check(device.wait_for(function() return harness.output_of(one.process):find "does not answer" end), "it is not missed")
  harness.signal(robot.process, "CONT")
  t:check(device.wait_for(function() return harness.output_of(one.process):find "answers again" end), "it does not return")
  device.say(one, "release")
  goes_on(t, robot, "released")
  local text = device.finish(t, one)
  robot:finish()
  t:has(text, "panic stop")
  t:has(text, "does not answer")
end)

test("a flood of words at the prompt", function(t)
  local robot, one = moving(t)
  local floods = {}
  local line = ("state\nmotors\nwhere\n1 + 1\nfoo(\n"):rep(4000)
  files.write(robot.folder .. "/flood", line)
  for i = 1, 6 do floods[i] = harness.start(("sh -c 'exec %s attach %s <%s/flood'"):format(harness.program, one.socket, robot.folder)) end
  harness.sleep(2)
  local answer = device.say(one, "motors")
  t:check(answer.code == 0 and answer.seconds < 5, "answered after %g s", answer.seconds)
  goes_on(t, robot, "flood")
  for _, flood in ipairs(floods) do harness.signal(flood, "KILL") harness.wait(flood, 5) end
  over(t, robot, one, "flood")
end)

test("the robot's file: tighter limits, a folder in its place, and it is gone", function(t)
  local robot = device.start(t)
  local text = ([[return { name = "tight", model = "%s/drivers/robots/ur3e/model.urdf", default_acceleration = 8,
    acceleration = { wrist_1_joint = 16, wrist_2_joint = 16, wrist_3_joint = 16 },
    dofs = { { name = "shoulder_pan_joint" }, { name = "shoulder_lift_joint" }, { name = "elbow_joint", %%s },
      { name = "wrist_1_joint" }, { name = "wrist_2_joint" }, { name = "wrist_3_joint" } } }]]):format(harness.root)
  files.write(robot.folder .. "/robot.lua", text:format "")
  local one = device.run(t, robot, "--robot", robot.folder)
  device.wait_for_motion(t, robot)
  files.write(robot.folder .. "/robot.lua", text:format "lower = -1, upper = 0.6")
  harness.sleep(5)
  goes_on(t, robot, "tight")
  local most
  for _ = 1, 8 do -- a busy machine takes the file later
    local count = #robot:frames()
    harness.sleep(1)
    local frames = robot:frames()
    most = 0
    for k = count, #frames do most = math.max(most, frames[k].goals[3] or 0) end
    if most <= 0.6 + 1e-3 then break end
  end
  t:check(most <= 0.6 + 1e-3, "told %g", most)
  files.write(robot.folder .. "/robot.lua", text:format "lower = 2, upper = 1")
  harness.sleep(0.3)
  os.remove(robot.folder .. "/robot.lua")
  os.execute("mkdir " .. robot.folder .. "/robot.lua")
  harness.sleep(0.5)
  goes_on(t, robot, "gone")
  t:has(over(t, robot, one, "robot file"), "was not taken")
end)

test("everything it needs on disk is removed", function(t)
  local robot, one = moving(t)
  os.execute("rm -rf " .. robot.folder .. "/made.lua " .. robot.folder .. "/x.sock")
  harness.sleep(0.5)
  goes_on(t, robot, "removed")
  over(t, robot, one, "removed")
end)

test("files that never end, and pipes in their place", function(t)
  local robot, one = moving(t)
  for _, command in ipairs { "ln -sf /dev/zero", "ln -sf /dev/random", "ln -sf .", "mkfifo" } do
    os.execute(("rm -rf %s; %s %s"):format(one.file, command, one.file))
    harness.sleep(0.3)
  end
  os.execute(("rm -f %s; truncate -s 20G %s"):format(one.file, one.file))
  harness.sleep(0.5)
  goes_on(t, robot, "endless")
  local kilobytes = tonumber((files.output("ps -o rss= -p " .. one.process.pid):match "%d+")) or 0
  t:check(kilobytes < 200000, "%g kB", kilobytes)
  t:has(over(t, robot, one, "endless"), "was not taken")
end)

test("hundreds of connections to its socket that say nothing, or rubbish", function(t)
  local robot, one = moving(t)
  files.write(robot.folder .. "/crowd.lua", ([[
    local uv, many = require "luv", {}
    for i = 1, 400 do
      local pipe = uv.new_pipe()
      pipe:connect(%q, function(fault) if not fault and i %% 2 == 0 then pipe:write(("\\0\\255{"):rep(2000)) end end)
      many[i] = pipe
    end
    uv.new_timer():start(2500, 0, function() os.exit(0) end)
    uv.run()]]):format(one.socket))
  t:code(harness.brio("lua", robot.folder .. "/crowd.lua"), 0)
  goes_on(t, robot, "crowd")
  t:has(device.say(one, "motors").out, "armed")
  over(t, robot, one, "crowd")
end)

test("two runs that write into one store", function(t)
  local robot, one = moving(t)
  local other = device.start(t)
  local second = device.run(t, other, { store = one.store })
  harness.sleep(1)
  device.finish(t, { process = second.process, store = one.store })
  other:finish()
  goes_on(t, robot, "shared")
  over(t, robot, one, "shared")
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome = 'stopped'"), "2", "runs")
end)

test("states that change in every tick, and a log without end", function(t)
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", (device.behavior:gsub("after = { 0.6", "tick = function(self) for i = 1, 500 do self:log('line %%d', i) end end, after = { 0")))
  local one = device.run(t, robot)
  harness.sleep(2)
  local text = device.finish(t, one)
  robot:finish()
  t:has(text, "endless loop")
  device.no_leap(t, robot:frames(), "states")
end)

test("SIGINT, SIGTERM and SIGHUP together, and again", function(t)
  local robot, one = moving(t)
  for _, name in ipairs { "INT", "TERM", "HUP", "INT", "USR1" } do harness.signal(one.process, name) end
  local code, text = harness.wait(one.process, 20)
  robot:finish()
  t:equal(code, 0, text)
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "signals")
end)

test("a hog with a higher real-time priority", function(t)
  if harness.run { "chrt -f 1 true" }.code ~= 0 then t:skip "no real-time scheduling here" end
  local robot, one = moving(t)
  for _, seconds in ipairs { 0.05, 0.15, 0.6 } do
    harness.run { ("timeout %g chrt -f 90 sh -c 'while :; do :; done' & timeout %g chrt -f 90 sh -c 'while :; do :; done'; wait"):format(seconds, seconds) }
    harness.sleep(0.5)
  end
  goes_on(t, robot, "hog")
  t:has(over(t, robot, one, "hog"), "the motor thread did not run for")
end)

test("stopped and continued ten times in a second", function(t)
  local robot, one = moving(t, { sag = -0.05 })
  for _ = 1, 10 do
    harness.signal(one.process, "STOP")
    harness.sleep(0.05)
    harness.signal(one.process, "CONT")
    harness.sleep(0.05)
  end
  goes_on(t, robot, "stopped")
  over(t, robot, one, "stopped")
end)

harness.done()
