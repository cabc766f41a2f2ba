--- Traces that play the device: a run is recorded against an emulator and replayed, whole and changed; and what may be typed
--- at an emulator, at its terminal and through its socket.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local program = files.quote(harness.program)

--- Emulate `words` with its robot at folder/robot while a shell script runs.
local function emulated(folder, words, script, timeout)
  return harness.run { ([[
    %s emulate %s --for 40 >%s/emulator 2>&1 </dev/null & emulator=$!
    for i in $(seq 100); do grep -q "type 'help'" %s/emulator && break; sleep 0.05; done
    brio=%s; cd %s
    %s
    code=$?; kill $emulator 2>/dev/null; wait $emulator; cat emulator; exit $code]])
    :format(program, words, folder, folder, program, folder, script), timeout = timeout or 60 }
end

--- Replay folder/NAME on folder/bus while a shell script runs; the emulator's exit code is printed.
local function replayed(folder, words, script)
  return harness.run { ([[
    { %s emulate %s --for 8 </dev/null; echo "emulator's code $?"; } >%s/emulator 2>&1 & emulator=$!
    for i in $(seq 100); do grep -q "type 'help'" %s/emulator && break; sleep 0.05; done
    brio=%s; cd %s
    %s
    code=$?; wait $emulator; cat emulator; exit $code]])
    :format(program, words, folder, folder, program, folder, script), timeout = 60 }
end

for _, family in ipairs { "sts", "line", "epos" } do
  test("what was recorded of emulated " .. family .. " plays the device again", function(t)
    local folder = t:folder()
    local run = emulated(folder, ("%s --servos 2 --link %s/bus --write %s/robot"):format(family, folder, folder),
      "name=$(sed -n 's/.*{ name = \"\\(joint[^\"]*\\)\".*/\\1/p' robot/robot.lua | head -1); echo $name >name;"
      .. "$brio move --robot robot $name 0.2 --speed 1 --arm --trace run.trace && $brio decode --summary run.trace")
    t:code(run, 0)
    t:has(run.out, "nothing refused")
    run = replayed(folder, ("--trace %s/run.trace --link %s/bus"):format(folder, folder),
      "$brio move --robot robot $(cat name) 0.2 --speed 1 --arm")
    t:code(run, 0)
    t:has(run.out, "~joint_%d at 0%.[12]%d+, told 0%.2000 rad")
    t:has(run.out, "~%d+ of %d+ recorded requests came: %d+ in the same bytes")
    local asked, came, odd = run.out:match "(%d+) of (%d+) recorded requests came: .- (%d+) came that were not recorded"
    -- a driver may take another order of the same meaning when it is late: that is told, and is no failure of the replay
    t:check(odd and tonumber(odd) <= math.max(3, 0.1 * tonumber(came)) and tonumber(asked) > 0.3 * tonumber(came), "the replay tells otherwise:\n%s", run.out)
    t:has(run.out, "emulator's code " .. (odd == "0" and 0 or 3))
  end)
end

test("a trace that was changed says where the driver does otherwise, and a trace that was cut off plays as far as it goes", function(t)
  local folder = t:folder()
  local run = emulated(folder, ("sts --servos 2 --link %s/bus --write %s/robot"):format(folder, folder),
    "$brio move --robot robot joint_1 0.2 --speed 1 --arm --trace run.trace")
  t:code(run, 0)
  local text = files.read(folder .. "/run.trace")
  local changed, count = text:gsub("> FF FF 02 02 01 FA\n", "> FF FF 07 02 01 F5\n", 1)
  t:equal(count, 1, "pings of servo 2")
  files.write(folder .. "/run.trace", changed)
  local script = "$brio move --robot robot joint_1 0.2 --speed 1 --arm"
  run = replayed(folder, ("--trace %s/run.trace --link %s/bus"):format(folder, folder), script)
  t:has(run.err, "do not answer: id 2")
  t:has(run.out, "~first difference: not recorded: 'servo 2: ping' came where line %d+ of the trace has 'servo 7: ping'")
  t:has(run.out, "emulator's code 3")
  files.write(folder .. "/run.trace", text:sub(1, #text // 2))
  run = replayed(folder, ("--trace %s/run.trace --link %s/bus"):format(folder, folder), script)
  t:has(run.out, "has 'the end'")
  run = brio("emulate", "--trace", folder .. "/robot/robot.lua")
  t:code(run, 1)
  t:has(run.err, "is no trace")
  t:code(brio("emulate", "--trace", folder .. "/none"), 1)
  t:code(brio("emulate", "--trace", folder .. "/run.trace", "--bus", "other"), 1)
  t:code(brio("emulate", "sts", "--trace", folder .. "/run.trace"), 2)
end)

test("a full disk ends a trace and not the run, and it is said", function(t)
  local folder = t:folder()
  if harness.run("test -e /dev/full").code ~= 0 then t:skip "there is no /dev/full" end
  local run = emulated(folder, ("sts --servos 2 --link %s/bus --write %s/robot"):format(folder, folder), [[
    $brio move --robot robot joint_1 0.2 --arm --trace /dev/full; test $? = 1 || exit 11
    ( ulimit -f 8; trap '' XFSZ; exec $brio move --robot robot joint_1 0.3 --arm --trace run.trace ); test $? = 1 || exit 12
    tail -c 300 run.trace >tail; exit 0]])
  t:code(run, 0)
  t:has(run.err, "cannot be written")
  t:has(run.out, "~joint_1 at 0%.[23]%d+, told 0%.3000 rad")
  t:has(run.err, "is not whole: is the disk full?")
end)

test("what is typed makes faults: at the terminal, at the start, through a socket", function(t)
  local folder = t:folder()
  files.write(folder .. "/ask.lua", [[
    local uv = require "luv"
    local pipe, heard = uv.new_pipe(false), ""
    pipe:connect(arg[1], function(why)
      if why then print(why) return pipe:close() end
      pipe:write "latency 5 ms\ncorrupt 1 %\nhold 1\nhold 0\nnonsense\nunplug\nplug elsewhere\nstatus\nquit\n"
      pipe:read_start(function(_, bytes)
        if bytes then heard = heard .. bytes else pipe:close() end
      end)
    end)
    uv.run()
    io.write(heard)]])
  local run = emulated(folder, ("dynamixel --servos 12 --link %s/bus --control %s/control --say 'drop 2%%' --say 'twin 3'"):format(folder, folder),
    "$brio lua ask.lua control")
  t:code(run, 0)
  t:has(run.out, "loss is 0.02")
  t:has(run.out, "latency is 0.005 s")
  t:has(run.out, "errors is 0.01")
  t:has(run.out, "busy is 1")
  t:has(run.out, "'nonsense' is nothing this emulator knows")
  t:has(run.out, "servo 12: at 0.0 degrees")
  t:has(run.out, "~try: brio scan %S+/bus")
  t:has(run.out, "~brio run BEHAVIOR%.lua %-%-driver dynamixel %-%-set port=%S+/bus %-%-arm")
  local help = harness.run { program .. " emulate sts --servos 2 --for 3", input = "help\nquit\n" }
  for _, word in ipairs { "unplug", "plug", "power", "error ID", "loss", "errors", "latency", "jitter", "busy", "twin ID", "drop, corrupt" } do
    t:has(help.out, word)
  end
  t:has(brio("emulate").out, "twin ID")
end)

harness.done()
