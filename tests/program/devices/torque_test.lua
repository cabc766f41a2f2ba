--- Motors that control their torque, from outside: a behavior holds a joint with a spring, somebody pushes
--- the emulated motor, and it yields by torque / stiffness.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

local model = [[
<robot name="one"><link name="a"/><link name="b"/>
<joint name="pan" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="2" effort="5"/></joint>
</robot>]]

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "hold" }
made.hold = { wants = { want.joint_match { joint = "pan", goal = 0.3 } } }
return made
]]

local robot = [[
return { name = "one", model = "model.urdf",
  control = { pan = { stiffness = 20, damping = 1, torque = 4, gravity = false } },
  devices = { neck = { driver = "%s", dofs = { "pan" }, watchdog = %s, settings = { %s } } } }
]]

--- A folder with a robot on that driver.
local function place(t, driver, watchdog, settings)
  local folder = t:folder()
  files.write(folder .. "/model.urdf", model)
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/robot.lua", robot:format(driver, watchdog, settings))
  return folder
end

--- Run it, push the motor by 2 N m and let go, and see where the axis is.
local function yields(t, folder, bus)
  local process = harness.start_brio("run", folder .. "/made.lua", "--robot", folder, "--store",
    folder .. "/x.db",
    "--arm", "--quiet")
  local function comes(angle)
    harness.await_row(folder .. "/x.db", ([[select 1 from samples where name = 'pan' and abs(measured - %g) < 0.01
      and t > (select max(t) - 0.3 from samples)]]):format(angle))
  end
  comes(0.3)
  bus:say "push 1 2"
  comes(0.4)
  bus:say "push 1 0"
  comes(0.3)
  harness.signal(process, "INT")
  local code, text = harness.wait(process)
  t:check(code == 0, "exit code %s: %s", tostring(code), text)
  bus:stop()
end

test("a joint stream carries impedances", function(t)
  local bus = emulated.start("json", "--servos", 1)
  yields(t, place(t, "json", 0.25, ("port = '%s'"):format(bus.port)), bus)
end)

test("a Dynamixel in current mode is a spring, and in a mode of positions is refused", function(t)
  local link = files.temporary() .. "/bus"
  local bus = emulated.start("dynamixel", "--servos", 1, "--link", link)
  local settings = ("port = '%s', torques = '1:1'"):format(link)
  local folder = place(t, "dynamixel", 0.25, settings)
  local words = { folder .. "/made.lua", "--robot", folder, "--store", "none", "--quiet", "--for", 0.1 }
  local ran = harness.brio("run", table.unpack(words))
  t:check(ran.code ~= 0, "taken")
  t:has(ran.text, "servo 1 is one of `torques`, but in mode 3: set its Operating Mode to 0")
  t:code(harness.brio("servo", link, "1", "set", "operating_mode", "0"), 0)
  yields(t, folder, bus)
  files.write(folder .. "/robot.lua", robot:format("sts", "false", ("port = '%s'"):format(link)))
  ran = harness.brio("run", table.unpack(words))
  t:has(ran.text, "control of 'pan': the driver 'sts' of device 'neck' takes positions alone")
end)

test("an EPOS drive in cyclic torque is a spring, and without its rated torque is refused", function(t)
  local link = files.temporary() .. "/can"
  local bus = emulated.start("epos", "--servos", 1, "--link", link)
  local folder = place(t, "epos", 0.25, ("port = 'unix:%s'"):format(link))
  local ran = harness.brio("run", folder .. "/made.lua", "--robot", folder, "--store", "none", "--quiet",
    "--for", 0.1)
  t:check(ran.code ~= 0, "taken")
  t:has(ran.text, "node 1 has a `control` in the robot's file, but is none of `torques`")
  files.write(folder .. "/robot.lua",
    robot:format("epos", "0.25", ("port = 'unix:%s', torques = '1:1'"):format(link)))
  yields(t, folder, bus)
end)

harness.done()
