--- `brio servo` and brio.servo from outside: a person and a script inspect and set up servos.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files, brio = harness.test, harness.files, harness.brio

local folder = files.temporary()

--- Run `brio servo` words, one after another, against emulated servos; return the output.
local function against(kind, options, lists)
  local link, said = folder .. "/" .. kind, {}
  local bus = emulated.start(kind, "--link", link, table.unpack(options))
  for i, list in ipairs(lists) do
    local run = harness.run(("%s servo %s %s 2>&1"):format(files.quote(harness.program), link, list))
    said[i] = ("%s= %d\n"):format(run.out, run.code)
  end
  bus:stop()
  return { out = table.concat(said) }
end

test("brio servo shows registers and changes them, the id and the baud rate", function(t)
  local run = against("dynamixel", { "--servos", 2 }, { "1", "1 get Present_Position",
    "1 set max_position_limit 3000",
    "1 get 'Max Position Limit'", "1 id 7", "7 get id", "2 id 7", "7 baud 57600", "7", "1 get id",
      "7 torque on",
    "7 get torque_enable", "7 reboot", "2 set present_position 5", "2 set goal_posision 5", "2 jump" })
  t:has(run.out, "servo 1: XM430-W350, firmware 45, 1000000 baud; it complains of nothing")
  t:has(run.out, "116  Goal Position")
  t:has(run.out, "2048\n= 0")
  t:has(run.out, "servo 1: max_position_limit is 3000\n= 0\n3000\n= 0")
  t:has(run.out, "servo 1 is now servo 7\n= 0\n7\n= 0")
  t:has(run.out, "servo 2 cannot become 7: there is one already\n= 1")
  t:has(run.out, "servo 7 speaks at 57600 baud\n= 0")
  t:has(run.out, "57600 baud; it complains of nothing")
  t:has(run.out, "servo 1 did not answer")
  t:has(run.out, "servo 7: torque on\n= 0\n1\n= 0\nservo 7 reboots\n= 0")
  t:has(run.out, "Present Position of a servo can only be read\n= 2")
  t:has(run.out, "did you mean 'Goal Position'")
  t:has(run.out, "a servo cannot 'jump'")
end)

test("brio servo speaks with every family", function(t)
  for _, kind in ipairs { "dynamixel1", "sts", "scs" } do
    local run = against(kind, { "--servos", 2 }, { "1 --family " .. kind, "2 id 5 --family " .. kind,
      "5 get id --family " .. kind,
      "5 torque on --family " .. kind, "5 baud 115200 --family " .. kind,
        "5 get torque_enable --family " .. kind })
    t:has(run.out, "servo 1: ")
    t:has(run.out, "servo 2 is now servo 5\n= 0\n5\n= 0\nservo 5: torque on\n= 0\nservo 5 speaks at 115200 \z
      baud\n= 0")
  end
end)

test("wrong use is said", function(t)
  t:code(brio("servo"), 2)
  t:code(brio("servo", "/dev/none", "300"), 2)
  local run = brio("servo", "/dev/none", "1", "--family", "dynamixl")
  t:code(run, 2)
  t:has(run.err, "did you mean 'dynamixel'")
  t:code(brio("servo", "/dev/none", "1"), 1)
end)

test("a script reads and writes many at once", function(t)
  local script = folder .. "/many.lua"
  files.write(script, [[
    local servo, emulator = require "brio.servo", require "brio.emulator"
    local line = emulator.open("dynamixel", { servos = 4 })
    local bus = assert(servo.open(line, "dynamixel"))
    line:command "model 4 XL430-W250"
    for id = 1, 4 do assert(bus:ping(id)) end
    assert(bus:write({ [1] = 2100, [2] = 2000, [3] = 1900 }, "goal_position"))
    local goals = bus:read({ 1, 2, 3 }, "Goal Position")
    print(goals[1], goals[2], goals[3])
    assert(bus:bulk_write { { 1, "LED", 1 }, { 2, "Position P Gain", 640 } })
    local read = bus:bulk_read { { 1, "led" }, { 2, "position_p_gain" }, { 4, "present_load" } }
    print(read[1], read[2], read[4])
    read = bus:bulk_read({ { 1, "present_temperature" }, { 2, "position_p_gain" } }, true)
    print(read[1], read[2])
    line:command "silence 2"
    read = bus:read({ 1, 2, 3 }, "present_position")
    print(read[1], read[2], read[3])
    line:command "error 1 0x24"
    print(bus:errors(1))
    print(select(2, bus:torque(1, true)))
    print(pcall(bus.write, bus, { [1] = 5 }, "present_position"))
    print(bus:counts().refusals, bus:counts().timeouts > 0)
    print(("%.4f"):format(bus:angle(1, 3072)), bus:position(1, -1))
    line:close()
    print(pcall(bus.ping, bus, 1))
    bus:close()
  ]])
  local run = brio("lua", script)
  t:code(run, 0)
  t:has(run.out, "2100\t2000\t1900\n1\t640\t0\n35\t640\n2048\tnil\t2048\noverheating, overload\n")
  t:has(run.out, "servo 1 refuses: the instruction failed")
  t:has(run.out, "Present Position of a servo can only be read")
  t:has(run.out, "1\ttrue\n1.5708\t1396\n")
  t:has(run.out, "the emulator was closed")
end)

harness.done()
