-- No: the head goes to and fro, each time less, and the trunk swings behind it. Over a gaze: the eyes stay.
return {
  name = "shake",
  about = "no, over a gaze",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.15,
  events = { { 0.6, "shook" } },
  tracks = {
    NeckPan = {
      { 0, kind = "input" },
      { 0.5, 0.24, kind = "superposition" },
      { 1.05, -0.22, kind = "superposition" },
      { 1.55, 0.14, kind = "superposition" },
      { 2.05, kind = "input" },
    },
    EyeLeftPan = { { 0, kind = "input" }, { 0.5, -0.22, kind = "superposition" },
      { 1.05, 0.2, kind = "superposition" },
      { 1.55, -0.13, kind = "superposition" }, { 2.05, kind = "input" } },
    EyeRightPan = { { 0, kind = "input" }, { 0.5, -0.22, kind = "superposition" },
      { 1.05, 0.2, kind = "superposition" },
      { 1.55, -0.13, kind = "superposition" }, { 2.05, kind = "input" } },
    TrunkPan = { { 0.1, kind = "input" }, { 0.65, -0.2, kind = "superposition" },
      { 1.2, 0.2, kind = "superposition" }, { 1.7, -0.1, kind = "superposition" }, { 2.4, kind = "input" } },
  },
}
