--- Faults on the real clock, judged by a robot in another process: the commands that it gets while disks
--- fill, clocks jump, devices are slow, and when the engine is gone for a while, or for good.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local device = require "device"
local injections = require "injections"
local uv = require "luv"
local test, files = harness.test, harness.files

test("armed, a robot is found where it is, and every frame can be reached in a period", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  device.await_motion(robot)
  device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "a run")
  device.ends_at_rest(t, robot:frames(), "interrupted")
end)

--- End a run in motion: after `seconds`, or by `times` signals.  Return whether it moved.
local function end_in_motion(t, times, seconds)
  local robot = device.start(t)
  local one = device.run(t, robot, "--for", seconds)
  if times > 0 then device.await_motion(robot) end
  for _ = 1, times do
    harness.signal(one.process, "INT")
    harness.sleep(0.03) -- between two presses of a key
  end
  local code = harness.wait(one.process)
  -- 130: a later one arrived after the end
  t:check(code == 0 or times > 1 and code == 130, "exit code %s", tostring(code))
  robot:finish()
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select outcome from runs"), times > 0 and "stopped" or "finished",
    "outcome")
  device.no_leap(t, robot:frames(), "ended")
  device.ends_at_rest(t, robot:frames(), "ended")
  return device.moved(robot:frames(), 1) > 0.01
end

test("its time is over in motion, and somebody has no patience: it comes to rest all the same", function(t)
  -- A stall of the machine may use up all of a short time before the robot moves.
  t:check(end_in_motion(t, 0, 1.05) or end_in_motion(t, 0, 3.05) or end_in_motion(t, 0, 20.05), "it moved")
  for _, times in ipairs { 2, 5 } do t:check(end_in_motion(t, times, 600), "it moved") end
end)

--- A run whose robot turns by 3 rad to its rest pose, at this speed, rad/s.
local function run_to_rest(t, robot, speed)
  files.write(robot.folder .. "/robot.lua",
    ([[return { name = "resting", model = "%s/drivers/robots/ur3e/model.urdf",
    default_acceleration = 8, velocity = { shoulder_pan_joint = %g }, poses = { folded = { joints = { shoulder_pan_joint = 3 } } }, shutdown = "folded" }]])
    :format(harness.root, speed))
  return device.run(t, robot, "--robot", robot.folder)
end

test("the way to the pose it rests in is gone to its end, however long it takes", function(t)
  local robot = device.start(t)
  local one = run_to_rest(t, robot, 3)
  device.await_motion(robot)
  harness.signal(one.process, "INT")
  local code, said = harness.wait(one.process)
  t:equal(code, 0, "exit code")
  robot:finish()
  local frames, goal = robot:frames(), nil
  for _, frame in ipairs(frames) do goal = frame.goals[1] or goal end -- at the end it may get no command
  -- A stall of the machine may stop it on its way, with a report.
  local stopped = said:find("in which it is to rest: it", 1, true)
  t:check(stopped or math.abs(goal - 3) < 0.01, "it went to %g: %s", goal, said)
  device.ends_at_rest(t, frames, "rested")
end)

test("on its way to the pose it rests in it can be stopped", function(t)
  local robot = device.start(t)
  local one = run_to_rest(t, robot, 0.6) -- the rest of the way takes seconds, also on a busy machine
  device.await_motion(robot)
  harness.signal(one.process, "INT")
  device.await(robot, "the way to rest", function()
    local frames = robot:frames()
    return (frames[#frames].goals[1] or 0) > 1.7
  end)
  harness.signal(one.process, "INT")
  t:equal(harness.wait(one.process), 0, "exit code")
  robot:finish()
  local frames = robot:frames()
  t:check(frames[#frames].goals[1] < 2.9, "it went on to %g", frames[#frames].goals[1])
  device.no_leap(t, frames, "stopped")
  device.ends_at_rest(t, frames, "stopped")
end)

test("SIGKILL in motion: the last frame is safe alone, and nothing comes after it", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot)
  device.await_motion(robot)
  harness.signal(one.process, "KILL")
  t:equal(harness.wait(one.process), 137, "exit code")
  local seconds, microseconds = uv.gettimeofday()
  harness.sleep(0.3) -- nothing is sent meanwhile
  robot:finish()
  local last = robot:frames()[#robot:frames()]
  t:check(last.at <= seconds + microseconds * 1e-6, "a frame came %g s after the end",
    last.at - seconds - microseconds * 1e-6)
  device.no_leap(t, robot:frames(), "killed")
  t:equal(robot:frames()[1].watchdog, 0.5, "the watchdog that the first message arms, s")
  device.whole(t, one)
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome is null"), "1",
    "runs that did not end")
  t:has(harness.brio("history", "--store", one.store).out, "kill")
end)

--- The positions of the servos that an emulator reports, degrees.
local function places(emulator, folder)
  local before = #harness.output_of(emulator)
  os.execute("echo status >" .. folder .. "/typed")
  local text = harness.await("the places of six servos", function()
    local said = harness.output_of(emulator):sub(before + 1)
    return said:find "servo 6: at [^\n]*\n" and said
  end, { seen = function() return harness.output_of(emulator) end })
  local list = {}
  for place in text:gmatch "at ([%d.-]+) degrees" do list[#list + 1] = tonumber(place) end
  return list
end

--- Wait until the servos of an emulator rest; return their positions, degrees.
local function places_at_rest(emulator, folder)
  local last, now
  harness.await("servos at rest", function()
    harness.sleep(0.2) -- a servo that is led moves meanwhile
    last, now = now, places(emulator, folder)
    return last and table.concat(last, " ") == table.concat(now, " ")
  end, { seen = function() return table.concat(now, " ") end })
  return now
end

test("SIGKILL with servos that speak Dynamixel's bytes: they come to rest where they were led", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.lua", device.behavior)
  os.execute("mkfifo " .. folder .. "/typed")
  local emulator = harness.start(("sh -c 'exec %s emulate dynamixel --servos 6 --link %s/bus \z
    <>%s/typed'"):format(
    harness.program, folder, folder))
  harness.await_output(emulator, "port:")
  local socket = folder .. "/socket"
  local run = harness.start_brio("run", folder .. "/made.lua", "--driver", "dynamixel", "--socket", socket,
    "--set", "port=" .. folder .. "/bus", "--arm", "--store", folder .. "/x.db", "--quiet")
  local first, held = places(emulator, folder), { process = run, socket = socket }
  harness.await("servos that move", function()
    emulated.release(held) -- of a machine that stalls
    return math.abs(places(emulator, folder)[3] - first[3]) > 3
  end, { seen = function() return harness.output_of(run) end,
      stop = function() return harness.has_ended(run) and "it ended" end })
  harness.signal(run, "KILL")
  t:equal(harness.wait(run), 137, "exit code")
  local killed = places(emulator, folder)
  local rest = places_at_rest(emulator, folder)
  harness.signal(emulator, "KILL")
  harness.wait(emulator)
  for i = 1, 6 do
    t:check(math.abs(rest[i] - killed[i]) < 15, "servo %d went on from %s to %s", i, killed[i], rest[i])
  end
  device.whole(t, { store = folder .. "/x.db" })
end)

test("SIGSTOP and SIGCONT: a robot that sagged meanwhile is read, and led from where it is", function(t)
  local robot = device.start(t, { sag = -0.3 })
  local one = device.run(t, robot)
  device.await_motion(robot)
  harness.signal(one.process, "STOP")
  harness.sleep(0.5) -- the fault: longer than a robot waits before it sags
  robot:catch_up()
  local count = #robot:frames()
  harness.signal(one.process, "CONT")
  device.await_said(robot, "the motor thread did not run for")
  device.await(robot, "motion", function()
    return #robot:frames() > count + 100 and device.moves(robot:frames())
  end)
  device.finish(t, one)
  robot:finish()
  local frames = robot:frames()
  device.no_leap(t, table.move(frames, 1, count, 1, {}), "before")
  -- One frame may have been on its way at the stop, and is sent afterwards; then there are no commands.
  local first = count + (next(frames[count + 1].goals) and 2 or 1)
  t:check(not next(frames[first].goals), "told something before the robot was read")
  device.no_leap(t, table.move(frames, first, #frames, 1, {}), "after")
end)

-- Faults that the engine lives through ------------------------------------------------------------------

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
  local built = harness.run { ("cc -shared -fPIC -D_GNU_SOURCE -o %s/jump.so %s/jump.c -ldl"):format(folder,
    folder) }
  t:code(built, 0)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = "env LD_PRELOAD=" .. folder .. "/jump.so" })
  device.await_motion(robot)
  local count = #robot:frames()
  device.more(robot, 1000)
  device.await_way(robot, count, 0.3)
  local text = device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "clock")
  t:check(not text:find "error", "%s", text)
  local sampled, why = harness.number(one.store, "select max(t) - min(t) from samples")
  t:check((sampled or 0) > 1, "samples of %s s: %s", tostring(sampled), tostring(why))
end)

test("a full disk: the robot goes on, it is said, the store is whole, and is written again once there \z
  is room", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, { before = injections.full_disk })
  device.await_said(robot, "cannot be written")
  local count = #robot:frames()
  device.await_way(robot, count, 0.3)
  local room = injections.make_room(one)
  if room then device.await_said(robot, "is written again") end
  harness.signal(one.process, "INT")
  local code, text = harness.wait(one.process)
  robot:finish()
  t:check(code == 1 or room and code == 0 and text:find "nothing is missing", "exit code %d: %s", code, text)
  t:has(text, "the run store cannot be written")
  if room then
    t:equal(harness.sql(one.store, "select group_concat(severity, ' ') from (select severity from faults \z
      where source = 'store' order by id)"), "error warning", "faults of the store")
  end
  device.whole(t, one)
  device.no_leap(t, robot:frames(), "full disk")
end)

test("a slow device is led as quickly as any, in longer steps", function(t)
  local robot = device.start(t)
  local one = device.run(t, robot, "--fault", "block 0.04 of all", { frames = 30 })
  -- It was led over at least this distance; on its way it must take the longer steps.
  device.await_way(robot, 30, 0.8)
  device.finish(t, one)
  robot:finish()
  local frames = robot:frames()
  local made = device.measure(frames)
  -- Usually 0.08 to 0.1, sometimes 0.02 with a quick device; on a busy machine less is left for speed.
  t:check(made.step > 0.03 and made.beyond <= device.speed * 0.01, "steps of %g, %g beyond", made.step,
    made.beyond)
  t:check(made.was <= 0.03, "told to be %g from where it was found", made.was)
end)

test("ten times too much work for the processor, outside and in the script: no leap", function(t)
  local source = device.behavior:gsub("made.right = {",
    "made.right = { tick = function() local x = 0 for i = 1, 2e6 do x = x + i end end,")
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", source)
  local one = device.run(t, robot)
  local calm = injections.burn(10)
  device.more(robot, harness.scale > 1 and 1500 or 400) -- a sample; make soak: all
  calm()
  device.finish(t, one)
  robot:finish()
  device.no_leap(t, robot:frames(), "overload")
end)

harness.done()
