-- What it looks with (docs/gaze.md): the head, as its camera in the forehead; the hip helps where one has to look far down or up.
return {
  base = "base_footprint",
  head = { link = "CameraTop_frame", speed = 2, tau = 0.06 },
  torso = { link = "torso", beyond = 0.45, share = 0.35, yaw = false },
  explore = { spread = 0.35, every = 4 },
  source = { "shares, speeds and times: chosen by us" },
}
