-- Two blinks, the second one shorter than the first.
return {
  name = "blink_double",
  about = "two blinks, one right behind the other",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyelidLeft = {
      { 0, kind = "input" }, { 0.12, -1 }, { 0.17, -1 }, { 0.34, kind = "input" },
      { 0.46, -0.9 }, { 0.5, -0.9 }, { 0.7, kind = "input" },
    },
    EyelidRight = {
      { 0, kind = "input" }, { 0.12, -1 }, { 0.17, -1 }, { 0.34, kind = "input" },
      { 0.46, -0.9 }, { 0.5, -0.9 }, { 0.7, kind = "input" },
    },
    EarLeft = { { 0.03, kind = "input" }, { 0.3, -0.08, kind = "superposition" }, { 0.85, kind = "input" } },
    EarRight = { { 0.03, kind = "input" }, { 0.3, -0.08, kind = "superposition" }, { 0.85, kind = "input" } },
  },
}
