-- What it looks with (docs/animation/gaze.md): the head, as a camera in it; the chest turns where one has to
-- look far around.
return {
  base = "pelvis",
  head = { link = "camera", carrier = "torso", roll = 0, speed = 2, tau = 0.06 },
  torso = { link = "torso", carrier = "pelvis", point = { 0.05, 0, 0.3 }, roll = 0, beyond = 0.6, share = 0.5,
    pitch = false },
  explore = { spread = 0.35, every = 4 },
  source = { "shares, speeds and times: chosen by us" },
}
