--- Trying a robot before buying it, as docs/devices.md shows it: the transcript there is run, the kiosk behavior works on twelve
--- emulated servos while their cable is pulled and the behavior is edited, and every family is found by one scan.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local program = files.quote(harness.program)

--- Write to a file that programs see whole or not at all.
local function replace(path, text)
  files.write(path .. ".new", text)
  os.rename(path .. ".new", path)
end

-- The page -------------------------------------------------------------------------------------------

--- Numbers and the spaces around them differ from run to run.
local function masked(line)
  return (line:gsub("%-?%d+%.?%d*", "#"):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- The commands of a transcript with the lines that they print: "$ command", then its output; "..." stands for any lines.
local function commands_of(block)
  local list = {}
  for line in block:gmatch "[^\n]+" do
    local command = line:match "^%$ (.*)"
    if command then list[#list + 1] = { command = command, lines = {} }
    else table.insert(list[#list].lines, line) end
  end
  return list
end

--- What a program says when the machine kept its thread waiting, which is no part of a transcript.
local function is_of_load(line)
  return line:find("scripts sent no pose for so long", 1, true) or line:find("the scripts are back", 1, true)
end

--- Whether output is as a transcript has it.
local function agrees(lines, output)
  local at = 1
  local seen = {}
  for line in output:gmatch "[^\n]+" do
    if not is_of_load(line) then seen[#seen + 1] = masked(line) end
  end
  for index, line in ipairs(lines) do
    if line == "..." then
      local next_line = lines[index + 1] and masked(lines[index + 1])
      while at <= #seen and seen[at] ~= next_line do at = at + 1 end
    elseif seen[at] == masked(line) then at = at + 1
    else return false, line end
  end
  return at > #seen, seen[at]
end

test("the transcript in docs/devices.md is what the program says", function(t)
  local folder, page = t:folder(), files.read(harness.root .. "/docs/devices.md")
  local block = page:match "<!%-%- transcript %-%->\n+```[a-z]*\n(.-)```"
  if not t:check(block, "the page has no transcript") then return end
  local background
  files.write(folder .. "/bin", ("#!/bin/sh\nexec %s \"$@\"\n"):format(program))
  os.execute("mkdir " .. folder .. "/path && mv " .. folder .. "/bin " .. folder .. "/path/brio && chmod +x " .. folder
    .. "/path/brio && ln -s " .. files.quote(harness.root) .. "/behaviors " .. folder .. "/behaviors")
  for _, one in ipairs(commands_of(block)) do
    local command = ("cd %s; PATH=%s/path:$PATH; %s"):format(folder, folder, one.command)
    local output
    if one.command:find "&$" then
      background = harness.start("sh -c " .. files.quote("cd " .. folder .. "; PATH=" .. folder .. "/path:$PATH; exec "
        .. one.command:gsub("%s*&$", "") .. " --for 60"))
      for _ = 1, 200 do
        output = harness.output_of(background)
        if output:find "type 'help'" then break end
        harness.sleep(0.05)
      end
    else
      output = harness.run({ command, timeout = 60 }).text
    end
    local good, line = agrees(one.lines, output)
    t:check(good, "'%s' prints otherwise, at '%s':\n%s", one.command, tostring(line), output)
  end
  if background then
    harness.signal(background, "TERM")
    harness.wait(background, 10)
  end
end)

-- The kiosk on twelve servos ---------------------------------------------------------------------------

--- Say lines to an emulator's socket, and hear its answers.
local function tell(folder, lines)
  files.write(folder .. "/tell.lua", [[
    local uv = require "luv"
    local pipe, heard = uv.new_pipe(false), ""
    local wait = uv.new_timer()
    pipe:connect(arg[1], function(why)
      if why then return print(why), pipe:close(), wait:close() end
      pipe:write(arg[2])
      local function over() pipe:close() wait:close() end
      pipe:read_start(function(_, bytes)
        if not bytes then return end
        heard = heard .. bytes
        wait:start(300, 0, over) -- more may come
      end)
      wait:start(4000, 0, over)
    end)
    uv.run()
    io.write(heard)]])
  return harness.run(("%s lua %s/tell.lua %s/control %s"):format(program, folder, folder, files.quote(lines .. "\n"))).out
end

test("the kiosk behavior works on twelve emulated servos, through a pulled cable and an edit", function(t)
  local folder = t:folder()
  local emulator = harness.start(("%s emulate dynamixel --servos 12 --link %s/bus --control %s/control --for 60"):format(program, folder, folder))
  for _ = 1, 100 do
    if harness.output_of(emulator):find "type 'help'" then break end
    harness.sleep(0.05)
  end
  for _, name in ipairs { "kiosk.lua", "kiosk_world.lua" } do
    files.write(folder .. "/" .. name, files.read(harness.root .. "/behaviors/" .. name))
  end
  local run = harness.start(("%s run %s/kiosk.lua --driver dynamixel --drive left_arm --drive right_arm --set port=%s/bus --arm --for 16 "
    .. "--store %s/run.db --socket %s/socket --trace %s/run.trace --quiet"):format(program, folder, folder, folder, folder, folder))
  harness.sleep(5)
  t:has(tell(folder, "status"), "~servo 12: at %-?[%d.]+ degrees, torque on")
  t:has(tell(folder, "unplug"), "ok")
  harness.sleep(1)
  tell(folder, "plug elsewhere")
  local text = files.read(folder .. "/kiosk.lua")
  replace(folder .. "/kiosk.lua", (text:gsub("param%(0.35,", "param(0.30,")))
  for _ = 1, 4 do
    harness.sleep(0.8)
    harness.brio("attach", folder .. "/socket", { input = "release\n" })
  end
  local before = tell(folder, "status")
  local code, said = harness.wait(run, 40)
  local after = tell(folder, "status\nquit")
  t:equal(code, 0, "the run's exit code:\n" .. said)
  t:has(said, "device 'dynamixel' does not answer")
  t:has(said, "answers again")
  t:has(after, "torque o")
  t:check(before ~= after, "no servo moved after the cable was put in again")
  local versions = harness.number(folder .. "/run.db", "select count(*) from versions where source like '%param(0.30,%'")
  t:check(versions and versions >= 1, "%s edited versions ran", tostring(versions))
  local told = harness.brio("decode", "--summary", folder .. "/run.trace")
  t:code(told, 0)
  harness.wait(emulator, 10)
end)

-- All families ----------------------------------------------------------------------------------------

--- Kinds of emulators, the driver that finds each, and where it is.
local families = {
  { "dynamixel", "XM430" }, { "dynamixel1", "AX-12A" }, { "sts", "STS3215" }, { "scs", "SCS" }, { "lx16a", "LX-16A" },
  { "mycobot", "a myCobot with 6 joints" }, { "maestro", "a Maestro" }, { "line", "a servo board" },
  { "epos", "CiA 402", port = "unix:" }, { "epos_serial", "a drive by CiA 402" },
  { "maestro_crc", "a Maestro with its CRC enabled", driver = "maestro", settings = "crc = 1" },
}

test("one scan finds devices of every family, moves none, and what it writes runs", function(t)
  local folder, ports, emulators = t:folder(), {}, {}
  for index, family in ipairs(families) do
    local count = (family[1] == "mycobot" or family[1]:find "maestro") and 6 or 2 -- no smaller ones are made
    emulators[index] = harness.start(("%s emulate %s --servos %d --link %s/%s --for 75"):format(program, family[1], count, folder, family[1]))
    ports[index] = ("%s%s/%s"):format(family.port or "", folder, family[1])
  end
  harness.sleep(1.5)
  local run = harness.run { ("cd %s && %s scan %s --last 3 --write robot --trace scan.trace"):format(folder, program, table.concat(ports, " ")), timeout = 60 }
  t:code(run, 0)
  t:has(run.out, "none moves a motor or changes a setting")
  for _, family in ipairs(families) do
    t:has(run.out, family[2])
    local robot = files.read(folder .. "/robot/robot.lua") or ""
    t:has(robot, ("driver = %q"):format(family.driver or family[1]))
    if family.settings then t:has(robot, family.settings) end
  end
  run = harness.run { ([[cd %s && brio=%s
    $brio robot robot >/dev/null && $brio new hello --robot robot >/dev/null && $brio check hello.lua || exit 11
    $brio run hello.lua --arm --for 2 --store none --quiet || exit 12
    for i in 1 2 3 4 5; do # nine emulators may be too much for a busy machine
      $brio move --robot robot joint_1_1 0.2 joint_4_2 -0.2 joint_5_1 0.1 joint_6_3 0.2 joint_7_0 0.1 joint_9_1 0.2 joint_11_3 -0.2 --arm && break
    done]])
    :format(folder, program), timeout = 60 }
  t:code(run, 0)
  t:has(run.out, "hello.lua: good")
  t:has(run.out, "~joint_4_2 at %-0%.[12]%d+, told %-0%.2000 rad")
  t:has(run.out, "~joint_11_3 at %-0%.[12]%d+, told %-0%.2000 rad")
  t:has(run.out, "~joint_6_3 at 0%.[12]%d+, told 0%.2000 rad")
  for _, emulator in ipairs(emulators) do
    harness.signal(emulator, "TERM")
    harness.wait(emulator, 5)
  end
end)

test("a device that streams joints is found by its names, and told no position", function(t)
  local folder = t:folder()
  files.write(folder .. "/device.lua", [[
    local uv = require "luv"
    local socket, timer = uv.new_udp(), uv.new_timer()
    socket:bind("127.0.0.1", 0)
    print(socket:getsockname().port)
    io.flush()
    socket:recv_start(function(_, bytes, from)
      if not bytes then return end
      io.stderr:write(bytes, "\n")
      socket:send('{"positions": {"neck": 0.25, "jaw left": 0}}', from.ip, from.port)
    end)
    timer:start(8000, 0, function() os.exit(0) end)
    uv.run()]])
  local run = harness.run { ([[cd %s
    %s lua device.lua >port 2>heard & sleep 1
    %s scan udp:127.0.0.1:$(cat port) --write robot; code=$?; cat heard; kill $!; exit $code]]):format(folder, program, program) }
  t:code(run, 0)
  t:has(run.out, "2 joints that are streamed: neck, jaw left")
  t:has(run.out, '"positions": {}')
  t:check(not run.out:find '"positions": {"', "a position was told")
  t:has(files.read(folder .. "/robot/robot.lua"), '{ "neck", "jaw left" }')
  t:has(harness.brio("robot", folder .. "/robot").out, "jaw left")
  run = harness.run { ([[cd %s
    %s emulate json --for 8 >said & sleep 0.7
    %s scan $(sed -n 's/^port: //p' said) --write other; code=$?; kill $!; exit $code]]):format(folder, program, program) }
  t:code(run, 0)
  t:has(run.out, "24 joints that are streamed: joint_1, joint_2") -- as the emulator's hint says
end)

test("a port that cannot be looked at is said to be so, and the others are", function(t)
  local folder = t:folder()
  files.write(folder .. "/no-port", "")
  files.write(folder .. "/hung.lua", [[ -- a port that hangs up after a while
    local emulator, clock = require "brio.emulator", require "brio.clock"
    local servos = emulator.open("sts", { servos = 2 })
    servos:serve(arg[1])
    local began = clock.monotonic()
    while clock.monotonic() - began < 1.7 do servos:step(0.02) end
    servos:close()]])
  local run = harness.run { ([[cd %s
    %s emulate sts --servos 2 --link bus --for 25 >/dev/null </dev/null & first=$!
    %s lua hung.lua hung & second=$!
    sleep 1
    %s scan no-port missing hung bus --family sts --last 40; code=$?
    kill $first $second; exit $code]]):format(folder, program, program, program), timeout = 60 }
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
  os.execute("chmod 755 " .. folder .. "; chown root:dialout " .. folder .. "/closed; chmod 660 " .. folder .. "/closed")
  run = harness.run { ("setpriv --reuid 65534 --regid 65534 --clear-groups %s scan %s/closed"):format(program, folder) }
  if not run.text:find "ermission denied" then t:has(run.err, "usermod -a -G dialout") end
end)

harness.done()
