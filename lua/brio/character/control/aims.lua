--- Where a person wants DOFs to be, and how they get there: each goes towards its aim within its speed and
--- acceleration, and comes to rest there without going beyond. So what a person says in leaps (a slider, a
--- tracker) is motion as soon as it is a source, and can be given back at any moment at the speed that it
--- has.
---
--- The wanted speed at a distance e is the least of the DOF's own, e / tau, and sqrt(a e): the last takes
--- half the acceleration a to brake, and where it meets the second that takes all of it.
local aims = {}
local Aims = {}
Aims.__index = Aims

--- Of the limits of a DOF, so much: the motor side and the solver keep the rest for themselves.
local share = 0.8

--- Nearer than this, in the DOF's unit, and slower, it is there.
local there, slow = 1e-7, 1e-5

--- tau: s.
function aims.new() return setmetatable({ rows = {} }, Aims) end

--- A DOF rests at a value from now on.
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

--- Let one go on by dt s towards its aim.
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

--- Time goes on; say(name, value) hears of all that move.
function Aims:work(dt, tau, say)
  for name, row in next, self.rows do
    if row.going then
      step(row, tau, dt)
      say(name, row.value)
    end
  end
end

return aims
