-- Unitree's H1 on torques: it stands on a free base in physics. The model is that of Unitree Robotics
-- (BSD-3), which brio does not ship; stiffness, damping and contacts are chosen by us.
return {
  name = "h1",
  title = "Unitree H1",
  model = "../../../../../shared/data/robots/h1/h1.urdf",
  base = "free",
  groups = { "legs", "ankles", "torso", "arms" },
  dofs = {
    { name = "left_hip_yaw_joint", group = "legs" },
    { name = "left_hip_roll_joint", group = "legs" },
    { name = "left_hip_pitch_joint", group = "legs" },
    { name = "left_knee_joint", group = "legs" },
    { name = "left_ankle_joint", group = "ankles" },
    { name = "right_hip_yaw_joint", group = "legs" },
    { name = "right_hip_roll_joint", group = "legs" },
    { name = "right_hip_pitch_joint", group = "legs" },
    { name = "right_knee_joint", group = "legs" },
    { name = "right_ankle_joint", group = "ankles" },
    { name = "torso_joint", group = "torso" },
    { name = "left_shoulder_pitch_joint", group = "arms" },
    { name = "left_shoulder_roll_joint", group = "arms" },
    { name = "left_shoulder_yaw_joint", group = "arms" },
    { name = "left_elbow_joint", group = "arms" },
    { name = "right_shoulder_pitch_joint", group = "arms" },
    { name = "right_shoulder_roll_joint", group = "arms" },
    { name = "right_shoulder_yaw_joint", group = "arms" },
    { name = "right_elbow_joint", group = "arms" },
  },
  home = "stand",
  poses = {
    stand = {
      joints = {
        left_hip_pitch_joint = -0.3, left_knee_joint = 0.6, left_ankle_joint = -0.3,
        right_hip_pitch_joint = -0.3, right_knee_joint = 0.6, right_ankle_joint = -0.3,
        left_elbow_joint = 0.5, right_elbow_joint = 0.5,
      },
    },
  },
  -- soft: what holds it up are the torques of its stance
  control = {
    legs = { stiffness = 60, damping = 3 },
    ankles = { stiffness = 10, damping = 1 },
    torso = { stiffness = 150, damping = 6 },
    arms = { stiffness = 40, damping = 2 },
  },
  -- the corners of the boxes under its ankles
  stance = {
    offset = { -0.02, 0 }, -- 40 N m of the ankles reach farther back than forward
    contacts = {
      left_ankle_link = {
        { 0.18, 0.013, -0.062 }, { 0.18, -0.013, -0.062 }, { -0.08, 0.013, -0.062 },
          { -0.08, -0.013, -0.062 },
      },
      right_ankle_link = {
        { 0.18, 0.013, -0.062 }, { 0.18, -0.013, -0.062 }, { -0.08, 0.013, -0.062 },
          { -0.08, -0.013, -0.062 },
      },
    },
  },
}
