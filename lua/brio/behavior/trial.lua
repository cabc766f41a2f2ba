--- Checks of a behavior's properties on a robot, before it runs: missing links and joints, invalid goals,
--- objectives written in Lua that fail at once.
local behavior = require "brio.behavior.define"
local solver = require "brio.solver"
local missing_role = require("brio.robots.roles").missing
local suggest = require "brio.lib.suggest"
local want = require "brio.behavior.wants.want"

local trial = {}

--- Shared data of checks of properties against a robot: its names, roles, and a solver for trial goals.
function trial.new(description)
  local self = {
    description = description,
    names = { link = description.robot:links(), joint = {} }, known = { link = {}, joint = {} },
  }
  self.solver, self.refused = solver.new(description.robot)
  for _, variable in ipairs(description.robot:variables()) do
    table.insert(self.names.joint, variable.name)
  end
  for what, list in next, self.names do
    for _, name in ipairs(list) do self.known[what][name] = true end
  end
  return self
end

--- Whether all names that a property uses are known; faults for unknown ones are added to `faults`.
local function check_names(self, property, faults)
  local all = true
  local params = property.objective and property.objective.kind.params or want.params_of(property.kind)
  for _, param in ipairs(params) do
    local name, known = property.args[param.name], self.known[param.type]
    if known and name and not known[name] and not self.description.roles[name] then
      local more = param.type == "link" and missing_role(self.description, name) or ""
      faults:add(property, "%s: robot '%s' has no %s '%s'%s%s", property.label,
        self.description.name, param.type, name, suggest.hint(name, self.names[param.type]), more)
      all = false
    end
  end
  return all
end

--- Maximum number of objectives that are kept for trial goals.
local most_tried = 100

--- An objective of a property on which goals are tried.
local function tried(self, property)
  local slots = self.slots
  local slot = slots[property.key]
  if slot then return slot end
  if #slots == most_tried then
    for _, old in ipairs(slots) do self.solver:remove(old) end
    slots = {}
    self.slots = slots
  end
  local args = {}
  for key, value in next, property.args do args[key] = self.description.roles[value] or value end
  slot = self.solver:add(property.key, property.objective or property.kind, args)
  slots[property.key], slots[#slots + 1] = slot, slot
  return slot
end

--- Try to create the objective: arguments that are valid each may be invalid together, or for this robot.
local function check_arguments(self, property, faults)
  local good, why = pcall(tried, self, property)
  if not good then
    faults:add(property, property.objective and "%s" or "want.%s", (why:gsub("^%S+:%d+: ", "")))
  end
  return good
end

--- Try a goal that is not a function.
local function check_goal(self, property, faults)
  if property.goal == nil or type(property.goal) == "function" then return end
  local good, why = pcall(self.solver.goal, self.solver, tried(self, property), property.goal)
  if not good then
    faults:add(property, "goal of %s: %s", property.label, (why:gsub("^'.-' %([%w_]+%): ", "")))
  end
  return good
end

--- Evaluate an objective written in Lua once, if a goal is available.
local function check_objective(self, property, faults)
  if type(property.goal) == "function" then return end
  local slot = tried(self, property)
  self.solver:weight(slot, 1)
  self.time = (self.time or 0) + 0.01
  for _, fault in ipairs(self.solver:solve(self.time, 0.01).faults or {}) do
    faults:add(property, "objective '%s' fails: %s", fault.kind, fault.message:match("^[^\n]*"))
  end
  self.solver:weight(slot, 0)
end

--- Add the faults of a property to `faults`.
local function check_property(self, property, faults)
  -- with the key of another one, only its goal may be wrong
  if not self.slots[property.key] and not (check_names(self, property, faults)
      and check_arguments(self, property, faults)) then return end
  if check_goal(self, property, faults) ~= false and property.objective then
    check_objective(self, property, faults)
  end
end

--- Add faults to `faults`: links, joints and roles that `machine` uses but the robot `description` (see
--- robots/catalog.lua) does not have, and invalid goals.
function trial.check(machine, description, faults, self)
  local checked = {}
  self = self or trial.new(description)
  if not self.solver then return faults:add(nil, "no solver can be made: %s", self.refused) end
  self.slots = {}
  behavior.each_state(machine, function(state)
    faults.state = state
    local wants = state.wants
    for index = 1, #wants do
      local property = wants[index][1]
      if checked[property] then faults:also(property)
      else check_property(self, property, faults) end
      checked[property] = true
    end
  end)
  faults.state = nil
  for _, slot in ipairs(self.slots) do self.solver:remove(slot) end
end

return trial
