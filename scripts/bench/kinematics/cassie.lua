--- Cassie's URDF of 14 joints, with rigid springs (knee_to_shin 0, ankle + knee 13 deg), with which ten
--- motors move it: for scripts that make motions of it. Torques cost by what the motors give before their
--- gears. The foot's points are those of DAIRLab's dairlib (cassie_utils).
local robot = require "brio.robot"

local cassie = { scale = {}, limits = { lower = {}, upper = {}, effort = {} }, pose = {},
  points = { { -0.0457, 0.112, 0 }, { 0.088, 0, 0 } } }

--- The joints of a side: gear, greatest torque of the motor, range, angle when it stands.
local joints = {
  { "hip_abduction", 25, 4.5, -0.2618, 0.3927, 0 },
  { "hip_rotation", 25, 4.5, -0.3927, 0.3927, 0 },
  { "hip_flexion", 16, 12.2, -0.8727, 1.3963, 0.4845 },
  { "knee_joint", 16, 12.2, -2.8623, -0.6458, -1.2 },
  { "toe_joint", 50, 0.9, -2.4435, -0.5236, -1.5849 },
}

--- The robot of a file.
function cassie.load(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  for _, side in ipairs { "left", "right" } do
    text = text:gsub(('(<joint name="knee_to_shin_%s" type=")continuous'):format(side), "%1fixed")
    local mimic = ('<mimic joint="knee_joint_%s" multiplier="-1" offset="0.226893"/>'):format(side)
    text = text:gsub(('<child link="%s_tarsus"/>'):format(side), "%0" .. mimic)
  end
  return assert(robot.parse(text, path, { base = "free" }))
end

for _, side in ipairs { "left", "right" } do
  for _, row in ipairs(joints) do
    local name = row[1] .. "_" .. side
    cassie.scale[name], cassie.limits.effort[name], cassie.pose[name] = row[2], row[2] * row[3], row[6]
    cassie.limits.lower[name], cassie.limits.upper[name] = row[4], row[5]
  end
end
cassie.limits.lower.hip_abduction_right, cassie.limits.upper.hip_abduction_right = -0.3927, 0.2618

return cassie
