--- Tests goals that are functions in a few poses of the robot before a run: with the behavior's initial
--- memory, and with no people or objects in the scene.
---
--- A result that is no valid goal in any pose is a fault.  An error may be due to this environment, so it
--- is reported only if it would occur anywhere: an unknown name or method.
local behavior = require "brio.behavior.define"
local context = require "brio.behavior.context"
local copy = require "brio.lib.copy"
local dispatch = require "brio.io.dispatch"
local geometry = require "brio.lib.geometry"
local inputs = require "brio.devices.inputs"
local perception = require "brio.perception"
local random = require "brio.random"
local scene = require "brio.scene"
local solver = require "brio.solver"
local suggest = require "brio.lib.suggest"

local goals = {}

--- Number of the robot's own poses, and of random poses, to try.
goals.own_poses, goals.random_poses = 3, 2

--- The poses: a list of {name, joints}.
local function poses_of(description)
  local list, stream = { { name = "the neutral pose", joints = {} } }, random.stream(0, "goals")
  local variables = description.robot:variables()
  for index, name in ipairs(suggest.keys(description.poses or {})) do
    local said, joints = description.poses[name].joints or {}, {}
    for _, variable in ipairs(variables) do joints[variable.name] = said[variable.name] end
    if index <= goals.own_poses then
      list[#list + 1] = { name = ("pose '%s'"):format(name), joints = joints }
    end
  end
  for number = 1, goals.random_poses do
    local joints = {}
    for _, variable in ipairs(variables) do
      local lower, upper = math.max(variable.lower or -1, -3), math.min(variable.upper or 1, 3)
      joints[variable.name] = stream:uniform(math.min(lower, upper), math.max(lower, upper))
    end
    list[#list + 1] = { name = ("a pose by chance (%d)"):format(number), joints = joints }
  end
  return list
end

--- The `self` of the behavior's functions on a robot in a pose.
local function face_of(loaded, description, frames)
  local fields, tune = loaded.definition.fields, {}
  for name, param in next, fields.tune or {} do tune[name] = param.value end
  local host = { definition = loaded.definition, description = description, now = 1, geometry = geometry,
    events = {},
    stream = random.stream(0, "behavior"), scene = { frame = function(_, name) return frames[name] end },
    say = function() end, emit = function() end, inputs = inputs.new(description.inputs or {}, {}, {}) }
  local self, face = context.new(host, { now = 1, dt = 0.005, memory = copy.deep(fields.memory or {}),
    tune = tune,
    scene = scene.new(), robot = description.robot, roles = description.roles, poses = description.poses,
    perception = perception, name = loaded.definition.name, inputs = host.inputs:face() })
  return self, face
end

--- Whether an error would be raised in any environment.
local function is_certain(message)
  return message:find "unknown name '" or message:find "used up its time budget"
    or message:find "attempt to call a nil value %(method '"
end

local Tried = {}
Tried.__index = Tried

--- Call a function in each pose.  Return the error, or nil.
function Tried:fault(state, property)
  local wrong, good = nil, 0
  for _, pose in ipairs(self.poses) do
    rawset(pose.self, "_active", { state = state, entered = 0, every = {} })
    pose.self.state = state.path
    -- caught here, an error has no traceback, which would take longer than all goals together
    local ended, ran, value = dispatch.call(nil, dispatch.tick, pcall, property.goal, pose.face)
    if not ended then ran, value = false, ran end
    if not ran and type(value) == "string" and is_certain(value) then
      return ("goal of %s: %s"):format(property.label, (value:match "^[^\n]*":gsub("^.-:%d+: ", "")))
    end
    if ran and value ~= nil then
      local fits, why = pcall(self.solver.goal, self.solver, self:slot(property), value)
      if fits then
        good = good + 1
      else
        why = why:gsub("^'.-' %([%w_]+%): ", "")
        wrong = wrong or ("goal of %s, in %s: %s"):format(property.label, pose.name, why)
      end
    end
  end
  return good == 0 and wrong or nil
end

--- The objective of a property in the solver.
function Tried:slot(property)
  local args = {}
  for key, value in next, property.args do args[key] = self.description.roles[value] or value end
  if self.last then self.solver:remove(self.last) end
  self.last = assert(self.solver:add(property.key, property.objective or property.kind, args))
  return self.last
end

--- Errors of a loaded behavior's goals that are functions: a list of faults {file, line, message}.
function goals.faults(loaded, description)
  local made = solver.new(description.robot)
  if not made then return {} end
  local self, list, known = setmetatable({ solver = made, poses = poses_of(description),
    description = description }, Tried), {}, {}
  for _, pose in ipairs(self.poses) do
    pose.self, pose.face = face_of(loaded, description,
      description.robot:forward({ joints = pose.joints }).links)
  end
  behavior.each_state(loaded.machine, function(state)
    for _, item in ipairs(state.wants) do
      local property = item[1]
      local why = type(property.goal) == "function" and not known[property] and self:fault(state, property)
      known[property] = true
      if why then
        local at = loaded.sources[property.file] and property or { file = loaded.file, line = 0 }
        list[#list + 1] = { file = at.file, line = at.line, message = why }
      end
    end
  end)
  return list
end

return goals
