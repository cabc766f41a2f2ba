--- The calibration of a robot's motors: the position of each at its DOF's zero, and its direction.
---
--- The motors are read in raw units: motor units divided by the DOF's scale, so that the difference of two
--- readings is the DOF's own, up to its sign.
local calibration = {}

--- Raw units of a DOF: the parts of its mapping that remain.
local function raw_motor(motor)
  return { scale = motor.map == nil and motor.scale or motor.map == "linear" and motor.scale or nil }
end

--- Measurement of each DOF: a list of {dof, motor, scale, coupled, refused}, in the DOFs' order; `refused` is
--- the reason why one cannot be calibrated.
function calibration.plan(description)
  local list, coupled = {}, {}
  for _, coupling in ipairs(description.couplings or {}) do
    for _, name in ipairs(coupling.dofs) do coupled[name] = true end
  end
  for index, dof in ipairs(description.dofs) do
    local motor = (description.motors or {})[dof.name] or {}
    local item = { dof = dof, motor = motor, scale = raw_motor(motor).scale or 1,
      coupled = coupled[dof.name] or false, linear = motor.map == nil or motor.map == "linear" }
    if motor.map == "table" then
      item.refused = "its motor has a table of points, which is not changed"
    end
    list[index] = item
  end
  return list
end

--- The options with which an actuator reads motors raw and moves them slowly.
function calibration.options(plan)
  local axes, raw = {}, {}
  for index, item in ipairs(plan) do
    axes[index] = { name = item.dof.name, start = 0, velocity = math.min(0.5, item.dof.velocity or 0.5),
      acceleration = 2 }
    raw[item.dof.name] = raw_motor(item.motor)
  end
  return { axes = axes, motors = raw }
end

--- Compute the motor's numbers from readings: at `zero` the DOF was at `value`; `further` was read further in
--- the positive direction, with the DOF at `reached` if known.  Return {polarity, offset, scale}, or nil and
--- the error.
function calibration.measure(item, value, zero, further, reached)
  local polarity, scale = item.motor.polarity or 1, item.scale
  if further then
    local moved = further - zero
    local range = (item.dof.upper or 1) - (item.dof.lower or -1)
    local least = math.min(0.05, 0.02 * (range < math.huge and range or 1))
    if math.abs(moved) < least then
      return nil, ("that is only %.4f from the last position: move it further, by %.2f or more"):format(moved,
        least)
    end
    polarity = moved > 0 and 1 or -1
    if reached then
      if not item.linear then return nil, "its scale is not one number, so a second value is of no use" end
      if reached == value then return nil, "the second value is the first" end
      if reached < value then polarity = -polarity end
      scale = scale * math.abs(moved / (reached - value))
    end
  end
  local motor = zero * item.scale
  if not item.linear and value ~= 0 then return nil, "this motor is measured where its DOF is at 0" end
  return { polarity = polarity, offset = motor - (item.linear and polarity * scale * value or 0),
    scale = scale ~= item.scale and scale or nil }
end

local function number(value) return ("%.9g"):format(value == 0 and 0 or value) end

--- The text of a calibration file: the measured DOFs, in order, and those that only `before` has.
function calibration.text(description, measured, before, made)
  local lines = {
    "-- What `brio calibrate " .. description.name
      .. "` measured; it counts before what robot.lua says of these motors.",
    "return {", ("  robot = %q,"):format(description.name), ("  made = %q,"):format(made), "  motors = {",
  }
  for _, dof in ipairs(description.dofs) do
    local row = measured[dof.name] or before[dof.name]
    if row then
      local parts = {}
      for _, key in ipairs { "scale", "offset", "polarity" } do
        if row[key] then parts[#parts + 1] = key .. " = " .. number(row[key]) end
      end
      lines[#lines + 1] = ("    [%q] = { %s },"):format(dof.name, table.concat(parts, ", "))
    end
  end
  lines[#lines + 1] = "  },\n}\n"
  return table.concat(lines, "\n")
end

return calibration
