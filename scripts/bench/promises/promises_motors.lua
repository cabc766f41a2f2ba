--- Promises of the motor side, measured by the frames that a robot in another process receives, and by the
--- rows of devices.
local tools = require "promises.promises_tools"
local device = require "device"
local uv = require "luv"
local harness, files = tools.harness, tools.files

local sways = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
local function sway(self) return 0.8 + 0.3 * math.sin(3 * self.now) end
local wants = { want.joint_match { joint = "elbow_joint", goal = sway } }
made.sway = { wants = wants, on = { spin = "spinning" } }
made.spinning = { wants = wants, tick = function() while true do end end }
return made
]]

--- The kernel's time, which is in the frames' time stamps, s.
local function wall()
  local s, us = uv.gettimeofday()
  return s + us * 1e-6
end

--- Whether a frame commands a motion of a joint.
local function moves(frames, k)
  for i, goal in pairs(frames[k].goals) do
    if math.abs(goal - (frames[k - 1].goals[i] or goal)) > 2e-6 then return true end
  end
  return false
end

--- The time of the last frame that commands a motion of a joint.
local function last_motion(frames)
  for k = #frames, 2, -1 do
    if moves(frames, k) then return frames[k].at end
  end
end

--- The time at which the robot begins to hold, after `began`: for at least 20 frames and 20 ms.  A script
--- that spins is cut later, and until then the robot moves on to the last good pose.
local function first_rest(frames, began)
  local since, count
  for k = 2, #frames do
    local at = frames[k].at
    if at < began or moves(frames, k) then since = nil
    elseif not since then since, count = at, 0
    else count = count + 1 end
    if since and count >= 20 and at - since >= 0.02 then return since end
  end
end

--- A moving robot is brought to rest by does(its run, a wire to it); the time from then to the result of
--- found(frames, began), s.
local function rests(does, found)
  return function(place)
    local robot, one = device.moving(place, { files = { ["made.lua"] = sways } })
    local wire = tools.wire(one)
    local began, from = wall(), tools.now()
    does(one, wire)
    robot:catch_up()
    device.await_rest(robot, "rest", 200)
    wire.close()
    local last = place:check(found(robot:frames(), began), "it never rested")
    return last - began, from, from + (last - began)
  end
end

local function spin(_, wire) wire.say "emit spin" end

local function panic(one) harness.signal(one.process, "USR1") end

-- A driver that never returns ---------------------------------------------------------------------

local driver = [[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "drivers/driver.h"
static struct { int count; double at[8]; } device;
static void maybe(const char *where) {
  if (strcmp(getenv("BLOCKS"), where) != 0) return;
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  FILE *file = fopen("blocked", "w");
  fprintf(file, "%.6f\n", (double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
  fclose(file);
  for (;;) sleep(100);
}
static void *open_it(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                     brio_error *err) {
  (void)settings, (void)seed, (void)context, (void)err;
  maybe("open");
  for (int i = 0; i < count; i++) device.at[i] = axes[i].start;
  device.count = count;
  return &device;
}
static bool configure(void *self, const brio_driver_config *config, brio_error *err) {
  (void)self, (void)config, (void)err;
  maybe("configure");
  return true;
}
static bool write_it(void *self, const double *targets, brio_error *err) {
  (void)self, (void)err;
  for (int i = 0; i < device.count; i++) if (targets[i] == targets[i]) device.at[i] = targets[i];
  return true;
}
static bool read_it(void *self, brio_axis_state *states, brio_error *err) {
  (void)self, (void)err;
  maybe("read");
  for (int i = 0; i < device.count; i++)
    states[i] = (brio_axis_state){.position = device.at[i], .valid = true};
  return true;
}
static void close_it(void *self) { (void)self; maybe("close"); }
static const brio_driver_kind kind = {.name = KIND, .doc = "Never returns.", .open = open_it,
  .configure = configure, .write = write_it, .read = read_it, .close = close_it};
const brio_driver_plugin brio_driver = {BRIO_DRIVER_VERSION, sizeof(brio_driver_kind), &kind};
]]

local model = [[<robot name='two'><link name='base'/><link name='a'/><link name='b'/>
<joint name='pan' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/>
<limit lower='-1' upper='1' velocity='3' effort='9'/></joint>
<joint name='tilt' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>
<limit lower='-1' upper='1' velocity='3' effort='9'/></joint></robot>]]

local pair = [[
return { name = "two", model = "model.urdf", on_loss = "go_on",
  devices = { neck = { driver = "%s", dofs = { "pan" } }, rest = { driver = "sim", dofs = { "tilt" } } } }]]

local both = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
local function goal(self) return 0.6 * math.sin(3 * self.now) end
made.sway = { wants = { want.joint_match { joint = "pan", goal = goal },
  want.joint_match { joint = "tilt", goal = goal } } }
made.power_off = { lasts = 0.1 }
return made]]

--- A folder with a robot of two devices, one of them with a driver.
local function two(place, name)
  local folder = place:folder()
  files.write(folder .. "/model.urdf", model)
  files.write(folder .. "/robot.lua", pair:format(name))
  files.write(folder .. "/made.lua", both)
  return folder
end

local points = { "open", "configure", "read", "close" }

--- A driver never returns from one of its functions; the time until it is abandoned, s.
local function left_behind(place, n)
  local where, folder = points[(n - 1) % #points + 1], two(place, "./blocks.so")
  files.write(folder .. "/blocks.c", driver)
  local command = "cd %s && cc -shared -fPIC -std=gnu11 '-DKIND=\"blocks_%d_%d\"' -I%s/engine -I%s "
    .. "-o blocks.so blocks.c"
  local built = harness.run(command:format(folder, uv.os_getpid(), n, harness.root, harness.root))
  place:code(built, 0)
  local run = harness.start(("sh -c 'cd %s && BLOCKS=%s exec %s %s'"):format(folder, where, harness.program,
    "run made.lua --robot . --quiet --for 1 --arm"))
  harness.await_output(run, "it is left behind")
  local to, from = tools.now(), tonumber(files.read(folder .. "/blocked"))
  return to - from, from, to
end

-- A bus that blocks -------------------------------------------------------------------------------

--- The share of each second that a blocked bus costs the other bus, in a run of eight seconds: {value, gap}
--- each.
local function lost_to_another()
  local list
  tools.repeated(1, function(place)
    local folder, from = two(place, "sim"), tools.now()
    place:code(harness.brio("run", folder .. "/made.lua", "--robot", folder, "--for", 8.5, "--store",
      folder .. "/x.db", "--quiet", "--fault", "block 0.2 of pan at 1.5"), 0)
    local to = tools.now()
    local rates = harness.sql(folder .. "/x.db", [[select rate from device_samples s join devices d
      on d.run = s.run and d.id = s.device where d.name = 'rest' and t between 2.5 and 8.2]])
    list = {}
    for rate in rates:gmatch "%S+" do
      list[#list + 1] = { value = math.max(0, 1 - tonumber(rate) / 1000), gap = tools.gap(from, to) }
    end
    return 0
  end)
  return list
end

return {
  { name = "scripts that spin: until the robot holds", unit = "ms", factor = 1e3, most = 400,
    measure = function() return tools.repeated(10, rests(spin, first_rest)) end },
  { name = "a panic by signal: until the robot rests", unit = "ms", factor = 1e3, most = 300,
    measure = function() return tools.repeated(10, rests(panic, last_motion)) end },
  { name = "a driver that never returns is left behind", unit = "s", factor = 1, least = 4.9, most = 6.9,
    measure = function() return tools.repeated(8, left_behind) end },
  { name = "a bus that blocks costs another, of a second", unit = "ms", factor = 1e3, most = 15,
    measure = lost_to_another },
}
