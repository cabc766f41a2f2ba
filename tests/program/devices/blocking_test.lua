--- A foreign driver, in a shared object, that never returns from a call: the run starts and ends
--- nevertheless, reports the device, and the other device goes on.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files, uv = harness.test, harness.files, require "luv"

local source = [[
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "drivers/driver.h"
static struct { int count; double at[8]; } device;
static void maybe(const char *where) { if (strcmp(getenv("BLOCKS"), where) == 0) for (;;) sleep(100); }
static void *open_it(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context, brio_error *err) {
  (void)settings, (void)seed, (void)context, (void)err;
  maybe("open");
  for (int i = 0; i < count; i++) device.at[i] = axes[i].start;
  device.count = count;
  return &device;
}
static bool configure(void *self, const brio_driver_config *config, brio_error *err) { (void)self, (void)config, (void)err; maybe("configure"); return true; }
static bool write_it(void *self, const double *targets, brio_error *err) {
  (void)self, (void)err;
  for (int i = 0; i < device.count; i++) if (targets[i] == targets[i]) device.at[i] = targets[i];
  return true;
}
static bool read_it(void *self, brio_axis_state *states, brio_error *err) {
  (void)self, (void)err;
  maybe("read");
  for (int i = 0; i < device.count; i++) states[i] = (brio_axis_state){.position = device.at[i], .valid = true};
  return true;
}
static void close_it(void *self) { (void)self; maybe("close"); }
static const brio_driver_kind kind = {.name = KIND, .doc = "Never returns.", .open = open_it, .configure = configure,
                                      .write = write_it, .read = read_it, .close = close_it};
const brio_driver_plugin brio_driver = {BRIO_DRIVER_VERSION, sizeof(brio_driver_kind), &kind};
]]

local model = [[<robot name='two'><link name='base'/><link name='a'/><link name='b'/>
<joint name='pan' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' velocity='3' effort='9'/></joint>
<joint name='tilt' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='3' effort='9'/></joint></robot>]]

local robot = [[
return { name = "two", model = "model.urdf", on_loss = "go_on",
  devices = { neck = { driver = "./blocks.so", dofs = { "pan" } }, rest = { driver = "sim", dofs = { "tilt" } } } }]]

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
local function goal(self) return 0.6 * math.sin(3 * self.now) end
made.sway = { wants = { want.joint_match { joint = "pan", goal = goal }, want.joint_match { joint = "tilt", goal = goal } } }
return made]]

local folder = files.temporary()
files.write(folder .. "/blocks.c", source)

local whiles = { open = "open", configure = "open", read = "report its motors' positions", close = "close" }

-- The run abandons a driver after 5 s: all of them at the same time.  A device belongs to one engine of a
-- machine, so each test has a kind of its own.
local runs, built = {}, {}
for where in pairs(whiles) do
  local own = folder .. "/" .. where
  files.write(folder .. "/new.sh", ([[mkdir %s && cd %s &&
    exec cc -shared -fPIC -std=gnu11 '-DKIND="blocks_%s_%d"' -I%s/engine -I%s -o blocks.so ../blocks.c]])
    :format(own, own, where, uv.os_getpid(), harness.root, harness.root))
  built[where] = harness.run("sh " .. folder .. "/new.sh")
  files.write(own .. "/model.urdf", model)
  files.write(own .. "/robot.lua", robot)
  files.write(own .. "/made.lua", behavior)
  local words = "run made.lua --robot . --store x.db --quiet --for 2 --arm"
  runs[where] = harness.start(("sh -c 'cd %s && BLOCKS=%s exec %s %s'"):format(own, where, harness.program,
    words))
end

for name, where in pairs {
  ["a driver that blocks in open is left behind: the run begins, ends, and says which"] = "open",
  ["a driver that blocks in configure is left behind"] = "configure",
  ["a driver that blocks in read is left behind"] = "read",
  ["a driver that blocks in close is left behind"] = "close",
} do
  test(name, function(t)
    t:code(built[where], 0)
    local store = folder .. "/" .. where .. "/x.db"
    local code, text = harness.wait(runs[where])
    t:equal(code, 0, "exit code, which is nil where the run does not end")
    local sentence = ("the driver of device 'neck' did not return within 5 s when it was to %s: it is left \z
      behind")
      :format(whiles[where])
    t:has(text, sentence)
    t:has(harness.sql(store, "select group_concat(message, ' ') from faults"), sentence)
    local moved = harness.number(store, "select max(measured) - min(measured) from samples where name = \z
      'tilt'") or 0
    t:check(moved > 0.1, "the other device moves: %g", moved) -- far less than in time, on a busy machine
    t:equal(harness.sql(store, "select outcome from runs"), "finished", "the run")
  end)
end

for _, run in pairs(runs) do harness.signal(run, "KILL") end
files.remove(folder)
harness.done()
