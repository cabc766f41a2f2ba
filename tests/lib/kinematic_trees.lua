--- Small URDFs with the structure and the names of published robots, for tests of what is guessed from them.
--- Each row is `parent link joint x y z`: the position of the link in its parent at neutral, m, and the joint
--- that moves it; "-": no joint. A joint that ends in "!" is prismatic, one in "*" mimics another. A row with
--- SIDE or a capital S alone stands for both sides: SIDE is left and right, S is l and r, T is L and R, and y
--- is mirrored.
local trees = {}

trees.g1 = [[
  pelvis SIDE_hip_pitch_link SIDE_hip_pitch_joint 0 0.06 -0.1
  SIDE_hip_pitch_link SIDE_hip_roll_link SIDE_hip_roll_joint 0 0.05 -0.03
  SIDE_hip_roll_link SIDE_hip_yaw_link SIDE_hip_yaw_joint 0.02 0 -0.12
  SIDE_hip_yaw_link SIDE_knee_link SIDE_knee_joint -0.08 0 -0.18
  SIDE_knee_link SIDE_ankle_pitch_link SIDE_ankle_pitch_joint 0 0 -0.3
  SIDE_ankle_pitch_link SIDE_ankle_roll_link SIDE_ankle_roll_joint 0 0 -0.02
  pelvis waist_yaw_link waist_yaw_joint 0 0 0
  waist_yaw_link waist_roll_link waist_roll_joint 0 0 0.04
  waist_roll_link torso_link waist_pitch_joint 0 0 0
  torso_link head_link - 0 0 0.4
  torso_link d435_link - 0.06 0.02 0.43
  torso_link imu_in_torso - 0 0 0.1
  torso_link SIDE_shoulder_pitch_link SIDE_shoulder_pitch_joint 0 0.1 0.25
  SIDE_shoulder_pitch_link SIDE_shoulder_roll_link SIDE_shoulder_roll_joint 0 0.04 0
  SIDE_shoulder_roll_link SIDE_shoulder_yaw_link SIDE_shoulder_yaw_joint 0 0 -0.1
  SIDE_shoulder_yaw_link SIDE_elbow_link SIDE_elbow_joint 0.02 0 -0.08
  SIDE_elbow_link SIDE_wrist_roll_link SIDE_wrist_roll_joint 0.1 0 -0.01
  SIDE_wrist_roll_link SIDE_wrist_pitch_link SIDE_wrist_pitch_joint 0.04 0 0
  SIDE_wrist_pitch_link SIDE_wrist_yaw_link SIDE_wrist_yaw_joint 0.05 0 0
  SIDE_wrist_yaw_link SIDE_rubber_hand - 0.04 0 0]]

trees.h1_2 = [[
  pelvis SIDE_hip_yaw_link SIDE_hip_yaw_joint 0 0.09 -0.16
  SIDE_hip_yaw_link SIDE_hip_pitch_link SIDE_hip_pitch_joint 0 0.06 0
  SIDE_hip_pitch_link SIDE_hip_roll_link SIDE_hip_roll_joint 0 0 0
  SIDE_hip_roll_link SIDE_knee_link SIDE_knee_joint 0 0 -0.4
  SIDE_knee_link SIDE_ankle_pitch_link SIDE_ankle_pitch_joint 0 0 -0.4
  SIDE_ankle_pitch_link SIDE_ankle_roll_link SIDE_ankle_roll_joint 0 0 -0.02
  pelvis torso_link torso_joint 0 0 0
  torso_link camera_link - 0.1 0.01 0.69
  torso_link logo_link - 0 0 0.3
  torso_link SIDE_shoulder_pitch_link SIDE_shoulder_pitch_joint 0 0.15 0.42
  SIDE_shoulder_pitch_link SIDE_shoulder_roll_link SIDE_shoulder_roll_joint 0 0.07 0
  SIDE_shoulder_roll_link SIDE_shoulder_yaw_link SIDE_shoulder_yaw_joint 0 0 -0.14
  SIDE_shoulder_yaw_link SIDE_elbow_link SIDE_elbow_joint 0 0 -0.2
  SIDE_elbow_link SIDE_wrist_roll_link SIDE_wrist_roll_joint 0.13 0 0
  SIDE_wrist_roll_link SIDE_wrist_pitch_link SIDE_wrist_pitch_joint 0.15 0 0
  SIDE_wrist_pitch_link SIDE_wrist_yaw_link SIDE_wrist_yaw_joint 0 0 0]]

trees.pr2 = [[
  base_footprint base_link - 0 0 0.05
  base_link fl_caster_rotation_link fl_caster_rotation_joint 0.22 0.22 0.03
  fl_caster_rotation_link fl_caster_l_wheel_link fl_caster_l_wheel_joint 0 0.05 0
  fl_caster_rotation_link fl_caster_r_wheel_link fl_caster_r_wheel_joint 0 -0.05 0
  base_link torso_lift_link torso_lift_joint! -0.05 0 0.74
  torso_lift_link head_pan_link head_pan_joint -0.02 0 0.38
  head_pan_link head_tilt_link head_tilt_joint 0.07 0 0
  head_tilt_link wide_stereo_link - 0.04 0 0.07
  torso_lift_link laser_tilt_mount_link laser_tilt_mount_joint 0.1 0 0.23
  torso_lift_link S_shoulder_pan_link S_shoulder_pan_joint 0 0.19 0
  S_shoulder_pan_link S_shoulder_lift_link S_shoulder_lift_joint 0.1 0 0
  S_shoulder_lift_link S_upper_arm_roll_link S_upper_arm_roll_joint 0 0 0
  S_upper_arm_roll_link S_upper_arm_link - 0 0 0
  S_upper_arm_link S_elbow_flex_link S_elbow_flex_joint 0.4 0 0
  S_elbow_flex_link S_forearm_roll_link S_forearm_roll_joint 0 0 0
  S_forearm_roll_link S_forearm_link - 0 0 0
  S_forearm_link S_wrist_flex_link S_wrist_flex_joint 0.32 0 0
  S_wrist_flex_link S_wrist_roll_link S_wrist_roll_joint 0 0 0
  S_wrist_roll_link S_gripper_palm_link - 0 0 0
  S_gripper_palm_link S_gripper_led_frame - 0.05 0 0.02
  S_gripper_palm_link S_gripper_l_finger_link S_gripper_l_finger_joint 0.08 0.01 0
  S_gripper_l_finger_link S_gripper_l_finger_tip_link S_gripper_l_finger_tip_joint* 0.09 0 0
  S_gripper_palm_link S_gripper_r_finger_link S_gripper_r_finger_joint* 0.08 -0.01 0]]

trees.valkyrie = [[
  pelvis SIDEHipYawLink SIDEHipYaw 0 0.1 -0.03
  SIDEHipYawLink SIDEHipRollLink SIDEHipRoll 0 0 0
  SIDEHipRollLink SIDEHipPitchLink SIDEHipPitch 0 0 -0.06
  SIDEHipPitchLink SIDEKneePitchLink SIDEKneePitch 0.1 0 -0.4
  SIDEKneePitchLink SIDEAnklePitchLink SIDEAnklePitch -0.07 0 -0.4
  SIDEAnklePitchLink SIDEFoot SIDEAnkleRoll 0 0 0
  SIDEFoot SIDECOP_Frame - 0.03 0 -0.07
  pelvis torsoYawLink torsoYaw 0 0 0
  torsoYawLink torsoPitchLink torsoPitch 0.04 0 0
  torsoPitchLink torso torsoRoll 0 0 0.05
  torso SIDEHazardCamera_Frame - 0.1 0.05 0.2
  torso lowerNeckPitchLink lowerNeckPitch 0.03 0 0.3
  lowerNeckPitchLink neckYawLink neckYaw 0 0 0
  neckYawLink upperNeckPitchLink upperNeckPitch 0 0 0.1
  upperNeckPitchLink head - 0 0 0.05
  head SIDE_camera_frame - 0.1 0.035 0
  torso SIDEShoulderPitchLink SIDEShoulderPitch 0 0 0.25
  SIDEShoulderPitchLink SIDEShoulderRollLink SIDEShoulderRoll 0 0.25 0
  SIDEShoulderRollLink SIDEShoulderYawLink SIDEShoulderYaw 0 0 0
  SIDEShoulderYawLink SIDEElbowPitchLink SIDEElbowPitch 0 0.33 0
  SIDEElbowPitchLink SIDEForearmLink SIDEForearmYaw 0 0 0
  SIDEForearmLink SIDEWristRollLink SIDEWristRoll 0 0.29 0
  SIDEWristRollLink SIDEPalm SIDEWristPitch 0 0 0
  SIDEPalm SIDEThumbRollLink SIDEThumbRoll 0 0.02 0.03
  SIDEThumbRollLink SIDEThumbPitch1Link SIDEThumbPitch1 0 0.03 0
  SIDEPalm SIDEIndexFingerPitch1Link SIDEIndexFingerPitch1 0 0.09 0.03
  SIDEPalm SIDEMiddleFingerPitch1Link SIDEMiddleFingerPitch1 0 0.09 0]]

trees.talos = [[
  base_link torso_1_link torso_1_joint 0 0 0.07
  torso_1_link torso_2_link torso_2_joint 0 0 0
  torso_2_link head_1_link head_1_joint -0.02 0 0.32
  head_1_link head_2_link head_2_joint 0 0 0
  head_2_link rgbd_link - 0.07 0 0.11
  rgbd_link rgbd_optical_frame - 0 0 0
  torso_2_link arm_SIDE_1_link arm_SIDE_1_joint 0 0.16 0.23
  arm_SIDE_1_link arm_SIDE_2_link arm_SIDE_2_joint 0 0 0
  arm_SIDE_2_link arm_SIDE_3_link arm_SIDE_3_joint 0 0 0
  arm_SIDE_3_link arm_SIDE_4_link arm_SIDE_4_joint 0.02 0 -0.27
  arm_SIDE_4_link arm_SIDE_5_link arm_SIDE_5_joint -0.02 0 -0.26
  arm_SIDE_5_link arm_SIDE_6_link arm_SIDE_6_joint 0 0 0
  arm_SIDE_6_link arm_SIDE_7_link arm_SIDE_7_joint 0 0 0
  arm_SIDE_7_link wrist_SIDE_ft_link - 0 0 -0.05
  wrist_SIDE_ft_link gripper_SIDE_base_link - 0 0 -0.02
  gripper_SIDE_base_link gripper_SIDE_motor_double_link gripper_SIDE_joint 0 0.02 -0.03
  gripper_SIDE_base_link gripper_SIDE_fingertip_1_link - 0 0 -0.11
  base_link leg_SIDE_1_link leg_SIDE_1_joint -0.02 0.08 -0.27
  leg_SIDE_1_link leg_SIDE_2_link leg_SIDE_2_joint 0 0 0
  leg_SIDE_2_link leg_SIDE_3_link leg_SIDE_3_joint 0 0 0
  leg_SIDE_3_link leg_SIDE_4_link leg_SIDE_4_joint 0 0 -0.38
  leg_SIDE_4_link leg_SIDE_5_link leg_SIDE_5_joint 0 0 -0.32
  leg_SIDE_5_link leg_SIDE_6_link leg_SIDE_6_joint 0 0 0
  leg_SIDE_6_link SIDE_sole_link - 0 0 -0.1]]

trees.tiago = [[
  base_footprint base_link - 0 0 0.1
  base_link wheel_SIDE_link wheel_SIDE_joint 0 0.2 0
  base_link torso_fixed_link - -0.06 0 0.19
  torso_fixed_link torso_lift_link torso_lift_joint! 0 0 0.6
  torso_lift_link head_1_link head_1_joint 0.18 0 0
  head_1_link head_2_link head_2_joint 0 0 0.1
  head_2_link xtion_rgb_frame - 0.1 0.05 0
  torso_lift_link arm_1_link arm_1_joint 0.15 0 -0.15
  arm_1_link arm_2_link arm_2_joint 0.12 0 0
  arm_2_link arm_3_link arm_3_joint 0.09 0 0
  arm_3_link arm_4_link arm_4_joint 0 0 -0.31
  arm_4_link arm_5_link arm_5_joint 0 0 -0.31
  arm_5_link arm_6_link arm_6_joint 0 0 0
  arm_6_link arm_7_link arm_7_joint 0 0 0
  arm_7_link arm_tool_link - 0 0 0.04
  arm_tool_link gripper_link - 0 0 0.04
  gripper_link gripper_SIDE_finger_link gripper_SIDE_finger_joint! 0 0.02 0.1
  gripper_link gripper_grasping_frame - 0 0 0.12]]

trees.atlas = [[
  pelvis ltorso back_bkz -0.01 0 0.16
  ltorso mtorso back_bky 0 0 0.16
  mtorso utorso back_bkx 0 0 0.05
  utorso head neck_ay 0.2 0 0.44
  utorso S_clav S_arm_shz 0.14 0.22 0.32
  S_clav S_scap S_arm_shx 0 0.11 -0.04
  S_scap S_uarm S_arm_ely 0 0.18 0.01
  S_uarm S_larm S_arm_elx 0 0.11 0.01
  S_larm S_ufarm S_arm_uwy 0 0.19 -0.01
  S_ufarm S_lfarm S_arm_mwx 0 0.11 0.01
  S_lfarm S_hand S_arm_lwy 0 0 0
  pelvis S_uglut S_leg_hpz 0 0.09 0
  S_uglut S_lglut S_leg_hpx 0 0 0
  S_lglut S_uleg S_leg_hpy 0.05 0.02 -0.07
  S_uleg S_lleg S_leg_kny -0.05 0 -0.37
  S_lleg S_talus S_leg_aky 0 0 -0.42
  S_talus S_foot S_leg_akx 0 0 0]]

trees.arm = [[
  base link_1 j1 0 0 0.3
  link_1 link_2 j2 0 0 0.1
  link_2 link_3 j3 0.3 0 0
  link_3 link_4 j4 0.2 0 0
  link_4 link_5 j5 0.1 0 0]]

trees.quadruped = [[
  trunk FT_hip FT_hip_joint 0.2 0.05 0
  FT_hip FT_thigh FT_thigh_joint 0 0.08 0
  FT_thigh FT_calf FT_calf_joint 0 0 -0.2
  FT_calf FT_foot - 0 0 -0.2
  trunk RT_hip RT_hip_joint -0.2 0.05 0
  RT_hip RT_thigh RT_thigh_joint 0 0.08 0
  RT_thigh RT_calf RT_calf_joint 0 0 -0.2
  RT_calf RT_foot - 0 0 -0.2]]

local letters = {
  left = { SIDE = "left", S = "l", T = "L", sign = 1 }, right = { SIDE = "right", S = "r", T = "R",
    sign = -1 },
}

--- A row of one side: the capital letters that stand for sides are replaced.
local function on_side(row, side)
  local with = letters[side]
  local made = row:gsub("SIDE", with.SIDE):gsub("%f[%w]S_", with.S .. "_")
  return made:gsub("%f[%w]([FR])T_", "%1" .. with.T .. "_"), with.sign
end

local inertial = [[<inertial><mass value="1"/>
    <inertia ixx="1e-2" iyy="1e-2" izz="1e-2" ixy="0" ixz="0" iyz="0"/></inertial>]]

local moves = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="9"/>'

--- The link and the joint of a row; `first`: the joint that the next one with a "*" mimics, which is also
--- returned.
local function element(row, sign, first)
  local parent, link, joint, x, y, z = row:match "(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)"
  local name, mark = joint:match "^([^!*]*)([!*]?)$"
  local fixed = name == "-"
  local kind = fixed and "fixed" or mark == "!" and "prismatic" or "revolute"
  local follows = mark == "*" and ('<mimic joint="%s"/>'):format(first) or ""
  local own = ('  <link name="%s">%s</link>\n'):format(link, inertial)
  local begin = ('  <joint name="%s" type="%s"><parent link="%s"/><child link="%s"/>'):format(
    fixed and "fix_" .. link or name, kind, parent, link)
  local place = ('<origin xyz="%s %g %s"/>'):format(x, sign * tonumber(y), z)
  local text = own .. begin .. place .. (fixed and "" or moves) .. follows .. "</joint>\n"
  return text, fixed and first or mark == "" and name or first
end

--- The text of a URDF with the structure of a robot of this file.
---@param name string
---@return string
function trees.urdf(name)
  local root, parts, last = trees[name]:match "(%S+)", {}, nil
  for line in trees[name]:gmatch "[^\n]+" do
    local both = on_side(line, "left") ~= line
    for _, side in ipairs(both and { "left", "right" } or { "left" }) do
      local row, sign = on_side(line, side)
      parts[#parts + 1], last = element(row, both and sign or 1, last)
    end
  end
  return ('<robot name="%s">\n  <link name="%s"/>\n%s</robot>\n'):format(name, root, table.concat(parts))
end

return trees
