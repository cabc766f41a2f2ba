--- The properties of all states, as objectives of one solver.
---
--- The objectives are the union over all states, made once: a property that two states share runs
--- on without a restart, and a transition changes only goals and weights, which blend.
local behavior = require "brio.behavior"

local properties = {}
local Manager = {}
Manager.__index = Manager

local function arguments_of(property, roles)
  local args = {}
  for key, value in pairs(property.args) do args[key] = roles[value] or value end
  return args
end

--- Add an objective for every property of a compiled machine.  `roles` maps what a link is for
--- to its name on this robot.  Raises when the robot lacks a link or joint.
function properties.new(machine, solver, roles)
  local self = setmetatable({ solver = solver, slots = {}, order = {}, active = {} }, Manager)
  behavior.each_state(machine, function(state)
    for _, item in ipairs(state.wants) do
      local property = item[1]
      if not self.slots[property.key] then
        local args = arguments_of(property, roles)
        self.slots[property.key] = solver:add(property.key, property.kind, args)
        self.order[#self.order + 1] = property.key
      end
    end
  end)
  return self
end

--- Want what the active states want: a list of states, outer ones first; what an inner state says
--- of a property counts.  `call(active, fn)` asks a goal that is a function.
function Manager:apply(actives)
  local wanted = {}
  local blend = actives.blend or behavior.blend
  for _, active in ipairs(actives) do
    for _, item in ipairs(active.state.wants) do
      wanted[item[1].key] = { property = item[1], weight = item[2], blend = blend, active = active }
    end
  end
  for _, key in ipairs(self.order) do
    local now, before = wanted[key], self.active[key]
    if now then
      now.moves = type(now.property.goal) == "function"
      now.shown = not now.moves
      if now.property.goal ~= nil and not now.moves then self:goal(now) end
      if not now.moves then self.solver:weight(self.slots[key], now.weight, blend)
      elseif before and before.shown then now.shown = true
        self.solver:weight(self.slots[key], now.weight, blend) end
    elseif before then
      self.solver:weight(self.slots[key], 0, blend)
    end
  end
  self.active = wanted
  self.moving = {}
  for _, key in ipairs(self.order) do
    if wanted[key] and wanted[key].moves then self.moving[#self.moving + 1] = wanted[key] end
  end
end

function Manager:goal(entry, value)
  if value == nil then value = entry.property.goal end
  local good, why = pcall(self.solver.goal, self.solver, self.slots[entry.property.key], value, entry.blend)
  if not good then
    local at = entry.property.at
    error(("%s:%d: goal of want.%s: %s"):format(at.file, at.line, entry.property.kind, why), 0)
  end
end

--- Ask every goal that is a function.  One that returns nil rests at weight 0 until it returns
--- a goal again.
function Manager:update(call)
  for _, entry in ipairs(self.moving or {}) do
    local value = call(entry.active, entry.property.goal)
    if value ~= nil then self:goal(entry, value) end
    local shown = value ~= nil
    if shown ~= entry.shown then
      entry.shown = shown
      self.solver:weight(self.slots[entry.property.key], shown and entry.weight or 0, entry.blend)
    end
  end
end

--- Let go of everything: all weights fade to 0.
function Manager:release(blend)
  for _, key in ipairs(self.order) do self.solver:weight(self.slots[key], 0, blend) end
  self.active, self.moving = {}, {}
end

return properties
