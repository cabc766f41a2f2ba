-- How a person's motion becomes this robot's (docs/animation/importing.md).
return {
  joints = {
    NeckPan = { "head", "yaw" },
    NeckTilt = { "head", "pitch" },
    NeckSwing = { "head", "roll" },
  },
}
