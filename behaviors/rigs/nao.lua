-- A rig of Aldebaran's NAO, for its URDF. Its trunk is one piece, so its pelvis turns as a person's chest
-- does.
return {
  name = "nao",
  source = { "points of the feet: where the URDF has its force sensors; home and shares: chosen by us" },
  rigid = { "LWristYaw", "RWristYaw" },
  home = {
    LHipPitch = -0.45, LKneePitch = 0.9, LAnklePitch = -0.45,
    RHipPitch = -0.45, RKneePitch = 0.9, RAnklePitch = -0.45,
    LShoulderPitch = 1.4, LShoulderRoll = 0.2, LElbowRoll = -0.5, LElbowYaw = -1.2,
    RShoulderPitch = 1.4, RShoulderRoll = -0.2, RElbowRoll = 0.5, RElbowYaw = 1.2,
  },
  pelvis = { link = "torso", part = "chest", move = { 0.6, 0.6, 1 }, turn = { 0.4, 0.4, 0.3 } },
  legs = {
    left = { hip = "LThigh", foot = "l_ankle" },
    right = { hip = "RThigh", foot = "r_ankle" },
  },
  feet = {
    l_sole = { { 0.07, 0.0299, 0 }, { 0.07, -0.0231, 0 }, { -0.03, -0.0191, 0 }, { -0.03, 0.0299, 0 } },
    r_sole = { { 0.07, 0.0231, 0 }, { 0.07, -0.0299, 0 }, { -0.03, -0.0299, 0 }, { -0.03, 0.0191, 0 } },
  },
  -- in physics a robot sways about its motion: its middle keeps away from the edge of its feet
  margin = 0.008,
  joints = { HeadYaw = { "head", "yaw" }, HeadPitch = { "head", "pitch" } },
  limbs = {
    { "left", chest = "torso", shoulder = "LShoulder", elbow = "LElbow", hand = "l_wrist" },
    { "right", chest = "torso", shoulder = "RShoulder", elbow = "RElbow", hand = "r_wrist" },
  },
}
