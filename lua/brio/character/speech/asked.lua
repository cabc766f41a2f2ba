--- Joints in use by states or people, which the character's own motions leave alone.
---
--- A joint is in use if a state's property pins a link that it carries (a position, a direction, a distance),
--- or the joint itself with a high weight; a DOF is in use if a source plays on it that is not the
--- character's own.
local weights = require "brio.behavior.wants.weights"

local asked = {}
local Asked = {}
Asked.__index = Asked

--- Objectives that pin their links; among them those that only rotate a link, which a nod about it does not
--- change on average.
asked.pins = { position_match = true, orientation_match = true, pose_match = true, distance_match = true,
  look_at = true,
  link_line = true, links_in_line = true, position_mirroring = true, orientation_mirroring = true,
    keep_upright = true }
asked.turns = { orientation_match = true, look_at = true }

--- Objectives that pin their joints if their weight is at least this: more than that of a posture at the top
--- of a list.
asked.joints = { joint_match = true, joint_follow = true, joint_mirroring = true }
asked.firm = weights.highest * 1.01

function asked.new(host) return setmetatable({ host = host }, Asked) end

--- The joint above each link, and the link that carries it.
local function joints_above(robot)
  local above = {}
  for _, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    above[joint.child] = { joint = name, parent = joint.parent }
  end
  return above
end

--- Whether a joint carries a link.
local function carries(self, joint, link)
  self.above = self.above or joints_above(self.host.description.robot)
  for _ = 1, 256 do
    local step = self.above[link]
    if not step then return false end
    if step.joint == joint then return true end
    link = step.parent
  end
  return false
end

local function pins(self, entry, joint, softly)
  local property, roles = entry.property, self.host.description.roles
  if softly and asked.turns[property.kind] then return false end
  for key, value in next, property.args do
    if asked.pins[property.kind] and key:find "^link" and carries(self, joint, roles[value] or value) then
      return true
    end
    if asked.joints[property.kind] and entry.weight >= asked.firm and value == joint then return true end
  end
  return false
end

--- Whether a source that is not the character's own plays on a DOF: in the operator's stage, or in others.
local function is_played(host, dof, operator)
  local _, from = host.tracks.player:why(host.tracks:number(dof))
  for _, row in ipairs(from) do
    local playing = row.said == "on" and host.tracks.playing[row.source]
    local own = playing and playing.owner == "autonomy" and (playing.live or playing.stage == "random")
    if playing and not own and (playing.stage == "operator") == operator then return true end
  end
  return false
end

--- Whether a person has taken a DOF. The motion of other DOFs must not depend on it.
function Asked:taken(dof) return is_played(self.host, dof, true) end

--- Whether a behavior, or a playing source, uses a DOF. `softly`: objectives that only rotate a link are
--- ignored.
function Asked:is(dof, softly)
  if is_played(self.host, dof, false) then return true end
  for _, entry in next, self.host.properties.active do
    if entry.weight > 0 and pins(self, entry, dof, softly) then return true end
  end
  return false
end

return asked
