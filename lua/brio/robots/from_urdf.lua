--- Description of a robot that has only a URDF: the fields of a robot.lua, guessed, and from an SRDF beside
--- it.
local guess = require "brio.robots.guess"
local srdf = require "brio.robots.srdf"
local suggest = require "brio.lib.suggest"

local bare = {}

--- The roles that behaviors use, in the order of display.
bare.roles = { "head", "gaze", "torso", "pelvis", "left_hand", "right_hand", "tool", "left_foot",
  "right_foot" }

--- Poses of an SRDF in the form of a robot.lua, and the neutral one, which is home.
local function poses_of(said)
  if not said or not next(said.poses) then return nil end
  local poses = { neutral = { joints = {} } }
  for name, joints in next, said.poses do poses[name] = { joints = joints } end
  return poses
end

local function weak_warnings(guesses, warnings)
  for _, role in ipairs(suggest.keys(guesses)) do
    local one = guesses[role]
    if one.sure == "weak" then
      warnings[#warnings + 1] = ("role '%s': '%s' is a weak guess: %s"):format(role, one.link, one.why)
    end
  end
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
  weak_warnings(guesses, warnings)
  local poses = poses_of(said)
  return { name = model:name(), roles = roles, parts = parts, poses = poses, guesses = guesses,
    home = poses and "neutral" or nil }, warnings
end

return bare
