--- Unreadable meshes of a model: one warning for all of them, with the parts of the robot that have no shape.
local meshes = {}

--- Maximum number of parts that are named; more are counted.
local named = 12

--- Warnings of the readers of models about meshes (engine/robot/formats/draft_mesh.c): the link (MJCF: the
--- body), the mesh, and the reason.
local pattern = " of %a+ '([^']-)': mesh '(.-)' is left out: (.*)$"

--- The parts of a robot without a shape for collision avoidance: links with a mass, or with a missing mesh.
local function shapeless(model, missing)
  local has, list = {}, {}
  for _, shape in ipairs(model:collisions()) do has[shape.link] = true end
  for _, one in ipairs(missing) do has[one.link] = has[one.link] or false end
  for _, name in ipairs(model:links()) do
    if has[name] == false or has[name] == nil and model:link(name).mass > 0 then list[#list + 1] = name end
  end
  return list
end

local function words(list)
  local first = table.concat(list, ", ", 1, math.min(#list, named))
  return #list > named and ("%s and %d more"):format(first, #list - named) or first
end

--- How to make a mesh available: in a folder of packages, or beside the file.
local function advice(missing)
  local package = missing[1].mesh:match "^package://([^/]+)"
  if not package then return missing[1].why end
  return ("--packages DIR says where the folder of package '%s' is"):format(package)
end

local function sentence(model, missing)
  local without = shapeless(model, missing)
  local one = missing[1]
  local begin = ("the mesh '%s' of link '%s' cannot be read"):format(one.mesh, one.link)
  if #missing > 1 then
    begin = ("%d meshes cannot be read, such as '%s' of link '%s'"):format(#missing, one.mesh, one.link)
  end
  local effect = #without == 0 and "every part has another shape for collision"
    or ("parts without a shape are not kept from collision (%d): %s"):format(#without, words(without))
  return ("%s (%s); %s"):format(begin, advice(missing), effect)
end

--- Replace the warnings of meshes by one.
---@param model table a robot of brio.robot
---@return string[] warnings
---@return { link: string, mesh: string, why: string }[] missing
function meshes.gather(model)
  local warnings, missing, place = {}, {}, nil
  for _, warning in ipairs(model:warnings()) do
    local link, mesh, why = warning:match(pattern)
    if link then
      missing[#missing + 1] = { link = link, mesh = mesh, why = why }
      place = place or #warnings + 1
    else
      warnings[#warnings + 1] = warning
    end
  end
  if place then table.insert(warnings, place, sentence(model, missing)) end
  return warnings, missing
end

return meshes
