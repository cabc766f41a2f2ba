--- A robot file's data about motors is checked for consistency when it is read, and every fault names its
--- field.
local robots = require "brio.robots"

local folder

--- The robot whose file has these fields, or nil and a message.
local function with(t, text)
  folder = t:temporary()
  os.execute("mkdir -p " .. folder .. " && cp drivers/robots/ur3e/model.urdf " .. folder)
  local handle = assert(io.open(folder .. "/robot.lua", "w"))
  handle:write(('return { name = "x", model = "model.urdf", %s }'):format(text))
  handle:close()
  t.remove = { folder .. "/robot.lua", folder .. "/model.urdf", folder }
  return robots.find(folder)
end

test("motors that are well are taken as they are", function(t)
  local robot, why = with(t, [[
    motors = { elbow_joint = { scale = 2, offset = 1, polarity = -1, lower = 0, upper = 9 },
      wrist_1_joint = { map = "asymmetric", offset = 1500, below = 300, above = 500 },
      wrist_2_joint = { map = "table", points = { { -1, 9 }, { 0, 5 }, { 1, 0 } } } },
    devices = { a = { driver = "sim", dofs = { "elbow_joint", "wrist_1_joint" } }, b = { driver = "sim", dofs = { "wrist_2_joint" } } },
    couplings = { { dofs = { "elbow_joint", "wrist_1_joint" }, matrix = { { 1, 1 }, { 1, -1 } } } },
    watch = { low_voltage = { limit = 11 } } ]])
  t:ok(robot, "%s", why)
end)

--- Of three joints, each motor moves those before it too, like tendons through an arm: motors are the sums.
test("couplings that share a DOF act one after the other", function(t)
  local robot = assert(with(t, [[ couplings = {
    { dofs = { "elbow_joint", "wrist_1_joint" }, matrix = { { 1, 0 }, { 1, 1 } } },
    { dofs = { "wrist_1_joint", "wrist_2_joint" }, matrix = { { 1, 0 }, { 1, 1 } } } },
    motors = { wrist_2_joint = { scale = 100, offset = 2000 } } ]]))
  local names = { "elbow_joint", "wrist_1_joint", "wrist_2_joint" }
  local axes = {}
  for i, name in ipairs(names) do
    axes[i] = { name = name, lower = -2, upper = 2, velocity = 3, acceleration = 20 }
  end
  local function read(couplings, goals)
    local actuator = require("brio.actuator").open { driver = "sim", axes = axes, couplings = couplings,
      motors = robot.motors }
    for i, name in ipairs(names) do actuator:target(name, goals[i]) end
    for _ = 1, 400 do actuator:step(0.01) end
    local found = {}
    for i, name in ipairs(names) do found[i] = actuator:state(name).position end
    actuator:close()
    return found
  end
  for i, value in ipairs(read(robot.couplings, { 0.3, -0.5, 0.4 })) do
    t:near(value, ({ 0.3, -0.5, 0.4 })[i], 1e-3)
  end
end)

test("what does not fit together is said by field", function(t)
  local faults = {
    { 'motors = { elbow_joint = { map = "table" } }',
      "motors.elbow_joint.points must be given where map is \"table\"" },
    { 'motors = { elbow_joint = { map = "table", points = { { 0, 1 } } } }',
      "motors.elbow_joint.points must be 2 to 32 points, not 1" },
    { 'motors = { elbow_joint = { map = "table", points = { { 0, 1 }, { 0, 2 } } } }',
      "points%[2%]: its first number, 0, must be above" },
    { 'motors = { elbow_joint = { map = "table", points = { { 0, 1 }, { 1, 2 }, { 2, 2 } } } }',
      "points%[3%]: its motor, 2, must go on rising" },
    { 'motors = { elbow_joint = { map = "table", points = { { 0, 1 }, { 1, 0 }, { 2, 2 } } } }',
      "points%[3%]: its motor, 2, must go on falling" },
    { 'motors = { elbow_joint = { map = "asymmetric", above = 3 } }',
      "motors.elbow_joint.below must be given" },
    { 'motors = { elbow_joint = { lower = 3, upper = 1 } }',
      "motors.elbow_joint.lower, 3, must be below its upper, 1" },
    { 'motors = { elbow_joint = { points = { { 0, 1 }, { 1, 2 } } } }',
      "points means nothing where map is \"linear\"" },
    { 'motors = { elbow_joint = { map = "asymmetric", below = 1, above = 1, scale = 2 } }',
      "scale means nothing where map is \"asymmetric\"" },
    { 'devices = { a = { driver = "sim", dofs = { "elbow_joint" } }, b = { driver = "sim", dofs = { \z
      "elbow_joint" } } }', "devices.b: 'elbow_joint' is of devices.a already" },
    { 'watch = { over_temprature = { limit = 3 } }',
      "watch: there is no condition 'over_temprature' %(did you mean 'over_temperature'" },
    { 'devices = { a = { driver = "sim", dofs = { "elbow_joint" } } }, couplings = { { dofs = { \z
      "elbow_joint", "wrist_1_joint" }, matrix = { { 1, 1 }, { 1, -1 } } } }',
      "couplings%[1%]: 'elbow_joint' and 'wrist_1_joint' must be of one device" },
    { 'couplings = { { dofs = { "elbow_joint", "wrist_1_joint", "elbow_joint" }, matrix = { { 1, 0, 0 }, { \z
      0, 1, 0 }, { 0, 0, 1 } } } }', "couplings%[1%]: 'elbow_joint' is named twice" },
  }
  for _, case in ipairs(faults) do
    local robot, why = with(t, case[1])
    t:ok(not robot, "%s is refused", case[1])
    t:match(why, "robot.lua: .-" .. case[2])
  end
end)
