--- The motor side of a run: converts a robot's file to options of devices and of the engine, and events to
--- log lines and rows of the store.
local lazy = require "brio.lib.lazy"
local actuator = require "brio.actuator"
local control = lazy "brio.devices.control"
local disk = require "brio.io.files"
local paths = require "brio.lib.paths"
local suggest = require "brio.lib.suggest"
local taped = require "brio.io.run_tape"
local tracks = require "brio.motion.tracks"

local motors = {}

--- The axes that a name stands for: a group's, or one of that name.
local function axes_of(description, name, field)
  local names, known = {}, {}
  for _, dof in ipairs(description.dofs) do
    if dof.group == name or dof.name == name then names[#names + 1] = dof.name end
    known[#known + 1] = dof.name
    known[#known + 1] = dof.group
  end
  if #names == 0 then
    error(("%s: the robot has no DOF or group '%s'%s"):format(field, name, suggest.hint(name, known)), 0)
  end
  return names
end

--- The error in the names of DOFs and groups of --drive: a sentence, or nil.
function motors.drive_fault(description, names)
  for _, name in ipairs(names or {}) do
    local good, why = pcall(axes_of, description, name, "--drive")
    if not good then return why end
  end
end

--- The path of a driver's file is relative to the robot's.
local function driver_of(description, name)
  local beside = not name:match "^/" and name:find "[/.]" and paths.folder(description.file) .. "/" .. name
  return beside and disk.exists(beside) and beside or name
end

--- The devices of a robot's file, in the form of brio.actuator.open.
local function devices_of(description)
  local list = {}
  for _, name in ipairs(suggest.keys(description.devices or {})) do
    local said, axes = description.devices[name], {}
    for _, which in ipairs(said.dofs) do
      for _, axis in ipairs(axes_of(description, which, "devices." .. name)) do axes[#axes + 1] = axis end
    end
    list[#list + 1] = { name = name, driver = driver_of(description, said.driver), axes = axes,
      settings = said.settings, watchdog = said.watchdog, limits = said.limits }
  end
  return #list > 0 and list or nil
end

--- The inputs of devices, in the form of brio.actuator.open.
local function inputs_of(description)
  local list = {}
  for _, name in ipairs(suggest.keys(description.inputs or {})) do
    local row = description.inputs[name]
    if row.device or row.line then
      list[#list + 1] = { name = name, device = row.device, line = row.line,
        width = row.kind == "imu" and 10 or 1,
        panic = row.panic == true and 1 or row.panic == "released" and -1 or 0 }
    end
  end
  return #list > 0 and list or nil
end

--- Groups of axes, by name.
local function groups_of(description)
  local groups = {}
  for _, dof in ipairs(description.dofs) do
    if dof.group then
      groups[dof.group] = groups[dof.group] or {}
      table.insert(groups[dof.group], dof.name)
    end
  end
  return groups
end

--- Filters of the DOFs outside the tree, by axis; those of joints are the player's (brio.tracks).
local function filters_of(description)
  local filters = {}
  for _, dof in ipairs(description.dofs) do
    if dof.outside then filters[dof.name] = tracks.filter_of(description, dof) end
  end
  return filters
end

--- A limit, or nil if there is none.
local function finite(limit)
  return limit and math.abs(limit) < math.huge and limit or nil
end

--- Default step to which measured values are rounded, in the DOF's unit: that of goals and commands
--- (engine/base/grid.h).
motors.usual_step = 1e-6

--- The rounding step of a DOF's measured values; 0: no rounding.
function motors.step(description, dof)
  local steps = description.steps or {}
  return steps[dof.name] or steps[dof.group or false] or motors.usual_step
end

--- The axes of a robot: its DOFs with their positions from `first` ({DOF = value}), else from the home pose;
--- and the positions of the joints of the tree, by name.
function motors.axes(description, first)
  local home = description.poses[description.home] or { joints = {} }
  local axes, start = {}, {}
  for _, dof in ipairs(description.dofs) do
    local lower, upper = dof.lower or -math.huge, dof.upper or math.huge
    local at = first and first[dof.name] or home.joints[dof.name] or dof.rest
      or math.max(lower, math.min(upper, 0))
    axes[#axes + 1] = {
      name = dof.name, lower = finite(dof.lower), upper = finite(dof.upper), velocity = finite(dof.velocity),
      acceleration = finite(dof.acceleration), start = at, step = motors.step(description, dof),
      grip = dof.grip,
    }
    if not dof.outside then start[dof.name] = at end
  end
  return axes, start
end

--- Whether a driver can record the traffic of its port.
local function can_trace(driver)
  for _, kind in ipairs(actuator.drivers()) do
    for _, text in ipairs((kind.name == driver or kind.alias == driver) and kind.texts or {}) do
      if text.name == "trace" then return true end
    end
  end
  return false
end

--- Let every device record the traffic of its port in one file.  `options`: those of brio.actuator.open,
--- whose tables are replaced, not changed.  Return whether a device supports it, or nil and a sentence.
function motors.trace(options, file)
  local any = false
  local function with(driver, settings)
    if not can_trace(driver) then return settings end
    local made = { trace = file }
    for key, value in next, settings or {} do made[key] = made[key] or value end
    any = true
    return made
  end
  local devices = options.devices and {}
  for index, device in ipairs(options.devices or {}) do
    devices[index] = { settings = with(device.driver, device.settings) }
    for key, value in next, device do devices[index][key] = devices[index][key] or value end
  end
  options.devices, options.settings = devices, with(options.driver, options.settings)
  if any then return true end
  return nil, "nothing can be traced: no device of this run has a port (driver " .. options.driver .. ")"
end

--- Motors of a robot's file as options of brio.actuator.open: their mappings and gains.
local function split(description)
  local mappings, gains = {}, {}
  for name, said in next, description.motors or {} do
    mappings[name] = {}
    for key, value in next, said do
      if key ~= "gains" then mappings[name][key] = value end
    end
    gains[name] = said.gains
  end
  return mappings, next(gains) and gains
end

--- Mappings as options of engine:remap: `said` are those of a robot's file.
function motors.mappings(said) return { motors = (split { motors = said }) } end

--- Options of brio.actuator.open other than axes, driver, seed and world.
function motors.actuator_options(description)
  local mappings, gains = split(description)
  return {
    devices = devices_of(description), groups = groups_of(description), motors = mappings, gains = gains,
    couplings = description.couplings, inputs = inputs_of(description),
  }
end

--- Assign some DOFs and groups to the driver, as a device of its name, and simulate those without a device.
local function drive_only(description, made, names)
  local axes = {}
  for _, name in ipairs(names) do
    for _, axis in ipairs(axes_of(description, name, "--drive")) do axes[#axes + 1] = axis end
  end
  made.devices = made.devices or {}
  made.devices[#made.devices + 1] = { name = made.driver, driver = made.driver, axes = axes,
    settings = made.settings }
  made.driver, made.settings = "sim", nil
end

--- Open the devices of a robot.  Options: driver (of the DOFs without a device in the robot's file), settings
--- (of it), drives (the DOFs and groups that it moves, if not all), seed, world, trace (a file), start
--- (initial positions of DOFs, by name; default: the home pose).  Return the actuator, the positions of the
--- joints of the tree, and whether inputs come from devices; or nil and a sentence.
function motors.open(description, options)
  local axes, start = motors.axes(description, options.start)
  local made = motors.actuator_options(description)
  made.driver, made.axes, made.settings = options.driver or "sim", axes, options.settings
  made.seed, made.world = options.seed, options.world
  if options.unmoved then -- a replay opens no ports
    made.devices, made.driver, made.settings, made.gains = nil, "sim", nil, nil
    for _, input in ipairs(made.inputs or {}) do input.device, input.line = nil, "0=0" end
  elseif options.drives then drive_only(description, made, options.drives) end
  if description.control then
    local good, impedances = pcall(control.of, description, start)
    if not good then return nil, impedances end
    made.impedances = impedances
  end
  if options.trace then
    local traced, why = motors.trace(made, options.trace)
    if not traced then return nil, why end
  end
  local opened, why = actuator.open(made)
  if not opened then return nil, why end
  return opened, start, made.inputs ~= nil
end

--- The engine's options for the motor side; options: arm, motor_rate, and `motor`, a table with precedence.
function motors.engine_options(description, options)
  local made = {
    rate = options.motor_rate, armed = options.arm or nil, on_loss = description.on_loss,
      filters = filters_of(description),
    interlocks = description.interlocks, watch = description.watch,
    gravity = description.control and control.carried(description) or nil,
    collisions = description.collisions and control.collisions(description) or nil,
  }
  for key, value in next, options.motor or {} do made[key] = value end
  return made
end

--- Interval between records of the devices' statistics, s.
local sampled_every = 1

--- The devices' rows since the last time, if they are due; `last`: they are the last ones.
function motors.sample(run, now, last)
  local recorder, sampled = run.recorder, run.sampled
  if not recorder.writer or sampled and now - sampled.t < (last and 1e-9 or sampled_every - 1e-9) then
    return
  end
  local list = run.engine:motors().devices
  if not sampled then recorder:devices(list) end
  local exchanges = {}
  for id, device in ipairs(list) do
    exchanges[id] = device.exchanges
    local rate = sampled and now - sampled.t >= 0.5
      and (device.exchanges - sampled.exchanges[id]) / 2 / (now - sampled.t) or nil
    if sampled then recorder:device_sample(id, now, device, rate) end
  end
  run.sampled = { t = now, exchanges = exchanges }
end

--- Events that pass, as on a busy machine: reported and recorded, but not as faults.
local passing = { scripts_silent = true, paused = true, disarmed = true }

--- Whether the motors get commands, by the events so far: `run.disarmed`, and `run.was_armed` after the first
--- time.
local armings = {
  armed = function(run) run.disarmed, run.was_armed = nil, true end,
  disarmed = function(run) run.disarmed = true end,
}

--- Report and record the motor side's events since the last tick; `over`: the run has ended, and its
--- power-off is not reported.
function motors.hear(run, now, over)
  local event = taped.motor_event(run)
  while event do
    local host = run.host
    if over and event.name == "motors_held" then goto heard end
    if event.severity ~= "info" and not passing[event.name] then
      run.recorder:fault(host.tick, now, event.severity, "motors", event.text, event.name, host.version)
    end
    if armings[event.name] then armings[event.name](run) end
    host:emit(event.name, event, "motors")
    run:tell(event.severity, event.text)
    ::heard::
    event = taped.motor_event(run)
  end
end

--- Sentences for the engine's reasons why a robot is not at rest.
local not_at_rest = {
  disarmed = "it is disarmed", held = "it is held",
    blocked = "motion has stopped, so there is an obstacle",
  interrupted = "the run was to end at once", late = "it was not there within 10 s",
}

--- Warn at the start of motors with smaller ranges than their DOFs: they stop at their ends.
function motors.tell_of_ranges(run)
  if run.actuator:simulated() then return end
  local list = {}
  for _, dof in ipairs(run.description.dofs) do
    local limits = run.actuator:limits(dof.name)
    if limits.motor_lower then
      list[#list + 1] = ("%s from %.3g to %.3g of %.3g to %.3g"):format(dof.name, limits.motor_lower,
        limits.motor_upper, limits.lower, limits.upper)
    end
  end
  if not list[1] then return end
  run:tell("warning", ("the motors of %d DOFs do not go as far as their limits, and stop before: %s (give \z
    the DOFs `lower` and `upper` in the robot's file)"):format(#list, table.concat(list, ", ")), "motors")
end

--- Warn at the end of a run whose motors were never armed.
function motors.tell_of_arming(run)
  if not run.disarmed or run.was_armed then return end
  run:tell("warning", "the motors were disarmed all the time: nothing was moved (--arm, or `arm` at the \z
    prompt)", "motors")
end

--- Warn if the robot did not go to rest at the end.
function motors.tell_of_rest(run, report)
  local why = not_at_rest[report.rest]
  if not why then return end
  local by = table.concat(report.motors.held_by, ", ")
  if report.rest == "held" and by ~= "" then why = ("%s (%s)"):format(why, by) end
  local sentence = "the robot is not in the pose in which it is to rest: " .. why
  run.recorder:fault(report.ticks, report.time, "warning", "motors", sentence, "not_at_rest",
    run.host.version)
  run.say("warning", sentence, report.time)
end

return motors
