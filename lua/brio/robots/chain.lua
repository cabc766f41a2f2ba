--- The joints between two links of a robot, and what moves them.
local chain = {}

--- The joints that move, from a link up to `from` (nil: to the root), the nearest first.
---@param model table a model of brio.robot
---@param link string
---@param from? string a link that carries it
---@return table[] of {name, type, parent, child, axis, variables}, as robot:joint returns them
function chain.joints(model, link, from)
  local list = {}
  while link and link ~= from do
    local at = model:link(link)
    local joint = at.joint and model:joint(at.joint)
    if joint and #joint.variables > 0 then list[#list + 1] = joint end
    link = at.parent
  end
  return list
end

--- The names of the variables that move a link against `from` (nil: against the root), the nearest first.
---@return string[]
function chain.variables(model, link, from)
  local list = {}
  for _, joint in ipairs(chain.joints(model, link, from)) do
    for _, name in ipairs(joint.variables) do list[#list + 1] = name end
  end
  return list
end

--- The first name that two lists share; nil: none.
---@return string?
function chain.common(one, other)
  local has = {}
  for _, name in ipairs(one) do has[name] = true end
  for _, name in ipairs(other) do
    if has[name] then return name end
  end
end

return chain
