-- The neck sinks a little, and comes up again with a breath.
return {
  name = "settle",
  about = "the head sinks and comes up with a breath",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    NeckTilt = {
      { 0, kind = "input" },
      { 1.4, 0.05, kind = "superposition" },
      { 2.4, -0.03, kind = "superposition" },
      { 3.6, kind = "input" },
    },
    EarLeft = { { 0.3, kind = "input" }, { 1.7, -0.12, kind = "superposition" },
      { 2.7, 0.06, kind = "superposition" }, { 3.9, kind = "input" } },
    EarRight = { { 0.35, kind = "input" }, { 1.75, -0.12, kind = "superposition" },
      { 2.75, 0.06, kind = "superposition" }, { 3.9, kind = "input" } },
    TrunkTilt = { { 0.2, kind = "input" }, { 1.6, -0.12, kind = "superposition" },
      { 2.6, 0.08, kind = "superposition" }, { 3.8, kind = "input" } },
  },
}
