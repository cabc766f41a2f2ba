--- The targets of DOFs under a person's control, and their motion: each DOF moves to its target within its
--- limits of speed and acceleration, and stops there without overshoot.  So the steps of a slider or tracker
--- become smooth motion, which can be released at any moment at its present speed.
---
--- At distance e the desired speed is the minimum of the DOF's limit, e / tau, and sqrt(a e).  Braking along
--- sqrt(a e) needs half the acceleration a; where it meets e / tau, all of it.
local aims = {}
local Aims = {}
Aims.__index = Aims

--- Share of a DOF's limits that is used: the motor side and the solver need the rest.
local share = 0.8

--- A DOF that is nearer than this to its target, in the DOF's unit, and slower, has arrived.
local there, slow = 1e-7, 1e-5

--- Empty aims.
function aims.new() return setmetatable({ rows = {} }, Aims) end

--- Let a DOF rest at a value.
function Aims:put(dof, value)
  self.rows[dof.name] = { name = dof.name, value = value, speed = 0, aim = value, lower = dof.lower,
    upper = dof.upper, velocity = share * dof.velocity, acceleration = share * dof.acceleration }
end

function Aims:forget(name) self.rows[name] = nil end

--- Set its target; a target beyond the range is clamped.
function Aims:go(name, aim)
  local row = self.rows[name]
  row.aim = math.max(row.lower, math.min(row.upper, aim))
  row.going = true
end

--- Advance a DOF by dt, s, towards its target.
local function step(row, tau, dt)
  local way = row.aim - row.value
  local far = math.abs(way)
  if far < there and math.abs(row.speed) < slow then
    row.value, row.speed, row.going = row.aim, 0, false
    return
  end
  local most = math.min(row.velocity, far / tau, math.sqrt(math.min(row.acceleration, 1e6) * far))
  local wanted, change = way < 0 and -most or most, row.acceleration * dt
  row.speed = math.max(row.speed - change, math.min(row.speed + change, wanted))
  row.value = math.max(row.lower, math.min(row.upper, row.value + row.speed * dt))
end

--- Advance all DOFs; say(name, value) is called for each that moves.
function Aims:work(dt, tau, say)
  for name, row in next, self.rows do
    if row.going then
      step(row, tau, dt)
      say(name, row.value)
    end
  end
end

return aims
