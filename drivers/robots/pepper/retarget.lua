-- How a person's motion becomes this robot's (docs/animation/importing.md).
return {
  joints = {
    HeadYaw = { "head", "yaw" },
    HeadPitch = { "head", "pitch" },
    HipRoll = { "chest", "roll" },
    HipPitch = { "chest", "pitch" },
  },
  limbs = {
    { "left", chest = "torso", shoulder = "LShoulder", elbow = "LElbow", hand = "l_wrist" },
    { "right", chest = "torso", shoulder = "RShoulder", elbow = "RElbow", hand = "r_wrist" },
  },
}
