--- The DOFs that a behavior's states use: those that carry a link with a goal of position or rotation, and
--- joints with a weight above a list's. Gestures of speech use the same rule.
---
--- A posture (joint_match) is not included: its goal of a joint is one of several, and idle motion with a low
--- `follow` yields to it. A hand with a goal position must stay there.
local kinds = require "brio.character.speech.asked"
local suggest = require "brio.lib.suggest"

local asked = {}
local Asked = {}
Asked.__index = Asked

function asked.new(host) return setmetatable({ host = host, chains = {}, set = {}, rows = {} }, Asked) end

--- The numbers of the DOFs between the root and a link.
local function chain_of(self, link)
  if self.chains[link] then return self.chains[link] end
  local robot, numbers, made, at = self.host.description.robot, self.host.tracks.numbers, {}, link
  while at do
    local about = robot:link(at)
    for _, variable in ipairs(about.joint and robot:joint(about.joint).variables or {}) do
      made[#made + 1] = numbers[variable]
    end
    at = about.parent
  end
  self.chains[link] = made
  return made
end

--- The numbers of the DOFs that a property uses.
local function dofs_of(self, property, weight)
  local made, roles = {}, self.host.description.roles
  for _, key in ipairs(suggest.keys(property.args)) do
    local name = property.args[key]
    if kinds.pins[property.kind] and key:find "^link" then
      local chain = chain_of(self, roles[name] or name)
      table.move(chain, 1, #chain, #made + 1, made)
    elseif kinds.joints[property.kind] and weight >= kinds.firm then
      made[#made + 1] = self.host.tracks.numbers[name]
    end
  end
  return made
end

--- The active properties that use DOFs.
local function rows_of(self, active)
  local rows = {}
  for _, entry in next, active do
    local dofs = dofs_of(self, entry.property, entry.weight)
    if entry.weight > 0 and dofs[1] then rows[#rows + 1] = { entry = entry, dofs = dofs } end
  end
  return rows
end

--- The set of the numbers of DOFs in use now, or nil. Goals that are functions and return nil use nothing.
function Asked:now()
  local active, set, any = self.host.properties.active, self.set, false
  if active ~= self.active then self.active, self.rows = active, rows_of(self, active) end
  for number in next, set do set[number] = nil end
  for _, row in ipairs(self.rows) do
    if row.entry.shown ~= false then
      for _, number in ipairs(row.dofs) do
        set[number], any = true, true
      end
    end
  end
  return any and set or nil
end

return asked
