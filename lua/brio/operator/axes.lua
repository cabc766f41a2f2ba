--- Status of a run, as plain data: printed by `axes` at the prompt and drawn by `brio monitor`.
local columns = require "brio.lib.columns"
local pretty = require "brio.lib.pretty"
local store = require "brio.store"
local taped = require "brio.io.run_tape"

local axes = {}

--- A number that can be represented in JSON, or nil.
local function finite(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge and value or nil
end

--- Measured values of an axis with a fresh report, by the names of actuator:state.
local measured = { "position", "velocity", "load", "current", "temperature", "voltage" }

local function axis_of(dof, state)
  local axis = {
    name = dof.name, group = dof.group, unit = dof.unit, lower = finite(dof.lower), upper = finite(dof.upper),
    target = finite(state.target), command = finite(state.command), fresh = state.valid,
      enabled = state.enabled,
  }
  for _, name in ipairs(measured) do axis[name] = state.valid and finite(state[name]) or nil end
  axis.error = axis.position and axis.command and axis.position - axis.command
  return axis
end

--- The state of the motor side for people; `by`: who pressed the panic stop, in words.
local function motors_of(report, by)
  local devices = {}
  for index, device in ipairs(report.devices) do
    devices[index] = { name = device.name, driver = device.driver, lost = device.lost,
      rate = finite(device.rate),
      failures = device.failures, losses = device.losses, retries = device.retries,
        timeouts = device.timeouts,
      typical_ms = finite(device.typical_ms), slowest_ms = finite(device.slowest_ms), error = device.error }
  end
  return {
    armed = report.armed, rests = report.rests, silent = report.silent, held_by = store.array(report.held_by),
    panic_by = by,
    periods = report.periods, lost = report.lost, threaded = report.threaded,
      late_p99_us = finite(report.late_p99_us),
    devices = store.array(devices),
  }
end

--- Other sensor values, in the order of names: {name, value} each, the value as text.
local function inputs_of(inputs)
  local list = {}
  for index, name in ipairs(inputs.names) do
    local item = inputs.by_name[name]
    list[index] = { name = name, value = pretty.line(item.value), unit = item.kind.unit }
  end
  return store.array(list)
end

--- Status of the run: time, state, the tick's costs, motors, and every axis in the order of the DOFs.
function axes.snapshot(run)
  local states, list, report = run.actuator:states(), {}, run.engine:report()
  for index, dof in ipairs(run.description.dofs) do
    local axis = states[dof.name]
    axis.target = run.host.tracks:told(dof.name, axis.target)
    list[index] = axis_of(dof, axis)
  end
  return {
    time = run.host.now, behavior = run.loaded.file, robot = run.description.name, state = run.host:state(),
    failed = run.host.failed, held = run.host.held_since ~= nil, ending = run.host.power_off ~= nil,
      rate = run.rate,
    tick_p50_us = finite(report.tick_p50_us), tick_p99_us = finite(report.tick_p99_us),
      late_ticks = report.late_ticks,
    limits = run.description.watch and run.description.watch.over_temperature
      and { temperature = run.description.watch.over_temperature.limit } or nil,
    inputs = inputs_of(run.inputs), axes = store.array(list),
    motors = motors_of(taped.motors(run), run.prompt and run.prompt.desk.stop:by()),
  }
end

local shown = { "position", "target", "command", "error", "load", "temperature" }

--- The same as a table for people, without columns that no axis reports.
function axes.text(snapshot)
  local rows, known = {}, {}
  for index, axis in ipairs(snapshot.axes) do
    local row = { axis = axis.name, unit = axis.unit, report = axis.fresh and "fresh" or "none" }
    for _, name in ipairs(shown) do
      row[name] = axis[name] and ("%.4f"):format(axis[name]) or ""
      known[name] = known[name] or axis[name] ~= nil
    end
    rows[index] = row
  end
  local names = { "axis", "unit" }
  for _, name in ipairs(shown) do names[#names + 1] = known[name] and name or nil end
  names[#names + 1] = "report"
  return columns.text(names, rows)
end

return axes
