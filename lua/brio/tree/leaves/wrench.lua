--- The leaf `wrench`: a hand pushes, pulls or turns with a force or a moment, on a position-controlled robot
--- that reports the load of its motors.
---
--- The torques t of the arm's joints are known, and with the Jacobian J of the hand's position (or rotation)
--- the force (or moment) f that the hand exerts along a unit vector d is
---
---     f = (g . t) / |g|^2,   g = J^T d           (a force f d at the hand needs the joint torques g f)
---
--- Torques measured at the beginning, such as those of the arm's own weight, are subtracted. The hand moves
--- along d (or turns about it) at (F - f) / (k T), where T = 0.5 s and k is the expected stiffness of what it
--- touches; before contact it moves at its maximum speed.  This is admittance control (Hogan, "Impedance
--- Control", 1985) for robots without torque control. Joints follow by damped least squares of J: for a force
--- the hand moves in a straight line, for a moment its position stays.
local forces = require "brio.tree.execution.forces"
local frames = require "brio.perception.frames"
local geometry = require "brio.lib.geometry"
local motion = require "brio.tree.execution.motion"
local setpoints = require "brio.tree.execution.setpoints"

--- Time in which an error would be corrected at the expected stiffness, s; averaging time at the beginning,
--- s; share of the force above which the hand is in contact.
local settling, listening, touching = 0.5, 0.2, 0.1

local function size_of(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end

--- What is held of a form: the vector, the fields of its search, its unit, the least value and tolerance, and
--- the rows of the Jacobian along which the hand moves, of which the first or last three feel it.
local kinds = {
  force = { stiffness = "stiffness", speed = "speed", travel = "travel", unit = "N", length = "m",
    least = 0.01,
    slack = 0.5, rows = 3, from = 0 },
  moment = { stiffness = "turn_stiffness", speed = "turn_speed", travel = "turn_travel", unit = "N m",
    length = "rad", least = 0.001, slack = 0.05, rows = 6, from = 3 },
}

local function kind_of(form) return kinds[form.moment and "moment" or "force"], form.moment or form.force end

local function begin(site, form, memory)
  local why
  memory.arm, why = forces.arm_of(site.description, form)
  if not memory.arm then return false, why end
  local frame
  frame, why = frames.pose(site, form.frame)
  if not frame then return false, why end
  local kind, wanted = kind_of(form)
  memory.wanted = size_of(wanted)
  local turned = geometry.turn(frame.orientation, wanted)
  memory.d = { turned[1] / memory.wanted, turned[2] / memory.wanted, turned[3] / memory.wanted }
  memory.along = {}
  for row = 1, kind.rows do memory.along[row] = memory.d[row - kind.from] or 0 end
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

--- Move along the direction, or turn about it, by the missing amount.
local function push(site, form, memory, rows)
  local kind = kind_of(form)
  local most, travel = form[kind.speed], form[kind.travel]
  local speed = (memory.wanted - memory.force) / (form[kind.stiffness] * settling)
  if math.abs(memory.force) < touching * memory.wanted then speed = most end -- no contact yet
  speed = math.max(-most, math.min(most, speed))
  local way = math.max(-travel - memory.went, math.min(travel - memory.went, speed * site.host.dt))
  memory.went = memory.went + way
  local wanted = {}
  for row = 1, kind.rows do wanted[row] = way * memory.along[row] end
  for n, by in ipairs(forces.joints_for(table.move(rows, 1, kind.rows, 1, {}), wanted)) do
    memory.way:lead(n, memory.way:last(n) + by)
  end
end

local function tolerance_of(form, memory)
  return form.tolerance or 0.1 * memory.wanted + kind_of(form).slack
end

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
  local list, silent = forces.torques(site, memory.arm)
  if not list then
    if elapsed < 0.5 then return nil end -- a device may need some periods before its first report
    return give_up(memory, "a force can be held only where devices report the load of their motors, and %s \z
      reports none", silent)
  end
  if elapsed < listening then return listen(memory, list) end
  local kind, rows = kind_of(form), forces.jacobian(site, memory.arm)
  memory.force = forces.felt(table.move(rows, kind.from + 1, kind.from + 3, 1, {}), memory.d, list,
    memory.rest)
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
  local unit, travel = kind.unit, form[kind.travel]
  local far = math.abs(memory.went) >= travel - 1e-9
  return give_up(memory, "after %g s it pushes with %.2f %s, wanted %.2f %s within %.2f %s%s", form.timeout,
    memory.force, unit, memory.wanted, unit, tolerance, unit,
    far and ("; it went %g %s and met too little"):format(travel, kind.length) or "")
end

return {
  name = "wrench",
  doc = "A hand pushes, pulls or turns with a force or a moment for a while: for robots whose motors report \z
    their load.",
  fields = {
    side = { "string", doc = "\"left\" or \"right\", where the robot has two arms" },
    part = { "string", doc = "the part of the robot that moves, if it is not the one of its name" },
    link = { "string", doc = "the link that pushes, if it is not the hand" },
    force = { "vector", unit = "N", lower = -1e4, upper = 1e4,
      doc = "force of the hand on what it touches, in frame" },
    moment = { "vector", unit = "N m", lower = -1e4, upper = 1e4,
      doc = "moment of the hand on what it holds, in frame: in place of a force" },
    frame = { "string", doc = "frame of the force; default: the robot's base" },
    seconds = { "number", unit = "s", lower = 0, upper = 3600, value = 1,
      doc = "how long it must be held to have succeeded" },
    tolerance = { "number", unit = "N or N m", lower = 1e-3, upper = 1e4,
      doc = "how far off it may be; else a tenth and 0.5 N, or 0.05 N m" },
    stiffness = { "number", unit = "N/m", lower = 10, upper = 1e7, value = 5000,
      doc = "stiffness of the contact together with the arm: too low a value oscillates, too high a value \z
        is slow" },
    speed = { "number", unit = "m/s", lower = 1e-4, upper = 1, value = 0.03,
      doc = "maximum speed of the search for the contact" },
    travel = { "number", unit = "m", lower = 1e-4, upper = 2, value = 0.1,
      doc = "how far the hand may go for it" },
    turn_stiffness = { "number", unit = "N m/rad", lower = 0.01, upper = 1e6, value = 20,
      doc = "stiffness of what is turned together with the arm, for a moment" },
    turn_speed = { "number", unit = "rad/s", lower = 1e-3, upper = 5, value = 0.2,
      doc = "maximum speed of the turn, for a moment" },
    turn_travel = { "number", unit = "rad", lower = 1e-3, upper = 20, value = 0.5,
      doc = "how far the hand may turn, for a moment" },
    timeout = { "number", unit = "s", lower = 0.3, upper = 3600, value = 10, doc = "when it fails" },
    follow = { "number", unit = "1", lower = 0.01, upper = 1e6, doc = "how hard joints are followed" },
    hold = { "any", value = true,
      doc = "true: the arm stays afterwards until other leaves take it or the state is left; false: it \z
        returns; \z
        \"always\"" },
    owns = "table",
  },
  fault = function(form, site)
    if (not form.force) == (not form.moment) then return "give force or moment: one of them" end
    if form.hold ~= "always" and type(form.hold) ~= "boolean" then
      return "hold is true, false or \"always\""
    end
    local kind, wanted = kind_of(form)
    if size_of(wanted) < kind.least then
      return ("%s is less than %g %s"):format(form.moment and "moment" or "force", kind.least, kind.unit)
    end
    local arm, why = forces.arm_of(site.description, form)
    return not arm and why or nil
  end,
  owns = function(form, site)
    local arm = forces.arm_of(site.description, form)
    return arm and arm.limb.dofs or {}, true
  end,
  seconds = function(form) return listening + form.seconds + 2 * settling end,
  work = work,
  stop = function(_, _, memory) if memory.motion then memory.motion:stop() end end,
  pause = function(_, _, memory, on) if memory.motion then memory.motion:rest(on) end end,
  progress = function(_, form, memory)
    if not memory.force then return { text = "listens" } end
    local kind = kind_of(form)
    return { value = memory.force, error = math.abs(memory.force - memory.wanted), unit = kind.unit,
      tolerance = tolerance_of(form, memory), text = ("went %.3f %s"):format(memory.went, kind.length) }
  end,
  mirror = function(form, m)
    local made = { force = type(form.force) == "table" and m:position(form.force, form.frame) or nil }
    if type(form.moment) ~= "table" then return made end
    -- an axial vector: the mirror image turns the other way
    local image = m:position(form.moment, form.frame)
    made.moment = { -image[1], -image[2], -image[3] }
    return made
  end,
  inherit = { "side", "part", "link", "frame", "stiffness", "speed", "travel", "turn_stiffness",
    "turn_speed", "turn_travel", "tolerance" },
}
