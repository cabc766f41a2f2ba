--- Reads a robot.lua: plain data, executed without functions, checked by the records below, one for each kind
--- of table. docs/devices/robots.md has more on its meaning.
local plain = require "brio.io.data_file"

local file = {}

--- A number above 0, or false.
local function positive_or_false(unit)
  return function(value)
    local good = value == false or type(value) == "number" and value > 0 and value < math.huge
    return not good and ("must be a number of %s above 0, or false"):format(unit) or nil
  end
end

--- The fields of a DOF.
file.dof_fields = {
  name = { "text", needed = true, doc = "the joint's name in the model; outside the tree, a new name" },
  label = { "text", doc = "name for people" },
  group = { "text", doc = "group of DOFs" },
  outside = { "boolean", value = false, doc = "true: it is not in the kinematic tree" },
  unit = { "choice", of = { "rad", "m", "1" }, doc = "none: as the model has it; outside: 1" },
  lower = { "number", doc = "of its range; required outside the tree" },
  upper = { "number", doc = "of its range; required outside the tree" },
  rest = { "number", doc = "its value in a pose that does not name it" },
  velocity = { "number", above = 0, doc = "maximum, per s" },
  acceleration = { "number", above = 0, doc = "maximum, per s^2" },
  grip = { "boolean", value = false, doc = "true: it opens a hand; it is used at the ends of its range" },
}

local gain = { "number", lower = 0, doc = "in the motor's own units; default: as set in the device" }

--- The fields of a motor: how a DOF becomes motor units.
file.motor_fields = {
  map = { "choice", of = { "linear", "asymmetric", "table" }, value = "linear",
    doc = "how: by scale and offset; with another scale on each side of 0; by points" },
  scale = { "number", above = 0, doc = "motor units for one of the DOF" },
  offset = { "number", doc = "motor units where the DOF is at 0" },
  polarity = { "choice", of = { 1, -1 }, value = 1, doc = "which way the motor turns" },
  below = { "number", above = 0, doc = "asymmetric: motor units from 0 to -1" },
  above = { "number", above = 0, doc = "asymmetric: motor units from 0 to 1" },
  lower = { "number", doc = "motor units never gone below" },
  upper = { "number", doc = "motor units never gone above" },
  points = { "list", of = { "vector", size = 2 }, doc = "table: { DOF, motor }, rising or falling" },
  gains = { "record", doc = "of the motor's own controller",
    fields = { p = gain, i = gain, d = gain, velocity = gain, acceleration = gain } },
}

--- The fields of a device.
file.device_fields = {
  driver = { "text", needed = true, doc = "a family, or a driver's file" },
  dofs = { "list", of = "text", needed = true, doc = "DOFs or groups" },
  settings = { "map", of = "number or string", doc = "the driver's settings by name" },
  watchdog = { "number or boolean", unit = "s", fault = positive_or_false "s", value = 0.5,
    doc = "silence after which the device reacts by itself, if it can; false: not armed" },
  limits = { "boolean", value = false, doc = "true: the DOFs' limits are set in the device, too" },
}

local coupling_fields = {
  dofs = { "list", of = "text", needed = true, doc = "DOFs that several motors move together" },
  matrix = { "list", needed = true, of = { "list", of = "number" }, doc = "rows: motors = matrix DOFs" },
}

local interlock_fields = {
  kind = { "choice", of = { "prevent", "timing", "load" }, needed = true, doc = "what it does" },
  watched = { "text", needed = true, doc = "the DOF that is looked at" },
  limited = { "text", needed = true, doc = "the DOF that is limited" },
  below = { "number", doc = "the watched one is below this" },
  above = { "number", doc = "the watched one is above this" },
  lower = { "number", doc = "prevent: the limited one stays above this" },
  upper = { "number", doc = "prevent: the limited one stays below this" },
  load = { "number", lower = 0, doc = "load: of the watched one" },
  rest = { "number", doc = "load: where the limited one rests" },
  after = { "number", unit = "s", lower = 0, doc = "how long before something is done" },
  ramp = { "number", unit = "s", lower = 0, doc = "timing: how long it is led back" },
  keep = { "number", unit = "s", lower = 0, doc = "how long it is kept there" },
  release = { "number", unit = "s", lower = 0, doc = "timing: duration of the release" },
}

local watched_fields = {
  limit = { "number", doc = "of the condition, in its unit" },
  after = { "number", unit = "s", lower = 0, doc = "how long before it counts" },
  reaction = { "choice", of = { "report", "hold", "relax", "panic" },
    doc = "none: report in simulation, hold for hardware" },
}

--- The fields of an axis whose motor controls its torque.
local control_fields = {
  mode = { "choice", of = { "impedance", "position" }, value = "impedance",
    doc = "position: a position servo, as without this row" },
  stiffness = { "number", unit = "N m/rad or N/m", lower = 0,
    doc = "of the spring between path and joint, the greatest that scripts may ask for; required" },
  damping = { "number", unit = "N m s/rad or N s/m", lower = 0,
    doc = "of the damper; none: critical for what the joint moves in the initial pose" },
  torque = { "number", unit = "N m or N", above = 0, doc = "maximum; none: the model's `effort`" },
  gravity = { "boolean", value = true, doc = "the feed-forward carries the weight" },
}

--- What is between a motor and its joint, in physics.
local transmission_fields = {
  rotor = { "number", unit = "kg m^2 or kg", above = 0, upper = 1e4,
    doc = "inertia of the motor's rotor and gear, as it acts at the joint (gear ratio squared times the \z
      rotor's own); none: the model's, or one that is made up" },
  stiffness = { "number", unit = "N m/rad or N/m", above = 0, upper = 1e9,
    doc = "of a spring between rotor and joint (a series elastic actuator); none: stiff" },
  damping = { "number", unit = "N m s/rad or N s/m", lower = 0, upper = 1e6, value = 0,
    doc = "of that spring" },
  backlash = { "number", unit = "rad or m", lower = 0, upper = 1, value = 0,
    doc = "free play of the joint about its motor, from end to end" },
}

local stance_fields = {
  contacts = { "map", of = { "list", of = { "vector", size = 3, unit = "m" } }, needed = true,
    doc = "link = its points that stand on the ground, in the link" },
  offset = { "vector", size = 2, unit = "m", doc = "x, y of the centre of mass from the middle of the \z
    contacts, as it stands at first; none: 0, 0" },
  friction = { "number", above = 0, value = 0.6, doc = "Coulomb's coefficient that is relied on" },
  stiffness = { "number", unit = "1/s^2", lower = 0, value = 40, doc = "of the centre of mass" },
  damping = { "number", unit = "1/s", lower = 0, value = 10, doc = "of the centre of mass" },
  turn_stiffness = { "number", unit = "1/s^2", lower = 0, value = 60, doc = "of the base's rotation" },
  turn_damping = { "number", unit = "1/s", lower = 0, value = 12, doc = "of the base's rotation" },
}

local balance_fields = {
  points = { "list", of = { "vector", size = 3, unit = "m" }, needed = true,
    doc = "on the ground, in the root's axes: their hull carries the robot" },
  margin = { "number", unit = "m", lower = 0, upper = 10, value = 0.02, doc = "distance from its edge" },
  moving = { "boolean", value = false, doc = "true: the zero moment point stays inside, too" },
}

local collision_fields = {
  thresholds = { "map", of = { "number", unit = "N m or N", above = 0 }, needed = true,
    doc = "DOF or group = what acts from outside beyond this is a collision" },
  gain = { "number", unit = "1/s", lower = 0.1, upper = 1000, value = 25,
    doc = "of the observer: it follows within 1 / gain" },
  filter = { "number", unit = "s", lower = 0, upper = 10, value = 0,
    doc = "time constant of a low-pass before the comparison" },
  time = { "number", unit = "s", lower = 0, upper = 10, value = 0, doc = "how long it must be beyond" },
  release = { "number", lower = 0.01, upper = 1, value = 0.7,
    doc = "share of the threshold below which it ends" },
  reaction = { "choice", of = { "report", "hold", "relax", "panic" }, value = "report",
    doc = "what is done" },
}

local filter_fields = {
  stages = { "choice", of = { 0, 1, 2, 3, 4 }, doc = "how many first-order stages" },
  tau = { "number", unit = "s", lower = 0, needed = true, doc = "time constant of each" },
}

local pose_fields = {
  label = { "text", doc = "name for people" },
  joints = { "map", of = "number", needed = true, doc = "DOF = value" },
}

local eyelid_fields = {
  lid = { "text", needed = true, doc = "the DOF of the lid" },
  eye = { "text", needed = true, doc = "the DOF of the eye that it follows" },
  closed = { "number", doc = "where it is closed" }, open = { "number", doc = "where it is open" },
  gain = { "number", doc = "of the eye's motion" },
}

local mirror_fields = {
  with = { "text", doc = "the DOF on the other side" },
  sign = { "choice", of = { 1, -1 }, doc = "whether it turns the other way" },
}

--- The fields of a body.
file.body_fields = {
  link = { "text", needed = true, doc = "that it moves with" },
  radius = { "number", unit = "m", above = 0, needed = true, doc = "of the upright cylinder" },
  below = { "number", unit = "m", lower = 0, doc = "how far it reaches down from the link" },
  above = { "number", unit = "m", lower = 0, doc = "how far it reaches up" },
}

--- The fields of a hand in the simulated world.
file.hand_fields = {
  link = { "text", needed = true, doc = "that carries it" },
  grip = { "text", needed = true, doc = "the DOF that opens it" },
  open = { "number", needed = true, doc = "of the grip, open" },
  shut = { "number", needed = true, doc = "of the grip, shut" },
  span = { "number", unit = "m", above = 0, needed = true, doc = "between the fingers when it is open" },
  reach = { "number", unit = "m", above = 0, needed = true, doc = "how near a thing must be" },
  palm = { "number", unit = "m", lower = 0, doc = "how far from the grasp point the palm is" },
  grasp = { "vector", size = 3, unit = "m", needed = true, doc = "the grasp point, in the link" },
}

local names = { "list", of = "text" }

--- The fields of a robot's file.
file.fields = {
  name = { "text", needed = true, doc = "of the robot" },
  title = { "text", doc = "for people" },
  model = { "text", needed = true, doc = "its URDF or MJCF, relative to this file" },
  home = { "text", doc = "the initial pose; none: the first by name" },
  calibration = { "text", value = "calibration.lua", doc = "the file of brio calibrate" },
  source = { "list", of = "text", doc = "where its figures are from" },
  base = { "choice", of = { "fixed", "bounded", "free" }, doc = "how its base moves" },
  base_range = { "vector", size = 6, lower = 0,
    doc = "of a bounded base: +- x, y, z in m, +- rotation in rad" },
  base_center = { "vector", size = 3, unit = "m",
    doc = "of the root: where a fixed base stands and a free one begins, the center of a bounded one" },
  default_acceleration = { "number", above = 0, doc = "of joints not in acceleration" },
  point_speed = { "number or boolean", unit = "m/s", fault = positive_or_false "m/s",
    doc = "maximum speed of each point; false: no such limit" },
  acceleration = { "map", of = { "number", above = 0 }, doc = "joint = rad/s^2 or m/s^2" },
  velocity = { "map", of = { "number", above = 0 }, doc = "joint = rad/s or m/s" },
  dofs = { "list", of = { "record", fields = file.dof_fields }, doc = "none: those of the model" },
  inputs = { "map", of = "table", doc = "sensors besides the joints: name = { kind = ... }" },
  detectors = { "map", of = "table", doc = "programs that see for it: name = { from = ... }" },
  cameras = { "map", of = "table", doc = "its cameras: name = { from = ... }" },
  clouds = { "map", of = "table", doc = "sources of point clouds: name = { from = ... }" },
  groups = { "list", of = "text", doc = "the names of groups of DOFs" },
  parts = { "map", of = names, doc = "part of the body = DOFs or groups" },
  poses = { "map", of = { "record", fields = pose_fields }, doc = "by name" },
  roles = { "map", of = "text", doc = "purpose = link" },
  hands = { "map", of = { "record", fields = file.hand_fields }, doc = "hands in the simulated world" },
  bodies = { "list", of = { "record", fields = file.body_fields },
    doc = "parts of its body in the simulated world" },
  motors = { "map", of = { "record", fields = file.motor_fields }, doc = "DOF = how it becomes motor units" },
  devices = { "map", of = { "record", fields = file.device_fields }, doc = "name = its driver and DOFs" },
  couplings = { "list", of = { "record", fields = coupling_fields }, doc = "motors that move DOFs together" },
  interlocks = { "list", of = { "record", fields = interlock_fields }, doc = "what one DOF forbids another" },
  watch = { "map", of = { "record", fields = watched_fields }, doc = "alarm = its limit and reaction" },
  control = { "map", of = { "record", fields = control_fields },
    doc = "DOF or group = how its motor is controlled; none: as a position servo" },
  transmissions = { "map", of = { "record", fields = transmission_fields },
    doc = "DOF or group = what is between motor and joint, with physics; none: nothing" },
  stance = { "record", fields = stance_fields,
    doc = "holds a free base on these contacts by the torques of its joints; none: nothing balances it" },
  balance = { "record", fields = balance_fields,
    doc = "no step is taken from which it could not stop without tipping; none: it cannot tip" },
  collisions = { "record", fields = collision_fields,
    doc = "watches for collisions by the motors' torques; none: it does not" },
  filters = { "map", of = { "record", fields = filter_fields }, doc = "DOF or group = a low-pass filter" },
  steps = { "map", of = { "number", lower = 0 }, doc = "DOF or group = resolution of its measurements; 0: \z
    none" },
  on_loss = { "choice", of = { "stop", "go_on" }, value = "stop",
    doc = "reaction of the other devices when a device is lost" },
  shutdown = { "text", doc = "the pose in which the robot is left" },
  eyelids = { "list", of = { "record", fields = eyelid_fields }, doc = "lids that follow eyes" },
  mirror = { "map", of = { "record", fields = mirror_fields }, doc = "DOF = that of the other side" },
}

--- Fields of motors in a calibration: those that are measured.
local measured = { scale = file.motor_fields.scale, offset = file.motor_fields.offset,
  polarity = file.motor_fields.polarity }

file.calibration_fields = {
  motors = { "map", of = { "record", fields = measured }, needed = true, doc = "DOF = what was measured" },
  robot = { "text", doc = "its name" }, made = { "text", doc = "when" },
}

--- Read and check the robot.lua at `path`.
---@param path string
---@return table? data as written in the file, every field of the right type
---@return string? sentence what was wrong, with file and field
---@return string? code no_file or format
function file.read(path, text) return plain.read(path, file.fields, nil, text) end

--- Read and check a file of `brio calibrate`: { motors = { DOF = { polarity, offset, scale } } }.
function file.read_calibration(path, text) return plain.read(path, file.calibration_fields, nil, text) end

--- Read a file of plain data without checking its fields.
function file.read_plain(path) return plain.read(path) end

return file
