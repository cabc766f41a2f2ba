-- A rig of the biped that ships with brio.
return {
  name = "biped",
  model = "../../drivers/robots/biped/model.urdf",
  source = { "chosen by us" },
  rigid = {
    "left_wrist_yaw", "left_wrist_roll", "left_wrist_pitch", "left_grip",
    "right_wrist_yaw", "right_wrist_roll", "right_wrist_pitch", "right_grip",
  },
  home = {
    left_hip_roll = 0.0237, left_hip_pitch = -0.35, left_knee = 0.7, left_ankle_pitch = -0.35,
    left_ankle_roll = -0.0237,
    right_hip_roll = -0.0237, right_hip_pitch = -0.35, right_knee = 0.7, right_ankle_pitch = -0.35,
    right_ankle_roll = 0.0237,
    left_shoulder_pitch = 0.1, left_shoulder_roll = 0.15, left_elbow = -0.4,
    right_shoulder_pitch = 0.1, right_shoulder_roll = -0.15, right_elbow = -0.4,
  },
  pelvis = { link = "pelvis", part = "hips", turn = { 0.8, 0.8, 0.8 } },
  legs = {
    left = { hip = "left_thigh", foot = "left_foot" },
    right = { hip = "right_thigh", foot = "right_foot" },
  },
  feet = {
    left_sole = { { 0.1, 0.045, 0 }, { 0.1, -0.045, 0 }, { -0.1, -0.045, 0 }, { -0.1, 0.045, 0 } },
    right_sole = { { 0.1, 0.045, 0 }, { 0.1, -0.045, 0 }, { -0.1, -0.045, 0 }, { -0.1, 0.045, 0 } },
  },
  -- in physics a robot sways about its motion: its middle keeps away from the edge of its feet
  margin = 0.02,
  joints = {
    neck_yaw = { "head", "yaw" }, neck_pitch = { "head", "pitch" },
    waist_yaw = { "chest", "yaw", to = "hips" }, waist_roll = { "chest", "roll", to = "hips" },
    waist_pitch = { "chest", "pitch", to = "hips", scale = 0.6 },
  },
  limbs = {
    { "left", chest = "torso", shoulder = "left_upper_arm", elbow = "left_forearm", hand = "left_hand" },
    { "right", chest = "torso", shoulder = "right_upper_arm", elbow = "right_forearm", hand = "right_hand" },
  },
}
