--- Mirroring: the corresponding DOF on the robot's other side, and the sign of its value there.
---
--- Pairs are found by name (LElbowRoll and RElbowRoll, left_arm_1 and right_arm_1, EarLeft and EarRight,
--- hip_l and hip_r); a DOF without a counterpart is its own.  The sign of joints follows from their axes:
--- mirrored in the plane between left and right, a rotation about (x, y, z) becomes one about (-x, y, -z),
--- and a translation along it one along (x, -y, z).  If only one sign fits the two ranges, that one is used.
--- `mirror` in the robot's file has priority.
local mirror = {}

--- Beginnings and ends of names: a pattern, and its counterpart on the other side.
local forms = {
  { "^L(%u)", "R%1" }, { "^R(%u)", "L%1" }, { "Left", "Right" }, { "Right", "Left" }, { "left", "right" },
    { "right", "left" },
  { "^l_", "r_" }, { "^r_", "l_" }, { "_l_", "_r_" }, { "_r_", "_l_" }, { "_l$", "_r" }, { "_r$", "_l" },
    { "_L$", "_R" },
  { "_R$", "_L" },
  { "%.L$", ".R" }, { "%.R$", ".L" },
}

--- The name of the DOF on the other side, among `known` names; its own if there is none.
function mirror.other(name, known)
  for _, form in ipairs(forms) do
    local other = name:find(form[1]) and name:gsub(form[1], form[2], 1)
    if other and known[other] then return other end
  end
  return name
end

--- The axes of variables at the robot's neutral configuration, in the world: {x, y, z, angular} by name, each
--- computed when it is asked for.
local function axes_of(robot)
  local at, places = robot:neutral(), {}
  for index, variable in ipairs(robot:variables()) do places[variable.name] = { index, variable } end
  return setmetatable({}, { __index = function(axes, name)
    local place = places[name]
    if not place then return nil end
    local column, variable = 6 + place[1], place[2]
    local rows = robot:jacobian(at, robot:joint(variable.joint).child)
    local first = variable.angular and 4 or 1
    axes[name] = { rows[first][column], rows[first + 1][column], rows[first + 2][column],
      angular = variable.angular }
    return axes[name]
  end })
end

--- The sign with which a rotation about (translation along) `a`, mirrored, is one about (along) `b`.
local function sign_of(a, b)
  if not a or not b then return 1 end
  local side = a.angular and -1 or 1
  local same = side * a[1] * b[1] - side * a[2] * b[2] + side * a[3] * b[3]
  return same < 0 and -1 or 1
end

--- Misfit of a DOF's range, mirrored with a sign, to the other's; 0 if either is unbounded.
local function misfit(dof, other, sign)
  local lower, upper = sign > 0 and dof.lower or -dof.upper, sign > 0 and dof.upper or -dof.lower
  local off = math.abs(lower - other.lower) + math.abs(upper - other.upper)
  return off == off and off < math.huge and off or 0
end

--- The sign that fits the ranges, if only one does: for example of a gripper, which is not a mirrored
--- rotation.
local function sign_of_range(dof, other)
  local same, opposite = misfit(dof, other, 1), misfit(dof, other, -1)
  local clear = 0.1 * (dof.upper - dof.lower)
  if same > opposite + clear then return -1 elseif opposite > same + clear then return 1 end
end

--- For each DOF of a description: {other =, sign =}, by name.
function mirror.of(description)
  local known, made, axes = {}, {}, axes_of(description.robot)
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  local said = description.mirror or {}
  for _, dof in ipairs(description.dofs) do
    local own = said[dof.name] or {}
    local other = own.with or mirror.other(dof.name, known)
    made[dof.name] = { other = other, sign = own.sign or other ~= dof.name
      and sign_of_range(dof, known[other])
      or sign_of(axes[dof.name], axes[other]) }
  end
  for name, row in next, made do -- the same in both directions
    if made[row.other].other ~= name then made[name] = { other = name, sign = row.sign } end
  end
  for name, row in next, made do
    local own = said[name] or said[row.other]
    if own and own.sign then row.sign = own.sign end
  end
  return made
end

return mirror
