--- What a URDF without a robot.lua leaves open, guessed from the names that vendors use.
local guess = {}

--- Names of links by role, the likeliest first.
local links = {
  { role = "head", names = { "Head", "head", "head_link", "Head_Link", "head_pitch_link", "head_2_link" } },
  { role = "gaze", names = { "gaze", "CameraTop_frame", "head_camera_link", "head_camera", "camera_link",
                             "d435_rgb_module_link" } },
  { role = "torso", names = { "torso", "Torso", "torso_link", "chest", "trunk", "base_torso", "pelvis" } },
  { role = "tool", names = { "tool0", "panda_hand_tcp", "panda_hand", "ee_link", "ur_tool0", "tcp", "tool_link",
                             "iiwa_link_ee", "joint6_flange", "flange", "panda_link8", "gripper_link", "link_ee" } },
  { role = "left_hand", names = { "l_hand", "left_hand", "l_gripper", "left_gripper", "l_wrist", "left_wrist",
                                  "LHand", "l_wrist2", "left_elbow_link" } },
  { role = "right_hand", names = { "r_hand", "right_hand", "r_gripper", "right_gripper", "r_wrist", "right_wrist",
                                   "RHand", "r_wrist2", "right_elbow_link" } },
  { role = "left_foot", names = { "l_sole", "left_foot", "l_foot", "left_ankle_link", "left_toe", "toe_left" } },
  { role = "right_foot", names = { "r_sole", "right_foot", "r_foot", "right_ankle_link", "right_toe", "toe_right" } },
}

--- Roles of a robot's links: { head = "Head", ... }.
---@param names string[] the robot's links
---@return table<string, string>
function guess.roles(names)
  local known, roles = {}, {}
  for _, name in ipairs(names) do known[name] = true end
  for _, entry in ipairs(links) do
    for _, name in ipairs(entry.names) do
      if known[name] and not roles[entry.role] then roles[entry.role] = name end
    end
  end
  return roles
end

--- How fast any point of a robot of which nobody said it may be, m/s: that at which one walks, slowly; and
--- where more than so many kg move, or nobody knows how many, that at which robots are taught by hand (ISO
--- 10218-1, reduced speed).
guess.speeds = { light = 0.5, heavy = 0.25, mass = 10 }

--- The speed at which it comes to that, s.
guess.speeds.within = 0.5

--- The greatest speed of any point of a model of which nobody said one, m/s, and why: words for people.
function guess.point_speed(model)
  local mass, speeds = model:moving_mass(), guess.speeds
  if mass > 0 and mass <= speeds.mass then return speeds.light, ("%.1f kg of it move"):format(mass) end
  return speeds.heavy, mass > 0 and ("%.1f kg of it move"):format(mass) or "its file says no masses"
end

--- The acceleration of a joint of which nothing is known but its greatest speed: full speed within
--- a tenth of a second; without that speed, 20 rad/s^2 or m/s^2.
---@param velocity number? rad/s or m/s
---@return number
function guess.acceleration(velocity)
  if velocity and velocity > 0 and velocity < math.huge then return 10 * velocity end
  return 20
end

return guess
