--- `brio scan` for a user: emulated devices of every family found by one scan, a device that streams its
--- joints, and ports that cannot be opened.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

local program = files.quote(harness.program)

--- Kinds of emulators, the driver that finds each, and its address.
local families = {
  { "dynamixel", "XM430" }, { "dynamixel1", "AX-12A" }, { "sts", "STS3215" }, { "scs", "SCS" },
  { "lx16a", "LX-16A" }, { "mycobot", "a myCobot with 6 joints" }, { "maestro", "a Maestro" },
    { "line", "a servo board" },
  { "epos", "CiA 402", port = "unix:" }, { "epos_serial", "a drive by CiA 402" },
  { "maestro_crc", "a Maestro with its CRC enabled", driver = "maestro", settings = "crc = 1" },
}

--- Scan until every device was found.  An emulator that waits for the processor answers too late: each
--- further scan allows twice the time.
local function scan_all(folder, ports)
  local robot, run
  for doubling = 0, 5 do
    files.output("rm -rf " .. folder .. "/robot")
    run = harness.run(("cd %s && %s scan %s --last 2 --latency %g --write robot --trace scan.trace")
      :format(folder, program, table.concat(ports, " "), 0.005 * 2 ^ doubling))
    robot = files.read(folder .. "/robot/robot.lua") or ""
    local devices, joints = select(2, robot:gsub('driver = "', "")), select(2, robot:gsub("{ name = ", ""))
    if devices == #families and joints == 34 then break end
    print("# not all devices answered in time: " .. run.text)
  end
  return run, robot
end

test("one scan finds devices of every family, moves none, and what it writes runs", function(t)
  local folder, ports, buses = t:folder(), {}, {}
  for index, family in ipairs(families) do
    local count = (family[1] == "mycobot" or family[1]:find "maestro") and 6 or 2 -- no smaller ones are made
    buses[index] = emulated.start(family[1], "--servos", count, "--link", folder .. "/" .. family[1])
    ports[index] = ("%s%s/%s"):format(family.port or "", folder, family[1])
  end
  local run, robot = scan_all(folder, ports)
  t:code(run, 0)
  t:has(run.out, "none moves a motor or changes a setting")
  for _, family in ipairs(families) do
    t:has(run.out, family[2])
    t:has(robot, ("driver = %q"):format(family.driver or family[1]))
    if family.settings then t:has(robot, family.settings) end
  end
  run = harness.run { ([[cd %s && brio=%s
    $brio robot robot >/dev/null && $brio new hello --robot robot >/dev/null || exit 10
    $brio check hello.lua || exit 11]]):format(folder, program) }
  t:code(run, 0)
  t:has(run.out, "hello.lua: good")
  -- answers may be too late for a busy machine
  harness.await("a run on all devices", function()
    run = harness.run(("cd %s && %s run hello.lua --arm --for 1 --store none --quiet"):format(folder,
      program))
    return run.code == 0
  end, { seen = function() return run.text end })
  harness.await("a move of joints of seven families", function()
    run = harness.run(("cd %s && %s move --robot robot joint_1_1 0.2 joint_4_2 -0.2 joint_5_1 0.1 joint_6_3 \z
      0.2 "
      .. "joint_7_0 0.1 joint_9_1 0.2 joint_11_3 -0.2 --arm"):format(folder, program))
    return run.code == 0 and run.out:find "joint_6_3 at 0%.[12]%d+, command 0%.2000 rad"
  end, { seen = function() return run.text end })
  t:has(run.out, "~joint_4_2 at %-0%.[12]%d+, command %-0%.2000 rad")
  t:has(run.out, "~joint_11_3 at %-0%.[12]%d+, command %-0%.2000 rad")
  t:has(run.out, "~joint_6_3 at 0%.[12]%d+, command 0%.2000 rad")
  for _, bus in ipairs(buses) do bus:stop() end
end)

--- Scan with a longer and longer time for answers until all that is looked for was found.
local function scan_until(folder, words, finds)
  local run
  for doubling = 0, 5 do
    run = harness.run(("cd %s && rm -rf robot && %s scan %s --latency %g")
      :format(folder, program, words, 0.3 * 2 ^ doubling))
    if run.text:find(finds, 1, true) then break end
    print("# too late for the scan: " .. run.text)
  end
  return run
end

test("a device that streams joints is found by its names, and told no position", function(t)
  local folder = t:folder()
  files.write(folder .. "/device.lua", [[
    local uv = require "luv"
    local socket = uv.new_udp()
    socket:bind("127.0.0.1", 0)
    print("port: " .. socket:getsockname().port)
    io.flush()
    socket:recv_start(function(_, bytes, from)
      if not bytes then return end
      io.stderr:write(bytes, "\n")
      socket:send('{"positions": {"neck": 0.25, "jaw left": 0}}', from.ip, from.port)
    end)
    uv.run()]])
  local device = harness.start(("%s lua %s/device.lua"):format(program, folder))
  local port = harness.await_output(device, "~port: %d+\n"):match "%d+"
  local run = scan_until(folder, ("udp:127.0.0.1:%s --write robot"):format(port), "2 joints")
  t:code(run, 0)
  t:has(run.out, "2 joints that are streamed: neck, jaw left")
  local heard = harness.output_of(device)
  t:has(heard, '"positions": {}')
  t:check(not heard:find '"positions": {"', "a position was told")
  t:has(files.read(folder .. "/robot/robot.lua"), '{ "neck", "jaw left" }')
  t:has(harness.brio("robot", folder .. "/robot").out, "jaw left")
  local bus = emulated.start "json"
  run = scan_until(folder, bus.port .. " --write robot", "24 joints")
  bus:stop()
  t:code(run, 0)
  t:has(run.out, "24 joints that are streamed: joint_1, joint_2") -- as the emulator's hint says
end)

test("a servo whose answer was lost is not taken for one of a family that looks alike", function(t)
  local link, found = t:folder() .. "/bus", 0
  for seed = 1, harness.scale > 1 and 100 or 12 do
    local bus = emulated.start("sts", "--servos", 1, "--link", link, "--seed", seed)
    bus:say "loss 20%"
    local run = harness.brio("scan", link, "--family", "dynamixel1", "--family", "sts", "--baud", 1000000,
      "--last", 1)
    local right = harness.contains(run.out, "STS3215")
    found = found + (right and 1 or 0)
    t:check(right or harness.contains(run.out, "nothing answers"), "seed %d: %s", seed, run.text)
    bus:stop()
  end
  t:check(found > 0, "never found")
end)

test("a port that cannot be looked at is said to be so, and the others are", function(t)
  local folder = t:folder()
  files.write(folder .. "/no-port", "")
  files.write(folder .. "/hung.lua", [[ -- a port that hangs up when it was asked a few times
    local emulator = require "brio.emulator"
    local servos = emulator.open("sts", { servos = 2 })
    servos:serve(arg[1])
    print "ready"
    io.flush()
    while tonumber(servos:command("status"):match "(%d+) packets") < 20 do servos:step(0.02) end
    servos:close()]])
  local bus = emulated.start("sts", "--servos", 2, "--link", folder .. "/bus")
  local run
  for doubling = 0, 5 do -- a busy machine may be too late with the answers of the port that is there
    local hung = harness.start(("%s lua %s/hung.lua %s/hung"):format(program, folder, folder))
    harness.await_output(hung, "ready")
    run = harness.run(("cd %s && %s scan no-port missing hung bus --family sts --last 40 --latency %g")
      :format(folder, program, 0.005 * 2 ^ doubling))
    harness.wait(hung)
    if run.out:find "2 devices" then break end
    print("# too late for the scan: " .. run.text)
  end
  bus:stop()
  t:code(run, 0)
  t:has(run.err, "no-port cannot be opened: it is no serial port")
  t:has(run.err, "there is no port 'missing'")
  t:has(run.err, "~hung is gone: unplugged")
  t:has(run.out, "bus at 1000000 baud: 2 devices, id 1, 2: STS3215")
  run = harness.brio("scan", "--family", "maestor")
  t:code(run, 2)
  t:has(run.err, "did you mean 'maestro'")
  if files.output "id -u" ~= "0" or files.output "command -v setpriv" == "" then return end
  files.write(folder .. "/closed", "")
  os.execute(("cd %s && chmod 755 . && chown root:dialout closed; chmod 660 closed"):format(folder))
  run = harness.run(("setpriv --reuid 65534 --regid 65534 --clear-groups %s scan %s/closed"):format(program,
    folder))
  if not run.text:find "ermission denied" then t:has(run.err, "usermod -a -G dialout") end
end)

harness.done()
