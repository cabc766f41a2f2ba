--- The solver as a behavior uses it; an operator may override goals and weights.
---
--- The requests of the behavior are stored.  A goal or weight that the operator has set stays until it is
--- released; then the last request of the behavior applies again.  All other calls go to the solver
--- directly.
local steering = {}
local Steering = {}

--- Time constant with which the operator's settings blend in, s.
steering.blend = 0.1

--- Functions of the solver that are not defined below: those of every tick are called on `solver` itself.
local function delegate(name)
  return function(self, ...)
    local solver = rawget(self, "solver")
    return solver[name](solver, ...)
  end
end

local delegates = setmetatable({}, { __index = function(made, name)
  made[name] = delegate(name)
  return made[name]
end })

local metatable = { __index = setmetatable(Steering, { __index = delegates }), __name = "solver" }

--- Wrap a solver.
function steering.new(solver)
  return setmetatable({ solver = solver, held = false, goals = {}, weights = {}, set_goals = {},
    set_weights = {}, about = {},
    handles = {}, scales = {}, actor = { owner = false, faculty = false }, on_objective = false }, metatable)
end

-- Owners of objectives ----------------------------------------------------------------------------------

--- Add an objective for the present owner (`actor`: that, and the faculty of the character if one adds it;
--- see io/dispatch.lua); return its slot, or nil, a sentence and a code if there is no
--- room.  Raises as solver:add does.
function Steering:add(key, kind, args)
  local slot, why, code = self.solver:add(key, kind, args)
  if not slot then return nil, why, code end
  self.handles[key] = slot
  self.about[slot] = { key = key, args = args or {}, owner = self.actor.owner or "script",
    faculty = self.actor.faculty or nil }
  if self.on_objective then self.on_objective(slot, self.about[slot]) end
  return slot
end

--- Scale the requested weight of an objective by a factor from 0 to 1.
function Steering:scale(slot, scale, tau)
  local before = self.scales[slot] or 1
  if scale == before then return end
  self.scales[slot] = scale < 1 and scale or nil
  local weight = self.weights[slot]
  if weight and not self.held and self.set_weights[slot] == nil then
    self.solver:weight(slot, weight * scale, tau)
  end
end

--- The requested weight, scaled.
local function counting(self, slot) return (self.weights[slot] or 0) * (self.scales[slot] or 1) end

-- Requests of the behavior --------------------------------------------------------------------------

--- Request a goal, blended in with the time constant tau, s.
function Steering:goal(slot, value, tau)
  slot = self.handles[slot] or slot
  self.goals[slot] = value
  if self.set_goals[slot] == nil then return self.solver:goal(slot, value, tau) end
end

--- Request a weight, blended in with the time constant tau, s.
function Steering:weight(slot, value, tau)
  slot = self.handles[slot] or slot
  self.weights[slot] = value
  if not self.held and self.set_weights[slot] == nil then
    return self.solver:weight(slot, counting(self, slot), tau)
  end
end

--- Remove an objective.
function Steering:remove(slot)
  slot = self.handles[slot] or slot
  if self.about[slot] then self.handles[self.about[slot].key] = nil end
  self.about[slot], self.scales[slot] = nil, nil
  self.goals[slot], self.weights[slot], self.set_goals[slot], self.set_weights[slot] = nil, nil, nil, nil
  return self.solver:remove(slot)
end

--- Reset the solver's history; with `zero_weights` the behavior requests all weights again.
function Steering:reset(configuration, zero_weights)
  self.solver:reset(configuration, zero_weights)
  if not zero_weights then return end
  self.weights = {}
  if self.held then return end
  for slot, value in pairs(self.set_weights) do self.solver:weight(slot, value, steering.blend) end
end

-- Settings of the operator --------------------------------------------------------------------------

--- Set a goal; nil releases it.  Raises if the objective does not accept the value.
function Steering:steer_goal(slot, value)
  local shown = value
  if shown == nil then shown = self.goals[slot] end
  if shown ~= nil then self.solver:goal(slot, shown, steering.blend) end
  self.set_goals[slot] = value
end

--- Set a weight; nil releases it.
function Steering:steer_weight(slot, value)
  if not self.held then self.solver:weight(slot, value or counting(self, slot), steering.blend) end
  self.set_weights[slot] = value
end

--- Whether the operator has set the goal, and whether the weight.
function Steering:steered(slot) return self.set_goals[slot] ~= nil, self.set_weights[slot] ~= nil end

--- Let all weights fade out: the pose stays as it is, whatever is requested.
function Steering:hold()
  self.held = true
  for slot in pairs(self.weights) do self.solver:weight(slot, 0, steering.blend) end
  for slot in pairs(self.set_weights) do self.solver:weight(slot, 0, steering.blend) end
end

--- Let the requested weights blend in again.
function Steering:go_on()
  self.held = false
  for slot, value in pairs(self.weights) do
    if self.set_weights[slot] == nil then
      self.solver:weight(slot, value * (self.scales[slot] or 1), steering.blend)
    end
  end
  for slot, value in pairs(self.set_weights) do self.solver:weight(slot, value, steering.blend) end
end

return steering
