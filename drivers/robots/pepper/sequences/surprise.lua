-- A start: head and arms draw in for a moment, then open, and settle slowly. The eyes are at their brightest.
return {
  name = "surprise",
  about = "a start",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.1,
  events = { { 0.35, "startled" } },
  tracks = {
    HeadPitch = {
      { 0, kind = "input" }, { 0.15, 0.03, kind = "superposition" }, { 0.5, -0.14, kind = "superposition" },
      { 1.8, -0.1, kind = "superposition" }, { 3, kind = "input" },
    },
    LShoulderRoll = {
      { 0, kind = "input" }, { 0.2, -0.02, kind = "superposition" }, { 0.7, 0.25, kind = "superposition" },
      { 1.8, 0.2, kind = "superposition" }, { 3.2, kind = "input" },
    },
    RShoulderRoll = {
      { 0, kind = "input" }, { 0.2, 0.02, kind = "superposition" }, { 0.7, -0.25, kind = "superposition" },
      { 1.8, -0.2, kind = "superposition" }, { 3.2, kind = "input" },
    },
    LElbowRoll = {
      { 0.1, kind = "input" }, { 0.75, -0.5, kind = "superposition" }, { 1.9, -0.4, kind = "superposition" },
      { 3.3, kind = "input" },
    },
    RElbowRoll = {
      { 0.1, kind = "input" }, { 0.75, 0.5, kind = "superposition" }, { 1.9, 0.4, kind = "superposition" },
      { 3.3, kind = "input" },
    },
    LHand = { { 0.1, kind = "input" }, { 0.65, 0.9 }, { 1.8, 0.9 }, { 3, kind = "input" } },
    RHand = { { 0.1, kind = "input" }, { 0.65, 0.9 }, { 1.8, 0.9 }, { 3, kind = "input" } },
    HipPitch = {
      { 0, kind = "input" }, { 0.9, 0.03, kind = "superposition" }, { 2, 0.02, kind = "superposition" },
      { 3.4, kind = "input" },
    },
    EyeLedBrightness = { { 0.05, kind = "input" }, { 0.35, 1 }, { 2, 1 }, { 3, kind = "input" } },
  },
}
