--- Faults on the real clock, judged by a robot in another process: what it was really told while scripts hang, files
--- break, disks fill, clocks jump, devices fail, and when the engine is gone for a while, or for good.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local test, files = harness.test, harness.files

test("armed, a robot is found where it is, and every frame can be reached in a period", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  device.wait_for_motion(t, robot)
  device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "a run")
  device.ends_at_rest(t, robot:frames(), "interrupted")
end)

test("its time is over in motion, and somebody has no patience: it comes to rest all the same", function(t)
  for _, times in ipairs { 0, 2, 5 } do
    local robot = device.start(t)
    local one = device.run(t, robot, "--for", times > 0 and 60 or 1.45)
    device.wait_for_motion(t, robot)
    for _ = 1, times do
      harness.signal(one.process, "INT")
      harness.sleep(0.03)
    end
    local code = harness.wait(one.process, 20)
    t:check(code == 0 or times > 2 and code == 130, "exit code %s", tostring(code)) -- 130: the last one came when all was over
    robot:finish()
    device.whole(t, one)
    t:equal(harness.sql(one.store, "select outcome from runs"), times > 0 and "stopped" or "finished", "outcome")
    device.no_leap(t, robot:frames(), "ended")
    device.ends_at_rest(t, robot:frames(), "ended")
  end
end)

test("on its way to the pose it rests in it can be stopped", function(t)
  local robot = device.start(t)
  files.write(robot.folder .. "/robot.lua", ([[return { name = "resting", model = "%s/drivers/robots/ur3e/model.urdf",
    default_acceleration = 8, poses = { folded = { joints = { shoulder_pan_joint = 3 } } }, shutdown = "folded" }]]):format(harness.root))
  local one = device.run(t, robot, "--robot", robot.folder)
  device.wait_for_motion(t, robot)
  harness.signal(one.process, "INT")
  t:check(device.wait_for(function()
    local frames = robot:frames()
    return (frames[#frames].goals[1] or 0) > 1.7
  end), "it does not go to rest")
  harness.signal(one.process, "INT")
  t:equal(harness.wait(one.process, 20), 0, "exit code")
  robot:finish()
  local frames = robot:frames()
  t:check(frames[#frames].goals[1] < 2.9, "it went on to %g", frames[#frames].goals[1])
  device.no_leap(t, frames, "stopped")
  device.ends_at_rest(t, frames, "stopped")
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
  t:equal(robot:frames()[1].watchdog, 0.5, "the watchdog that the first message arms, s")
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome is null"), "1", "runs that did not end")
  t:has(harness.brio("history", "--store", one.store).out, "kill")
end)

--- The places of the servos that an emulator says it has, degrees.
local function places(emulator, folder)
  local before = #harness.output_of(emulator)
  os.execute("echo status >" .. folder .. "/typed")
  local text = device.wait_for(function()
    local said = harness.output_of(emulator):sub(before + 1)
    return said:find "servo 6: at [^\n]*\n" and said
  end, 10) or ""
  local list = {}
  for place in text:gmatch "at ([%d.-]+) degrees" do list[#list + 1] = tonumber(place) end
  return list
end

test("SIGKILL with servos that speak Dynamixel's bytes: they come to rest where they were led", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", device.behavior)
  os.execute("mkfifo " .. folder .. "/typed")
  local emulator = harness.start(("sh -c 'exec %s emulate dynamixel --servos 6 --link %s/bus <>%s/typed'"):format(harness.program, folder, folder))
  t:check(device.wait_for(function() return harness.output_of(emulator):find "port:" end), "the emulator does not start")
  local run = harness.start_brio("run", folder .. "/made.lua", "--driver", "dynamixel", "--set", "port=" .. folder .. "/bus", "--arm",
    "--store", folder .. "/x.db", "--quiet")
  local last
  t:check(device.wait_for(function()
    local now = places(emulator, folder)
    local quick = last and now[3] and last[3] and math.abs(now[3] - last[3]) > 3
    last = now
    return quick
  end, 20), "nothing moves: %s", harness.output_of(run))
  harness.signal(run, "KILL")
  t:equal(harness.wait(run, 5), 137, "exit code")
  local killed = places(emulator, folder)
  harness.sleep(0.8)
  local rest = places(emulator, folder)
  harness.sleep(0.5)
  local still = places(emulator, folder)
  harness.signal(emulator, "KILL")
  harness.wait(emulator, 5)
  for i = 1, 6 do
    t:check(rest[i] == still[i], "servo %d still moves: %s, %s", i, rest[i], still[i])
    t:check(math.abs(rest[i] - killed[i]) < 15, "servo %d went on from %s to %s", i, killed[i], rest[i])
  end
  device.whole(t, { store = folder .. "/x.db" })
end)

--- Stop it for half a second.  Return how far from where it was found the first frame was after that.
local function stop_and_continue(t)
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
  local far = device.measure(table.move(frames, count + 1, count + 20, 1, {})).was
  if far < 0.03 then device.no_leap(t, table.move(frames, count + 1, #frames, 1, {}), "after") end
  return far
end

test("SIGSTOP and SIGCONT: a robot that sagged meanwhile is read, and led from where it is", function(t)
  local far = stop_and_continue(t)
  if far > 0.03 then far = stop_and_continue(t) end -- a frame that was under way when it was stopped goes out afterwards
  t:check(far < 0.03, "told to be %g rad from where it was found", far)
end)

-- Faults that the engine lives through ------------------------------------------------------------------

--- What the robot was told from `from` on moved by at least so much, rad.
local function moved(frames, from)
  local lowest, highest = math.huge, -math.huge
  for k = from, #frames do
    local goal = frames[k].goals[3]
    if goal then lowest, highest = math.min(lowest, goal), math.max(highest, goal) end
  end
  return highest > lowest and highest - lowest or 0
end

--- Run, do something to the run in motion, and look whether it `stops` or goes on; what it says and what the store tells
--- must have the sentence.  `act(one, robot)`; options: words, behavior, prepare(folder), says, tells (in the history).
local function endure(t, what, stops, options, act)
  local robot = device.start(t)
  if options.behavior then files.write(robot.folder .. "/made.lua", options.behavior) end
  if options.prepare then options.prepare(robot.folder) end
  local one = device.run(t, robot, table.unpack(options.words or {}))
  device.wait_for_motion(t, robot)
  act(one, robot)
  if options.says then -- it may rest before that for a moment, and go on once more
    local said = device.wait_for(function() return harness.output_of(one.process):find(options.says, 1, true) end)
    t:check(said, "%s: it does not say '%s' but %s", what, options.says, harness.output_of(one.process))
  end
  local good = device.wait_for(function() return (stops and device.rests or device.moves)(robot:frames()) end, 10)
  t:check(good, "%s: it %s", what, stops and "does not stop" or "does not go on")
  local count = #robot:frames()
  harness.sleep(1)
  local way = moved(robot:frames(), count)
  t:check((way < 2e-6) == stops, "%s: in the last second it was told to move by %g", what, way)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), what)
  device.ends_at_rest(t, robot:frames(), what)
  if options.says then t:has(text, options.says) end
  local story = harness.brio("history", "--store", one.store)
  t:code(story, 0)
  if options.says or options.tells then t:has(story.out, options.tells or options.says) end
  return one, text, robot
end

local function go(state)
  return function(one) device.say(one, "go " .. state) end
end

test("a loop without end in a script: the robot stops and holds", function(t)
  endure(t, "spinning", true, { says = "time budget" }, go "spinning")
end)

test("an error in every tick: the robot stops and holds", function(t)
  endure(t, "failing", true, { says = "on purpose" }, go "failing")
end)

--- What scripts may do to hang: each ends the behavior, and the robot stops and holds.
local bombs = {
  { "a pattern that tries everything", 'tick = function() return ("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(40) .. "b") end' },
  { "a pattern on a long text", 'tick = function() return ("x"):rep(200000):find(".-.-.-.-.-.-y") end' },
  { "a __gc without end", 'tick = function() setmetatable({}, { __gc = function() while true do end end }) collectgarbage() end' },
  { "a __close without end in a coroutine", [[tick = function()
    coroutine.wrap(function() local held <close> = setmetatable({}, { __close = function() while true do end end }) end)() end]] },
  { "a loop that swallows its end", "tick = function() while true do pcall(function() while true do end end) end end" },
  { "a text that fills the memory", 'tick = function() local s = "x" while true do s = s .. s end end' },
  { "a table that fills the memory", "tick = function() local t = {} while true do t[#t + 1] = {} end end" },
  { "a recursion without end", "tick = function() local function f() return 1 + f() end f() end" },
  { "a metamethod that asks itself", 'tick = function() local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) return t.a end' },
  { "coroutines without end", "tick = function() while true do coroutine.wrap(function() coroutine.yield() end)() end end" },
  { "a sort that never agrees", "tick = function() local t = {} for i = 1, 100000 do t[i] = i end while true do table.sort(t, function() return true end) end end" },
  { "an error that is none", "tick = function() error(setmetatable({}, { __tostring = function() while true do end end })) end" },
}

for _, bomb in ipairs(bombs) do
  local name, body = table.unpack(bomb)
  test(name .. ": the robot stops and holds, or goes on", function(t)
    local source = device.behavior:gsub("made.spinning = [^\n]*\n", function() return "made.spinning = { " .. body .. " }\n" end)
    local robot = device.start(t)
    files.write(robot.folder .. "/made.lua", source)
    local one = device.run(t, robot)
    device.wait_for_motion(t, robot)
    device.say(one, "go spinning")
    t:check(device.wait_for(function() return device.rests(robot:frames()) end, 10), "it does not stop")
    t:has(device.say(one, "motors").out, "armed")
    device.finish(t, one)
    robot:finish()
    device.no_leap(t, robot:frames(), name)
  end)
end

test("broken files while it moves: the old version goes on, each is said", function(t)
  local broken = { "return", "while", "return 7", "error 'x'", "while true do end", ("x"):rep(1 << 20), "\0\1\2", "",
    "local brio = require 'brio' return brio.behavior 'made' { robot = 'none', start = 'nowhere' }" }
  endure(t, "broken files", false, { says = "was not taken", tells = "warning in" }, function(one)
    for k, text in ipairs(broken) do
      files.write(one.file, text)
      local said = device.wait_for(function() return select(2, harness.output_of(one.process):gsub("was not taken", "")) >= k end, 30)
      t:check(said, "nothing is said of %q: %s", text:sub(1, 40), harness.output_of(one.process))
    end
    os.remove(one.file)
    os.execute("mkdir " .. one.file)
    harness.sleep(0.3)
  end)
end)

test("a pose that is no number, and one far beyond the limits: nothing leaves them", function(t)
  local source = device.behavior:gsub("made.left = [^\n]*\n", [[
made.left = { wants = { want.joint_match { joint = "elbow_joint", goal = function(self)
  local k = math.floor(self.now * 10) %% 4
  return k == 0 and -1e300 or k == 1 and 1e9 or k == 2 and 1 or self.now > 1.5 and 0 / 0 or 2 end } } }
]])
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", source)
  local one = device.run(t, robot)
  harness.sleep(2)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "NaN")
  t:has(text, "must be a finite number")
  for _, frame in ipairs(robot:frames()) do
    for i, goal in pairs(frame.goals) do t:check(math.abs(goal) <= (i == 3 and 3.1416 or 6.2832), "joint %d is told %g", i, goal) end
  end
end)

test("the wall clock jumps by hours, either way, all the time: nothing changes", function(t)
  local folder = t:folder()
  files.write(folder .. "/jump.c", [[
/* The wall clock as this process sees it: an hour ahead or behind, another one every 50 ms. */
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static int (*real)(clockid_t, struct timespec *);
int clock_gettime(clockid_t clock, struct timespec *t) {
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  struct timespec m;
  real(CLOCK_MONOTONIC, &m);
  int got = real(clock, t);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) t->tv_sec += 3600 * ((m.tv_nsec / 50000000 * 7) % 13 - 6);
  return got;
}
int gettimeofday(struct timeval *t, void *zone) {
  struct timespec s;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &s);
  return *t = (struct timeval){s.tv_sec, s.tv_nsec / 1000}, 0;
}
time_t time(time_t *out) {
  struct timespec s;
  clock_gettime(CLOCK_REALTIME, &s);
  if (out) *out = s.tv_sec;
  return s.tv_sec;
}
]])
  local built = harness.run { ("cc -shared -fPIC -D_GNU_SOURCE -o %s/jump.so %s/jump.c -ldl"):format(folder, folder) }
  t:code(built, 0)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = "env LD_PRELOAD=" .. folder .. "/jump.so" })
  device.wait_for_motion(t, robot)
  harness.sleep(2)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "clock")
  t:check(moved(robot:frames(), #robot:frames() // 2) > 0.3, "it moves")
  t:check(not text:find "error", "%s", text)
  local sampled, why = harness.number(one.store, "select max(t) - min(t) from samples")
  t:check((sampled or 0) > 1, "samples of %s s: %s", tostring(sampled), tostring(why))
end)

test("a full disk: the robot goes on, it is said, the store is whole, and is written again once there is room", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = "sh -c 'echo $$ >&2; ulimit -S -f 5000; exec \"$@\"' sh" }) -- blocks of 512 bytes
  t:check(device.wait_for(function() return harness.output_of(one.process):find "cannot be written" end), "it is not said")
  local count = #robot:frames()
  harness.sleep(1)
  t:check(moved(robot:frames(), count) > 0.3, "it goes on")
  local pid = harness.output_of(one.process):match "%d+"
  local room = harness.run { "prlimit --pid " .. pid .. " --fsize=unlimited" }
  if room.code == 0 then
    t:check(device.wait_for(function() return harness.output_of(one.process):find "is written again" end), "it is not said that it goes on")
  end
  harness.signal(one.process, "INT")
  local code, text = harness.wait(one.process, 20)
  robot:finish()
  t:check(code == 1 or room.code == 0 and code == 0 and text:find "nothing is missing", "exit code %d: %s", code, text)
  t:has(text, "the run store cannot be written")
  if room.code == 0 then
    t:equal(harness.sql(one.store, "select group_concat(severity, ' ') from (select severity from faults where source = 'store' order by id)"),
      "error warning", "faults of the store")
  end
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "full disk")
end)

test("a slow device is led as quickly as any, in longer steps", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, "--fault", "block 0.04 of all", { frames = 30 })
  harness.sleep(3)
  device.finish(t, one)
  robot:finish()
  local frames = robot:frames()
  t:check(moved(frames, #frames // 2) > 0.8, "it was led over %g rad only", moved(frames, #frames // 2))
  local made = device.measure(frames)
  t:check(made.step > 0.07 and made.beyond <= device.speed * 0.01, "steps of %g, %g beyond", made.step, made.beyond)
  t:check(made.was <= 0.03, "told to be %g from where it was found", made.was)
end)

test("ten times too much work for the processor, outside and in the script: no leap", function(t)
  local burners = {}
  local source = device.behavior:gsub("made.right = {", "made.right = { tick = function() local x = 0 for i = 1, 2e6 do x = x + i end end,")
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", source)
  local one = device.run(t, robot)
  for i = 1, 10 do burners[i] = harness.start "sh -c 'while :; do :; done'" end
  harness.sleep(2.5)
  for _, burner in ipairs(burners) do harness.signal(burner, "KILL") harness.wait(burner, 5) end
  device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "overload")
end)

harness.done()
