--- Drivers from outside: `brio drivers`, and one in a shared object that declares that it moves something
--- real: disarmed until a person arms it, found where it is, locked against a second engine, brought to rest.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

--- Appends each goal of the elbow to the file $TOLD, a line each; reports the elbow at 0.5.
local source = [[
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "drivers/driver.h"

typedef struct wire { int count; FILE *out; double at[32]; } wire;

static void *open_wire(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context, brio_error *err) {
  (void)axes, (void)settings, (void)seed, (void)context;
  wire *w = calloc(1, sizeof *w);
  if (!w || !getenv("TOLD")) return (void)brio_fail(err, BRIO_DEVICE, "no wire"), free(w), NULL;
  w->out = fopen(getenv("TOLD"), "a");
  w->count = count;
  w->at[2] = 0.5;
  return w;
}

static bool write_wire(void *device, const double *targets, brio_error *err) {
  wire *w = device;
  (void)err;
  for (int i = 0; i < w->count; i++) if (!isnan(targets[i])) w->at[i] = targets[i];
  fprintf(w->out, "%.9f\n", targets[2]);
  fflush(w->out);
  return true;
}

static bool read_wire(void *device, brio_axis_state *states, brio_error *err) {
  wire *w = device;
  (void)err;
  for (int i = 0; i < w->count; i++) states[i] = (brio_axis_state){.position = w->at[i], .valid = true};
  return true;
}

static void close_wire(void *device) { fclose(((wire *)device)->out); free(device); }

static const brio_driver_kind kind = {.name = "wire", .doc = "A file.", .open = open_wire, .write = write_wire,
                                      .read = read_wire, .close = close_wire};
const brio_driver_plugin brio_driver = {BRIO_DRIVER_VERSION, sizeof(brio_driver_kind), &kind};
]]

local behavior = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "ur3e", start = "reach" }
made.reach = { wants = { want.joint_match { joint = "elbow_joint", goal = 1.2 } } }
return made
]]

local built -- the driver's file, once it is built

local function build(t)
  local folder = files.temporary()
  files.write(folder .. "/wire.c", source)
  local run = harness.run { ("cc -shared -fPIC -std=c11 -I%s/engine -I%s -o %s/wire.so %s/wire.c"):format(
    files.quote(harness.root), files.quote(harness.root), folder, folder) }
  if run.code == 127 then t:skip "there is no compiler" end
  if t:code(run, 0) then built = folder .. "/wire.so" end
end

--- A folder with the driver and the behavior.
local function place(t)
  if not built then build(t) end
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/wire.so", files.read(built))
  return folder
end

local function words(folder, ...)
  return table.concat({ ("env TOLD=%s/told.txt %s run %s/made.lua --driver %s/wire.so --store %s/x.db \z
    --quiet"):format(folder,
    files.quote(harness.program), folder, folder, folder), ... }, " ")
end

--- The goals of the elbow, in order; NaN is left out and counted.
local function told(folder)
  local list, left_alone = {}, 0
  for line in (files.read(folder .. "/told.txt") or ""):gmatch "[^\n]+" do
    local value = tonumber(line)
    if value then list[#list + 1] = value else left_alone = left_alone + 1 end
  end
  return list, left_alone
end

test("brio drivers lists them, with settings and faults", function(t)
  local run = harness.brio "drivers"
  t:code(run, 0)
  t:has(run.out, "simulator")
  t:has(run.out, "backlash")
  t:has(run.out, "drop 2% of neck")
  t:check(harness.is_json(harness.brio("drivers", "--json").out), "JSON")
  t:has(harness.brio("drivers", "sim").out, "It may have inputs besides its axes.")
  t:has(harness.brio("drivers", "sim").out, "Its motors may control their torque (control).")
  local folder = place(t)
  local object = harness.brio("drivers", folder .. "/wire.so")
  t:code(object, 0)
  t:has(object.out, "wire         A file.")
  local wrong = harness.brio("drivers", "simulater")
  t:code(wrong, 2)
  t:has(wrong.text, "did you mean 'simulator'?")
end)

--- Run until `enough(goals of the elbow, number of NaN)`; end it.
local function run_until(t, folder, options, what, enough)
  local process = harness.start(words(folder, options))
  harness.await(what, function() return harness.has_ended(process) or enough(told(folder)) end,
    { seen = function() return harness.output_of(process) end })
  harness.signal(process, "INT")
  local code, text = harness.wait(process)
  t:check(code == 0, "exit code %s: %s", tostring(code), text)
  return told(folder)
end

test("a real device is told nothing until somebody arms it", function(t)
  local folder = place(t)
  local list, left_alone = run_until(t, folder, "", "a device that is spoken with", function(_, count)
    return count > 300
  end)
  t:equal(#list, 0, "targets")
  t:check(left_alone > 100, "it was spoken with %d times", left_alone)
end)

test("that the motors are disarmed is in the log, the status, the history and the answers", function(t)
  local folder = place(t)
  local run = { socket = folder .. "/x.sock" }
  local command = words(folder, "--socket " .. run.socket):gsub(" %-%-quiet", "")
  run.process = harness.start(command)
  harness.listening(run)
  harness.await_answer(run, "state", "the motors are disarmed, so nothing moves: `arm` arms them")
  harness.await_answer(run, "status", "disarmed")
  harness.await_output(run.process, "DISARMED  sees")
  harness.await_output(run.process, "~warning: the motors are disarmed: [^\n]+ NOTHING MOVES until somebody \z
    arms them")
  t:code(harness.say(run, "arm"), 0)
  harness.await_answer(run, "state", "~^reach, for [^\n]*\n$")
  t:code(harness.say(run, "stop\nstop"), 0)
  local _, text = harness.wait(run.process)
  t:check(not text:find("all the time", 1, true), "it was armed: %s", text)
  local short = harness.run { (words(folder, "--for 0.2")) }
  t:has(short.err, "the motors were disarmed all the time: nothing was moved")
  t:has(harness.brio("history", "--run", "last", "--store", folder .. "/x.db").out,
    "~event disarmed: [^\n]*NOTHING MOVES")
  local armed = harness.run { (words(folder, "--for 0.2 --arm")) }
  t:check(not armed.text:find "disarmed", "armed, nothing is said: %s", armed.text)
end)

--- The greatest step of a goal, rad: the greatest speed is 3.15 rad/s, and 20 missed periods of 1 ms are made
--- up at most.
local farthest = 3.15 * 0.021

test("armed, it begins where it is and moves within its limits", function(t)
  local folder = place(t)
  local list = run_until(t, folder, "--arm", "the elbow beyond 0.9", function(targets)
    return #targets > 500 and targets[#targets] > 0.9
  end)
  t:check(#list > 500 and math.abs(list[1] - 0.5) < 1e-3, "begins at %s", tostring(list[1]))
  local jump = 0
  for i = 2, #list do jump = math.max(jump, math.abs(list[i] - list[i - 1])) end
  t:check(jump <= farthest, "a jump of %g", jump)
end)

test("at the end it goes to rest where the robot's file says", function(t)
  local folder = place(t)
  files.write(folder .. "/robot.lua",
    ([[return { name = "resting", model = "%s/drivers/robots/ur3e/model.urdf", default_acceleration = 8,
    poses = { folded = { joints = { elbow_joint = 0.2 } } }, shutdown = "folded" }]]):format(harness.root))
  local run = harness.run { words(folder, "--for 1 --arm --robot " .. folder) }
  t:code(run, 0)
  local list = told(folder)
  t:check(#list > 0 and math.abs(list[#list] - 0.2) < 2e-3, "it ends at %s:\n%s", tostring(list[#list]),
    run.text)
end)

test("an engine that is killed leaves a target that is reached within a period", function(t)
  local folder = place(t)
  local process = harness.start(words(folder, "--arm"))
  harness.await("more than 300 targets", function() return #told(folder) > 300 end,
    { seen = function() return harness.output_of(process) end })
  harness.signal(process, "KILL")
  t:equal(harness.wait(process), 137, "exit code")
  local list = told(folder)
  t:check(#list > 300, "%d targets", #list)
  local last = math.abs(list[#list] - list[#list - 1])
  t:check(last <= farthest, "the last target is %g from the one before", last)
end)

test("a second engine is kept off the same device", function(t)
  local folder = place(t)
  local first = harness.start(words(folder, "--arm"))
  harness.await("a driver that is told", function() return #told(folder) > 0 end,
    { seen = function() return harness.output_of(first) end })
  local second = harness.run { words(folder, "--for 1"):gsub("x%.db", "y.db") }
  t:check(second.code ~= 0, "exit code %s", tostring(second.code))
  t:has(second.text, "is driven by another engine")
  harness.signal(first, "INT")
  harness.wait(first)
  t:code(harness.run { words(folder, "--for 0.3") }, 0)
end)

--- What the kernel does to files of other users in /tmp and /run/lock (fs.protected_regular): opening one
--- with O_CREAT is refused, to root, too.
local guard = [[
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
int open(const char *path, int flags, ...) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  bool mine = strstr(path, "/brio-wire-") && (flags & O_CREAT) && access(path, F_OK) == 0;
  if (!mine) return real(path, flags, mode);
  errno = flags & O_EXCL ? EEXIST : EACCES;
  return -1;
}
]]

test("the lock that another user's engine left behind is taken", function(t)
  local folder = place(t)
  files.write(folder .. "/guard.c", guard)
  t:code(harness.run { ("cc -shared -fPIC -D_GNU_SOURCE -o %s/guard.so %s/guard.c -ldl"):format(folder,
    folder) }, 0)
  t:code(harness.run { words(folder, "--for 0.3") }, 0)
  local guarded = words(folder, "--for 0.3"):gsub("^env", "env LD_PRELOAD=" .. folder .. "/guard.so")
  local run = harness.run { guarded }
  t:check(run.code == 0, "%s", run.text)
end)

test("a driver with more texts than there is room for is refused", function(t)
  local folder = place(t)
  local rows = ("{\"a\", \"A text.\", \"\"}, "):rep(9)
  files.write(folder .. "/many.c", (source:gsub("static const brio_driver_kind kind = {",
    "static const brio_driver_text texts[] = {" .. rows .. "{0}};\n%0.texts = texts, ")))
  t:code(harness.run { ("cc -shared -fPIC -std=c11 -I%s/engine -I%s -o %s/many.so %s/many.c"):format(
    files.quote(harness.root), files.quote(harness.root), folder, folder) }, 0)
  local run = harness.run { (words(folder, "--for 0.3"):gsub("wire%.so", "many.so")) }
  t:check(run.code ~= 0, "exit code")
  t:has(run.text, "has 0 settings and 9 texts; 64 and 8 are the most")
end)

test("a file that is no driver is refused with the reason", function(t)
  local folder = place(t)
  files.write(folder .. "/none.c", "int x;")
  harness.run { ("cc -shared -fPIC -o %s/none.so %s/none.c"):format(folder, folder) }
  for _, case in ipairs { { folder .. "/none.so", "no brio_driver:" },
      { folder .. "/absent.so", "can be loaded" } } do
    local run = harness.brio("run", folder .. "/made.lua", "--driver", case[1], "--store", "none", "--for", 1)
    t:check(run.code ~= 0, "exit code")
    t:has(run.text, case[2])
  end
end)

harness.done()
