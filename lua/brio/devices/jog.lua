--- Moving single DOFs by hand: targets, speeds and refusals.
---
--- A jog is the scripts' part of a run without a behavior: the solver holds every joint, except those that a
--- person moves. Its requests go through the solver, which avoids collisions of links, and the motor side,
--- with its limits, easing in and watchdog, as in every run.
local engine = require "brio.engine"
local motors = require "brio.devices.motors"
local scene = require "brio.scene"
local solver = require "brio.solver"
local suggest = require "brio.lib.suggest"
local world = require "brio.world"

local jog = {}
local Jog = {}
Jog.__index = Jog

--- Time of accelerating to the speed of a move, and of braking, s.
jog.ease = 0.25

--- Maximum lead of the target over the command, as a time at the move's speed, s: a larger one means that the
--- axis is blocked.
local ahead = 0.5

--- Timeout for the devices' first reports, s: until then the robot is not moved.
local first_reports = 1

--- Minimum jump of the command, beyond its speed, that means that the motor side has started again, as after
--- a pause.
local leap = 0.01

--- Tolerated difference of command and target; it may be exceeded for `ahead` seconds.
local near = 0.005

local weight = 100

--- A DOF of a jog: its limits, its present target (`at`, with `speed`) and its final target (`aim`).
local function new_axis(dof, start)
  return { name = dof.name, unit = dof.unit or "rad", lower = dof.lower or -math.huge,
    upper = dof.upper or math.huge,
    fastest = dof.velocity or math.huge, outside = dof.outside, at = start, speed = 0, aim = start, late = 0,
      pace = 1 }
end

local function open_solver(self, start, objective)
  local made, why = solver.new(self.description.robot, { max_objectives = #self.axes + 1 })
  if not made then return nil, why end
  made:reset({ joints = start }, true)
  for _, axis in ipairs(self.axes) do
    if not axis.outside then
      made:add(axis.name, objective, { joint = axis.name })
    end
  end
  return made
end

--- Put a jog together.  Options: driver, settings, trace (as for runner), arm, relaxes (motors go limp at the
--- end), rate, follows (targets change from tick to tick, and are followed without lag), say(severity,
--- sentence).  Return it, or nil and a sentence.
function jog.new(description, options)
  local self = setmetatable({ description = description, axes = {}, by_name = {}, say = options.say,
    relaxes = options.relaxes, rate = options.rate or 200 }, Jog)
  self.world = world.new {}
  local start
  self.actuator, start = motors.open(description, { driver = options.driver, settings = options.settings,
    trace = options.trace, drives = options.drives, world = self.world })
  if not self.actuator then return nil, start end
  for index, dof in ipairs(description.dofs) do
    local axis = new_axis(dof, start[dof.name] or self.actuator:target(dof.name))
    self.axes[index], self.by_name[dof.name] = axis, axis
  end
  local why
  self.solver, why = open_solver(self, start, options.follows and "joint_follow" or "joint_match")
  if self.solver then
    self.engine, why = engine.new { solver = self.solver, scene = scene.new(), actuator = self.actuator,
      rate = self.rate,
      motor = motors.engine_options(description, { arm = options.arm }),
        work = function(now, dt) return self:work(now, dt) end }
  end
  if self.engine then return self end
  self.actuator:close()
  return nil, why
end

--- The axis of that name, or nil and a sentence.
function Jog:axis(name)
  local axis = self.by_name[name]
  if axis then return axis end
  return nil, ("the robot has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(self.by_name)))
end

local function number(value) return ("%.4g"):format(value) end

--- Why an axis must not go to a value, in words; nil: it may.
function Jog:refusal(axis, value)
  if value >= axis.lower and value <= axis.upper then return nil end
  return ("%s moves from %s to %s %s: %s is beyond"):format(axis.name, number(axis.lower), number(axis.upper),
    axis.unit, number(value))
end

--- Whether motors may move now, or nil and the reason.
function Jog:may_move()
  local report = self.engine:motors()
  if not self.began then return nil, "it is not known yet where the robot is" end
  if not report.armed then
    return nil, "the motors are not armed: nothing moves until somebody arms them (`arm`, or --arm)"
  end
  if #report.held_by == 0 then return true end
  return nil, "the motors are held (" .. table.concat(report.held_by, ", ") .. "): release lets them go"
end

--- Move an axis to a value, at `speed` (per s, within its own limit).  Return true, or nil and a sentence.
function Jog:go(axis, value, speed)
  local why = self:refusal(axis, value)
  local may, held = self:may_move()
  if why or not may then return nil, why or held end
  axis.aim, axis.pace, axis.blocked = value, math.min(speed, axis.fastest), nil
  return true
end

--- Move an axis in a direction (1 or -1) towards its end, or brake (0).
function Jog:push(axis, direction, speed)
  if direction == 0 then
    axis.aim = self:stopping_place(axis)
    return true
  end
  local limit = direction > 0 and axis.upper or axis.lower
  if math.abs(limit) == math.huge then limit = axis.at + direction * 1000 end
  return self:go(axis, limit, speed)
end

--- Position of an axis after braking from now on.
function Jog:stopping_place(axis)
  local slope = axis.pace / jog.ease
  local place = axis.at + axis.speed * math.abs(axis.speed) / (2 * slope)
  return math.max(axis.lower, math.min(axis.upper, place))
end

--- Brake all axes.
function Jog:stop()
  for _, axis in ipairs(self.axes) do axis.aim = self:stopping_place(axis) end
end

--- Whether the command of an axis has reached its target.
function Jog:is_there(axis)
  local state = self.actuator:state(axis.name)
  return axis.at == axis.aim and math.abs(state.command - axis.aim) < 1e-3
end

--- Whether all axes have.
function Jog:rests()
  for _, axis in ipairs(self.axes) do
    if not self:is_there(axis) then return false end
  end
  return true
end

--- Command the motor side: "arm", "disarm", "panic", "release", "relax", "hold", "go_on".
function Jog:order(word)
  self.engine:order(word)
end

--- Advance the target of an axis by dt: accelerate to its pace and brake within `jog.ease` seconds each.
local function advance(axis, dt)
  local left = axis.aim - axis.at
  if left == 0 then
    axis.speed = 0
    return
  end
  local slope = axis.pace / jog.ease
  local most = math.min(axis.pace, math.sqrt(2 * slope * math.abs(left)))
  local wanted = left > 0 and most or -most
  axis.speed = axis.speed + math.max(-slope * dt, math.min(slope * dt, wanted - axis.speed))
  local step = axis.speed * dt
  if step * left > 0 and math.abs(step) >= math.abs(left) or math.abs(left) < 1e-9 then
    axis.at, axis.speed = axis.aim, 0
  else
    axis.at = axis.at + step
  end
end

--- An axis is blocked: its target stays at its position.
function Jog:give_up(axis, state)
  axis.at, axis.aim, axis.speed, axis.late, axis.blocked = state.command, state.command, 0, 0, true
  self.say("warning", ("%s is held back at %s %s: a link would touch another, or a limit is \z
    tighter there"):format(axis.name, number(state.command), axis.unit))
end

--- Whether the robot's position is known; from then on it is the target.
function Jog:has_begun(now)
  if self.began then return true end
  local states = self.actuator:states()
  if self.report.periods == 0 then return false end
  for _, axis in ipairs(self.axes) do
    if not states[axis.name].valid and now < first_reports then return false end
  end
  for _, axis in ipairs(self.axes) do
    axis.at, axis.aim, axis.told = states[axis.name].command, states[axis.name].command,
      states[axis.name].command
    if not axis.outside then
      self.solver:goal(axis.name, axis.at)
      self.solver:weight(axis.name, weight)
    end
  end
  self.began = now
  return true
end

--- Send the current target of an axis.
function Jog:follow(axis, dt)
  local state = self.actuator:state(axis.name)
  local leaps = math.abs(state.command - axis.told) > leap + 2 * math.min(axis.fastest, 10) * dt
  axis.told = state.command
  if not self.free or leaps then
    axis.at, axis.aim, axis.speed = state.command, state.command, 0
  elseif axis.at ~= axis.aim or axis.speed ~= 0 then
    advance(axis, dt)
    axis.late = 0
    if math.abs(axis.at - state.command) > ahead * axis.pace + leap then self:give_up(axis, state) end
  elseif math.abs(axis.at - state.command) > near then
    axis.late = axis.late + dt
    if axis.late > ahead then self:give_up(axis, state) end
  end
  if axis.outside then self.actuator:target(axis.name, math.max(axis.lower, math.min(axis.upper, axis.at)))
  else self.solver:goal(axis.name, axis.at) end
end

--- The scripts' part of a tick.
function Jog:work(now, dt)
  self.now = now
  local event = self.engine:motor_event()
  while event do
    self.say(event.severity, event.text)
    event = self.engine:motor_event()
  end
  local report, stopping = self.engine:motors(), self.engine:stopping() ~= ""
  local free = report.armed and #report.held_by == 0
  if stopping and not self.ending then
    self.ending = now
    self:stop()
  end
  self.free, self.report = free, report
  if not self:has_begun(now) then return not stopping end
  for _, axis in ipairs(self.axes) do self:follow(axis, dt) end
  if not stopping and self.each and self.each(now, dt) == false then self.engine:stop "script" end
  return not (stopping and self:is_over(now))
end

--- Whether a jog that is to end has ended: all axes rest, and the motors are limp if requested.
function Jog:is_over(now)
  if self.let_go then return now > self.let_go + 0.3 end
  if not self:rests() and now < self.ending + 2 then return false end
  if not self.relaxes then return true end
  self:order "relax"
  self.let_go = now
  return false
end

--- Run until the move has ended; `fast`: as fast as the machine allows.  Return true, or nil and a sentence.
function Jog:run(fast) return self.engine:run(0, fast) end

function Jog:close()
  self.engine:close()
  self.actuator:close()
end

return jog
