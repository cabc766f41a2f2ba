-- How a person's motion becomes this robot's (docs/animation/importing.md).
return {
  joints = {
    neck_yaw = { "head", "yaw" },
    neck_pitch = { "head", "pitch" },
    waist_yaw = { "chest", "yaw" },
    waist_roll = { "chest", "roll" },
    waist_pitch = { "chest", "pitch" },
  },
  limbs = {
    { "left", chest = "torso", shoulder = "left_upper_arm", elbow = "left_forearm", hand = "left_hand" },
    { "right", chest = "torso", shoulder = "right_upper_arm", elbow = "right_forearm", hand = "right_hand" },
  },
}
