--- Messages about a role that a robot does not have: how to define it.
local roles = {}

--- The roles that behaviors use.
local known = { head = true, gaze = true, torso = true, chest = true, pelvis = true, tool = true,
  left_hand = true, right_hand = true, left_foot = true, right_foot = true, left_eye = true,
  right_eye = true }

--- How to define a role that the robot lacks, as an addition to a sentence; "" if `name` is not a role, or
--- the robot has it.
---@param description table of robots.find
---@param name string
---@return string
function roles.missing(description, name)
  if not known[name] or description.roles[name] then return "" end
  if description.guesses then
    local text = ". No link was found for the role '%s': `brio robot %s --init FOLDER` writes a robot.lua to "
      .. "name it in"
    return text:format(name, description.file)
  end
  local file = description.file or "its robot.lua"
  return (". To give it the role '%s', add roles = { %s = \"LINK\" } to %s"):format(name, name, file)
end

return roles
