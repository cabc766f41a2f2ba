--- Axes whose motors control their torque: the field `control` of a robot's file as options of the devices
--- and of the motor side.
local control = {}

--- The row of a DOF: its own, or its group's; nil if it is a position servo.
local function row_of(description, dof)
  local rows = description.control or {}
  local row = rows[dof.name] or rows[dof.group or false]
  return row and row.mode ~= "position" and row or nil
end

--- Inertias that the joints move in a pose, by name, kg m^2 or kg.
local function inertias_of(description, start)
  local model = description.robot
  local matrix = require "brio.dynamics".new(model):mass_matrix { joints = start }
  local inertias = {}
  for index, variable in ipairs(model:variables()) do
    inertias[variable.name] = matrix[6 + index][6 + index]
  end
  return inertias
end

--- What the motor side watches for collisions with: the file's, with a threshold for each joint; nil if it
--- does not, or if the base moves, whose motion the motors do not know.
function control.collisions(description)
  local said = description.collisions
  if not said or description.floats or description.base ~= "fixed" then return nil end
  local made = { thresholds = {} }
  for key, value in next, said do made[key] = made[key] or value end
  for _, dof in ipairs(description.dofs) do
    local threshold = said.thresholds[dof.name] or said.thresholds[dof.group or false]
    if threshold and not dof.outside then made.thresholds[dof.name] = threshold end
  end
  return made
end

--- The names of the axes whose feed-forward carries their weight.  A robot that is held on its feet carries
--- all of it by other torques (run/standing.lua).
function control.carried(description)
  local names = {}
  if description.floats and description.stance then return names end
  for _, dof in ipairs(description.dofs) do
    local row = row_of(description, dof)
    if row and row.gravity ~= false then names[#names + 1] = dof.name end
  end
  return names
end

--- The impedances of a robot's axes, {axis = {stiffness, damping, limit}}; nil if all are position servos.
--- Raise a sentence on a DOF that cannot have one.
---@param start table positions of the joints of the tree, by name
function control.of(description, start)
  if not description.control then return nil end
  local made, inertias, efforts = {}, nil, {}
  for _, variable in ipairs(description.robot:variables()) do efforts[variable.name] = variable.effort end
  for _, dof in ipairs(description.dofs) do
    local row = row_of(description, dof)
    if row then
      if dof.outside then
        error(("control: '%s' is outside the kinematic tree: a position alone moves it"):format(dof.name), 0)
      end
      local limit = row.torque or efforts[dof.name]
      if not (limit and limit > 0 and limit < math.huge) then
        error(("control: the model has no maximum torque (effort) of '%s': give `torque`"):format(dof.name),
          0)
      end
      inertias = inertias or inertias_of(description, start)
      -- 2 sqrt(k I): critical damping of a joint that moves alone
      local damping = row.damping or 2 * math.sqrt(row.stiffness * inertias[dof.name])
      made[dof.name] = { stiffness = row.stiffness, damping = damping, limit = limit }
    end
  end
  return next(made) and made or nil
end

return control
