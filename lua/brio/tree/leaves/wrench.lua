--- The leaf `wrench`: a hand pushes or pulls with a force, on a position-controlled robot that reports the
--- load of its motors.
---
--- Motors report their load, a share of their maximum torque, and the model has that torque.  So the
--- torques t of the arm's joints are known, and with the Jacobian J of the hand's position the force f that
--- the hand exerts along a unit vector d is
---
---     f = (g . t) / |g|^2,   g = J^T d           (a force f d at the hand needs the joint torques g f)
---
--- Torques measured at the beginning, such as those of the arm's own weight, are subtracted. The hand moves
--- along d at (F - f) / (k T), where T = 0.5 s and k is the expected stiffness of what it touches; before
--- contact it moves at its maximum speed.  This is admittance control (Hogan, "Impedance Control", 1985)
--- for robots without torque control. Joints follow by damped least squares of J, so that the hand moves in
--- a straight line.
local frames = require "brio.perception.frames"
local geometry = require "brio.lib.geometry"
local limbs = require "brio.robots.limbs"
local motion = require "brio.tree.execution.motion"
local setpoints = require "brio.tree.execution.setpoints"

--- Time in which an error would be corrected at the expected stiffness, s; damping of the least squares,
--- m^2; averaging time at the beginning, s; share of the force above which the hand is in contact.
local settling, damping, listening, touching = 0.5, 1e-4, 0.2, 0.1

local function size_of(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end

--- The arm and the maximum torques of its joints; nil and a sentence if its force cannot be computed.
local function arm_of(description, form)
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

--- The arm's columns of the Jacobian of the hand's position, as three rows.
local function jacobian(site, memory)
  local motions = motion.of(site.host)
  local all = site.description.robot:jacobian(motions:configuration(motions:told()), memory.arm.limb.link)
  local rows = {}
  for axis = 1, 3 do
    rows[axis] = {}
    for d, dof in ipairs(memory.arm.limb.dofs) do rows[axis][d] = all[axis][6 + memory.arm.place[dof]] end
  end
  return rows
end

--- The solution of a symmetric 3 x 3 system, by Cramer's rule.
local function solved(m, b)
  local function det(a, c, e)
    return a[1] * (c[2] * e[3] - c[3] * e[2]) - a[2] * (c[1] * e[3] - c[3] * e[1]) + a[3] *
      (c[1] * e[2] - c[2] * e[1])
  end
  local whole, x = det(m[1], m[2], m[3]), {}
  for k = 1, 3 do
    local r = {}
    for i = 1, 3 do
      r[i] = { m[i][1], m[i][2], m[i][3] }
      r[i][k] = b[i]
    end
    x[k] = det(r[1], r[2], r[3]) / whole
  end
  return x
end

--- Motion of the joints that moves the hand by `way` along `d`.
local function joints_for(rows, d, way, count)
  local m = {}
  for i = 1, 3 do
    m[i] = {}
    for j = 1, 3 do
      m[i][j] = i == j and damping or 0
      for n = 1, count do m[i][j] = m[i][j] + rows[i][n] * rows[j][n] end
    end
  end
  local x, made = solved(m, d), {}
  for n = 1, count do made[n] = way * (rows[1][n] * x[1] + rows[2][n] * x[2] + rows[3][n] * x[3]) end
  return made
end

--- The torques of the arm's joints, or nil and a joint without a report.
local function torques(site, memory)
  local list = {}
  for d, dof in ipairs(memory.arm.limb.dofs) do
    local state = site.host.actuator:state(dof)
    if not state.load or state.load ~= state.load then return nil, dof end
    list[d] = state.load * memory.arm.efforts[dof]
  end
  return list
end

--- The force along the direction, minus the one at the beginning, N.
local function felt(memory, rows, list)
  local sum, square = 0, 0
  for n = 1, #list do
    local g = rows[1][n] * memory.d[1] + rows[2][n] * memory.d[2] + rows[3][n] * memory.d[3]
    sum, square = sum + g * (list[n] - (memory.rest[n] or 0)), square + g * g
  end
  return square > 1e-9 and sum / square or 0
end

local function begin(site, form, memory)
  local why
  memory.arm, why = arm_of(site.description, form)
  if not memory.arm then return false, why end
  local frame
  frame, why = frames.pose(site, form.frame)
  if not frame then return false, why end
  memory.wanted = size_of(form.force)
  local force = geometry.turn(frame.orientation, form.force)
  memory.d = { force[1] / memory.wanted, force[2] / memory.wanted, force[3] / memory.wanted }
  memory.rest, memory.looks, memory.went, memory.since = {}, 0, 0, nil
  local known, rows, start, goals = {}, {}, {}, {}
  for _, dof in ipairs(site.description.dofs) do known[dof.name] = dof end
  local motions = motion.of(site.host)
  for d, name in ipairs(memory.arm.limb.dofs) do
    local dof = known[name]
    rows[d] = { lower = dof.lower, upper = dof.upper, velocity = math.min(dof.velocity, 1e3) }
    start[d] = math.max(dof.lower, math.min(dof.upper, (motions:at(name))))
    goals[d] = start[d]
  end
  memory.way = setpoints.new(rows, start, goals, 0)
  memory.way.kept = true
  memory.motion, why = motions:begin { name = memory.key, dofs = memory.arm.limb.dofs, way = memory.way,
    state = site.name, hold = form.hold, follow = form.follow }
  if not memory.motion then return false, why end
  return nil
end

--- Average the initial measurements.
local function listen(memory, list)
  memory.looks = memory.looks + 1
  for n, value in ipairs(list) do
    memory.rest[n] = (memory.rest[n] or 0) + (value - (memory.rest[n] or 0)) / memory.looks
  end
end

--- Move along the direction by the missing amount.
local function push(site, form, memory, rows)
  local speed = (memory.wanted - memory.force) / (form.stiffness * settling)
  if math.abs(memory.force) < touching * memory.wanted then speed = form.speed end -- no contact yet
  speed = math.max(-form.speed, math.min(form.speed, speed))
  local way = math.max(-form.travel - memory.went, math.min(form.travel - memory.went, speed * site.host.dt))
  memory.went = memory.went + way
  for n, by in ipairs(joints_for(rows, memory.d, way, #memory.arm.limb.dofs)) do
    memory.way:lead(n, memory.way:last(n) + by)
  end
end

local function tolerance_of(form, memory) return form.tolerance or 0.1 * memory.wanted + 0.5 end

--- Failure: the hand rests at its position.
local function give_up(memory, ...)
  if memory.motion and memory.motion:on() then memory.motion:stop() end
  return false, string.format(...)
end

local function work(site, form, memory, fresh, elapsed)
  if fresh then
    local good, why = begin(site, form, memory)
    if good == false then return false, why end
  end
  local moving = memory.motion
  if moving.lost then return false, ("%s was taken by %s"):format(moving.lost.joint, moving.lost.to) end
  if not moving:on() then return false, "its motion was stopped by somebody" end
  local list, silent = torques(site, memory)
  if not list then
    if elapsed < 0.5 then return nil end -- a device may need some periods before its first report
    return give_up(memory, "a force can be held only where devices report the load of their motors, and %s \z
      reports none", silent)
  end
  if elapsed < listening then return listen(memory, list) end
  local rows = jacobian(site, memory)
  memory.force = felt(memory, rows, list)
  push(site, form, memory, rows)
  local tolerance = tolerance_of(form, memory)
  if math.abs(memory.force - memory.wanted) > tolerance then
    memory.since = nil
  else
    memory.since = memory.since or elapsed
  end
  if memory.since and elapsed - memory.since >= form.seconds - 1e-9 then
    memory.way.kept = false
    moving:settle()
    return true
  end
  if elapsed < form.timeout - 1e-9 then return nil end
  local far = math.abs(memory.went) >= form.travel - 1e-9
  return give_up(memory, "after %g s it pushes with %.2f N, wanted %.2f N within %.2f N%s", form.timeout,
    memory.force,
    memory.wanted, tolerance, far and ("; it went %g m and met too little"):format(form.travel) or "")
end

return {
  name = "wrench",
  doc = "A hand pushes or pulls with a force for a while: for robots whose motors report their load.",
  fields = {
    side = { "string", doc = "\"left\" or \"right\", where the robot has two arms" },
    part = { "string", doc = "the part of the robot that moves, if it is not the one of its name" },
    link = { "string", doc = "the link that pushes, if it is not the hand" },
    force = { "vector", unit = "N", lower = -1e4, upper = 1e4,
      doc = "force of the hand on what it touches, in frame" },
    frame = { "string", doc = "frame of the force; default: the robot's base" },
    seconds = { "number", unit = "s", lower = 0, upper = 3600, value = 1,
      doc = "how long it must be held to have succeeded" },
    tolerance = { "number", unit = "N", lower = 0.01, upper = 1e4,
      doc = "how far off it may be; else a tenth and 0.5 N" },
    stiffness = { "number", unit = "N/m", lower = 10, upper = 1e7, value = 5000,
      doc = "stiffness of the contact together with the arm: too low a value oscillates, too high a value \z
        is slow" },
    speed = { "number", unit = "m/s", lower = 1e-4, upper = 1, value = 0.03,
      doc = "maximum speed of the search for the contact" },
    travel = { "number", unit = "m", lower = 1e-4, upper = 2, value = 0.1,
      doc = "how far the hand may go for it" },
    timeout = { "number", unit = "s", lower = 0.3, upper = 3600, value = 10, doc = "when it fails" },
    follow = { "number", unit = "1", lower = 0.01, upper = 1e6, doc = "how hard joints are followed" },
    hold = { "any", value = true,
      doc = "true: the arm stays afterwards until other leaves take it or the state is left; false: it \z
        returns; \z
        \"always\"" },
    owns = "table",
  },
  needs = "force",
  fault = function(form, site)
    if form.hold ~= "always" and type(form.hold) ~= "boolean" then
      return "hold is true, false or \"always\""
    end
    if size_of(form.force) < 0.01 then return "force is less than 0.01 N" end
    local arm, why = arm_of(site.description, form)
    return not arm and why or nil
  end,
  owns = function(form, site)
    local arm = arm_of(site.description, form)
    return arm and arm.limb.dofs or {}, true
  end,
  seconds = function(form) return listening + form.seconds + 2 * settling end,
  work = work,
  stop = function(_, _, memory) if memory.motion then memory.motion:stop() end end,
  pause = function(_, _, memory, on) if memory.motion then memory.motion:rest(on) end end,
  progress = function(_, form, memory)
    if not memory.force then return { text = "listens" } end
    return { value = memory.force, error = math.abs(memory.force - memory.wanted), unit = "N",
      tolerance = tolerance_of(form, memory), text = ("went %.3f m"):format(memory.went) }
  end,
  mirror = function(form, m) return { force = type(form.force) == "table"
    and m:position(form.force, form.frame) or nil } end,
  inherit = { "side", "part", "link", "frame", "stiffness", "speed", "travel", "tolerance" },
}
