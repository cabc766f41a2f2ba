--- The pose of a rig: inverse kinematics with equality constraints.
---
---     least  |feet - targets|^2 + |virtual legs - targets|^2 + w |joints - targets|^2 + small |q - before|^2
---     while  the pelvis is at its target, equations among joints and closed loops hold, limits hold
---
--- by Gauss and Newton's method on the tangents of the configuration; limits by a set of active ones. After
--- equation (1) of Li, Cummings, Sreenath, "Animated Cassie", 2020. O(n^3) a step for n unknowns.
local geometry = require "brio.lib.geometry"
local linear = require "brio.motion.rig.linear"

local solve = {}

--- Weights of squared errors: 1 cm of a foot or a leg's length counts as 1 rad of a joint that is asked for.
local heavy, light, faint = 1e4, 1, 1e-4

--- Weight of what must hold, for judging steps; least damping of one after a bad one.
local exact, least_damping = 1e8, 1

--- Largest step, rad or m; iterations at most; a step that is small enough.
local most_step, most_rounds, enough = 0.4, 60, 1e-8

local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The rotation from b to a as a vector in world axes, rad.
local function turn_between(a, b)
  local q = geometry.times(a, { -b[1], -b[2], -b[3], b[4] })
  local sign = q[4] < 0 and -1 or 1
  local length = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  local factor = length < 1e-12 and 2 or 2 * math.atan(length, sign * q[4]) / length
  return { sign * factor * q[1], sign * factor * q[2], sign * factor * q[3] }
end

--- A problem at one configuration: soft rows (Jacobian, error, weight) and hard ones.
local function new_rows(columns)
  return { soft = {}, soft_error = {}, soft_weight = {}, hard = {}, hard_error = {}, columns = columns }
end

local function add_soft(rows, row, error, weight)
  local n = #rows.soft + 1
  rows.soft[n], rows.soft_error[n], rows.soft_weight[n] = row, error, weight
end

local function add_hard(rows, row, error)
  rows.hard[#rows.hard + 1], rows.hard_error[#rows.hard_error + 1] = row, error
end

local function unit_row(columns, at, value)
  local row = {}
  for i = 1, columns do row[i] = 0 end
  row[at] = value
  return row
end

local function difference(a, b)
  local row = {}
  for i = 1, #a do row[i] = a[i] - b[i] end
  return row
end

--- The feet's points at their targets.
local function feet_rows(rig, q, links, targets, rows)
  for index, foot in ipairs(rig.points) do
    local target = targets.feet and targets.feet[index]
    if target then
      local at = geometry.within(links[foot.link], { position = foot.point }).position
      local jacobian = rig.robot:jacobian(q, foot.link, foot.point)
      for axis = 1, 3 do add_soft(rows, jacobian[axis], at[axis] - target[axis], heavy) end
    end
  end
end

--- Length and pitch of a virtual leg in the pelvis, with their rows if `q` is given.
function solve.leg(rig, links, leg, q)
  local pelvis = links[rig.pelvis.link]
  local away = minus(links[leg.foot].position, links[leg.hip].position)
  local turn = pelvis.orientation
  local back = { -turn[1], -turn[2], -turn[3], turn[4] }
  local v = geometry.turn(back, away)
  local length, plane = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2), v[1] ^ 2 + v[3] ^ 2
  local pitch = math.atan(-v[1], -v[3])
  if not q then return length, pitch end
  local foot, hip = rig.robot:jacobian(q, leg.foot), rig.robot:jacobian(q, leg.hip)
  local base = rig.robot:jacobian(q, rig.pelvis.link)
  local by_length, by_pitch = {}, {}
  for i = 1, #foot[1] do
    local moved = { foot[1][i] - hip[1][i], foot[2][i] - hip[2][i], foot[3][i] - hip[3][i] }
    by_length[i] = (away[1] * moved[1] + away[2] * moved[2] + away[3] * moved[3]) / length
    -- seen from the pelvis, which turns
    local dv = geometry.turn(back, minus(moved, cross({ base[4][i], base[5][i], base[6][i] }, away)))
    by_pitch[i] = (dv[1] * v[3] - v[1] * dv[3]) / plane
  end
  return length, pitch, by_length, by_pitch
end

local function leg_rows(rig, q, links, targets, rows)
  for side, target in next, targets.legs or {} do
    local length, pitch, by_length, by_pitch = solve.leg(rig, links, rig.legs[side], q)
    if target.length then add_soft(rows, by_length, length - target.length, heavy) end
    if target.pitch then add_soft(rows, by_pitch, pitch - target.pitch, heavy) end
  end
end

--- The joints that are asked for, and all others drawn to where they were.
local function joint_rows(rig, q, before, targets, rows)
  rows.joints = 0
  for index, variable in ipairs(rig.variables) do
    local name = variable.name
    local wanted = targets.joints and targets.joints[name]
    local error = q.joints[name] - (wanted or before.joints[name])
    rows.diagonal[6 + index] = wanted and light or faint
    rows.gradient[6 + index] = rows.diagonal[6 + index] * error
    rows.joints = rows.joints + rows.diagonal[6 + index] * error * error
  end
end

--- The pelvis at its target, exactly.
local function pelvis_rows(rig, q, links, targets, rows)
  local target = targets.pelvis
  if not target then return end
  local pose, jacobian = links[rig.pelvis.link], rig.robot:jacobian(q, rig.pelvis.link)
  local off, turned = minus(pose.position, target.position), turn_between(pose.orientation,
    target.orientation)
  for axis = 1, 3 do
    add_hard(rows, jacobian[axis], off[axis])
    add_hard(rows, jacobian[3 + axis], turned[axis])
  end
end

--- The equations among joints, and the loops that the robot's file closes.
local function equal_rows(rig, q, links, rows)
  for _, equation in ipairs(rig.equal) do
    local row, error = unit_row(rows.columns, 1, 0), -equation.value
    for name, factor in next, equation.joints do
      row[6 + rig.number[name]], error = factor, error + factor * q.joints[name]
    end
    add_hard(rows, row, error)
  end
  for _, loop in ipairs(rig.loops) do
    local jacobians, poses = {}, {}
    for side = 1, 2 do
      poses[side] = geometry.within(links[loop.links[side]], loop.frames[side])
      jacobians[side] = rig.robot:jacobian(q, loop.links[side], loop.frames[side].position)
    end
    local off = minus(poses[1].position, poses[2].position)
    local turned = loop.type == "pose" and turn_between(poses[1].orientation, poses[2].orientation)
    for axis = 1, 3 do
      add_hard(rows, difference(jacobians[1][axis], jacobians[2][axis]), off[axis])
      if turned then
        add_hard(rows, difference(jacobians[1][3 + axis], jacobians[2][3 + axis]), turned[axis])
      end
    end
  end
end

--- The rows of all targets at `q`.
local function gather(rig, q, before, targets)
  local columns = 6 + #rig.variables
  local rows = new_rows(columns)
  rows.diagonal, rows.gradient = {}, {}
  for i = 1, 6 do rows.diagonal[i], rows.gradient[i] = 1e-6, 0 end
  local links = rig.robot:forward(q).links
  joint_rows(rig, q, before, targets, rows)
  feet_rows(rig, q, links, targets, rows)
  leg_rows(rig, q, links, targets, rows)
  pelvis_rows(rig, q, links, targets, rows)
  equal_rows(rig, q, links, rows)
  return rows
end

--- The factor of the normal matrix, and the gradient.
local function normal(rows, damping)
  local n, h, g = rows.columns, {}, {}
  for i = 1, n do
    h[i], g[i] = {}, rows.gradient[i]
    for k = 1, i do h[i][k] = 0 end
    h[i][i] = rows.diagonal[i] + damping
  end
  for r, row in ipairs(rows.soft) do
    local weight, error = rows.soft_weight[r], rows.soft_error[r]
    for i = 1, n do
      local a = row[i] * weight
      if a ~= 0 then
        local into = h[i]
        for k = 1, i do into[k] = into[k] + a * row[k] end
        g[i] = g[i] + a * error
      end
    end
  end
  return linear.factor(h), g
end

--- A step that keeps the limits: variables that it would take beyond one are put onto it.
local function bounded_step(rig, q, rows, damping)
  local factor, g = normal(rows, damping)
  local c, d, held = table.move(rows.hard, 1, #rows.hard, 1, {}), {}, {}
  for r, error in ipairs(rows.hard_error) do d[r] = -error end
  local step
  for _ = 1, 10 do
    step = linear.constrained(factor, g, c, d)
    local added = false
    for index, variable in ipairs(rig.variables) do
      local at, way = q.joints[variable.name], step[6 + index]
      local bound = at + way > variable.upper + 1e-9 and variable.upper
        or at + way < variable.lower - 1e-9 and variable.lower
      if bound and not held[index] then
        held[index], added = true, true
        c[#c + 1], d[#d + 1] = unit_row(rows.columns, 6 + index, 1), bound - at
      end
    end
    if not added then break end
  end
  return step
end

--- A configuration moved along a tangent: the base turns about world axes.
local function moved(rig, q, step, share)
  local p, turn = q.base.position, { share * step[4], share * step[5], share * step[6] }
  local angle = math.sqrt(turn[1] ^ 2 + turn[2] ^ 2 + turn[3] ^ 2)
  local s = angle > 1e-12 and math.sin(angle / 2) / angle or 0.5
  local made = { joints = {}, base = {
    position = { p[1] + share * step[1], p[2] + share * step[2], p[3] + share * step[3] },
    orientation = geometry.times({ s * turn[1], s * turn[2], s * turn[3], math.cos(angle / 2) },
      q.base.orientation) } }
  for index, variable in ipairs(rig.variables) do
    local value = q.joints[variable.name] + share * step[6 + index]
    made.joints[variable.name] = math.max(variable.lower, math.min(variable.upper, value))
  end
  return made
end

--- What steps are to lower.
local function merit_of(rows)
  local sum = 0
  for r, error in ipairs(rows.soft_error) do sum = sum + rows.soft_weight[r] * error * error end
  for _, error in ipairs(rows.hard_error) do sum = sum + exact * error * error end
  return sum + rows.joints
end

--- What is left: greatest error of the feet's points (m), of what must hold exactly (m or rad).
local function left_over(rows)
  local feet, hard = 0, 0
  for r = 1, #rows.soft do feet = math.max(feet, math.abs(rows.soft_error[r])) end
  for r = 1, #rows.hard do hard = math.max(hard, math.abs(rows.hard_error[r])) end
  return feet, hard
end

--- Find the pose of a rig for targets, from a configuration (which is not changed).
---@param rig table of brio.motion.rig
---@param targets table { pelvis = pose, feet = points in the order of rig.points, legs = { left = { length,
--- pitch } }, joints = { variable = value } }; what is absent is free
---@param before table configuration
---@return table configuration
---@return number feet greatest error of foot and leg targets, m or rad
---@return number hard greatest error of what must hold exactly, m or rad
function solve.pose(rig, targets, before)
  local q, damping = before, 0
  local rows = gather(rig, q, before, targets)
  local merit = merit_of(rows)
  for _ = 1, most_rounds do
    local step, most = bounded_step(rig, q, rows, damping), 0
    for i = 1, #step do most = math.max(most, math.abs(step[i])) end
    local tried = moved(rig, q, step, math.min(1, most_step / math.max(most, 1e-12)))
    local there = gather(rig, tried, before, targets)
    local better = merit_of(there)
    -- a step that makes it worse is taken back, and a shorter one tried
    if better > merit * (1 + 1e-9) + 1e-9 then
      damping = math.max(10 * damping, least_damping)
    else
      q, rows, merit, damping = tried, there, better, damping > least_damping and damping / 10 or 0
    end
    if most < enough then break end
  end
  return q, left_over(rows)
end

return solve
