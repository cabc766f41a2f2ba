--- Reads a robot.lua: plain data, loaded with nothing to call, checked field by field.
--- One table per kind of record says what each field must be; docs/devices/robots.md says what it means.
local plain = require "brio.io.data_file"

local file = {}

local text, flag, number, positive = plain.text, plain.flag, plain.number, plain.positive
local not_negative, setting, one_of = plain.not_negative, plain.setting, plain.one_of
local list_of, map_of, record = plain.list_of, plain.map_of, plain.record

local dof = record({
  name = text, label = text, group = text, outside = flag, unit = one_of("rad", "m", "1"),
  lower = number, upper = number, rest = number, velocity = positive, acceleration = positive, grip = flag,
}, { "name" })

local gains = record({
  p = not_negative, i = not_negative, d = not_negative, velocity = not_negative, acceleration = not_negative,
}, {})

local motor = record({
  map = one_of("linear", "asymmetric", "table"), scale = positive, offset = number, polarity = one_of(1, -1),
    below = positive,
  above = positive, lower = number, upper = number,
  points = list_of(list_of(number, "two numbers", 2), "a list of {position, motor}"), gains = gains,
}, {})

local function watchdog(value)
  if value ~= false and positive(value) then return "", "seconds, greater than 0, or false" end
end

local device = record({
  driver = text, dofs = list_of(text, "a list of DOFs or groups"),
    settings = map_of(setting, "a table of name = number or text"),
  watchdog = watchdog, limits = flag,
}, { "driver", "dofs" })

local coupling = record({
  dofs = list_of(text, "a list of DOFs"),
    matrix = list_of(list_of(number, "a list of numbers"), "a list of rows"),
}, { "dofs", "matrix" })

local interlock = record({
  kind = one_of("prevent", "timing", "load"), watched = text, limited = text, below = number, above = number,
    lower = number,
  upper = number, load = not_negative, rest = number, after = not_negative, ramp = not_negative,
    keep = not_negative,
  release = not_negative,
}, { "kind", "watched", "limited" })

local watched = record({ limit = number, after = not_negative,
  reaction = one_of("report", "hold", "relax", "panic") }, {})

local filter = record({ stages = one_of(0, 1, 2, 3, 4), tau = not_negative }, { "tau" })

local pose = record({ label = text, joints = map_of(number, "a table of joint = number") }, { "joints" })

local eyelid = record({ lid = text, eye = text, closed = number, open = number, gain = number },
  { "lid", "eye" })

local other_side = record({ with = text, sign = one_of(1, -1) }, {})

local body = record({ link = text, radius = positive, below = not_negative, above = not_negative },
  { "link", "radius" })

local hand = record({ link = text, grip = text, open = number, shut = number, span = positive,
  reach = positive, palm = not_negative,
  grasp = list_of(number, "three numbers: x, y, z in m", 3) },
    { "link", "grip", "open", "shut", "span", "reach", "grasp" })

local function point_speed(value)
  if value ~= false and positive(value) then return "", "m/s, greater than 0, or false" end
end

local check = record({
  name = text, title = text, model = text, home = text, calibration = text,
  source = list_of(text, "a list of texts"),
  base = one_of("fixed", "bounded", "free"),
  base_range = list_of(not_negative, "six numbers: +- x, y, z in m, then +- rotation in rad", 6),
  base_center = list_of(number, "three numbers: x, y, z in m", 3),
  default_acceleration = positive,
  point_speed = point_speed,
  acceleration = map_of(positive, "a table of joint = rad/s^2 or m/s^2"),
  velocity = map_of(positive, "a table of joint = rad/s or m/s"),
  dofs = list_of(dof, "a list of DOFs"),
  inputs = map_of(function(value) if type(value) ~= "table" then return "", "a table: { kind = ... }" end end,
    "a table of name = { kind = ... }"),
  detectors = map_of(function(value) if type(value) ~= "table" then return "",
    "a table: { from = ... }" end end, "a table of name = { from = ... }"),
  clouds = map_of(function(value) if type(value) ~= "table" then return "", "a table: { from = ... }" end end,
    "a table of name = { from = ... }"),
  groups = list_of(text, "a list of texts"),
  parts = map_of(list_of(text, "a list of DOFs or groups"), "a table of part = { DOFs or groups }"),
  poses = map_of(pose, "a table of name = { joints = { ... } }"),
  roles = map_of(text, "a table of role = link"),
  hands = map_of(hand, "a table of name = { link = ..., grip = ..., ... }"),
  bodies = list_of(body, "a list of { link = ..., radius = ..., below = ..., above = ... }"),
  motors = map_of(motor, "a table of DOF = { ... }"),
  devices = map_of(device, "a table of name = { driver = ..., dofs = ... }"),
  couplings = list_of(coupling, "a list of couplings"),
  interlocks = list_of(interlock, "a list of interlocks"),
  watch = map_of(watched, "a table of condition = { limit = ..., after = ..., reaction = ... }"),
  filters = map_of(filter, "a table of DOF or group = { stages = ..., tau = ... }"),
  steps = map_of(not_negative, "a table of DOF or group = a number in its unit, or 0"),
  on_loss = one_of("stop", "go_on"),
  shutdown = text,
  eyelids = list_of(eyelid, "a list of eyelids"),
  mirror = map_of(other_side, "a table of DOF = { with = DOF, sign = 1 or -1 }"),
}, { "name", "model" })

--- Fields of motors in a calibration: those that a person measures.
local check_calibration = record({
  motors = map_of(record({ scale = positive, offset = number, polarity = one_of(1, -1) }, {}),
    "a table of DOF = { ... }"),
  robot = text, made = text,
}, { "motors" })

--- Read and check the robot.lua at `path`.
---@param path string
---@return table? data as written in the file, every field of the right type
---@return string? sentence what was wrong, with file and field
---@return string? code no_file or format
function file.read(path, text) return plain.read(path, check, nil, text) end

--- Read and check what `brio calibrate` wrote: { motors = { DOF = { polarity, offset, scale } } }.
function file.read_calibration(path, text) return plain.read(path, check_calibration, nil, text) end

--- Read a file of plain data; what must be in it is not checked.
function file.read_plain(path) return plain.read(path, function() end) end

return file
