--- Calibration: the result of readings, refusals, and the file that it writes.
local calibration = require "brio.devices.calibration"
local file = require "brio.robots.file"
local random = require "brio.random"
local robots = require "brio.robots"

local dof = { name = "a", lower = -1, upper = 1 }

--- A motor whose readings follow the true mapping.
local function reading(truth, x) return (truth.polarity * truth.scale * x + truth.offset) / truth.known end

test("readings of any linear motor give its numbers back", function(t)
  local stream = random.stream(3, "calibration")
  for _ = 1, 500 do
    local truth = { polarity = stream:uniform(0, 1) < 0.5 and -1 or 1, scale = stream:uniform(0.1, 700),
      offset = stream:uniform(-3000, 3000) }
    truth.known = truth.scale
    local item = { dof = dof, motor = { scale = truth.scale }, scale = truth.scale, linear = true }
    local value, more = stream:uniform(-0.5, 0.5), stream:uniform(0.1, 0.4)
    local made = calibration.measure(item, value, reading(truth, value), reading(truth, value + more))
    t:equal(made.polarity, truth.polarity)
    t:near(made.offset, truth.offset, 1e-6)
    t:equal(made.scale, nil)
    truth.known = 1 -- the scale is not known
    item = { dof = dof, motor = {}, scale = 1, linear = true }
    made = calibration.measure(item, value, reading(truth, value), reading(truth, value - more), value - more)
    t:equal(made.polarity, truth.polarity)
    t:near(made.scale, truth.scale, 1e-6 * truth.scale)
    t:near(made.offset, truth.offset, 1e-6)
  end
end)

test("what tells nothing is refused", function(t)
  local item = { dof = dof, motor = {}, scale = 1, linear = true }
  t:match(select(2, calibration.measure(item, 0, 1, 1.01)),
    "only 0.0100 from the last position: move it further, by 0.04")
  t:match(select(2, calibration.measure(item, 0.2, 1, 1.5, 0.2)), "the second value is the first")
  local odd = { dof = dof, motor = { map = "asymmetric" }, scale = 1, linear = false }
  t:match(select(2, calibration.measure(odd, 0.2, 1)), "measured where its DOF is at 0")
  t:match(select(2, calibration.measure(odd, 0, 1, 2, 1)), "its scale is not one number")
  t:equal(calibration.measure(odd, 0, 1500, 1400), { polarity = -1, offset = 1500 })
  t:equal(calibration.measure({ dof = dof, motor = { polarity = -1 }, scale = 1, linear = true,
    coupled = true }, 0, 5), { polarity = -1, offset = 5 })
end)

--- A robot in a folder of its own.
local function robot_in(t, text, measured)
  local folder = t:temporary()
  os.execute("mkdir -p " .. folder .. " && cp drivers/robots/ur3e/model.urdf " .. folder)
  local function put(name, what)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(what)
    handle:close()
    t.remove[#t.remove + 1] = folder .. "/" .. name
  end
  t.remove[#t.remove + 1] = folder .. "/model.urdf"
  put("robot.lua", ('return { name = "x", model = "model.urdf", %s }'):format(text))
  if measured then put("calibration.lua", measured) end
  table.insert(t.remove, table.remove(t.remove, 1)) -- the folder last
  return folder
end

test("what was measured counts before robot.lua, and what is wrong with it is said by file and field",
  function(t)
  local robot = 'motors = { elbow_joint = { scale = 3, offset = 1, lower = -9 } }'
  local found = assert(robots.find(robot_in(t, robot,
    'return { motors = { elbow_joint = { offset = 2, polarity = -1 }, wrist_1_joint = { offset = 5 } } }')))
  t:equal(found.motors, { elbow_joint = { scale = 3, offset = 2, polarity = -1, lower = -9 },
    wrist_1_joint = { offset = 5 } })
  t:match(found.calibrated, "/calibration.lua$")
  local bare = assert(robots.find(robot_in(t, robot), { bare = true }))
  t:equal(bare.motors.elbow_joint.offset, 1)
  t:equal(bare.calibrated, nil)
  t:match(bare.calibration, "/calibration.lua$")
  local faults = {
    { "return { motors = { elbow_joint = { polarity = 2 } } }",
      "calibration.lua: motors.elbow_joint.polarity must be one of" },
    { "return { motors = { elbow_joint = { lower = 2 } } }",
      "calibration.lua: motors.elbow_joint has no field 'lower'" },
    { "return {}", "calibration.lua needs 'motors'" },
    { "return { motors = { elbwo_joint = {} } }",
      "the robot has no DOF 'elbwo_joint' %(did you mean 'elbow_joint'" },
    { "while true do end", "is plain data: 'while' does not belong in it" },
    { "return { motors = { elbow_joint = { offset = 0/0 } } }", "offset must be a number, not" },
  }
  for _, case in ipairs(faults) do t:match(select(2, robots.find(robot_in(t, robot, case[1]))), case[2]) end
  t:match(select(2, robots.find(robot_in(t, 'calibration = "mine.lua"'))), "mine.lua: cannot read")
end)

test("the file that is written reads back, and keeps what was measured before", function(t)
  local description = assert(robots.find "ur3e")
  local text = calibration.text(description, { elbow_joint = { offset = 0.1 + 0.2, polarity = -1 } },
    { wrist_1_joint = { offset = -0.0, polarity = 1, scale = 2 },
      elbow_joint = { offset = 9, polarity = 1 } }, "2026-01-02")
  local path = t:temporary ".lua"
  local handle = assert(io.open(path, "w"))
  handle:write(text)
  handle:close()
  local back = assert(file.read_calibration(path))
  t:equal(back.motors.wrist_1_joint, { offset = 0, polarity = 1, scale = 2 })
  t:near(back.motors.elbow_joint.offset, 0.3, 1e-9)
  t:equal(back.motors.elbow_joint.polarity, -1)
end)

test("a calibrated robot stands in the simulator where it was measured to stand", function(t)
  local found = assert(robots.find(robot_in(t,
    'home = "p", poses = { p = { joints = { elbow_joint = 0.4 } } }',
    'return { motors = { elbow_joint = { scale = 100, offset = 2048, polarity = -1 } } }')))
  local actuator = require "brio.actuator"
  local device = assert(actuator.open { driver = "sim",
    axes = { { name = "elbow_joint", lower = -3, upper = 3, start = 0.4 } },
    motors = { elbow_joint = found.motors.elbow_joint } })
  device:step(0.1)
  t:near(device:state("elbow_joint").position, 0.4, 1e-9)
  device:close()
end)
