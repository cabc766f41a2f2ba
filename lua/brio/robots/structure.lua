--- The structure of a robot model: its rigid bodies, its limbs, and the trunk to which they are attached.
---
--- Links connected by fixed joints are one body. A limb is a chain of bodies without branches, from the trunk
--- to its end, which may have fingers.
local geometry = require "brio.lib.geometry"
local names = require "brio.robots.names"

local structure = {}

--- A child without children whose links are within this distance is an accessory, such as a cover or a rod,
--- m.
local accessory = 0.08

--- Children at a limb's end are fingers if they reach no farther than this share of the limb's length, or
--- this distance, m.
local finger_share, finger_length = 0.35, 0.12

--- Moving parts on a head that reach no farther than this are its face: eyes, a jaw, m.
local face = 0.25

--- Minimum number of joints of a limb before a small part after it is a finger.
local least_joints = 3

--- A body with a chain of more bodies than this below it is far from its end; the distance is not computed.
local deepest = 60

--- Add a link: update the reach of the bodies above it.  O(deepest).
local function extend(body, poses, name)
  local place, up = poses[name].position, body
  for _ = 1, deepest do
    if not up then return end
    up.reach = math.max(up.reach, geometry.distance(poses[up.links[1]].position, place))
    up = up.parent
  end
  if up then up.reach = math.huge end
end

--- The bodies of a model, the root's first: {links = names, joint = the joint that moves it, parent,
--- children, reach = the extent of its subtree from its first link, m}.
local function bodies_of(model, poses)
  local list, of_link = {}, {}
  for _, name in ipairs(model:links()) do
    local link = model:link(name)
    local joint, parent = link.joint and model:joint(link.joint), of_link[link.parent]
    local body = joint and joint.type == "fixed" and parent
    if not body then
      body = { links = {}, joint = joint, parent = parent, children = {}, reach = 0 }
      list[#list + 1] = body
      if parent then table.insert(parent.children, body) end
    end
    table.insert(body.links, name)
    of_link[name] = body
    extend(body, poses, name)
  end
  return list, of_link
end

--- Whether a body is a finger or a jaw by its names.
local function named_finger(body)
  local joint = body.joint.name
  local finger = names.has(joint, "finger") or names.has(body.links[1], "finger")
  if finger or names.has(joint, "gripper") then return true end
  return names.contains(joint, "hand") and not names.has(joint, "turn")
end

local function is_of_head(body)
  return names.has(body.joint.name, "head") or names.has(body.links[1], "head")
end

local function is_accessory(body)
  if is_of_head(body) then return false end
  return body.joint.mimic ~= nil or #body.children == 0 and body.reach < accessory and not named_finger(body)
end

--- Whether the bodies at the end of a chain are a hand's fingers, or a face.
local function has_fingers(chain, kids)
  if #kids == 0 then return false end
  local last = chain[#chain]
  local faces = #kids > 1 or names.has(kids[1].joint.name, "face")
  if faces and is_of_head(last) and last.reach <= face then return true end
  local short = math.max(finger_length, finger_share * chain.length)
  for _, kid in ipairs(kids) do
    local small = #chain >= least_joints and #kids > 1 and kid.reach <= short
    if not named_finger(kid) and not small then return false end
  end
  return true
end

--- The bodies with which a chain continues or branches: accessories only if there is nothing else.
local function kids_of(body)
  local kids, others = {}, {}
  for _, kid in ipairs(body.children) do
    if not is_accessory(kid) then
      kids[#kids + 1] = kid
    elseif not kid.joint.mimic then
      others[#others + 1] = kid
    end
  end
  if #kids == 0 and #others == 1 then return others end
  return kids
end

--- Follow a chain from its first body; append it to `limbs` at its end, or continue with its branches.
local function follow(body, limbs, poses)
  local chain = { length = 0, start = body.parent }
  while true do
    local before = chain[#chain]
    if before then
      local from, to = poses[before.links[1]].position, poses[body.links[1]].position
      chain.length = chain.length + geometry.distance(from, to)
    end
    chain[#chain + 1] = body
    local kids = kids_of(body)
    if #kids == 0 or has_fingers(chain, kids) then
      chain.fingers = kids
      limbs[#limbs + 1] = chain
      return
    end
    if #kids > 1 then
      for _, kid in ipairs(kids) do follow(kid, limbs, poses) end
      return
    end
    body = kids[1]
  end
end

--- The structure of a model.
---@param model table a robot of brio.robot
---@return { root: table, limbs: table[], of_link: table, poses: table, lowest: number, height: number }
--- limbs: each a list of bodies with `start` (the body it hangs on), `fingers` (bodies at its end) and
--- `length` (m); of_link: the body of each link; poses: of links at neutral; lowest, height: of the robot's
--- links there (m)
function structure.of(model)
  local poses = model:forward(model:neutral()).links
  local list, of_link = bodies_of(model, poses)
  local limbs, lowest, highest = {}, math.huge, -math.huge
  for _, kid in ipairs(list[1].children) do follow(kid, limbs, poses) end
  for _, pose in next, poses do
    lowest, highest = math.min(lowest, pose.position[3]), math.max(highest, pose.position[3])
  end
  return { root = list[1], limbs = limbs, of_link = of_link, poses = poses, lowest = lowest,
    height = highest - lowest }
end

--- The last common ancestor of these bodies, which may be one of them.
function structure.common(bodies)
  local count = {}
  for _, body in ipairs(bodies) do
    local up = body
    while up do
      count[up] = (count[up] or 0) + 1
      up = up.parent
    end
  end
  local best = bodies[1]
  while best and count[best] < #bodies do best = best.parent end
  return best
end

return structure
