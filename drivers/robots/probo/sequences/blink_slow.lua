-- A blink with a moment of rest in it; the brows come down a little with the lids.
return {
  name = "blink_slow",
  about = "a slow blink",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.15, -1 }, { 0.24, -1 }, { 0.48, kind = "input" } },
    EyelidRight = { { 0, kind = "input" }, { 0.15, -1 }, { 0.24, -1 }, { 0.48, kind = "input" } },
    BrowInnerLeft = { { 0.02, kind = "input" }, { 0.22, -0.08, kind = "superposition" },
      { 0.55, kind = "input" } },
    BrowInnerRight = { { 0.02, kind = "input" }, { 0.22, -0.08, kind = "superposition" },
      { 0.55, kind = "input" } },
    EarLeft = { { 0.05, kind = "input" }, { 0.28, -0.09, kind = "superposition" }, { 0.7, kind = "input" } },
    EarRight = { { 0.05, kind = "input" }, { 0.28, -0.09, kind = "superposition" }, { 0.7, kind = "input" } },
  },
}
