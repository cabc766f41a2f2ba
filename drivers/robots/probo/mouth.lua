-- What the mouth does when it speaks: see docs/animation/speech.md. The lower lip opens and shuts; the
-- corners are added to the face's.
return {
  source = "chosen by us: a lip that goes half of its way in speech leaves room for yawns and surprise",
  open = { MouthOpen = { -0.1, 0.6 } },
  wide = { MouthCornerLeft = 0.2, MouthCornerRight = 0.2 },
  shapes = { pbm = { MouthOpen = -0.3 }, fv = { MouthOpen = -0.1 } },
}
