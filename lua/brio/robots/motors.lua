--- Checks the motors in a robot's file for consistency: numbers that fit together, one device for each DOF.
--- robots/file.lua has checked each field alone.
local suggest = require "brio.lib.suggest"

local motors = {}

--- Maximum number of points of a mapping's table (engine/motor/mapping.h).
local most_points = 32

--- Further fields of each mapping, in addition to `map`, `polarity`, `lower`, `upper` and `gains`: true if
--- required.
local maps = {
  linear = { scale = false, offset = false },
  asymmetric = { offset = false, below = true, above = true },
  table = { points = true },
}
local shared = { map = true, polarity = true, lower = true, upper = true, gains = true }

local function fault_of_points(field, points)
  if #points < 2 or #points > most_points then
    return ("%s.points must be 2 to %d points, not %d"):format(field, most_points, #points)
  end
  local side = points[2][2] > points[1][2] and 1 or -1
  for index = 2, #points do
    local before, here = points[index - 1], points[index]
    if not (here[1] > before[1]) then
      return ("%s.points[%d]: its first number, %g, must be above that of the one before, %g"):format(field,
        index, here[1], before[1])
    end
    if not (side * here[2] > side * before[2]) then
      return ("%s.points[%d]: its motor, %g, must go on %s, beyond %g"):format(field, index, here[2],
        side > 0 and "rising" or "falling", before[2])
    end
  end
end

local function fault_of_motor(field, motor)
  local map = motor.map or "linear"
  local uses = maps[map]
  for _, key in ipairs(suggest.keys(motor)) do
    if not shared[key] and uses[key] == nil then
      return ("%s.%s means nothing where map is \"%s\""):format(field, key, map)
    end
  end
  for _, key in ipairs(suggest.keys(uses)) do
    if uses[key] and motor[key] == nil then
      return ("%s.%s must be given where map is \"%s\""):format(field, key, map)
    end
  end
  if motor.lower and motor.upper and motor.lower >= motor.upper then
    return ("%s.lower, %g, must be below its upper, %g"):format(field, motor.lower, motor.upper)
  end
  return map == "table" and fault_of_points(field, motor.points) or nil
end

--- The device of each DOF, by name; nil and a sentence if one has two.
local function owners(dofs, devices)
  local owner = {}
  for _, name in ipairs(suggest.keys(devices)) do
    for _, wanted in ipairs(devices[name].dofs) do
      for _, dof in ipairs(dofs) do
        if dof.name == wanted or dof.group == wanted then
          if owner[dof.name] and owner[dof.name] ~= name then
            return nil, ("devices.%s: '%s' is of devices.%s already"):format(name, dof.name, owner[dof.name])
          end
          owner[dof.name] = name
        end
      end
    end
  end
  return owner
end

--- Check couplings: their DOFs are on one device, each named once. A DOF in an earlier coupling chains the
--- two.
local function fault_of_couplings(couplings, owner)
  for index, coupling in ipairs(couplings) do
    local field, first, taken = ("couplings[%d]"):format(index), coupling.dofs[1], {}
    for _, name in ipairs(coupling.dofs) do
      if taken[name] then return ("%s: '%s' is named twice"):format(field, name) end
      if owner[name] ~= owner[first] then
        return ("%s: '%s' and '%s' must be of one device"):format(field, first, name)
      end
      taken[name] = true
    end
  end
end

--- The monitored conditions (engine/motor/alarm.h).
local conditions = { "tracking_error", "over_temperature", "over_current", "over_load", "low_voltage" }

--- Check that inputs name an existing device.
local function fault_of_inputs(rows, devices)
  local names = suggest.keys(devices)
  for _, name in ipairs(suggest.keys(rows)) do
    local wanted = type(rows[name]) == "table" and rows[name].device
    if type(wanted) == "string" and not devices[wanted] then
      return ("inputs.%s.device: there is no device '%s'%s"):format(name, wanted, suggest.hint(wanted, names))
    end
  end
end

--- Check that springs have a stiffness.
local function fault_of_control(control)
  for _, name in ipairs(suggest.keys(control)) do
    if control[name].mode ~= "position" and not control[name].stiffness then
      return ("control.%s.stiffness must be given: N m/rad, or N/m of a slide"):format(name)
    end
  end
end

--- Check that dampers of transmissions have a spring, and that a transmission is one.
local function fault_of_transmissions(transmissions)
  for _, name in ipairs(suggest.keys(transmissions)) do
    local row = transmissions[name]
    if row.damping and row.damping > 0 and not row.stiffness then
      return ("transmissions.%s.damping needs a stiffness: it is that of a spring"):format(name)
    end
    if not (row.rotor or row.stiffness or row.backlash) then
      return ("transmissions.%s must have rotor, stiffness or backlash"):format(name)
    end
  end
end

--- The error in the data of motors of `dofs`: a sentence that begins with the field, or nil.
function motors.fault(dofs, data)
  for _, name in ipairs(suggest.keys(data.motors or {})) do
    local fault = fault_of_motor("motors." .. name, data.motors[name])
    if fault then return fault end
  end
  for _, name in ipairs(suggest.keys(data.watch or {})) do
    if not suggest.contains(conditions, name) then
      return ("watch: there is no condition '%s'%s"):format(name, suggest.hint(name, conditions))
    end
  end
  local owner, why = owners(dofs, data.devices or {})
  if not owner then return why end
  return fault_of_couplings(data.couplings or {}, owner)
    or fault_of_inputs(data.inputs or {}, data.devices or {}) or fault_of_control(data.control or {})
    or fault_of_transmissions(data.transmissions or {})
end

return motors
