--- Traces that replace the device: a run is recorded against an emulator and replayed, unchanged and changed;
--- and the commands of an emulator, at its terminal and through its socket.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, brio, files = harness.test, harness.brio, harness.files

local program = files.quote(harness.program)

--- Run a shell script beside a bus.  Return its run, with the emulator's output and exit code.
local function beside(bus, folder, script)
  local run = harness.run { ("brio=%s; cd %s\n%s"):format(program, folder, script) }
  local code, said = bus:stop()
  run.out = ("%s%semulator's code %s\n"):format(run.out, said, tostring(code))
  run.text = run.out .. run.err
  return run
end

--- Run a shell script beside an emulator of a family, whose robot file is in folder/robot.
local function recorded(folder, family, script)
  files.output(("cd %s && rm -rf robot run.trace"):format(files.quote(folder))) -- a trace is added to
  local bus = emulated.start(family, "--servos", 2, "--link", folder .. "/bus", "--write", folder .. "/robot")
  return beside(bus, folder, script)
end

--- Replay folder/run.trace on folder/bus while a shell script runs.
local function replayed(folder, script)
  local bus = emulated.start("--trace=" .. folder .. "/run.trace", "--link", folder .. "/bus")
  return beside(bus, folder, script)
end

--- Retry up to this many times what a stall of the machine spoiled: a motor that waits stays where it is, a
--- device that waits answers too late.  `is_good(run)`: whether it went well.  Return the run.
local function tried(is_good, try)
  local run = try()
  for _ = 1, 9 do
    if is_good(run) then break end
    print("# again, after: " .. run.text:sub(-600):gsub("\n", "\n#   "))
    run = try()
  end
  return run
end

--- Whether a run's output contains a text ("~": a pattern).
local function says(piece)
  return function(run) return harness.contains(run.text, piece) end
end

--- Whether the robot reached its target in a replay, and the requests are the recorded ones; the numbers of
--- both.
local function agrees(run)
  local asked, came, odd = run.out:match "(%d+) of (%d+) recorded requests came: .- (%d+) came that were \z
    not recorded"
  -- a late driver may send a different command of the same meaning: that is reported, and does not fail the
  -- replay
  local as_recorded = odd and tonumber(odd) <= math.max(3, 0.1 * tonumber(came))
    and tonumber(asked) > 0.3 * tonumber(came)
  return as_recorded and run.out:find "joint_%d at 0%.[12]%d+, command 0%.2000 rad" ~= nil, tonumber(odd)
end

--- Record a move of the first servo or drive of an emulated family: folder/run.trace.
local function record_move(folder, family)
  return tried(says "~command 0%.2000 rad.*nothing refused", function()
    return recorded(folder, family, [[
      name=$(sed -n 's/.*{ name = "\(joint[^"]*\)".*/\1/p' robot/robot.lua | head -1)
      echo $name >name
      $brio move --robot robot $name 0.2 --speed 1 --arm --trace run.trace && $brio decode --summary run.trace]])
  end)
end

local move_again = "$brio move --robot robot $(cat name) 0.2 --speed 1 --arm"

for _, family in ipairs { "sts", "line", "epos" } do
  test("what was recorded of emulated " .. family .. " plays the device again", function(t)
    local folder = t:folder()
    local run = tried(agrees, function() -- a stall during the recording repeats in each replay
      local first = record_move(folder, family)
      t:code(first, 0)
      t:has(first.out, "nothing refused")
      return replayed(folder, move_again)
    end)
    t:code(run, 0)
    t:has(run.out, "~joint_%d at 0%.[12]%d+, command 0%.2000 rad")
    t:has(run.out, "~%d+ of %d+ recorded requests came: %d+ in the same bytes")
    local good, odd = agrees(run)
    t:check(good, "the replay tells otherwise:\n%s", run.out)
    t:has(run.out, "emulator's code " .. (odd == 0 and 0 or 3))
  end)
end

test("a trace that was changed says where the driver does otherwise, and a trace that was cut off plays as \z
  far as it goes", function(t)
  local folder = t:folder()
  --- Record a move, change the trace, and replay it.
  local function changed(change)
    local first = record_move(folder, "sts")
    t:code(first, 0)
    files.write(folder .. "/run.trace", change(files.read(folder .. "/run.trace")))
    return replayed(folder, move_again)
  end
  local run = tried(says "~has 'servo 7: ping'.*do not answer: id 2", function()
    return changed(function(text)
      local other, count = text:gsub("> FF FF 02 02 01 FA\n", "> FF FF 07 02 01 F5\n", 1)
      t:equal(count, 1, "pings of servo 2")
      return other
    end)
  end)
  t:has(run.err, "do not answer: id 2")
  t:has(run.out, "~first difference: not recorded: 'servo 2: ping' came where line %d+ of the trace has \z
    'servo 7: ping'")
  t:has(run.out, "emulator's code 3")
  run = tried(says "has 'the end'", function()
    return changed(function(text) return text:sub(1, #text // 2) end)
  end)
  t:has(run.out, "has 'the end'")
  run = brio("emulate", "--trace", folder .. "/robot/robot.lua")
  t:code(run, 1)
  t:has(run.err, "is not a trace")
  t:code(brio("emulate", "--trace", folder .. "/none"), 1)
  t:code(brio("emulate", "--trace", folder .. "/run.trace", "--bus", "other"), 1)
  t:code(brio("emulate", "sts", "--trace", folder .. "/run.trace"), 2)
end)

test("a full disk ends a trace and not the run, and it is said", function(t)
  local folder = t:folder()
  if harness.run("test -e /dev/full").code ~= 0 then t:skip "there is no /dev/full" end
  local run = tried(says "~joint_1 at 0%.[23]%d+, command 0%.3000 rad", function()
    return recorded(folder, "sts", [[
      $brio move --robot robot joint_1 0.2 --arm --trace /dev/full; test $? = 1 || exit 11
      ( ulimit -f 8; trap '' XFSZ; exec $brio move --robot robot joint_1 0.3 --arm --trace run.trace )
      test $? = 1 || exit 12
      tail -c 300 run.trace >tail; exit 0]])
  end)
  t:code(run, 0)
  t:has(run.err, "cannot be written")
  t:has(run.out, "~joint_1 at 0%.[23]%d+, command 0%.3000 rad")
  t:has(run.err, "is not whole: is the disk full?")
end)

test("what is typed makes faults: at the terminal, at the start, through a socket", function(t)
  local folder = t:folder()
  local bus = emulated.start("dynamixel", "--servos", 12, "--link", folder .. "/bus", "--say", "drop 2%",
    "--say", "twin 3")
  local heard = bus:say "latency 5 ms\ncorrupt 1 %\nhold 1\nhold 0\nnonsense\nunplug\nplug elsewhere\nstatus"
  local code, said = bus:stop()
  t:equal(code, 0, "exit code of the emulator")
  t:has(said, "loss is 0.02")
  t:has(heard, "latency is 0.005 s")
  t:has(heard, "errors is 0.01")
  t:has(heard, "busy is 1")
  t:has(heard, "'nonsense' is nothing this emulator knows")
  t:has(heard, "servo 12: at 0.0 degrees")
  t:has(said, "~try: brio scan %S+/bus")
  t:has(said, "~brio run BEHAVIOR%.lua %-%-driver dynamixel %-%-set port=%S+/bus %-%-arm")
  local help = harness.run { program .. " emulate sts --servos 2", input = "help\nquit\n" }
  t:code(help, 0)
  for _, word in ipairs { "unplug", "plug", "power", "error ID", "loss", "errors", "latency", "jitter",
      "busy", "twin ID",
    "drop, corrupt" } do
    t:has(help.out, word)
  end
  t:code(brio("emulate", "sts", "--servos", "2", "--for", "0.1"), 0)
  t:has(brio("emulate").out, "twin ID")
end)

harness.done()
