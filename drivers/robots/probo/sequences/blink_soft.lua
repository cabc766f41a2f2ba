-- A blink that does not close all the way, as one in five of people's do not.
return {
  name = "blink_soft",
  about = "an incomplete blink",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.11, -0.75 }, { 0.15, -0.75 }, { 0.33, kind = "input" } },
    EyelidRight = { { 0, kind = "input" }, { 0.11, -0.75 }, { 0.15, -0.75 }, { 0.33, kind = "input" } },
    EarLeft = { { 0.03, kind = "input" }, { 0.18, -0.04, kind = "superposition" }, { 0.42, kind = "input" } },
    EarRight = { { 0.03, kind = "input" }, { 0.18, -0.04, kind = "superposition" },
      { 0.42, kind = "input" } },
  },
}
