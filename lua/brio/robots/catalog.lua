--- Finds and describes robots: included ones by name, and any URDF or MJCF by its path.
---
---     local robots = require "brio.robots.catalog"
---     local pepper = assert(robots.find "pepper")
---     print(pepper.title, pepper.robot:mass(), pepper.poses.stand.joints.HeadPitch)
---
--- An included robot is a folder with a robot.lua (its names, DOFs, poses and limits; docs/devices/robots.md)
--- and a model.urdf (its links and joints).
local lazy = require "brio.lib.lazy"
local bare = lazy "brio.robots.from_urdf"
local cameras = lazy "brio.perception.cameras"
local clouds = require "brio.perception.clouds"
local detectors = require "brio.perception.detectors"
local disk = require "brio.io.files"
local file = require "brio.robots.file"
local floor = lazy "brio.robots.floor"
local guess = lazy "brio.robots.guess"
local inputs = require "brio.devices.inputs"
local meshes = require "brio.robots.meshes"
local motors = require "brio.robots.motors"
local paths = require "brio.lib.paths"
local robot = require "brio.robot"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local robots = {}

--- The names of the included robots, sorted.
---@return string[]
function robots.list()
  local names, folder = {}, paths.robots()
  local found, uv = pcall(require, "luv")
  local scan = found and uv.fs_scandir(folder)
  local name = scan and uv.fs_scandir_next(scan)
  while name do
    if disk.exists(folder .. "/" .. name .. "/robot.lua") then names[#names + 1] = name end
    name = uv.fs_scandir_next(scan)
  end
  table.sort(names)
  return names
end

--- Folders in which packages are searched: the given ones, then those of ROS.
local function package_folders(packages)
  local folders = {}
  if type(packages) == "string" then packages = { packages } end
  for _, list in ipairs { table.concat(packages or {}, ":"), os.getenv("ROS_PACKAGE_PATH") or "" } do
    for folder in list:gmatch("[^:]+") do folders[#folders + 1] = folder end
  end
  return folders
end

--- A path without "folder/..".
local function straight(path)
  local count
  repeat path, count = path:gsub("[^/.][^/]*/%.%./", "", 1) until count == 0
  return (path:gsub("^%./", ""))
end

--- Endings of models; the first element of the file says which format it is.
local model_endings = { urdf = true, xml = true, mjcf = true, xacro = true }

--- The file for a name or path, and whether it is a robot.lua.
local function locate(name)
  if model_endings[name:match "%.(%w+)$"] then return name, false end
  if name:match("robot%.lua$") then return name, true end
  local folder = name:gsub("/+$", "")
  if name:find("/", 1, true) or name == "." then
    if disk.exists(folder .. "/robot.lua") then return folder .. "/robot.lua", true end
    return nil, name .. ": no robot is there: a .urdf or .xml file, or a folder with a robot.lua, was \z
      expected", "no_file"
  end
  for _, place in ipairs { paths.robots() .. "/" .. name, folder } do
    if disk.exists(place .. "/robot.lua") then return paths.seen(straight(place .. "/robot.lua")), true end
  end
  local names = robots.list()
  return nil, ("there is no robot '%s'%s: the robots that ship are %s; any other is named by its folder or \z
    its .urdf or .xml file")
    :format(name, suggest.hint(name, names), table.concat(names, ", ")), "no_file"
end

-- Checks of a robot.lua against the model ----------------------------------------------------

local function by_name(list)
  local map = {}
  for _, item in ipairs(list) do map[item.name] = item end
  return map
end

--- Raise a sentence about a field; robots.find catches and returns it.
local function refuse(path, ...)
  error({ sentence = path .. ": " .. string.format(...), code = "format" }, 0)
end

local function known(path, field, name, map, what)
  if map[name] then return map[name] end
  refuse(path, "%s: the robot has no %s '%s'%s", field, what, name, suggest.hint(name, suggest.keys(map)))
end

--- Whether a file has any speed limit: a robot without one is limited to a speed that is safe near people.
local function says_speeds(data)
  if data.velocity or data.acceleration or data.default_acceleration then return true end
  for _, dof in ipairs(data.dofs or {}) do
    if not dof.outside and (dof.velocity or dof.acceleration) then return true end
  end
  return false
end

--- Limit the speed of the model's points, by the file or a guess.  Return that limit, false if there is none,
--- the maximum speed of a point for each variable (m per unit), and a sentence on a guess.
local function hold_points(model, data)
  local speed, why = data.point_speed, nil
  if speed == nil and not says_speeds(data) then speed, why = guess.point_speed(model) end
  if not speed then return false, {} end
  local levers = model:set_point_speed(speed)
  return speed, levers, why and ("'%s' has no limit of speed near people: no point of it exceeds %g m/s, \z
    for %s; point_speed in a robot.lua changes this (docs/behaviors/calmer.md)"):format(
      data.name, speed, why)
end

--- The speed limit of a single variable: the model's, reduced by the speed limit of points.
local function fastest(variable, data)
  local lever = data.levers[variable.name]
  return math.min(variable.velocity, lever and lever > 0 and data.held / lever or math.huge)
end

--- The default acceleration of a variable.
local function guessed_acceleration(velocity, data)
  return data.held and velocity / guess.speeds.within or guess.acceleration(velocity)
end

--- A DOF of the tree: the variable's own limits, tightened by those of the file.
local function tree_dof(path, variable, said, data)
  local velocity = fastest(variable, data)
  local field = "dofs '" .. variable.name .. "'"
  local dof = {
    name = variable.name, label = said.label or variable.name, group = said.group, outside = false,
      grip = said.grip,
    unit = variable.angular and "rad" or "m",
    lower = said.lower or variable.lower, upper = said.upper or variable.upper,
    velocity = (data.velocity or {})[variable.name] or said.velocity or velocity,
  }
  if said.unit and said.unit ~= dof.unit then
    refuse(path, "%s: unit must be \"%s\", as the model has it", field, dof.unit)
  end
  if dof.lower < variable.lower or dof.upper > variable.upper or dof.lower > dof.upper then
    refuse(path, "%s: %g to %g must lie within the model's own range, %g to %g", field, dof.lower, dof.upper,
      variable.lower, variable.upper)
  end
  if dof.velocity > variable.velocity then
    refuse(path, "%s: velocity %g may not be above the model's own, %g", field, dof.velocity,
      variable.velocity)
  end
  dof.velocity = math.min(dof.velocity, velocity)
  dof.acceleration = (data.acceleration or {})[variable.name] or said.acceleration
    or data.default_acceleration
    or guessed_acceleration(dof.velocity, data)
  dof.rest = said.rest or ((dof.lower > 0 or dof.upper < 0) and (dof.lower + dof.upper) / 2 or 0)
  if dof.rest < dof.lower or dof.rest > dof.upper then
    refuse(path, "%s: rest must be within its range", field)
  end
  return dof
end

--- A DOF outside the tree: an eyelid, an LED.  All its data are in the file.
local function outside_dof(path, said, data)
  local field = "dofs '" .. said.name .. "'"
  for _, key in ipairs { "lower", "upper" } do
    if not said[key] then refuse(path, "%s: %s must be given, it is outside the tree", field, key) end
  end
  local rest = said.rest or math.max(said.lower, math.min(said.upper, 0))
  if not (said.lower < said.upper and rest >= said.lower and rest <= said.upper) then
    refuse(path, "%s: lower must be below upper, and rest between them", field)
  end
  local velocity = said.velocity or math.huge
  return {
    name = said.name, label = said.label or said.name, group = said.group, outside = true,
      unit = said.unit or "1",
    lower = said.lower, upper = said.upper, rest = rest, velocity = velocity,
    acceleration = said.acceleration or data.default_acceleration or guess.acceleration(velocity),
  }
end

--- Every DOF: those of the tree in the model's order, then those outside it.
local function dofs_of(path, model, data)
  local variables, said = by_name(model:variables()), by_name(data.dofs or {})
  local dofs, outside = {}, {}
  for _, field in ipairs { "velocity", "acceleration" } do
    for _, name in ipairs(suggest.keys(data[field] or {})) do
      known(path, field, name, variables, "variable")
    end
  end
  for _, dof in ipairs(data.dofs or {}) do
    if said[dof.name] ~= dof then refuse(path, "dofs: '%s' is there twice", dof.name) end
    if not dof.outside then
      known(path, "dofs", dof.name, variables, "variable")
    elseif variables[dof.name] then
      refuse(path, "dofs '%s': is a variable of the model, so it is not outside", dof.name)
    else
      outside[#outside + 1] = outside_dof(path, dof, data)
    end
  end
  for _, variable in ipairs(model:variables()) do
    dofs[#dofs + 1] = tree_dof(path, variable, said[variable.name] or {}, data)
  end
  table.move(outside, 1, #outside, #dofs + 1, dofs)
  return dofs
end

local function check_groups(path, dofs, groups)
  if not groups then return end
  local map = {}
  for _, group in ipairs(groups) do map[group] = group end
  for _, dof in ipairs(dofs) do
    if dof.group then known(path, "dofs '" .. dof.name .. "'", dof.group, map, "group") end
  end
end

local function check_poses(path, dofs, data)
  local map = by_name(dofs)
  for _, name in ipairs(suggest.keys(data.poses or {})) do
    local field, joints = "poses." .. name, data.poses[name].joints
    for _, joint in ipairs(suggest.keys(joints)) do
      local dof, value = known(path, field, joint, map, "DOF"), joints[joint]
      if value < dof.lower - 1e-9 or value > dof.upper + 1e-9 then
        refuse(path, "%s.%s: %g must be within its range, %g to %g", field, joint, value, dof.lower,
          dof.upper)
      end
    end
  end
  if data.home then known(path, "home", data.home, data.poses or {}, "pose") end
end

local function check_roles(path, model, roles)
  local links = {}
  for _, link in ipairs(model:links()) do links[link] = link end
  for _, role in ipairs(suggest.keys(roles)) do known(path, "roles." .. role, roles[role], links, "link") end
end

--- Check where it stands: on links that exist, by motors that control their torque.
local function check_stance(path, model, data)
  local links = {}
  for _, link in ipairs(model:links()) do links[link] = link end
  for _, link in ipairs(suggest.keys(data.stance.contacts)) do
    known(path, "stance.contacts", link, links, "link")
  end
  if not data.control then
    refuse(path, "stance: it needs motors that control their torque: give `control`, too")
  end
end

--- Check the hands, and the body: links and joints exist, their ends are within the joints' ranges.
local function check_hands(path, model, dofs, data)
  local links, map = {}, by_name(dofs)
  for _, link in ipairs(model:links()) do links[link] = link end
  for index, body in ipairs(data.bodies or {}) do
    known(path, ("bodies[%d].link"):format(index), body.link, links, "link")
  end
  for _, name in ipairs(suggest.keys(data.hands or {})) do
    local hand, field = data.hands[name], "hands." .. name
    known(path, field .. ".link", hand.link, links, "link")
    local dof = known(path, field .. ".grip", hand.grip, map, "DOF")
    for _, key in ipairs { "open", "shut" } do
      if hand[key] < dof.lower - 1e-9 or hand[key] > dof.upper + 1e-9 then
        refuse(path, "%s.%s: %g must be within its range, %g to %g", field, key, hand[key], dof.lower,
          dof.upper)
      end
    end
  end
end

--- The parts of the body, each a list of DOFs in the robot's order.
local function parts_of(path, dofs, data)
  local both, parts = by_name(dofs), {}
  for _, dof in ipairs(dofs) do both[dof.group or dof.name] = dof end
  for _, name in ipairs(suggest.keys(data.parts or {})) do
    local has = {}
    for _, item in ipairs(data.parts[name]) do
      has[known(path, "parts." .. name, item, both, "DOF or group") and item] = true
    end
    parts[name] = {}
    for _, dof in ipairs(dofs) do
      if has[dof.name] or has[dof.group or dof.name] then table.insert(parts[name], dof.name) end
    end
    if #parts[name] == 0 then refuse(path, "parts.%s must name a DOF", name) end
  end
  return parts
end

--- Check that motors refer to existing DOFs, groups and poses.
local function check_motors(path, dofs, data)
  local map, both = by_name(dofs), by_name(dofs)
  for _, dof in ipairs(dofs) do both[dof.group or dof.name] = dof end
  for _, name in ipairs(suggest.keys(data.motors or {})) do known(path, "motors", name, map, "DOF") end
  for _, field in ipairs { "filters", "steps", "control", "transmissions" } do
    for _, name in ipairs(suggest.keys(data[field] or {})) do
      known(path, field, name, both, "DOF or group")
    end
  end
  for _, name in ipairs(suggest.keys(data.devices or {})) do
    for _, dof in ipairs(data.devices[name].dofs) do
      known(path, "devices." .. name, dof, both, "DOF or group")
    end
  end
  for _, name in ipairs(suggest.keys(data.collisions and data.collisions.thresholds or {})) do
    known(path, "collisions.thresholds", name, both, "DOF or group")
  end
  for index, coupling in ipairs(data.couplings or {}) do
    local field = ("couplings[%d]"):format(index)
    for _, dof in ipairs(coupling.dofs) do known(path, field, dof, map, "DOF") end
    for row, numbers in ipairs(coupling.matrix) do
      if #numbers ~= #coupling.dofs or #coupling.matrix ~= #coupling.dofs then
        refuse(path, "%s: matrix must have as many rows, and numbers in row %d, as there are dofs: %d", field,
          row, #coupling.dofs)
      end
    end
  end
  for index, rule in ipairs(data.interlocks or {}) do
    for _, key in ipairs { "watched", "limited" } do
      known(path, ("interlocks[%d].%s"):format(index, key), rule[key], map, "DOF")
    end
    if not map[rule.limited].outside then
      refuse(path, "interlocks[%d].limited: '%s' is a joint of the model: the solver limits it", index,
        rule.limited)
    end
  end
  for index, row in ipairs(data.eyelids or {}) do
    for _, key in ipairs { "lid", "eye" } do
      known(path, ("eyelids[%d].%s"):format(index, key), row[key], map, "DOF")
    end
  end
  for _, name in ipairs(suggest.keys(data.mirror or {})) do
    known(path, "mirror", name, map, "DOF")
    if data.mirror[name].with then known(path, "mirror." .. name, data.mirror[name].with, map, "DOF") end
  end
  if data.shutdown then known(path, "shutdown", data.shutdown, data.poses or {}, "pose") end
end

--- Complete the poses: DOFs that the file omits are at rest.
local function whole_poses(dofs, poses)
  local whole = {}
  for _, name in ipairs(suggest.keys(poses)) do
    local joints = {}
    for _, dof in ipairs(dofs) do
      local value = poses[name].joints[dof.name]
      joints[dof.name] = value == nil and dof.rest or value
    end
    whole[name] = { label = poses[name].label, joints = joints }
  end
  return whole
end

--- Tighten the model's limits to those of the description.
local function set_limits(model, dofs)
  local variables = by_name(model:variables())
  for _, dof in ipairs(dofs) do
    local variable, limits = variables[dof.name], { acceleration = dof.acceleration }
    if variable then
      if dof.velocity < variable.velocity then limits.velocity = dof.velocity end
      if dof.lower > variable.lower then limits.lower = dof.lower end
      if dof.upper < variable.upper then limits.upper = dof.upper end
      model:set_limits(dof.name, limits)
      if dof.grip then model:set_grip(dof.name) end
    end
  end
end

-- Descriptions --------------------------------------------------------------------------------

local function describe(path, model, data, warnings)
  local point_speed, levers, guessed = hold_points(model, data)
  data.held, data.levers = point_speed, levers
  if guessed then table.insert(warnings, 1, guessed) end
  local dofs = dofs_of(path, model, data)
  check_groups(path, dofs, data.groups)
  check_poses(path, dofs, data)
  check_roles(path, model, data.roles or {})
  check_hands(path, model, dofs, data)
  check_motors(path, dofs, data)
  if data.stance then check_stance(path, model, data) end
  local fault = motors.fault(dofs, data) or data.inputs and inputs.fault(data.inputs)
    or detectors.fault(data.detectors) or clouds.fault(data.clouds)
    or data.cameras and cameras.fault(data.cameras)
  if fault then refuse(path, "%s", fault) end
  set_limits(model, dofs)
  local poses = data.poses or {}
  if not next(poses) then poses = { neutral = { joints = {} } } end
  local odd, missing = meshes.gather(model)
  table.move(odd, 1, #odd, #warnings + 1, warnings)
  return {
    name = data.name, title = data.title or data.name, robot = model, file = path, dofs = dofs,
      groups = data.groups,
    parts = parts_of(path, dofs, data), poses = whole_poses(dofs, poses),
    home = data.home or suggest.keys(poses)[1], roles = data.roles or {},
    source = data.source or {}, base = data.base or "fixed", base_range = data.base_range,
      base_center = data.base_center,
    motors = data.motors, devices = data.devices, couplings = data.couplings, interlocks = data.interlocks,
      watch = data.watch,
    inputs = data.inputs, detectors = data.detectors, clouds = data.clouds, cameras = data.cameras,
      hands = data.hands, bodies = data.bodies,
    filters = data.filters, steps = data.steps, control = data.control, transmissions = data.transmissions,
      collisions = data.collisions, balance = data.balance, stance = data.stance,
    on_loss = data.on_loss, shutdown = data.shutdown, point_speed = point_speed,
    warnings = warnings, missing_meshes = missing, eyelids = data.eyelids, mirror = data.mirror,
  }
end

--- The files of the sequences that a robot's folder has, by name.
local function sequences_of(folder)
  local files = {}
  for _, name in ipairs(disk.list(folder .. "/sequences") or {}) do
    if name:match "%.lua$" then files[(name:gsub("%.lua$", ""))] = folder .. "/sequences/" .. name end
  end
  return files
end

--- The link on the floor, for robots that have one (REP 120 of ROS).  A robot whose file has a higher root,
--- such as Pepper's torso, is re-rooted to it, so that bending a knee moves the body and not the floor.
local ground = "base_footprint"

--- The path of the calibration of a robot.lua: as given there, or calibration.lua beside it, if that exists
--- (in `texts`).
local function calibration_of(path, data, texts)
  local beside = paths.beside(path, data.calibration or "calibration.lua")
  if texts and texts[path] then return beside, texts[beside] ~= nil end
  return beside, data.calibration ~= nil or disk.exists(beside)
end

--- Apply the calibration to the motors.  Return its file and its text; nil if there is none.
local function take_calibration(path, data, texts)
  local from, there = calibration_of(path, data, texts)
  if not there then return nil end
  local measured, why, rest = file.read_calibration(from, texts and texts[from])
  if not measured then error({ sentence = why, code = rest }, 0) end
  local merged = {}
  for name, motor in next, data.motors or {} do merged[name] = motor end
  for name, fields in next, measured.motors do
    local motor = {}
    for key, value in next, merged[name] or {} do motor[key] = value end
    for key, value in next, fields do motor[key] = value end
    merged[name] = motor
  end
  data.motors = merged
  return from, rest
end

local function from_robot_file(path, options)
  local texts = options.texts
  local data, why, rest = file.read(path, texts and texts[path])
  if not data then return nil, why, rest end
  local calibrated, measured
  if not options.bare then calibrated, measured = take_calibration(path, data, texts) end
  local model_path = paths.beside(path, data.model)
  if data.base == "bounded" and not data.base_range then
    refuse(path, "base_range must be given, because base is \"bounded\": six numbers")
  end
  local model, sentence, cause = robot.load(model_path,
    { packages = package_folders(options.packages), base = options.floats and "fixed" or data.base,
      base_range = not options.floats and data.base_range or nil,
      base_center = options.base or data.base_center and { position = data.base_center } or nil,
      stands_on = (data.base or "fixed") == "fixed" and ground or nil })
  if not model then return nil, sentence, cause end
  local description = describe(path, model, data, {})
  description.sequences = sequences_of(paths.folder(path))
  description.texts = { [path] = rest, [calibrated or 1] = measured }
  description.placed = options.base ~= nil
  if options.floats and data.base and data.base ~= "fixed" then
    description.base, description.floats = "fixed", true
    description.free_model = { path = model_path, packages = package_folders(options.packages) }
  end
  description.calibration, description.calibrated = (calibration_of(path, data)), calibrated
  return description
end

local function from_model(path, options)
  local model, sentence, cause = robot.load(path,
    { packages = package_folders(options.packages), stands_on = ground })
  if not model then return nil, sentence, cause end
  local data, warnings = bare.data(path, model)
  local description = describe(path, model, data, warnings)
  description.guesses, description.depth = data.guesses, floor.depth(description)
  if description.depth then
    table.insert(warnings, math.min(2, #warnings + 1), ("'%s' has its root at the origin, so its feet are \z
      %.2f m below the floor of the world; base_center in a robot.lua raises it (brio robot FILE --init \z
      FOLDER writes one)"):format(data.name, description.depth))
  end
  return description
end

local find_options = {
  packages = { "table or string", doc = "folders in which package://NAME is looked for" },
  bare = { "boolean", doc = "without what `brio calibrate` measured" },
  base = { "table", doc = "pose at which a base that moves begins" },
  texts = { "table", doc = "texts of its files, instead of those on disk" },
  floats = { "boolean", doc = "a base that moves is moved from outside, as by physics: `base` is fixed" },
}

--- Find and describe a robot.
---@param name string the name of a robot that ships, a folder with a robot.lua, or a .urdf or .xml file
---@param options? { packages?: string|string[], bare?: boolean, base?: table, texts?: table,
---  floats?: boolean }
--- packages: folders for package://NAME; bare: without the measurements of `brio calibrate`; base: initial
--- pose of a base that moves; texts: replace files on disk: the `texts` of an earlier description; floats: a
--- base that moves is moved by physics: the description's base is fixed, and `floats` true
---@return table? description name, title, robot, file, dofs, groups, poses, home, roles, source, base,
--- warnings
---@return string? sentence
---@return string? code no_file, format, limit
function robots.find(name, options)
  schema.check_options(options, find_options, "robots.find")
  if type(name) ~= "string" then
    error("robots.find expects a robot's name or file, not a " .. type(name), 2)
  end
  local path, described, code = locate(name)
  if not path then return nil, described, code end
  local results = table.pack(pcall(described and from_robot_file or from_model, path, options or {}))
  if results[1] then return table.unpack(results, 2, results.n) end
  if type(results[2]) ~= "table" then error(results[2], 0) end
  return nil, results[2].sentence, results[2].code
end

--- The path of a data file of a robot, which may not exist.
function robots.data_file(description, name)
  return paths.folder(description.file) .. "/" .. name .. ".lua"
end

--- The data in a file beside a robot's robot.lua, read once: "gaze" of gaze.lua, for a faculty of its
--- character.
---@param description table what `find` returned
---@param name string of the file, without ".lua"
---@return table? data nil if there is no such file, and for a bare model: files beside it belong to another
--- robot
---@return string? sentence what is wrong with it, where it cannot be read
function robots.data(description, name)
  if not description.file:match "%.lua$" then return nil end
  local read = description.data or {}
  description.data = read
  local path = robots.data_file(description, name)
  if read[name] == nil then
    local data, why = nil, nil
    if disk.exists(path) then data, why = file.read_plain(path) end
    read[name] = { data = data, why = why }
  end
  return read[name].data, read[name].why
end

return robots
