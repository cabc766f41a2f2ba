-- What it looks with (docs/animation/gaze.md): the head, as its camera in the forehead; the hip helps where
-- one has to look far down or up.
return {
  base = "base_footprint",
  head = { link = "CameraTop_frame", carrier = "torso", roll = 0, speed = 2, tau = 0.06 },
  torso = { link = "torso", carrier = "Pelvis", point = { 0.05, 0, 0.32 }, roll = 0, beyond = 0.4,
    share = 0.7, yaw = false },
  explore = { spread = 0.35, every = 4 },
  source = { "shares, speeds and times: chosen by us" },
}
