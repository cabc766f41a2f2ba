--- The parts of a robot's body, by people's names: the parts of its file, groups, DOFs, links and roles.
local suggest = require "brio.lib.suggest"

local parts = {}

--- The nearest joint variable above a link that moves it; nil if there is none.
function parts.carrier(robot, link)
  local at = robot:link(link)
  while at.joint do
    local variables = robot:joint(at.joint).variables
    if #variables > 0 then return variables[#variables] end
    at = robot:link(at.parent)
  end
end

--- The DOFs of a joint of the model.
local function variables_of(robot, joint)
  for _, name in ipairs(robot:joints()) do
    if name == joint then return robot:joint(joint).variables end
  end
end

--- Make the index of a robot's description, for fast searches.
function parts.index(description)
  local index = { parts = {}, links = {}, names = {}, description = description }
  local function add(name, dofs)
    if index.parts[name] == nil and #dofs > 0 then
      index.parts[name] = dofs
      index.names[#index.names + 1] = name
    end
  end
  for _, name in ipairs(suggest.keys(description.parts or {})) do add(name, description.parts[name]) end
  local groups, all = {}, {}
  for _, dof in ipairs(description.dofs) do
    all[#all + 1] = dof.name
    if dof.group then
      groups[dof.group] = groups[dof.group] or {}
      table.insert(groups[dof.group], dof.name)
    end
  end
  for _, name in ipairs(suggest.keys(groups)) do add(name, groups[name]) end
  for _, dof in ipairs(description.dofs) do add(dof.name, { dof.name }) end
  for _, link in ipairs(description.robot:links()) do
    index.links[link] = parts.carrier(description.robot, link)
    add(link, { index.links[link] })
  end
  for _, role in ipairs(suggest.keys(description.roles or {})) do
    add(role, { index.links[description.roles[role]] })
  end
  add("all", all)
  return index
end

--- The DOFs of a name, a list; nil and a sentence if there are none.
function parts.find(index, name)
  local found = index.parts[name]
  if found then return found end
  local own = suggest.keys(index.description.parts or {})
  return nil, ("the robot has no part '%s'%s%s"):format(tostring(name),
    suggest.hint(tostring(name), index.names),
    #own > 0 and ": it has " .. table.concat(own, ", ") or "")
end

--- The DOFs of an objective: a list of those that carry its link, or of its joint; empty for an objective of
--- the whole robot.
function parts.of_objective(index, args)
  local list = {}
  local function add(dof) list[#list + 1] = dof end
  for _, key in ipairs(args.link and { "link" } or { "link1", "link2" }) do
    add(index.links[args[key] or false])
  end
  for _, key in ipairs { "joint", "joint1", "joint2" } do
    for _, dof in ipairs(args[key] and variables_of(index.description.robot, args[key]) or {}) do add(dof) end
  end
  return list
end

return parts
