-- Gestures that go with speech: see docs/animation/speech.md. What is in rad is small beside the joints'
-- ranges; the ears' are normalized.
return {
  { name = "nod", on = "both", dofs = { NeckTilt = 0.09 }, seconds = 0.5, gaze = true },
  { name = "raise", on = "word", dofs = { NeckTilt = -0.06, BrowInnerLeft = 0.3, BrowOuterLeft = 0.3,
    BrowInnerRight = 0.3, BrowOuterRight = 0.3 }, seconds = 0.6, gaze = true },
  { name = "tilt", on = "word", dofs = { NeckSwing = 0.07 }, seconds = 0.7, mirror = true, gaze = true },
  { name = "ears", on = "both", dofs = { EarLeft = 0.35, EarRight = 0.35 }, seconds = 0.5 },
  { name = "trunk", on = "word", dofs = { TrunkTilt = 0.2, TrunkPan = 0.15 }, seconds = 0.8, mirror = true },
}
