--- The properties of all states, as objectives of one solver.
---
--- The objectives are the union over all states, created once: a property that two states share continues
--- without a restart, and a transition changes only goals and weights, which blend.  Versions of a behavior
--- share a pool of objectives: an objective with the same key in two versions continues as well; one that
--- no version wants any more fades and is then removed.
local behavior = require "brio.behavior.define"
local suggest = require "brio.lib.suggest"

local properties = {}
local Manager = {}
Manager.__index = Manager

--- Time that an unused objective is kept, s, as the version before may be restored.
properties.afterlife = 1.5

--- The number of an objective among those of its name, all written in Lua: versions of a behavior may have
--- different ones.
local function revision_of(objective, pool)
  local known = pool.revisions[objective.name] or {}
  pool.revisions[objective.name] = known
  local signature = objective.signature or objective
  if not known[signature] then
    known.count = (known.count or 0) + 1
    known[signature] = known.count
  end
  return known[signature]
end

--- The arguments of a property with links and joints in place of roles, and the name of its objective in
--- the solver: its key, or another name if a role now means another link, or if an objective written in Lua
--- has changed.
local function resolve(property, roles, pool)
  local args, id, first = {}, property.key, pool.roles
  local revision = property.objective and revision_of(property.objective, pool) or 1
  if revision > 1 then id = ("%s version %d"):format(id, revision) end
  for _, key in ipairs(suggest.keys(property.args)) do
    local value = property.args[key]
    args[key] = roles[value] or value
    if args[key] ~= (first[value] or value) then id = ("%s %s=%s"):format(id, key, args[key]) end
  end
  return args, id
end

--- The number of objectives for the properties of a compiled machine.
function properties.count(machine)
  local keys, count = {}, 0
  behavior.each_state(machine, function(state)
    for _, item in ipairs(state.wants) do
      if not keys[item[1].key] then keys[item[1].key], count = true, count + 1 end
    end
  end)
  return count
end

--- Prepare for a compiled machine.  `roles` maps roles to names of links of this robot; `before` is the
--- manager of the version before, whose objectives are shared.  make() must follow.
function properties.new(machine, solver, roles, before)
  local pool = before and before.pool or { slots = {}, dying = {}, roles = roles, revisions = {} }
  local self = setmetatable({ solver = solver, pool = pool, slots = pool.slots, order = {}, made = {},
    ids = {}, active = {} }, Manager)
  behavior.each_state(machine, function(state)
    for _, item in ipairs(state.wants) do
      local property = item[1]
      if not self.made[property.key] then
        local args, id = resolve(property, roles, pool)
        self.made[property.key] = { kind = property.objective or property.kind, args = args, id = id,
          property = property }
        self.order[#self.order + 1] = property.key
        self.ids[id] = true
      end
    end
  end)
  return self
end

--- Whether these roles change the link or joint of any property.
function Manager:moved(roles)
  for _, made in next, self.made do
    local _, id = resolve(made.property, roles, self.pool)
    if id ~= made.id then return true end
  end
  return false
end

--- The slot of the property with this key.
function Manager:slot(key) return self.slots[self.made[key].id] end

--- Add the missing objectives.  Return true, or nil and a sentence if the solver has no room.  Raises if
--- the robot lacks a link or joint.
function Manager:make()
  for _, key in ipairs(self.order) do
    local made = self.made[key]
    if not self.slots[made.id] then
      local slot, why = self.solver:add(made.id, made.kind, made.args)
      if not slot and next(self.pool.dying) then
        self:sweep(math.huge)
        slot, why = self.solver:add(made.id, made.kind, made.args)
      end
      if not slot then return nil, why end
      self.slots[made.id] = slot
    end
    self.pool.dying[made.id] = nil
  end
  return true
end

--- Remove the objectives that only this manager has added; it will not be used.
function Manager:discard(current)
  for id in next, self.ids do
    if self.slots[id] and not current.ids[id] then self.pool.dying[id] = 0 end
  end
end

--- Continue from the state of `before`, the other version's manager.  Objectives that this one lacks fade.
function Manager:take_over(before, now, blend)
  assert(self:make())
  self.active, self.moving = before.active, {}
  for _, key in ipairs(before.order) do
    local id = before.made[key].id
    if not self.made[key] or self.made[key].id ~= id then self.active[key] = nil end
    if not self.ids[id] then
      self.solver:weight(self.slots[id], 0, blend)
      self.pool.dying[id] = now + math.max(properties.afterlife, 6 * blend)
    end
  end
end

--- Remove the objectives that have faded by `now`.
function Manager:sweep(now)
  if not next(self.pool.dying) then return end
  for _, key in ipairs(suggest.keys(self.pool.dying)) do
    if self.pool.dying[key] <= now then
      self.solver:remove(self.slots[key])
      self.slots[key], self.pool.dying[key] = nil, nil
    end
  end
end

--- Set goals and weights in the solver, as far as `now` differs from `before` (nil: inactive).
local function ask(self, slot, now, before)
  local same = before and before.property == now.property and before.weight == now.weight
  now.moves = type(now.property.goal) == "function"
  if now.moves then now.shown = before ~= nil and before.shown else now.shown = true end
  if same then return end
  if not now.moves and now.property.goal ~= nil then self:goal(now) end
  if now.shown then self.solver:weight(slot, now.weight, now.blend) end
end

--- Apply the properties of the active states: a list of states, outer ones first, with `blend`, the time
--- constant with which unused properties fade.  An inner state's setting of a property overrides an outer
--- one's; unchanged properties continue as they are.
function Manager:apply(actives)
  local wanted, before = {}, self.active
  for _, active in ipairs(actives) do
    for _, item in ipairs(active.state.wants) do
      wanted[item[1].key] = { property = item[1], weight = item[2], blend = active.state.blend,
        active = active }
    end
  end
  self.active, self.moving = wanted, {}
  for _, key in ipairs(self.order) do
    local now, old = wanted[key], before[key]
    if now then
      ask(self, self:slot(key), now, old)
      if now.moves then self.moving[#self.moving + 1] = now end
    elseif old then
      self.solver:weight(self:slot(key), 0, actives.blend or behavior.blend)
    end
  end
end

function Manager:goal(entry, value)
  if value == nil then value = entry.property.goal end
  local good, why = pcall(self.solver.goal, self.solver, self:slot(entry.property.key), value, entry.blend)
  if not good then
    local at = entry.property
    error(("%s:%d: goal of %s: %s"):format(at.file, at.line, entry.property.label, why), 0)
  end
end

--- Call every goal that is a function, by host:call(active, goal).  A goal that returns nil has weight 0
--- until it returns a value again.
function Manager:update(host)
  local moving = self.moving
  for index = 1, moving and #moving or 0 do
    local entry = moving[index]
    local value = host:call(entry.active, entry.property.goal)
    if value ~= nil then self:goal(entry, value) end
    local shown = value ~= nil
    if shown ~= entry.shown then
      entry.shown = shown
      self.solver:weight(self:slot(entry.property.key), shown and entry.weight or 0, entry.blend)
    end
  end
end

--- Let all weights fade to 0.
function Manager:release(blend)
  for _, key in ipairs(self.order) do self.solver:weight(self:slot(key), 0, blend) end
  self.active, self.moving = {}, {}
end

return properties
