--- `brio calibrate`: at a terminal and from a pipe, on the simulator and on servos that speak Dynamixel's
--- protocol.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated, pty = require "emulated", require "pty"
local test, files = harness.test, harness.files

local brio = files.quote(harness.program)

local function robot_in(folder, text)
  os.execute(("cp %s/drivers/robots/ur3e/model.urdf %s"):format(files.quote(harness.root), folder))
  files.write(folder .. "/robot.lua", (
    '-- a comment that stays\nreturn { name = "arm", model = "model.urdf", %s }\n'):format(text or ""))
end

local function typed(folder, lines, ...)
  local words = {}
  for i, word in ipairs { ... } do words[i] = files.quote(word) end
  return harness.run { ("%s calibrate %s %s"):format(brio, folder, table.concat(words, " ")), input = lines }
end

local function measured(folder) return assert(loadfile(folder .. "/calibration.lua"))().motors end

local function near(t, got, expected, tolerance, what)
  t:check(got and math.abs(got - expected) <= tolerance, "%s: %s, expected %g", what, tostring(got), expected)
end

test("zero, direction and scale are asked for at a terminal, and written", function(t)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  local folder = t:folder()
  robot_in(folder, "motors = { shoulder_lift_joint = { scale = 50, lower = -200 } }")
  local one = pty.start(("exec %s calibrate %s"):format(brio, folder), { folder = folder })
  for i, key in ipairs { "+0.3", "", "-0.2", "", "+", "at 0.5", "+0.1", "+0.1", "", "nonsense", "?", "q" } do
    one:waits(("prompt %d"):format(i), function() return select(2, one.log:gsub("\n> ", "")) == i end)
    one:type(key .. "\r")
  end
  one:sees "[y/n]"
  one:type "y\r"
  t:equal(one:close(), 0, "exit code")
  t:has(one.log, "shoulder_pan_joint, 1 of 6")
  t:has(one.log, "that is none of")
  t:has(one.log, "2 measured. Write")
  local motors = measured(folder)
  near(t, motors.shoulder_pan_joint.offset, 0.3, 0.003, "offset")
  t:equal(motors.shoulder_pan_joint.polarity, -1, "polarity")
  near(t, motors.shoulder_lift_joint.offset, 50 * 0.05 - 50 * 0.5, 0.2, "offset at 0.5")
  t:equal(motors.shoulder_lift_joint.polarity, 1, "polarity")
  t:has(files.read(folder .. "/robot.lua"), "a comment that stays")
  local shown = harness.brio("check", harness.root .. "/behaviors/keyframes.lua", "--robot", folder)
  t:check(not shown.err:find "calibration", "the calibrated robot is refused: %s", shown.err)
end)

test("the walk in docs/devices/robots.md goes as it says", function(t)
  local walk = files.read(harness.root .. "/docs/devices/robots.md"):match "%$ (brio calibrate .-\n```)"
  t:check(walk, "there is none")
  local words, said = walk:match "^brio (.-)\n(.*)\n```$"
  local keys = {}
  for line in (said .. "\n"):gmatch "(.-)\n" do
    local typed_here = line:match "^>%s?(.*)" or line:match "%[y/n%] (.*)"
    if typed_here then keys[#keys + 1] = typed_here .. "\n" end
  end
  local folder = t:folder()
  os.execute("mkdir " .. folder .. "/my-arm")
  robot_in(folder .. "/my-arm", "motors = { elbow_joint = { scale = 651.9 } }")
  files.write(folder .. "/my-arm/robot.lua",
    (files.read(folder .. "/my-arm/robot.lua"):gsub('"arm"', '"my-arm"')))
  local ran = harness.run { brio .. " " .. words, cwd = folder, input = table.concat(keys) }
  t:code(ran, 0)
  t:equal((ran.out:gsub("\n> ", "\n>\n"):gsub("%] Written", "]\nWritten")),
    (said:gsub("\n>[^\n]*", "\n>"):gsub("%] y", "]")) .. "\n", "what it says")
end)

test("what is left or refused leaves everything as it was; one DOF can be measured again", function(t)
  local folder = t:folder()
  robot_in(folder)
  t:code(typed(folder, "\n+0.2\n\nq\nn\n"), 0)
  t:check(not files.exists(folder .. "/calibration.lua"), "n writes nothing")
  t:code(typed(folder, "\n+0.2\n\n"), 1)
  t:check(not files.exists(folder .. "/calibration.lua"), "an end in the middle writes nothing")
  t:code(typed(folder, "\n+0.2\n\n+0.1\n\n-0.2\n\nq\ny\n"), 0)
  local first = measured(folder)
  t:equal(first.shoulder_lift_joint.polarity, -1, "polarity")
  t:code(typed(folder, "+0.4\n\n+0.1\n\ny\n", "--only", "shoulder_lift_joint"), 0)
  local second = measured(folder)
  t:equal(second.shoulder_pan_joint.offset, first.shoulder_pan_joint.offset, "what was not measured again")
  t:equal(second.shoulder_lift_joint.polarity, 1, "what was")
  near(t, second.shoulder_lift_joint.offset, 0.4, 0.003, "offset")
  local small = typed(folder, "\n\n+0.2\n\ny\n", "--only", "elbow_joint", "--write", folder .. "/other.lua")
  t:has(small.out, "move it further")
  t:check(files.exists(folder .. "/other.lua"), "--write")
  t:equal(files.output("ls " .. folder .. " | grep -c new"), "0", "files that are left over")
end)

test("a value that no number holds is asked for again", function(t)
  local folder = t:folder()
  robot_in(folder)
  local run = typed(folder, "at 1e999\nat nan\n\n+0.2\n\ny\n", "--only", "elbow_joint")
  t:code(run, 0)
  t:equal(select(2, run.out:gsub("that is none of", "")), 2, "refused")
  near(t, measured(folder).elbow_joint.offset, 0, 0.003, "offset")
end)

test("what cannot be is said", function(t)
  local folder = t:folder()
  robot_in(folder)
  t:code(harness.brio("calibrate"), 2)
  t:code(harness.brio("calibrate", "nobody"), 1)
  local wrong = typed(folder, "", "--only", "elbwo_joint")
  t:code(wrong, 2)
  t:has(wrong.err, "did you mean 'elbow_joint'")
  t:code(typed(folder, "", "--set", "x"), 2)
  t:code(typed(folder, "", "--driver", "nothing"), 1)
  t:code(typed(folder, "\n+0.2\n\nq\ny\n", "--write", folder .. "/none/x.lua"), 1)
  files.write(folder .. "/calibration.lua", "return 3")
  local broken = typed(folder, "\n+0.2\n\nq\ny\n")
  t:code(broken, 1)
  t:has(broken.err, "calibration.lua: must return a table")
  t:equal(files.read(folder .. "/calibration.lua"), "return 3", "the broken file stays as it is")
  local model = typed(folder .. "/model.urdf", "")
  t:code(model, 2)
  t:has(model.err, "--write FILE")
end)

test("servos that speak Dynamixel's bytes are turned, measured and let go", function(t)
  local folder = t:folder()
  robot_in(folder)
  local bus = folder .. "/bus"
  local emulator = emulated.start("dynamixel", "--servos", 6, "--link", bus)
  local run = typed(folder, "?\n+0.3\n\n-0.2\n\nq\ny\n", "--driver", "dynamixel", "--set", "port=" .. bus,
    "--set", "ids=1-6")
  t:code(run, 0)
  local motors = measured(folder)
  local start = tonumber(run.out:match "motor at (%-?%d+%.%d+)")
  t:check(start, "no reading: %s", run.text)
  near(t, motors.shoulder_pan_joint.offset, (start or 0) + 0.3, 0.02, "offset")
  t:equal(motors.shoulder_pan_joint.polarity, -1, "polarity")
  emulator:stop()
end)

harness.done()
