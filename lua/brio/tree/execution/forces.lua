--- What an arm exerts, by the load of its motors: motors report a share of their maximum torque, the model
--- has that torque (effort), and the Jacobian J of the hand leads from torques t to forces, t = J^T f.
local limbs = require "brio.robots.limbs"
local motion = require "brio.tree.execution.motion"

local forces = {}

--- Damping of the least squares, m^2 or rad^2.
local damping = 1e-4

--- The arm that a form names, and the maximum torques of its joints: { limb, efforts, place }; nil and a
--- sentence if its force cannot be computed.
function forces.arm_of(description, form)
  local limb, why = limbs.find(description, "arm", form)
  if not limb then return nil, why end
  if not limb.link then
    return nil, ("the robot %s has no known link for its hand: give link"):format(description.name)
  end
  local efforts, place = {}, {}
  for index, variable in ipairs(description.robot:variables()) do
    efforts[variable.name], place[variable.name] = variable.effort, index
  end
  for _, dof in ipairs(limb.dofs) do
    if not (efforts[dof] and efforts[dof] > 0 and efforts[dof] < math.huge) then
      return nil, ("the model of the robot %s has no maximum torque of %s (effort), so its load is not a \z
        force"):format(
        description.name, dof)
    end
  end
  return { limb = limb, efforts = efforts, place = place }
end

--- The arm's columns of the Jacobian of the hand: three rows of its position, then three of its rotation.
function forces.jacobian(site, arm)
  local motions = motion.of(site.host)
  local all = site.description.robot:jacobian(motions:configuration(motions:told()), arm.limb.link)
  local rows = {}
  for axis = 1, 6 do
    rows[axis] = {}
    for d, dof in ipairs(arm.limb.dofs) do rows[axis][d] = all[axis][6 + arm.place[dof]] end
  end
  return rows
end

--- The torques of the arm's joints, N m or N; or nil and a joint without a report.
function forces.torques(site, arm)
  local list = {}
  for d, dof in ipairs(arm.limb.dofs) do
    local state = site.host.actuator:state(dof)
    if not state.load or state.load ~= state.load then return nil, dof end
    list[d] = state.load * arm.efforts[dof]
  end
  return list
end

--- The solution of a symmetric positive definite system, by elimination.  `m` and `b` are used up.
local function solved(m, b)
  local n = #b
  for k = 1, n do
    for i = k + 1, n do
      local share = m[i][k] / m[k][k]
      for j = k, n do m[i][j] = m[i][j] - share * m[k][j] end
      b[i] = b[i] - share * b[k]
    end
  end
  for k = n, 1, -1 do
    for j = k + 1, n do b[k] = b[k] - m[k][j] * b[j] end
    b[k] = b[k] / m[k][k]
  end
  return b
end

--- (R R^T + damping) x = b, of rows R.
local function normal(rows, b)
  local m = {}
  for i = 1, #rows do
    m[i] = {}
    for j = 1, #rows do
      m[i][j] = i == j and damping or 0
      for n = 1, #rows[1] do m[i][j] = m[i][j] + rows[i][n] * rows[j][n] end
    end
  end
  return solved(m, b)
end

--- Motion of the joints, as small as it can be, that makes the rows change by `wanted`, a number for each.
function forces.joints_for(rows, wanted)
  local x, made = normal(rows, table.move(wanted, 1, #wanted, 1, {})), {}
  for n = 1, #rows[1] do
    made[n] = 0
    for i = 1, #rows do made[n] = made[n] + rows[i][n] * x[i] end
  end
  return made
end

--- What the hand exerts along each row, if nothing acts elsewhere: least squares of torques = rows^T x.
function forces.along(rows, torques)
  local b = {}
  for i = 1, #rows do
    b[i] = 0
    for n = 1, #torques do b[i] = b[i] + rows[i][n] * torques[n] end
  end
  return normal(rows, b)
end

--- What the hand exerts along one direction, of torques less those that count as none.
---@param rows number[][] of the Jacobian
---@param d number[] the direction, a number for each row
---@param torques number[]
---@param rest number[] torques that count as none
function forces.felt(rows, d, torques, rest)
  local sum, square = 0, 0
  for n = 1, #torques do
    local g = 0
    for i = 1, #rows do g = g + rows[i][n] * d[i] end
    sum, square = sum + g * (torques[n] - (rest[n] or 0)), square + g * g
  end
  return square > 1e-9 and sum / square or 0
end

return forces
