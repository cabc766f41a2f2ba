-- A rig of Agility Robotics' Cassie, for the URDF of 14 joints (UMich-BipedLab, Cassie_Model). Its springs
-- are rigid: the shin does not move against the knee, and knee and ankle make 13 degrees (0.226893 rad)
-- together.
return {
  name = "cassie",
  source = {
    "ranges, gears and torques: the MJCF of Agility Robotics",
    "points of a foot: cassie_utils of DAIRLab's dairlib",
    "13 degrees: Li, Cummings, Sreenath, \"Animated Cassie\", 2020, equation (1)",
  },
  rigid = { "knee_to_shin_left", "knee_to_shin_right" },
  mimic = {
    ankle_joint_left = { joint = "knee_joint_left", scale = -1, offset = 0.226893 },
    ankle_joint_right = { joint = "knee_joint_right", scale = -1, offset = 0.226893 },
  },
  home = {
    hip_flexion_left = 0.4845, knee_joint_left = -1.2, toe_joint_left = -1.5849,
    hip_flexion_right = 0.4845, knee_joint_right = -1.2, toe_joint_right = -1.5849,
  },
  pelvis = { link = "pelvis", part = "chest", move = { 0.6, 0.6, 1 }, turn = { 0.7, 0.5, 0.7 } },
  legs = {
    left = { hip = "left_thigh", foot = "left_toe" },
    right = { hip = "right_thigh", foot = "right_toe" },
  },
  feet = {
    left_toe = { { -0.0457, 0.112, 0 }, { 0.088, 0, 0 } },
    right_toe = { { -0.0457, 0.112, 0 }, { 0.088, 0, 0 } },
  },
  -- in physics a robot sways about its motion: its middle keeps away from the edge of its feet
  margin = 0.02,
  limits = {
    lower = {
      hip_abduction_left = -0.2618, hip_rotation_left = -0.3927, hip_flexion_left = -0.8727,
      knee_joint_left = -2.8623, toe_joint_left = -2.4435,
      hip_abduction_right = -0.3927, hip_rotation_right = -0.3927, hip_flexion_right = -0.8727,
      knee_joint_right = -2.8623, toe_joint_right = -2.4435,
    },
    upper = {
      hip_abduction_left = 0.3927, hip_rotation_left = 0.3927, hip_flexion_left = 1.3963,
      knee_joint_left = -0.6458, toe_joint_left = -0.5236,
      hip_abduction_right = 0.2618, hip_rotation_right = 0.3927, hip_flexion_right = 1.3963,
      knee_joint_right = -0.6458, toe_joint_right = -0.5236,
    },
    effort = {
      hip_abduction_left = 112.5, hip_rotation_left = 112.5, hip_flexion_left = 195.2,
        knee_joint_left = 195.2,
      toe_joint_left = 45,
      hip_abduction_right = 112.5, hip_rotation_right = 112.5, hip_flexion_right = 195.2,
        knee_joint_right = 195.2,
      toe_joint_right = 45,
    },
  },
  scale = {
    hip_abduction_left = 25, hip_rotation_left = 25, hip_flexion_left = 16, knee_joint_left = 16,
    toe_joint_left = 50,
    hip_abduction_right = 25, hip_rotation_right = 25, hip_flexion_right = 16, knee_joint_right = 16,
    toe_joint_right = 50,
  },
}
