-- The head leans to one side for a while; the ear there hangs a little, and the neck takes it back in its own
-- time.
return {
  name = "head_tilt",
  about = "the head leans to its left for a while; played mirrored, to its right",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    NeckSwing = {
      { 0, kind = "input" },
      { 1.1, 0.09, kind = "superposition" },
      { 3.6, 0.075, kind = "superposition" },
      { 5.0, kind = "input" },
    },
    NeckTilt = { { 0.2, kind = "input" }, { 1.3, -0.03, kind = "superposition" },
      { 3.8, -0.02, kind = "superposition" }, { 5.0, kind = "input" } },
    EarLeft = { { 0.3, kind = "input" }, { 1.5, -0.12, kind = "superposition" },
      { 4.0, -0.08, kind = "superposition" }, { 5.2, kind = "input" } },
  },
}
