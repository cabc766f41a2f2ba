--- Drivers from outside: `brio drivers`, and one in a shared object that says it moves something real: disarmed
--- until somebody arms it, found where it is, kept from a second engine, taken to rest.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

--- Writes what the elbow is told to the file $TOLD, a line each time; is found with the elbow at 0.5.
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

--- A folder with the driver, built, and the behavior.
local function place(t)
  local folder = t:folder()
  files.write(folder .. "/wire.c", source)
  files.write(folder .. "/made.lua", behavior)
  local built = harness.run { ("cc -shared -fPIC -std=c11 -I%s/engine -I%s -o %s/wire.so %s/wire.c"):format(
    files.quote(harness.root), files.quote(harness.root), folder, folder) }
  if built.code == 127 then t:skip "there is no compiler" end
  t:code(built, 0)
  return folder
end

local function words(folder, ...)
  return table.concat({ ("env TOLD=%s/told.txt %s run %s/made.lua --driver %s/wire.so --store %s/x.db --quiet"):format(folder,
    files.quote(harness.program), folder, folder, folder), ... }, " ")
end

--- What the elbow was told, in order; NaN is left out and counted.
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
  local folder = place(t)
  local object = harness.brio("drivers", folder .. "/wire.so")
  t:code(object, 0)
  t:has(object.out, "wire         A file.")
  local wrong = harness.brio("drivers", "simulater")
  t:code(wrong, 2)
  t:has(wrong.text, "did you mean 'simulator'?")
end)

test("a real device is told nothing until somebody arms it", function(t)
  local folder = place(t)
  t:code(harness.run { words(folder, "--for 1"), timeout = 30 }, 0)
  local list, left_alone = told(folder)
  t:equal(#list, 0, "targets")
  t:check(left_alone > 100, "it was spoken with %d times", left_alone)
end)

test("armed, it begins where it is and moves within its limits", function(t)
  local folder = place(t)
  t:code(harness.run { words(folder, "--for 2 --arm"), timeout = 30 }, 0)
  local list = told(folder)
  t:check(#list > 500 and math.abs(list[1] - 0.5) < 1e-3, "begins at %s", tostring(list[1]))
  local jump = 0
  for i = 2, #list do jump = math.max(jump, math.abs(list[i] - list[i - 1])) end
  t:check(jump < 0.05, "a jump of %g", jump) -- 3.15 rad/s: 3 ms of motion a millisecond, more where some were missed
  t:check(list[#list] > 0.9, "it moved to %s", tostring(list[#list]))
end)

test("at the end it goes to rest where the robot's file says", function(t)
  local folder = place(t)
  files.write(folder .. "/robot.lua", ([[return { name = "resting", model = "%s/drivers/robots/ur3e/model.urdf", default_acceleration = 8,
    poses = { folded = { joints = { elbow_joint = 0.2 } } }, shutdown = "folded" }]]):format(harness.root))
  local run = harness.run { words(folder, "--for 1 --arm --robot " .. folder), timeout = 30 }
  t:code(run, 0)
  local list = told(folder)
  t:check(#list > 0 and math.abs(list[#list] - 0.2) < 2e-3, "it ends at %s:\n%s", tostring(list[#list]), run.text)
end)

test("an engine that is killed leaves a target that is reached within a period", function(t)
  local folder = place(t)
  local process = harness.start(words(folder, "--arm"))
  for _ = 1, 200 do
    harness.sleep(0.02)
    if #told(folder) > 300 then break end
  end
  harness.signal(process, "KILL")
  t:equal(harness.wait(process, 5), 137, "exit code")
  local list = told(folder)
  t:check(#list > 300, "%d targets", #list)
  local last = math.abs(list[#list] - list[#list - 1])
  t:check(last <= 3.15 * 0.021, "the last target is %g from the one before", last) -- 20 missed periods are made up at most
end)

test("a second engine is kept off the same device", function(t)
  local folder = place(t)
  local first = harness.start(words(folder, "--arm"))
  harness.ready(first, 0.5)
  local second = harness.run { words(folder, "--for 1"):gsub("x%.db", "y.db"), timeout = 30 }
  t:check(second.code ~= 0, "exit code %s", tostring(second.code))
  t:has(second.text, "is driven by another engine")
  harness.signal(first, "INT")
  harness.wait(first, 10)
  t:code(harness.run { words(folder, "--for 0.3"), timeout = 30 }, 0)
end)

test("a file that is no driver is refused with the reason", function(t)
  local folder = place(t)
  files.write(folder .. "/none.c", "int x;")
  harness.run { ("cc -shared -fPIC -o %s/none.so %s/none.c"):format(folder, folder) }
  for _, case in ipairs { { folder .. "/none.so", "no brio_driver:" }, { folder .. "/absent.so", "can be loaded" } } do
    local run = harness.brio("run", folder .. "/made.lua", "--driver", case[1], "--store", "none", "--for", 1)
    t:check(run.code ~= 0, "exit code")
    t:has(run.text, case[2])
  end
end)

harness.done()
