-- Gestures that go with speech: see docs/animation/speech.md. rad.
return {
  { name = "nod", on = "both", dofs = { neck_pitch = 0.1 }, seconds = 0.5, gaze = true },
  { name = "turn", on = "word", dofs = { neck_yaw = 0.08 }, seconds = 0.7, mirror = true, gaze = true },
  { name = "hand", on = "word", dofs = { right_shoulder_pitch = -0.15, right_elbow = -0.35 }, seconds = 0.8,
    mirror = true },
  { name = "both hands", on = "both", dofs = { right_shoulder_pitch = -0.12, right_elbow = -0.25,
    left_shoulder_pitch = -0.12, left_elbow = -0.25 }, seconds = 0.9 },
}
