--- Default gaze of a robot without a gaze.lua: with its head or camera, or the tool of an arm, by its roles.
---
--- A neck with two joints moves by itself.  If the head is rigid on the trunk, or the neck has one joint, the
--- joints of the trunk move it, at a trunk's speed.  The aim is fixed in the link below all these joints; in
--- a link that they move, it would move with it.
local chain = require "brio.robots.chain"
local missing_role = require("brio.robots.roles").missing
local vector = require "brio.character.gaze.vector"

local guess = {}

--- Number of joints from which a neck is enough; maximum number of joints otherwise.
local neck, most_joints = 2, 3

--- Motion of a head with a neck, and of one that only the trunk moves: with the speed and time constants of a
--- torso.
local ways = {
  neck = { explore = { spread = 0.35, every = 4 } },
  trunk = { explore = { spread = 0.15, every = 6 }, speed = 0.6, tau = 0.25, weight = 8, roll = 1 },
}

local turns = { revolute = true, continuous = true }

--- Whether `link` carries `other`, or is it.
local function carries(model, link, other)
  while other and other ~= link do other = model:link(other).parent end
  return other ~= nil
end

--- Links that must not hang from a neck, by role.
local limbs = { "left_hand", "right_hand", "tool", "left_foot", "right_foot" }

local function carries_limb(description, link)
  for _, role in ipairs(limbs) do
    local limb = description.roles[role]
    if limb and carries(description.robot, link, limb) then return true end
  end
  return false
end

--- The joints that can move the gaze, the nearest first, and the number of those of the neck: above the
--- torso, and carrying no limb.
local function joints_of(description, head)
  local model, torso = description.robot, description.roles.torso
  local list, count, open = {}, 0, true
  for _, joint in ipairs(chain.joints(model, head)) do
    if not turns[joint.type] or #list == most_joints then break end
    list[#list + 1] = joint
    open = open and not (torso and carries(model, joint.child, torso))
      and not carries_limb(description, joint.child)
    count = open and #list or count
  end
  return list, count
end

--- The two conventions of vendors: links look along x, optical frames of cameras along z.
local looks = { { 1, 0, 0 }, { 0, 0, 1 } }

--- The axes of a link that may point up: z in most, -y in the optical frames of cameras.
local ups = { { 0, 0, 1 }, { 0, -1, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 0, -1 } }

--- The axis of a list that points most to a side of the world (1: ahead, 3: up) if the link is turned by `q`;
--- an earlier one if it is nearly as good.
local function nearest(q, list, side)
  local best, most
  for _, axis in ipairs(list) do
    local along = (select(side, vector.turn(q, axis[1], axis[2], axis[3])))
    if not best or along > most + 0.1 then best, most = axis, along end
  end
  return best
end

--- The axes of a link that point ahead, along x of the root, and up, in the robot's zero configuration; nil:
--- as usual, x and z.
local function custom_of(model, link)
  local q = model:forward(model:neutral()).links[link].orientation
  local axis, across = nearest(q, looks, 1), {}
  for _, up in ipairs(ups) do
    if up[1] * axis[1] + up[3] * axis[3] == 0 then across[#across + 1] = up end
  end
  local up = nearest(q, across, 3)
  return { axis = axis ~= looks[1] and axis or nil, up = up ~= ups[1] and up or nil }
end

--- Maximum distance of a head's center from the origin of its link, m, if that is at a neck or an eye.
local apart = 0.15

--- The viewpoint of a head, in its link: its center of mass if the link's origin is elsewhere, as at the
--- waist; nil: its origin.
local function point_of(model, head)
  local form = model:link(head)
  local x, y, z = table.unpack(form.com)
  local far = form.mass > 0 and x * x + y * y + z * z > apart * apart
  return far and { x, y, z } or nil
end

local function names_of(joints)
  local names = {}
  for index, joint in ipairs(joints) do names[index] = "'" .. joint.name .. "'" end
  return table.concat(names, ", ")
end

--- The gaze of a head, with the joints of its neck or trunk; nil: nothing turns it.  Second: a sentence for
--- people, if it is the trunk.
local function with_head(description, head)
  local joints, count = joints_of(description, head)
  if #joints == 0 then return nil end
  if count >= neck then joints = { table.unpack(joints, 1, count) } end
  local trunk = #joints > count
  local way, base = trunk and ways.trunk or ways.neck, joints[#joints].parent
  local custom = custom_of(description.robot, head)
  local made = { base = base, explore = way.explore,
    head = { link = head, carrier = base, axis = custom.axis, up = custom.up, speed = way.speed,
      point = point_of(description.robot, head), tau = way.tau, weight = way.weight, roll = way.roll } }
  return made, trunk and ("robot '%s' has no neck of its own: '%s' is turned with the trunk, slowly, by \z
    %s; a gaze.lua can change this (docs/animation/gaze.md)"):format(description.name, head,
      names_of(joints)) or nil
end

--- Add eyes, if both are links that the head carries.
local function add_eyes(made, description)
  local roles, model = description.roles, description.robot
  if not (roles.left_eye and roles.right_eye and roles.head) then return end
  for _, role in ipairs { "left_eye", "right_eye" } do
    if roles[role] == roles.head or not carries(model, roles.head, roles[role]) then return end
  end
  made.eyes = { carrier = roles.head, links = { roles.left_eye, roles.right_eye } }
  made.head.threshold, made.head.align = 0.26, 0.7
end

--- The gaze of a robot by its roles, in the form of gaze.lua; nil and a sentence if it has none. Third: a
--- sentence for people, if the trunk turns it.
function guess.of(description)
  local roles = description.roles
  local head = roles.gaze or roles.head
  if head then
    local made, note = with_head(description, head)
    if made then
      add_eyes(made, description)
      return made, nil, note
    end
  end
  if roles.tool then -- by convention a tool looks along its z
    return { head = { link = roles.tool, axis = { 0, 0, 1 }, up = { 1, 0, 0 }, roll = 0, speed = 0.8,
      tau = 0.12, weight = 20, keep = 1 } }
  end
  return nil, ("robot '%s' has nothing to look with: no gaze.lua beside its robot.lua, and %s"):format(
    description.name, head and ("no joint turns its '%s'"):format(head)
      or "no role gaze, head or tool" .. missing_role(description, "head"))
end

return guess
