--- Emulated devices and recorded traffic, as a person at a terminal uses them.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()

local function write(name, text)
  files.write(folder .. "/" .. name, text)
  return folder .. "/" .. name
end

test("decode lists the protocols, and tells a misspelt one what was meant", function(t)
  local run = brio "decode"
  t:code(run, 0)
  t:has(run.out, "dynamixel2")
  run = brio("decode", "dynamixl", "x")
  t:code(run, 2)
  t:has(run.err, "did you mean 'dynamixel")
  t:code(brio("decode", "dynamixel", folder .. "/none"), 1)
  t:code(brio("decode", "dynamixel"), 2)
end)

test("decode reads a trace: times, directions, answers told by what was asked", function(t)
  local run = brio("decode", "dynamixel", write("a.trace", [[
# brio trace 1: dynamixel2, /dev/ttyUSB0, 1000000 baud
0.000000 > FF FF FD 00 01 07 00 02 84 00 04 00 1D 15
0.000700 < FF FF FD 00 01 08 00
0.000900 < 55 00 A6 00 00 00 8C C0
]]))
  t:code(run, 0)
  t:has(run.out, "0.000000 > servo 1: read Present Position (132)")
  t:has(run.out, "0.000900 < servo 1 answers: no error; Present Position (132) = 166")
  t:has(run.out, "2 packets; nothing refused")
end)

test("decode reads hex and raw bytes, and counts what is wrong by kind", function(t)
  local hex = "FF FF FD 00 01 03 00 01 2D 01\n00 01\nFF FF FD 00 FE 03 00 01 31 42\n"
  local run = brio("decode", "dynamixel", write("a.hex", hex))
  t:code(run, 0)
  t:has(run.out, "all servos: ping")
  t:has(run.out, "1 packets; 12 bytes refused")
  t:has(run.out, "1 check")
  local raw = hex:gsub("(%x%x)%s", function(pair) return string.char(tonumber(pair, 16)) end)
  local other = brio("decode", "dynamixel", write("a.raw", raw))
  local placed = other.out:gsub("byte 0 %(0x0%)", "line 1, byte 1")
  t:equal(placed, run.out)
  t:has(run.out, "!! 12 bytes refused at line 1, byte 1: a wrong check code: FF FF FD 00 01 03 00 01 2D 01 \z
    00 01")
end)

test("decode takes a dump in characters or words as raw bytes", function(t)
  for number, dump in ipairs { "0000000   a   b  \\n\n0000003\n", "00000000: no hex\n" } do
    local run = brio("decode", "dynamixel", write("od" .. number, dump))
    t:code(run, 0)
    t:has(run.out, ("%d byte"):format(#dump))
  end
end)

test("decode tells CAN frames as candump prints them, and what CiA 402 says in them", function(t)
  local run = brio("decode", "canopen", write("a.candump", [[
0.000000 000 [2] 82 03                    reset communication node 3
0.014403 703 [1] 00                       boot-up
0.016868 083 [8] B0 81 01 00 00 00 00 00
0.225093 603 [8] 40 41 60 00 00 00 00 00
0.231289 583 [8] 4B 41 60 00 18 02 8F AF
(1436509052.249713) can0 602#2F60600001000000
]]))
  t:code(run, 0)
  t:has(run.out, "node 3 reset communication")
  t:has(run.out, "node 3: boots")
  t:has(run.out, "node 3: emergency 81B0")
  t:has(run.out, "node 3: answers status word (6041:00) = 0218, fault")
  t:has(run.out, "node 2: write mode (6060:00) = 1, profile position")
  t:has(run.out, "6 packets; nothing refused")
end)

test("decode reads what others recorded: candump's log of two buses, and lines that are none of it",
  function(t)
  local run = brio("decode", write("two.log", [[
(1700000000.000100) can0 601#4041600000000000
(1700000000.000300) can1 602#4041600000000000 T
(1700000000.000900) can0 581#4B41600018020000
(1700000000.001000) can0 123#R
(1700000000.001100) can0 1F334455##1AABB
rubbish
(1700000000.0012]]))
  t:code(run, 0)
  t:has(run.out, "can0   node 1: read status word (6041:00)")
  t:has(run.out, "can1   node 2: read status word")
  t:has(run.out, "can0   node 1: answers status word (6041:00) = 0218")
  t:has(run.out, "# line 4 is a frame without data, or of CAN FD: passed over")
  t:has(run.out, "# line 5 is a frame without data, or of CAN FD: passed over")
  t:has(run.out, "# line 6 is no frame as candump writes it: passed over")
  t:has(run.out, "# line 7 is cut off")
  t:has(run.out, "can1: 1 packets; nothing refused")
end)

test("decode reads candump with dates and with who sent a frame", function(t)
  local run = brio("decode", "canopen", write("dated.log", [[
 (2024-05-06 01:02:03.250000)  can0  RX - -  603   [8]  40 41 60 00 00 00 00 00
 (2024-05-06 01:02:03.500000)  can0  TX B E  583   [8]  4B 41 60 00 18 02 8F AF   '@A`.....'
]]))
  t:code(run, 0)
  t:has(run.out, "3723.250000   node 3: read status word (6041:00)")
  t:has(run.out, "3723.500000   node 3: answers status word (6041:00) = 0218")
  t:has(run.out, "2 packets; nothing refused")
end)

test("decode reads what analyzers and other programs write of a serial line", function(t)
  local asked, told = "servo 1: read Present Position (56)",
    "servo 1 answers: no error; Present Position (56) = 2051"
  local ask, tell = "ff ff 01 04 02 38 02 be", "ff ff 01 04 00 03 08 ef"
  local both = { "> " .. asked .. "\n", "< " .. told .. "\n", "\n2 packets; nothing refused" }
  local forms = {
    { "Write: " .. ask .. "\nRead: " .. tell .. "\n", both },
    { "TX -> " .. ask .. "\nRX <- " .. tell .. "\n", both },
    { "[12:00:01.5] TX: " .. ask .. "\n2026-11-21 12:00:01.75 RX " .. tell .. "\n",
      { "43201.500000 " .. both[1], "43201.750000 " .. both[2] } },
    { "-> \\xff\\xff\\x01\\x04\\x02\\x38\\x02\\xbe\n<- \\xff\\xff\\x01\\x04\\x00\\x03\\x08\\xef\n", both },
    { "sent [0xff, 0xff, 0x1, 0x4, 0x2, 0x38, 0x2, 0xbe]\nreceived " .. tell .. "\n", both },
    { "00000000: ffff 0104 0238 02be ffff 0104 0003 08ef  .....8..........\n", { asked, told, both[3] } },
    { "00000000  " .. ask .. "  " .. tell .. "  |.....8..........|\n00000010\n", { asked, told, both[3] } },
    { "> 2026/11/21 18:00:00.25  length=8 from=0 to=7\n " .. ask
      .. "\n--\n< 2026/11/21 18:00:00.5  length=8 from=0 to=7\n " ..
      tell .. "\n--\n", { "64800.250000 " .. both[1], "64800.500000 " .. both[2], both[3] } },
    { "Time [s],Value,Parity Error\n" .. (ask .. " " .. tell):gsub("(%x%x) ?", "0.5,0x%1,\n"),
      { asked, told, both[3] } },
    { 'name,type,start_time,data\n' .. ask:gsub("(%x%x) ?", '"TX","data",0.1,0x%1\n')
      .. tell:gsub("(%x%x) ?", '"RX","data",0.2,0x%1\n'),
      { "0.100000 " .. both[1], "0.200000 " .. both[2], both[3] } },
  }
  for number, form in ipairs(forms) do
    local run = brio("decode", "sts", write("other" .. number, form[1]))
    t:code(run, 0)
    for _, words in ipairs(form[2]) do t:has(run.out, words) end
  end
end)

test("decode tells what a Maestro's bare bytes mean", function(t)
  local run = brio("decode", "maestro", write("maestro.hex",
    "> 90 02\n< 70\n< 17\n> A1\n< 10 01\n> 93\n< 01 05\n> FF 00 7F\n< 01\n"))
  t:code(run, 0)
  t:has(run.out, "answer 17: position, in quarter microseconds 6000")
  t:has(run.out, "answer 01: error bits 272")
  t:has(run.out, "answer 01: moving 1")
  t:has(run.out, "answer 05\n")
end)

test("decode goes on after anything, says where and why, and reads a trace that was cut off", function(t)
  local path = write("b.trace", [[
# brio trace 2: ttyUSB0 is /dev/ttyUSB0, dynamixel1, 1000000 baud
# brio trace 2: ttyUSB1 is /dev/ttyUSB1, lx16a, 115200 baud
100.000000 ttyUSB0 > FF FF 01 02 01 FB
100.002000 ttyUSB0 < 12 34 FF FF 01 02 00 FC
100.001000 ttyUSB1 > 55 55 01 03 1C DF
what is this
100.003000 ttyUSB1 < 55 55 01 05 1C F4 01 E8
100.004000 ttyUSB0 > FF FF 01 02 01 FA FF FF 02 02 01 FA
100.005000 ttyUSB0 > FF FF 01 0]])
  local run = brio("decode", path)
  t:code(run, 0)
  t:has(run.out, "   0.000000 ttyUSB0 > servo 1: ping\n   0.001000 ttyUSB1 > servo 1: read position\n   \z
    0.002000 ttyUSB0 < !! 2 bytes refused"
    .. " at line 4, byte 1: bytes that begin no packet: 12 34\n   0.002000 ttyUSB0 < servo 1 answers: no \z
      error\n")
  t:has(run.out, "!! 6 bytes refused at line 8, byte 1: a wrong check code: FF FF 01 02 01 FA\n   0.004000 \z
    ttyUSB0 > servo 2: ping")
  t:has(run.out, "!! 3 bytes refused at line 9, byte 1: a packet that was cut off")
  t:has(run.out, "# line 6 is no line of a trace: passed over")
  t:has(run.out, "# line 9 is cut off")
  t:has(run.out, "ttyUSB1: 2 packets; nothing refused")
  run = brio("decode", path, "--bus", "ttyUSB1", "--summary")
  t:equal(run.out, "# line 6 is no line of a trace: passed over\n# line 9 is cut off: the recording ended \z
    there\n2 packets; nothing refused\n")
  run = brio("decode", path, "--bus", "ttyUSB2")
  t:code(run, 2)
  t:has(run.err, "did you mean 'ttyUSB")
  run = brio("decode", write("c.hex", "FF FF 01 02 01 FB\n"))
  t:code(run, 2)
  t:has(run.err, "which protocol speaks the file?")
end)

test("decode tells a shared line's questions from answers", function(t)
  local run = brio("decode", "feetech", write("b.hex", [[
FF FF 01 04 02 38 02 BE
00 00 FF FF 01 04 00 18 05 DD
FF FF 01 04 00 67 FF FF 02 04 02 38 02 BD
]]))
  t:code(run, 0)
  t:has(run.out, "servo 1: read Present Position (56)")
  t:has(run.out, "servo 1 answers: no error; Present Position (56) = 1304")
  t:has(run.out, "servo 2: read Present Position")
end)

test("emulate lists its kinds and refuses what cannot be", function(t)
  local run = brio "emulate"
  t:code(run, 0)
  t:has(run.out, "dynamixel")
  run = brio("emulate", "dynamixl")
  t:code(run, 2)
  t:has(run.err, "did you mean 'dynamixel'")
  t:code(brio("emulate", "dynamixel", "--servos", "1000"), 2)
  t:code(brio("emulate", "dynamixel", "--baud", "12345"), 2)
end)

test("emulate says its port, obeys what is typed and comes back on another port", function(t)
  local run = brio("emulate", "dynamixel", "--servos", "2",
    { input = "status\nloss 2%\nlos 1\n2%\nerror 2 0x20\n  drop 3%\nquit\n" })
  t:code(run, 0)
  t:has(run.out, "port: /dev/")
  t:has(run.out, "servo 2: at 0.0 degrees, torque off")
  t:has(run.out, "loss is 0.02")
  t:has(run.out, "did you mean 'loss'")
  t:has(run.out, "'2%' is nothing this emulator knows")
  t:has(run.out, "loss is 0.03")
  local folder = t:folder()
  local bus = emulated.start("dynamixel", "--link", folder .. "/bus")
  local first = bus.port
  t:equal(files.output("readlink " .. folder .. "/bus"):match "%S+", first)
  bus:unplug()
  -- a link that stayed would lead to the next terminal of that name, another emulator's
  t:equal(files.output("readlink " .. folder .. "/bus"), "", "the link of an unplugged device")
  local second = bus:plug()
  t:equal(files.output("readlink " .. folder .. "/bus"):match "%S+", second)
  local code, said = bus:stop()
  t:equal(code, 0, "exit code")
  t:has(said, "~port: %S+\n.*unplugged.-\nport: %S+")
  t:check(first and second and first ~= second, "ports " .. tostring(first) .. " and " .. tostring(second))
end)

--- Check that nothing in a decoded trace was refused; where the cable was pulled, a packet may have been cut
--- off.
local function nothing_refused(t, told, pulled)
  if not pulled then return t:has(told, "nothing refused") end
  for line in told:gmatch "[^\n]+" do
    if line:find("!!", 1, true) then t:has(line, "a packet that was cut off") end
  end
end

test("a behavior runs on emulated servos, goes on after the cable was pulled, and leaves a trace", function(t)
  local link, trace = folder .. "/bus", folder .. "/run.trace"
  local bus = emulated.start("dynamixel", "--servos", 20, "--link", link)
  local run = { socket = folder .. "/kiosk.socket" }
  run.process = harness.start_brio("run", "behaviors/kiosk.lua", "--robot", "pepper", "--driver", "dynamixel",
    "--set", "port=" .. link, "--set", "trace=" .. trace, "--arm", "--store", "none", "--quiet",
    "--socket", run.socket)
  local moved = "~servo %d+: at %-?[1-9][%d.]* degrees, torque on"
  bus:await("servos that move", moved)
  bus:unplug()
  emulated.await_lost(run.process)
  bus:plug()
  emulated.await_back(run.process)
  local status = bus:await("servos with torque", "~servo 20: at [^\n]*torque on")
  t:has(status, moved)
  harness.signal(run.process, "INT")
  local code, said = harness.wait(run.process)
  t:equal(code, 0, "exit code")
  t:has(said, "does not answer")
  t:has(said, "answers again")
  bus:stop()
  local told = brio("decode", "dynamixel", trace)
  t:code(told, 0)
  t:check(told.out:find "all servos: sync write 1: Profile Velocity %(112%) = %d+, Goal Position %(116%) = ",
    "goals")
  t:has(told.out, "servos answer: 1: Present Velocity (128) = ")
  nothing_refused(t, told.out, true)
end)

local mover = emulated.mover(folder, { velocity = 50, acceleration = 5000, step = 0.005 })

for _, kind in ipairs { "dynamixel1", "sts", "scs", "lx16a", "mycobot", "maestro", "line" } do
  test("axes move through the driver of emulated " .. kind, function(t)
    local link = folder .. "/" .. kind
    local bus = emulated.start(kind, "--servos", 6, "--link", link)
    local run = brio("lua", mover, kind, link)
    t:code(run, 0)
    t:equal(run.out, "-0.20 -0.10 0.00 0.10 0.20 0.30\n")
    bus:stop()
  end)
end

test("axes move by a joint stream over UDP", function(t)
  local bus = emulated.start "json"
  local run = brio("lua", mover, "json", bus.port)
  t:code(run, 0)
  t:equal(run.out, "-0.20 -0.10 0.00 0.10 0.20 0.30\n")
  bus:stop()
end)

test("drives by CiA 402 move on a bus behind a socket, and a drive's fault is told", function(t)
  local path, trace = folder .. "/can", folder .. "/can.trace"
  local store = folder .. "/can.db"
  local still = write("still_arm.lua", [[
    local brio = require "brio"
    local b = brio.behavior "still_arm" { robot = "ur3e", start = "one" }
    b.one = { wants = { brio.want.joint_match { joint = "shoulder_lift_joint", goal = -1.5708 },
                        brio.want.joint_match { joint = "elbow_joint", goal = 1.5708 } } }
    return b
  ]])
  local bus = emulated.start("epos", "--servos", 6, "--link", path, "--say", "paced off")
  local run = harness.start_brio("run", still, "--driver", "epos", "--set", "port=unix:" .. path,
    "--set", "trace=" .. trace, "--arm", "--store", store, "--quiet", "--json")
  bus:await("the drives at their places", function(status)
    return status:find("node 2: at -90.0 degrees, operation enabled", 1, true)
      and status:find("node 3: at 90.0 degrees, ", 1, true)
  end)
  bus:say "fault 3 0x8611"
  bus:await("the drive's fault", "node 3: at 90.0 degrees, fault")
  harness.await_row(store, "select count(*) from device_samples where error like 'node 3:%'")
  harness.signal(run, "INT")
  local code, said = harness.wait(run)
  t:equal(code, 0, "exit code")
  t:check(said:find "node 3: emergency 8611" or said:find "node 3: fault 8611",
    "the report does not name the fault: %s", said)
  bus:stop()
  local told = brio("decode", "canopen", trace)
  t:has(told.out, "node 1: write mode (6060:00) = 8, cyclic position")
  t:has(told.out, "637, operation enabled")
  nothing_refused(t, told.out)
end)

test("scan finds servos, says what they are and begins a robot's file that runs", function(t)
  local link, robot = folder .. "/scanned", folder .. "/found"
  local behavior = write("still.lua", ([[
    local b = require("brio").behavior "still" { robot = %q, start = "one" }
    b.one = {}
    return b
  ]]):format(robot))
  local bus = emulated.start("sts", "--servos", 3, "--id", 4, "--link", link)
  local found = brio("scan", "scanned", "--last", 8, "--write", robot, { cwd = folder })
  t:code(found, 0)
  t:has(found.out, "at 1000000 baud: 3 devices, id 4, 5, 6: STS3215")
  t:check(not found.out:find "SCS", "one family is told")
  t:has(files.read(robot .. "/robot.lua"), 'ids = "4,5,6"')
  t:has(files.read(robot .. "/robot.lua"), ('port = "%s/scanned"'):format(folder)) -- right from every folder
  t:code(brio("run", behavior, "--arm", "--for", 0.5, "--store", "none", "--quiet", { cwd = "/" }), 0)
  t:has(brio("setup", link, "sts", 5, "position").out, "position       0 rad") -- the rate was found
  t:has(brio("setup", link).err, "setup expects a port, a family and an id")
  t:has(brio("servo", link, 5).err, "is it of another family (--family)?")
  t:has(brio("move", "--robot", robot, "joint_4", 0.1).err,
    "nothing moves until somebody arms them (`arm`, or --arm)")
  t:has(brio("scan", link, "--last", 2).out, "nothing answers")
  bus:stop()
  local run = brio("scan", "/dev/none")
  t:code(run, 1)
  t:has(run.err, "there is no port '/dev/none'")
end)

test("a port or servo that is not there is said to be so", function(t)
  local run = brio("run", "behaviors/kiosk.lua", "--driver", "dynamixel", "--set", "port=/dev/none",
    "--store", "none")
  t:code(run, 1)
  t:has(run.err, "there is no port '/dev/none'")
  run = brio("run", "behaviors/kiosk.lua", "--driver", "dynamixel", "--set", "prt=/dev/none", "--store",
    "none")
  t:has(run.err, "has no setting 'prt' (did you mean 'port'?)")
  run = brio("run", "behaviors/kiosk.lua", "--driver", "epos", "--set", "port=/dev/ttyUSB9", "--store",
    "none")
  t:has(run.err, "a CAN bus was expected, such as can:can0 (epos_serial is for serial lines), not \z
    '/dev/ttyUSB9'")
  t:code(brio("run", "behaviors/kiosk.lua", "--set", "port"), 2)
end)

harness.done()
