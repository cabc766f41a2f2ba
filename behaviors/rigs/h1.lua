-- A rig of Unitree's H1, for its URDF of 19 joints. It has no waist but for turning, so its pelvis leans as a
-- person's chest does. Its ankles do not roll and its soles are 26 mm wide:
-- they are taken for lines.
return {
  name = "h1",
  source = { "points of the feet: the boxes under its ankles; home and shares: chosen by us" },
  home = {
    left_hip_pitch_joint = -0.35, left_knee_joint = 0.7, left_ankle_joint = -0.35,
    right_hip_pitch_joint = -0.35, right_knee_joint = 0.7, right_ankle_joint = -0.35,
    left_shoulder_roll_joint = 0.2, right_shoulder_roll_joint = -0.2,
    left_elbow_joint = 0.5, right_elbow_joint = 0.5,
  },
  pelvis = { link = "pelvis", part = "chest", move = { 0.5, 0.5, 0.8 }, turn = { 0.3, 0.4, 0.3 } },
  legs = {
    left = { hip = "left_hip_pitch_link", foot = "left_ankle_link" },
    right = { hip = "right_hip_pitch_link", foot = "right_ankle_link" },
  },
  -- the middle lines of its soles
  feet = {
    left_ankle_link = { { 0.18, 0, -0.062 }, { -0.08, 0, -0.062 } },
    right_ankle_link = { { 0.18, 0, -0.062 }, { -0.08, 0, -0.062 } },
  },
  -- in physics a robot sways about its motion: its middle keeps away from the edge of its feet
  margin = 0.02,
  joints = {
    torso_joint = { "chest", "yaw", to = "hips", scale = 0.8 },
    left_elbow_joint = { "left_elbow", "bend", scale = -1, offset = 1.5708 },
    right_elbow_joint = { "right_elbow", "bend", scale = -1, offset = 1.5708 },
  },
  -- its upper arms are as much longer than a person's
  reach = {
    { "left_elbow", link = "left_elbow_link", at = { 0, 0, 0.43 }, scale = 1.15 },
    { "right_elbow", link = "right_elbow_link", at = { 0, 0, 0.43 }, scale = 1.15 },
  },
}
