--- Description of a robot that has only a URDF: the fields of a robot.lua, guessed, and from an SRDF beside
--- it.
local guess = require "brio.robots.guess"
local srdf = require "brio.robots.srdf"
local suggest = require "brio.lib.suggest"

local bare = {}

--- The roles that behaviors use, in the order of display.
bare.roles = { "head", "gaze", "torso", "pelvis", "left_hand", "right_hand", "tool", "left_foot",
  "right_foot" }

--- Poses of the model (key frames of an MJCF) and of an SRDF in the form of a robot.lua, and the neutral one;
--- and which of them is home: the model's own "home", else the neutral one.
local function poses_of(said, model)
  local poses, home = { neutral = { joints = {} } }, "neutral"
  for _, pose in ipairs(model:poses()) do
    poses[pose.name] = { joints = pose.joints }
    if pose.name == "home" then home = "home" end
  end
  for name, joints in next, said and said.poses or {} do poses[name] = { joints = joints } end
  if next(poses, next(poses)) then return poses, home end
end

local function weak_warnings(guesses, warnings)
  for _, role in ipairs(suggest.keys(guesses)) do
    local one = guesses[role]
    if one.sure == "weak" then
      warnings[#warnings + 1] = ("role '%s': '%s' is a weak guess: %s"):format(role, one.link, one.why)
    end
  end
end

--- A warning about a robot whose left limbs, by their names, are all on its right.
local function crossed_warning(name, guesses, warnings)
  local count, crossed = 0, 0
  for role, one in next, guesses do
    if role:match "^left_" then count, crossed = count + 1, crossed + (one.crossed and 1 or 0) end
  end
  if count == 0 or crossed < count then return end
  warnings[#warnings + 1] = ("'%s' has its left limbs on the right: its x axis seems to point backward, and \z
    brio takes x for ahead, so it looks and reaches the wrong way; a root link turned by half a turn about \z
    z puts that right"):format(name)
end

--- The fields of a robot.lua for a model without one.
---@param path string of the URDF
---@param model table the robot of brio.robot
---@return table data name, roles, parts, poses, home, and guesses: { role = { link, sure, why } }
---@return string[] warnings
function bare.data(path, model)
  local guesses, parts, body_of = guess.structure(model)
  local said, warnings = srdf.beside(path, model)
  if said then srdf.apply(guesses, said, body_of) end
  local roles = {}
  for role, one in next, guesses do roles[role] = one.link end
  crossed_warning(model:name(), guesses, warnings)
  weak_warnings(guesses, warnings)
  local poses, home = poses_of(said, model)
  return { name = model:name(), roles = roles, parts = parts, poses = poses, guesses = guesses,
    home = home }, warnings
end

return bare
