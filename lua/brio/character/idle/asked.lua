--- Which DOFs a behavior's states ask for: those that carry a link which is wanted somewhere, or turned somewhere.
---
--- A posture (joint_match) is none of these: what is wanted of a joint is a weight among others, and idle motion with a low
--- `follow` gives way to it. A hand that is to be in a place is there for a reason.
local asked = {}
local Asked = {}
Asked.__index = Asked

--- Objectives that place or turn links, by the parameters that name these.
local placing = {
  position_match = { "link" }, orientation_match = { "link" }, pose_match = { "link" }, look_at = { "link" },
  link_line = { "link" }, links_in_line = { "link", "link1", "link2" }, distance_match = { "link1", "link2" },
  position_bounding = { "link" }, orientation_bounding = { "link" },
}

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

--- The properties that place links, of those that are active.
local function rows_of(self, active)
  local rows = {}
  for _, entry in next, active do
    for _, param in ipairs(placing[entry.property.kind] or {}) do
      local link = entry.property.args[param]
      if link then rows[#rows + 1] = { entry = entry, dofs = chain_of(self, self.host.description.roles[link] or link) } end
    end
  end
  return rows
end

--- The set of the numbers of DOFs that are asked for now, or nil. Goals that are functions and say nothing ask for nothing.
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
