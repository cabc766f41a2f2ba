--- Masks: the DOFs that playback of a sequence may move, by their names and those of their groups.
local suggest = require "brio.lib.suggest"

local mask = {}

--- The numbers of the DOFs for a name, a DOF's or a group's; nil and a sentence.
function mask.dofs(description, name)
  local list, names = {}, {}
  for index, dof in ipairs(description.dofs) do
    if dof.name == name or dof.group == name then list[#list + 1] = index end
    names[#names + 1] = dof.name
    names[#names + 1] = dof.group
  end
  if #list > 0 then return list end
  return nil, ("there is no DOF or group '%s'%s"):format(name, suggest.hint(name, names))
end

--- The numbers of the DOFs that a mask, a name or a list of names, excludes: all but those it names. Raises
--- if it is invalid.
function mask.others(description, said)
  local free, others = {}, {}
  local names = type(said) == "string" and { said } or said
  if #names == 0 then error("a mask names at least one DOF or group", 0) end
  for index, name in ipairs(names) do
    if type(name) ~= "string" then
      error(("a mask is a list of names of DOFs and groups: item %d is a %s"):format(index, type(name)), 0)
    end
    local list, why = mask.dofs(description, name)
    if not list then error("a mask: " .. why, 0) end
    for _, number in ipairs(list) do free[number] = true end
  end
  for number = 1, #description.dofs do
    if not free[number] then others[#others + 1] = number end
  end
  return others
end

return mask
