-- Gestures that go with speech: see docs/animation/speech.md. rad; the hands are from 0, shut, to 1, open.
return {
  { name = "nod", on = "both", dofs = { HeadPitch = 0.1 }, seconds = 0.5, gaze = true },
  { name = "turn", on = "word", dofs = { HeadYaw = 0.08 }, seconds = 0.7, mirror = true, gaze = true },
  { name = "hand", on = "word", dofs = { RShoulderPitch = -0.12, RElbowRoll = 0.35, RElbowYaw = 0.12,
    RHand = 0.2 }, seconds = 0.8, mirror = true },
  { name = "both hands", on = "both", dofs = { RShoulderPitch = -0.1, RElbowRoll = 0.25, RHand = 0.2,
    LShoulderPitch = -0.1, LElbowRoll = -0.25, LHand = 0.2 }, seconds = 0.9 },
}
