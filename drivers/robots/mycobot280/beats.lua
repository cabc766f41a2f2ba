-- Gestures that go with speech: see docs/animation/speech.md. The tool nods, and turns a little. rad.
return {
  { name = "nod", on = "both", dofs = { joint5_to_joint4 = 0.1 }, seconds = 0.5, gaze = true },
  { name = "turn", on = "word", dofs = { joint6_to_joint5 = 0.15 }, seconds = 0.6, mirror = true,
    gaze = true },
}
