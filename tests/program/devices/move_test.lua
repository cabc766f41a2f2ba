--- `brio move`: with one command, by lines, and by keys at a terminal; on the simulator and on emulated
--- servos.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated, pty = require "emulated", require "pty"
local uv = require "luv"
local test, brio, files = harness.test, harness.brio, harness.files

local program = files.quote(harness.program)

--- A robot of three emulated servos in `folder`, whose port is folder/bus.
local function write_robot(folder)
  files.write(folder .. "/model.urdf", [[
<robot name="three"><link name="base"/>
  <link name="l1"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="l2"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="l3"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pan" type="revolute"><parent link="base"/><child link="l1"/><axis xyz="0 0 1"/><limit lower="-1.5" upper="1.5" velocity="3" effort="1"/></joint>
  <joint name="tilt" type="revolute"><parent link="l1"/><child link="l2"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="3" effort="1"/></joint>
  <joint name="roll" type="revolute"><parent link="l2"/><child link="l3"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" velocity="3" effort="1"/></joint>
</robot>]])
  files.write(folder .. "/robot.lua", ([[
return { name = "three", model = "model.urdf", default_acceleration = 10,
  dofs = { { name = "pan" }, { name = "tilt" }, { name = "roll" } },
  devices = { neck = { driver = "sts", dofs = { "pan", "tilt", "roll" }, settings = { port = %q } } } }
]]):format(folder .. "/bus"))
end

--- Write the robot, and start its emulated servos at folder/bus.
local function start_servos(folder)
  write_robot(folder)
  return emulated.start("sts", "--servos", 3, "--link", folder .. "/bus")
end

--- Move the robot in `folder`; further words go to `brio move`.
local function move(folder, ...) return brio("move", "--robot", folder, ...) end

--- A behavior that wants nothing of the robot in `folder`.
local function write_still(path, folder)
  files.write(path, ([[
    local b = require("brio").behavior "still" { robot = %q, start = "one" }
    b.one = {}
    return b]]):format(folder))
  return path
end

--- The position of the first servo, degrees.
local function first_servo(status) return tonumber(status:match "servo 1: at (%-?[%d.]+) degrees") end

test("a DOF moves once, and refusals are sentences", function(t)
  local run = brio("move", "--robot", "ur3e", "elbow_joint", "0.5", "wrist_1_joint", "-1.0", "--clock",
    "fast", "--speed", "1")
  t:code(run, 0)
  t:has(run.out, "elbow_joint at 0.5")
  t:has(run.out, "~wrist_1_joint at %-[01]%.")
  run = brio("move", "--robot", "ur3e", "elbow_joint", "9")
  t:code(run, 2)
  t:has(run.err, "elbow_joint moves from -3.142 to 3.142 rad: 9 is beyond")
  run = brio("move", "--robot", "ur3e", "elbow_joint", "9", "--by", "--clock", "fast")
  t:code(run, 2)
  t:has(run.err, "is beyond")
  run = brio("move", "--robot", "ur3e", "elbow_joit", "0.1")
  t:code(run, 2)
  t:has(run.err, "did you mean 'elbow_joint'")
  t:code(brio("move", "--robot", "ur3e", "elbow_joint"), 2)
  t:code(brio("move", "--robot", "ur3e", "elbow_joint", "far"), 2)
  t:code(brio("move", "elbow_joint", "0.1"), 2)
  t:code(brio("move", "--robot", "nobody", "elbow_joint", "0.1"), 1)
  run = brio("move", "--robot", "ur3e", "elbow_joint", "0.1", "--trace", t:folder() .. "/x")
  t:code(run, 1)
  t:has(run.err, "nothing can be traced")
end)

test("a link that would touch another is held back, and it is said", function(t)
  local run = brio("move", "--robot", "ur3e", "elbow_joint", "3.1", "--clock", "fast", "--speed", "1")
  t:code(run, 1)
  t:has(run.err, "elbow_joint is held back at ")
end)

test("lines of a pipe or file move, in their order, and DOFs outside the tree as well", function(t)
  local run = harness.run { program .. " move --robot pepper --clock fast --speed 1",
    input = "HeadYaw 0.5\nHeadYaw by -0.7\nEyeLedBrightness 0.25\nHeadYaw 5\nnonsense 1\nspeed \z
      0\nwhere\nHeadYaw 0.1" }
  t:code(run, 1)
  t:has(run.out, "~HeadYaw at 0%.[45]%d+, command 0%.[45]%d+ rad\nHeadYaw at %-0%.[12]%d+, command \z
    %-0%.[12]%d+ rad\nEyeLed")
  t:has(run.out, "command 0.2500 1\n")
  t:has(run.out, "HeadPitch at")
  t:has(run.out, "~HeadYaw at 0%.[01]%d+, command 0%.[01]%d+ rad\n$")
  t:has(run.err, "HeadYaw moves from -2.086 to 2.086 rad: 5 is beyond")
  t:has(run.err, "the robot has no DOF 'nonsense'")
  t:has(run.err, "speed expects a number above 0")
end)

test("real motors move when they are armed, from where they are, and nothing else moves", function(t)
  local folder = t:folder()
  local bus = start_servos(folder)
  local run = move(folder, "pan", 0.5)
  t:code(run, 1)
  t:has(run.err, "the motors are not armed")
  run = move(folder, "pan", 0.6, "tilt", -0.4, "--speed", 2, "--arm")
  t:code(run, 0)
  t:has(run.out, "~pan at 0%.[56]%d+, command 0%.6000 rad")
  run = move(folder, "--trace", folder .. "/trace", { input = "arm\nwait 0.3\npan by -0.1\nwhere\n" })
  t:code(run, 0)
  t:has(run.out, "~pan at 0%.%d+, command 0%.[45]%d+ rad\n.*tilt at %-0%.[34]%d+")
  t:has(brio("decode", folder .. "/trace").out, "~nothing refused\n$")
  local before = first_servo(bus:say "status")
  local first = harness.start_brio("move", "--robot", folder, "pan", 0, "--speed", 0.01, "--arm")
  bus:await("a servo that moves", function(status) return first_servo(status) < before - 0.3 end)
  run = move(folder, "pan", 1, "--arm")
  t:code(run, 1)
  t:has(run.err, "is in use by process")
  harness.signal(first, "TERM")
  harness.wait(first)
  bus:stop()
end)

test("a port is one engine's by each of its names, and no longer when its device was unplugged and another \z
  came", function(t)
  local first, second = t:folder(), t:folder()
  local bus = start_servos(first)
  write_robot(second)
  local socket = second .. "/s"
  local still = write_still(second .. "/still.lua", first)
  local engine = harness.start_brio("run", still, "--store", "none", "--quiet", "--socket", socket)
  harness.listening { process = engine, socket = socket }
  assert(uv.fs_symlink(bus.port, second .. "/bus"))
  local run = move(second, "pan", 0.3, "--arm")
  t:check(run.code ~= 0, "another engine was let in: %s", run.text)
  t:has(run.err, "is in use by process")
  assert(os.remove(second .. "/bus"))
  bus:stop()
  harness.await_output(engine, "does not answer")
  bus = start_servos(second) -- the port is the same, unless another program has taken it
  run = move(second, "pan", 0.3, "--speed", 2, "--arm")
  t:code(run, 0)
  t:has(run.out, "~pan at 0%.[23]%d+, command 0%.3000 rad")
  t:check(not harness.has_ended(engine), "the first engine has ended: %s", harness.output_of(engine))
  harness.signal(engine, "TERM")
  harness.wait(engine)
  bus:stop()
end)

test("a run, too, begins where the robot is", function(t)
  local folder = t:folder()
  local bus = start_servos(folder)
  t:code(move(folder, "pan", 1.2, "--speed", 2, "--arm"), 0)
  local still = write_still(folder .. "/still.lua", folder)
  t:code(brio("run", still, "--arm", "--for", 1, "--store", "none", "--quiet"), 0)
  local run = move(folder, { input = "where\n" })
  t:code(run, 0)
  t:has(run.out, "~pan at 1%.[12]%d+, command 1%.[12]%d+ rad\ntilt at")
  bus:stop()
end)

test("keys move step by step, to a value, and while they are held; the panic stop holds until it is released",
  function(t)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  local folder = t:folder()
  local bus = start_servos(folder)
  local one = pty.start(("exec %s move --robot %s --speed 1"):format(program, folder),
    { folder = folder, whole = true })
  one:sees "not armed"
  one:type "a"
  one:sees "y/n"
  one:type "y"
  one:loses "not armed"
  one:type "\27[C\27[C"
  one:sees "~pan +0%.[01]%d+ +0%.1000"
  one:type "\27[B"
  one:sees "~> tilt"
  one:type "g0.7\r"
  one:sees "~tilt +0%.[67]%d+ +0%.7000"
  one:type "g9\r"
  one:sees "tilt moves from -1 to 1 rad: 9 is beyond"
  one:type "h"
  one:sees "moves while a key is held"
  one:waits("tilt to move as long as a key is held", function(made)
    one:type "\27[D"
    harness.sleep(0.1) -- like the repeats of a held key
    local place = made:text():match "tilt +(%-?[%d.]+)"
    return place and tonumber(place) < 0.6
  end)
  one:type "P"
  one:sees "held by panic: r releases"
  one:sees "~tilt +%-?0%.%d+"
  t:check(not one.screen.over, "something was written beyond 80 columns: %s", one.screen.over)
  one:type "q"
  t:equal(one:close(), 0, "exit code")
  t:equal(#one.screen.unknown, 0, "unknown control sequences")
  t:has(one.log, "~\27%[%?25h\27%[%?1049l%s*$")
  bus:stop()
end)

test("a cable that is pulled is said, and what is asked for then is refused", function(t)
  local folder = t:folder()
  local bus = start_servos(folder)
  files.output("mkfifo " .. folder .. "/typed")
  local typed = assert(uv.fs_open(folder .. "/typed", "r+", 0)) -- "r+": opening it does not wait for a reader
  local one = harness.start(("%s move --robot %s --arm <%s/typed"):format(program, folder, folder))
  uv.fs_write(typed, "pan 0.2\n", -1)
  harness.await_output(one, "~pan at 0%.[12]%d+")
  bus:unplug()
  emulated.await_lost(one)
  uv.fs_write(typed, "pan 0.3\n", -1)
  harness.await_output(one, "the motors are held (fault): release lets them go")
  bus:plug()
  local before = #files.read(one.folder .. "/out")
  harness.await("the place of a servo that answers again", function()
    uv.fs_write(typed, "where\n", -1)
    harness.sleep(0.1)
    return files.read(one.folder .. "/out"):find("pan at 0%.[12]%d+", before + 1)
  end, { seen = function() return harness.output_of(one) end })
  uv.fs_close(typed)
  local _, said = harness.wait(one)
  t:has(said, "~device 'neck' does not answer")
  bus:stop()
end)

harness.done()
