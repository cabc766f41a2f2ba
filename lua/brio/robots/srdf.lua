--- The data of an SRDF about a robot: groups of joints that are limbs, their ends, and named poses.
---
--- SRDF is MoveIt's format for data that a URDF does not contain (wiki.ros.org/srdf). A file is used for a
--- model if its <robot> has the model's name and it is beside the URDF or in a folder "srdf" beside that.
local disk = require "brio.io.files"
local names = require "brio.robots.names"
local paths = require "brio.lib.paths"
local suggest = require "brio.lib.suggest"
local xml = require "brio.xml"

local srdf = {}

--- Maximum size of a file, bytes.
local most = 4 << 20

local function read(path)
  local text, why = disk.read(path, most)
  if not text then return nil, why end
  return xml.parse(text, path)
end

--- Length of the common prefix of two texts.
local function alike(a, b)
  local count = 0
  while count < #a and a:byte(count + 1) == b:byte(count + 1) do count = count + 1 end
  return count
end

--- The SRDF files near a URDF, those with the most similar names first.
local function files_about(path)
  local folder, list = paths.folder(path), {}
  local own = path:match "[^/]*$"
  for _, place in ipairs { folder, folder .. "/srdf", folder .. "/../srdf" } do
    for _, name in ipairs(disk.list(place) or {}) do
      local row = { path = place .. "/" .. name, alike = alike(own, name), name = name }
      if name:match "%.srdf$" then list[#list + 1] = row end
    end
  end
  table.sort(list, function(a, b)
    if a.alike ~= b.alike then return a.alike > b.alike end
    return a.path < b.path
  end)
  return list
end

--- The links from the root to a link.
local function path_to(link, leads_to)
  local path = {}
  while link do
    table.insert(path, 1, link)
    link = leads_to[link] and leads_to[link].parent
  end
  return path
end

--- The last link of the moving joints of a group; if they branch, as into fingers, the link before the
--- branch; nil if they have no common link.
local function last_of(group, joints)
  local leads_to, moved, common = {}, {}, nil
  for _, joint in next, joints do leads_to[joint.child] = joint end
  for _, item in ipairs(group) do
    local joint = item.name == "joint" and joints[item.attributes.name]
    if joint and joint.type ~= "fixed" then moved[joint.child] = path_to(joint.child, leads_to) end
  end
  local passed = {} -- links that lead to others of the group
  for _, path in next, moved do
    for k = 1, #path - 1 do passed[path[k]] = true end
  end
  for link, path in next, moved do
    if not passed[link] then
      local count = common and #common or #path
      while common and count > 0 and common[count] ~= path[count] do count = count - 1 end
      common = table.move(path, 1, count, 1, {})
    end
  end
  for k = #(common or {}), 1, -1 do
    if moved[common[k]] then return common[#common] end
  end
end

--- The link at the end of a group of joints: the tip of its chain, or that of its joints.
local function tip_of(group, joints)
  for _, item in ipairs(group) do
    if item.name == "chain" then return item.attributes.tip_link end
  end
  return last_of(group, joints)
end

local several = { "and", "with", "whole", "arms", "legs", "both", "all" }

--- Words for positions along a body: limbs with them belong to robots with more than two legs.
local along = { "front", "fore", "rear", "hind", "back", "mid", "middle" }

--- The role of the foot of a leg of that name: nil if it is neither the left nor the right one.
local function foot_of(name)
  for _, word in ipairs(along) do
    if names.contains(name, word) then return nil end
  end
  local side = names.side(name)
  return side and side .. "_foot"
end

--- The role of the end of a group of that name: nil if it is not a limb, or several.
local function role_of_group(name)
  local side = names.side(name)
  for _, word in ipairs(several) do
    if names.contains(name, word) then return nil end
  end
  for _, word in ipairs { "arm", "larm", "rarm", "manipulator" } do
    if names.contains(name, word) then return side and side .. "_hand" or "tool" end
  end
  if names.has(name, "leg") then return foot_of(name) end
  if names.has(name, "head") then return "head" end
  return names.contains(name, "torso") and "torso" or nil
end

--- The role of an end effector or a gripper, by the first of these names with a leg or a side.
local function role_of_end(...)
  for _, name in ipairs { ... } do
    local side = names.side(name)
    if names.has(name, "leg") then return foot_of(name) end
    if side then return side .. "_hand" end
  end
  return "tool"
end

--- The values of a named pose, for joints with one variable each, clamped to their ranges.
local function pose_of(state, ranges)
  local joints = {}
  for _, item in ipairs(state) do
    local range, value = ranges[item.attributes.name], tonumber(item.attributes.value)
    if item.name == "joint" and range and value and value == value then
      joints[item.attributes.name] = math.max(range.lower, math.min(range.upper, value))
    end
  end
  return joints
end

--- Store the end of a limb: an exact link has priority, then the group with the shorter name.
local function note(said, role, link, of, exact)
  local before = said.ends[role or ""]
  local stays = before and (before.exact or not exact and #before.of <= #of)
  if not role or not said.links[link or ""] or stays then return end
  said.ends[role] = { link = link, of = of, exact = exact }
end

--- Conversion of each element of an SRDF, by its name.
local elements = {
  group = function(said, item, name)
    note(said, role_of_group(name), tip_of(item, said.joints), "group '" .. name .. "'")
  end,
  end_effector = function(said, item, name)
    local role = role_of_end(name, item.attributes.group or "", item.attributes.parent_link or "")
    note(said, role, item.attributes.parent_link, "end effector '" .. name .. "'")
  end,
  gripper = function(said, item, name) -- of the HPP software: the grasping frame
    local frame = item[1] and item[1].name == "link" and item[1].attributes.name
    note(said, role_of_end(name, frame or ""), frame, "gripper '" .. name .. "'", true)
  end,
  group_state = function(said, item, name)
    local pose = said.poses[name] or {}
    for joint, value in next, pose_of(item, said.ranges) do pose[joint] = value end
    if name ~= "" and next(pose) then said.poses[name] = pose end
  end,
}

--- The contents of a document for a model.
local function take(document, model, path)
  local said = { path = path, ends = {}, poses = {}, links = {}, joints = {}, ranges = {} }
  for _, name in ipairs(model:links()) do said.links[name] = true end
  for _, name in ipairs(model:joints()) do said.joints[name] = model:joint(name) end
  for _, variable in ipairs(model:variables()) do said.ranges[variable.name] = variable end
  for _, item in ipairs(document) do
    local reader = elements[item.name]
    if reader then reader(said, item, item.attributes.name or "") end
  end
  return said
end

--- Read the SRDF beside a URDF, if there is one for this model.
---@param path string of the URDF
---@param model table the robot of brio.robot
---@return { path: string, ends: table<string, { link: string, of: string, exact: boolean? }>, poses: table
--- }? said ends: the links in which limbs end, by role; exact: the SRDF means this very link; poses: by name,
--- joint = value (rad, m)
---@return string[] warnings of files that cannot be read
function srdf.beside(path, model)
  local warnings = {}
  for _, one in ipairs(files_about(path)) do
    local document, why = read(one.path)
    if not document then
      warnings[#warnings + 1] = ("%s is left out: %s"):format(one.name, why)
    elseif document.attributes.name == model:name() then
      return take(document, model, one.path), warnings
    end
  end
  return nil, warnings
end

--- Override guesses by the data of an SRDF: a guessed link on the same rigid body as the SRDF's is kept,
--- unless the SRDF names the exact link.
---@param found table<string, table> roles as brio.robots.guess has them; changed
---@param said table what `beside` returned
---@param body_of fun(link: string): table the rigid body of a link
function srdf.apply(found, said, body_of)
  local file = said.path:match "[^/]*$"
  for _, role in ipairs(suggest.keys(said.ends)) do -- hands before the tool, which is only without them
    local row, guessed = said.ends[role], found[role]
    if role == "tool" and (found.left_hand or found.right_hand) then row = nil end
    local keep = row and guessed and not row.exact and body_of(guessed.link) == body_of(row.link)
    if row then
      local link = keep and guessed.link or row.link
      local other = link ~= row.link and ", which names " .. row.link or ""
      local why = ("the end of %s of %s%s"):format(row.of, file, other)
      found[role] = { link = link, sure = "sure", why = why }
    end
  end
end

return srdf
