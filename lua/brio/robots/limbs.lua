--- The limbs of a robot, for leaves of trees: the joints of an arm, and the link that is its hand.
---
--- A limb is found by the parts and roles in the robot's file (docs/devices/robots.md), so a tree names
--- "left" and works on any robot with a left arm.
local parts = require "brio.robots.parts"
local missing_role = require("brio.robots.roles").missing
local suggest = require "brio.lib.suggest"

local limbs = {}

--- The names for a kind of limb: parts and roles in the order of the search; `SIDE_` is replaced by the side,
--- for robots with two, or by nothing.
limbs.kinds = {
  arm = { sided = true, parts = { "SIDE_arm" }, roles = { "SIDE_hand", "tool" },
    lone = { "tool", "right_hand", "left_hand", "hand" } },
  leg = { sided = true, parts = { "SIDE_leg" }, roles = { "SIDE_foot" }, lone = { "foot" } },
  spine = { parts = { "spine", "torso", "trunk", "waist", "body" }, roles = { "chest", "torso", "spine" } },
  neck = { parts = { "neck", "head" }, roles = { "head", "neck" } },
  pelvis = { parts = { "pelvis", "legs", "spine", "torso", "trunk", "body" }, roles = { "pelvis", "hip" },
    links = { "pelvis", "Pelvis", "hip", "Hip", "base_link" } },
}

--- The variables that move a link, from the root to it.
function limbs.chain(robot, link)
  local names, at = {}, robot:link(link)
  while at.joint do
    local joint = robot:joint(at.joint)
    for _, name in ipairs(joint.mimic and {} or joint.variables) do table.insert(names, 1, name) end
    at = robot:link(at.parent)
  end
  return names
end

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

--- The name of the root link.
function limbs.root(robot) return robot:links()[1] end

--- The sides on which a robot has limbs of a kind: a list.
local function sides_of(description, kind)
  local sides = {}
  for _, side in ipairs { "left", "right" } do
    for _, form in ipairs(kind.parts) do
      if (description.parts or {})[(form:gsub("SIDE", side))] then sides[#sides + 1] = side break end
    end
  end
  return sides
end

--- The names to try for a kind, on a side.
local function words(list, side)
  local made = {}
  for _, form in ipairs(list or {}) do
    if side then made[#made + 1] = (form:gsub("SIDE", side)) end
    if not side then made[#made + 1] = (form:gsub("SIDE_", "")) end
  end
  return made
end

local function first_of(map, names)
  for _, name in ipairs(names) do
    if map and map[name] then return map[name], name end
  end
end

--- The link for a name of a link or role; nil and a sentence.
function limbs.link(description, name)
  local link = description.roles[name]
  if link then return link end
  local links = description.robot:links()
  if suggest.contains(links, name) then return name end
  return nil, ("the robot %s has no link or role '%s'%s%s"):format(description.name, tostring(name),
    suggest.hint(tostring(name), links), missing_role(description, name))
end

--- The end of a form's limb, or the robot file's default.
local function end_of(description, kind, form, side)
  if form.link then return limbs.link(description, form.link) end
  local roles = words(kind.roles, side)
  if not side and kind.lone then roles = kind.lone end
  local link = first_of(description.roles, roles)
  if link then return link end
  for _, name in ipairs(kind.links or {}) do
    if suggest.contains(description.robot:links(), name) then return name end
  end
  return nil
end

--- The joints that move `link` but no link with another role elsewhere: for robots without parts.
local function own_chain(description, link)
  local shared = {}
  for _, role in ipairs(suggest.keys(description.roles)) do
    local other = description.roles[role]
    local chain = limbs.chain(description.robot, other)
    local inside = set_of(limbs.chain(description.robot, link))
    if other ~= link and (#chain == 0 or not inside[chain[#chain]]) then
      for _, name in ipairs(chain) do shared[name] = true end
    end
  end
  local own = {}
  for _, name in ipairs(limbs.chain(description.robot, link)) do
    if not shared[name] then own[#own + 1] = name end
  end
  return own
end

--- The joints among `names`, without grips, that move `link` if it is given.
local function joints_of(description, names, link)
  local wanted, moves, list = set_of(names), link and set_of(limbs.chain(description.robot, link)), {}
  for _, dof in ipairs(description.dofs) do
    local joint = wanted[dof.name] and not dof.outside and not dof.grip
    if joint and (not moves or moves[dof.name]) then list[#list + 1] = dof.name end
  end
  return list
end

local function list_words(names) return #names > 0 and table.concat(names, ", ") or "none" end

--- The side that a form means; nil and a sentence if the robot has no such limb.
local function side_of(description, name, kind, form)
  if not kind.sided then return nil end
  local sides = sides_of(description, kind)
  if #sides == 0 then
    if form.side == nil or form.side == "right" or form.part then return nil end
    return nil, ("the robot %s has no %s %s: it has one %s"):format(description.name, form.side, name, name)
  end
  if form.side and suggest.contains(sides, form.side) then return form.side end
  if form.part then return nil end
  if form.side then
    return nil, ("the robot %s has no %s %s%s: it has %s"):format(description.name, form.side, name,
      suggest.hint(form.side, sides), list_words(sides))
  end
  if #sides == 1 then return sides[1] end
  return nil, ("which %s? The robot %s has %s: say side"):format(name, description.name, list_words(sides))
end

--- Whether one of these joints moves a link.
local function carries(description, dofs, link)
  local moves = link and set_of(limbs.chain(description.robot, link)) or {}
  for _, name in ipairs(dofs) do
    if moves[name] then return true end
  end
  return false
end

--- The limb that a form means: {name, side, dofs = list of names, link = its end, if it has one}; nil and a
--- sentence.
function limbs.find(description, name, form)
  local kind = limbs.kinds[name]
  local side, why = side_of(description, name, kind, form)
  if why then return nil, why end
  local link, sentence = end_of(description, kind, form, side)
  if sentence then return nil, sentence end
  local named, part
  if form.part then
    named, why = parts.find(parts.index(description), form.part)
    if not named then return nil, why end
    part = form.part
  else
    named, part = first_of(description.parts, words(kind.parts, side))
  end
  if not named and link then named = own_chain(description, link) end
  local dofs = joints_of(description, named or {}, not form.part and link or nil)
  if form.part and not form.link and not carries(description, dofs, link) then link = nil end
  -- legs are attached to it
  if #dofs == 0 and name == "pelvis" and link and description.base ~= "fixed" and not form.part then
    return { name = name, dofs = {}, link = link, base = true }
  end
  if #dofs == 0 and part and link and not form.link then -- its end is another link
    link, dofs = nil, joints_of(description, named)
  end
  if #dofs == 0 and name == "pelvis" and description.base ~= "fixed" then
    return { name = name, dofs = {}, link = link or limbs.root(description.robot), base = true }
  end
  if #dofs == 0 then
    local has, role = list_words(suggest.keys(description.parts or {})), words(kind.roles, side)[1]
    return nil, ("the robot %s has no %s%s that can be moved: its file has parts %s%s"):format(
      description.name, side and side .. " " or "", name, has, missing_role(description, role))
  end
  return { name = name, side = side, dofs = dofs, link = link, part = part }
end

--- Values of several joints as a list, in the limb's order, or by name: {name = value}, or nil and a
--- sentence.
function limbs.values(description, limb, said, what)
  local values, known = {}, {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  if #said > 0 then
    if #said ~= #limb.dofs then
      return nil, ("%s: %d values, but the %s has %d joints: %s"):format(what, #said, limb.name, #limb.dofs,
        list_words(limb.dofs))
    end
    for index, name in ipairs(limb.dofs) do values[name] = said[index] end
  else
    for _, name in ipairs(suggest.keys(said)) do
      if not suggest.contains(limb.dofs, name) then
        return nil, ("%s: the %s has no joint '%s'%s: it has %s"):format(what, limb.name, tostring(name),
          suggest.hint(tostring(name), limb.dofs), list_words(limb.dofs))
      end
      values[name] = said[name]
    end
  end
  for _, name in ipairs(suggest.keys(values)) do
    local value, dof = values[name], known[name]
    if type(value) ~= "number" or value ~= value then
      return nil, ("%s: %s must be a number"):format(what, name)
    end
    if value < dof.lower - 1e-6 or value > dof.upper + 1e-6 then
      return nil, ("%s: %s goes from %.4g to %.4g %s, not to %.4g"):format(what, name, dof.lower, dof.upper,
        dof.unit, value)
    end
  end
  return values
end

return limbs
