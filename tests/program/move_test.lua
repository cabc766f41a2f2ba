--- `brio move`: once, by lines, and by keys at a terminal; on the simulator and on emulated servos.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local screen = require "screen"
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

--- Run a shell script while emulated servos stand at folder/bus; `says` is what the emulator is told, a shell script, too.
local function with_servos(folder, script, says)
  write_robot(folder)
  return harness.run { ([[
    { %s; } | %s emulate sts --servos 3 --link %s/bus --for 40 >%s/emulator & emulator=$!
    for i in $(seq 100); do test -e %s/bus && break; sleep 0.05; done
    brio=%s; robot=%s
    %s
    code=$?; kill $emulator 2>/dev/null; wait $emulator 2>/dev/null; exit $code]])
    :format(says or "true", program, folder, folder, folder, program, folder, script), timeout = 60 }
end

local function terminal(t)
  if not files.output "command -v script":find "script" then t:skip "there is no script(1) to make a terminal" end
end

test("a DOF moves once, and refusals are sentences", function(t)
  local run = brio("move", "--robot", "ur3e", "elbow_joint", "0.5", "wrist_1_joint", "-1.0", "--clock", "fast", "--speed", "1")
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
    input = "HeadYaw 0.5\nHeadYaw by -0.7\nEyeLedBrightness 0.25\nHeadYaw 5\nnonsense 1\nspeed 0\nwhere\nHeadYaw 0.1" }
  t:code(run, 1)
  t:has(run.out, "~HeadYaw at 0%.[45]%d+, told 0%.[45]%d+ rad\nHeadYaw at %-0%.[12]%d+, told %-0%.[12]%d+ rad\nEyeLed")
  t:has(run.out, "told 0.2500 1\n")
  t:has(run.out, "HeadPitch at")
  t:has(run.out, "~HeadYaw at 0%.[01]%d+, told 0%.[01]%d+ rad\n$")
  t:has(run.err, "HeadYaw moves from -2.086 to 2.086 rad: 5 is beyond")
  t:has(run.err, "the robot has no DOF 'nonsense'")
  t:has(run.err, "speed expects a number above 0")
end)

test("real motors move when they are armed, from where they are, and nothing else moves", function(t)
  local folder = t:folder()
  local run = with_servos(folder, [[
    $brio move --robot $robot pan 0.5; test $? = 1 || exit 11
    $brio move --robot $robot pan 0.6 tilt -0.4 --speed 2 --arm || exit 12
    printf 'arm\nwait 0.3\npan by -0.1\nwhere\n' | $brio move --robot $robot --trace $robot/trace || exit 13
    $brio decode $robot/trace | tail -1
    $brio move --robot $robot pan 0 --speed 0.2 --arm >/dev/null & sleep 1
    $brio move --robot $robot pan 1 --arm; test $? = 1 || exit 14
    kill $!; wait $!; exit 0]])
  t:code(run, 0)
  t:has(run.err, "the motors are not armed")
  t:has(run.out, "~pan at 0%.[56]%d+, told 0%.6000 rad")
  t:has(run.out, "~pan at 0%.%d+, told 0%.[45]%d+ rad\n.*tilt at %-0%.[34]%d+")
  t:has(run.out, "nothing refused")
  t:has(run.err, "is in use by process")
end)

test("a port is one engine's by each of its names, and no longer when its device was unplugged and another came", function(t)
  local first, second = t:folder(), t:folder()
  write_robot(first)
  write_robot(second)
  files.write(second .. "/still.lua", ([[
    local b = require("brio").behavior "still" { robot = %q, start = "one" }
    b.one = {}
    return b]]):format(first))
  local run = harness.run { ([[
    brio=%s; first=%s; second=%s
    emulate() { $brio emulate sts --servos 3 --link $1/bus --for 60 >$1/emulator & emulator=$!
      for i in $(seq 200); do test -s $1/bus -o -e $1/bus && break; sleep 0.05; done; }
    emulate $first
    $brio run $second/still.lua --for 40 --store none --quiet --socket $second/s & engine=$!
    for i in $(seq 200); do test -e $second/s && break; sleep 0.05; done; sleep 0.5
    readlink -f $first/bus; ln -s $(readlink -f $first/bus) $second/bus
    $brio move --robot $second pan 0.3 --arm; test $? != 0 || exit 11
    rm $second/bus; kill $emulator; wait $emulator; sleep 1
    emulate $second
    readlink -f $second/bus
    $brio move --robot $second pan 0.3 --speed 2 --arm || exit 12
    kill -0 $engine || exit 13
    kill $engine; wait $engine; kill $emulator; wait $emulator; exit 0]])
    :format(program, first, second), timeout = 60 }
  t:code(run, 0)
  t:has(run.err, "is in use by process")
  t:has(run.out, "~pan at 0%.[23]%d+, told 0%.3000 rad")
end)

test("a run, too, begins where the robot is", function(t)
  local folder = t:folder()
  files.write(folder .. "/still.lua", ([[
    local b = require("brio").behavior "still" { robot = %q, start = "one" }
    b.one = {}
    return b]]):format(folder))
  local run = with_servos(folder, [[
    $brio move --robot $robot pan 1.2 --speed 2 --arm || exit 11
    $brio run $robot/still.lua --arm --for 1.5 --store none --quiet || exit 12
    printf 'where\n' | $brio move --robot $robot]])
  t:code(run, 0)
  t:has(run.out, "~pan at 1%.[12]%d+, told 1%.[12]%d+ rad\ntilt at")
end)

test("keys move step by step, to a value, and while they are held; the panic stop holds until it is released", function(t)
  terminal(t)
  local folder = t:folder()
  local keys = "sleep 1; printf a; sleep 0.2; printf y; sleep 0.5; printf '\\033[C\\033[C'; sleep 1; "
    .. "printf '\\033[B'; printf 'g0.7\\r'; sleep 1.5; printf 'g9\\r'; sleep 0.2; printf h; "
    .. "for i in 1 2 3 4 5 6 7 8; do printf '\\033[A\\033[D' | tail -c 3; sleep 0.1; done; sleep 0.7; printf P; sleep 0.6; printf q; sleep 0.5"
  local run = with_servos(folder, ([[
    { %s; } | TERM=xterm LC_ALL=C.UTF-8 timeout 30 script -qec "stty cols 80 rows 24; exec $brio move --robot $robot --speed 1" /dev/null
    ]]):format(keys))
  t:code(run, 0)
  local seen = screen.new(80, 24)
  seen:write((run.out:gsub("\27%[%?1049l.*", "")))
  local text = seen:text()
  t:has(text, "~pan +0%.[01]%d+ +0%.1000")
  t:has(text, "~tilt +%-?0%.%d+")
  t:has(text, "held by panic: r releases")
  t:has(text, "moves while a key is held")
  t:check(not seen.over, "something was written beyond 80 columns: %s", seen.over)
  t:equal(#seen.unknown, 0, "unknown control sequences")
  t:has(run.out, "tilt moves from -1 to 1 rad: 9 is beyond")
  t:has(run.out, "~\27%[%?25h\27%[%?1049l%s*$")
end)

test("a cable that is pulled is said, and what is asked for then is refused", function(t)
  local folder = t:folder()
  local run = with_servos(folder, [[
    { sleep 1; echo 'pan 0.2'; sleep 5; echo where; sleep 2; } | $brio move --robot $robot --arm; exit 0]],
    "sleep 3; echo unplug; sleep 2; echo plug")
  t:has(run.err, "~device 'neck' does not answer")
  t:has(run.out, "~pan at 0%.[12]%d+")
end)

harness.done()
