-- Yes: up a little first, down, and a smaller one after it. Ears and trunk follow behind the head. Over a
-- gaze.
return {
  name = "nod",
  about = "yes, over a gaze",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.15,
  events = { { 0.65, "nodded" } },
  tracks = {
    NeckTilt = {
      { 0, kind = "input" },
      { 0.22, -0.03, kind = "superposition" },
      { 0.65, 0.2, kind = "superposition" },
      { 1.05, -0.01, kind = "superposition" },
      { 1.4, 0.1, kind = "superposition" },
      { 1.8, kind = "input" },
    },
    EyesTilt = {
      { 0.05, kind = "input" },
      { 0.3, 0.02, kind = "superposition" },
      { 0.7, -0.12, kind = "superposition" },
      { 1.1, 0, kind = "superposition" },
      { 1.45, -0.06, kind = "superposition" },
      { 1.85, kind = "input" },
    },
    EarLeft = { { 0.1, kind = "input" }, { 0.75, 0.2, kind = "superposition" },
      { 1.15, -0.1, kind = "superposition" },
      { 1.5, 0.08, kind = "superposition" }, { 2.0, kind = "input" } },
    EarRight = { { 0.1, kind = "input" }, { 0.77, 0.2, kind = "superposition" },
      { 1.17, -0.1, kind = "superposition" },
      { 1.52, 0.08, kind = "superposition" }, { 2.0, kind = "input" } },
    TrunkTilt = { { 0.12, kind = "input" }, { 0.8, -0.14, kind = "superposition" },
      { 1.2, 0.05, kind = "superposition" }, { 2.1, kind = "input" } },
  },
}
