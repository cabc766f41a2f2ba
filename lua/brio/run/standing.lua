--- Holds a robot whose base is free on its feet, by the feed-forward torques of its joints (`stance` and
--- `control` in the robot's file): once a tick, from the pose and the velocity of its base, its joints and
--- their speeds.
local dynamics = require "brio.dynamics"
local robots = require "brio.robot"
local suggest = require "brio.lib.suggest"

local standing = {}

--- The contacts of a file as a list.
local function contacts_of(said)
  local list = {}
  for _, link in ipairs(suggest.keys(said.contacts)) do
    for _, point in ipairs(said.contacts[link]) do list[#list + 1] = { link = link, point = point } end
  end
  return list
end

--- Begin to hold the robot of `run`, whose physics moves its base.  Return true, or nil and a sentence.
function standing.begin(run)
  local description, said = run.description, run.description.stance
  local options = { contacts = contacts_of(said) }
  for _, key in ipairs { "friction", "stiffness", "damping", "turn_stiffness", "turn_damping" } do
    options[key] = said[key]
  end
  -- the description's own robot has a base that is fixed, as poses do not move it
  local good, made = pcall(function()
    local from = description.free_model
    local model = assert(robots.load(from.path, { base = "free", packages = from.packages }))
    return dynamics.new(model):stance(options)
  end)
  if not good then return nil, (tostring(made):gsub("^.-%.lua:%d+: ", "")) end
  run.stance = { stance = made, asked = {}, offset = said.offset or { 0, 0 } }
  for _, dof in ipairs(description.dofs) do
    local row = description.control[dof.name] or description.control[dof.group or false]
    if row and row.mode ~= "position" and not dof.outside then run.stance.asked[dof.name] = { torque = 0 } end
  end
  return true
end

--- Configuration and velocity of the robot as measured.
local function measured(run, base)
  local q = { joints = {}, base = { position = base.position, orientation = base.orientation } }
  local u = { joints = {}, linear = base.velocity, angular = base.turn }
  local states = run.actuator:states()
  for _, dof in ipairs(run.description.dofs) do
    if not dof.outside then
      local state = states[dof.name]
      q.joints[dof.name], u.joints[dof.name] = state.position, state.velocity
    end
  end
  return q, u
end

--- Where the robot belongs, from where it stands at first.
local function goal_of(self, q)
  local goal = self.stance:here(q)
  for axis = 1, 2 do goal.com[axis] = goal.com[axis] + self.offset[axis] end
  return goal
end

--- Once a tick.
function standing.work(run)
  local self, base = run.stance, run.physics:base()
  if not base then return end
  local torques
  if run.base_fell then
    torques = {} -- lying, there is nothing to balance
  else
    local q, u = measured(run, base)
    self.goal = self.goal or goal_of(self, q)
    torques, self.report = self.stance:torques(q, u, self.goal)
  end
  for name, asked in next, self.asked do asked.torque = torques[name] or 0 end
  run.engine:impede(self.asked)
end

return standing
