-- One ear pricks up towards something, stays, and comes back.
return {
  name = "ear_turn",
  about = "the left ear listens for a moment; played mirrored, the right one",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    EarLeft = {
      { 0, kind = "input" },
      { 0.15, -0.06, kind = "superposition" },
      { 0.55, 0.4, kind = "superposition" },
      { 1.5, 0.36, kind = "superposition" },
      { 2.3, kind = "input" },
    },
    EarRight = { { 0.25, kind = "input" }, { 0.7, 0.1, kind = "superposition" }, { 2.0, kind = "input" } },
  },
}
