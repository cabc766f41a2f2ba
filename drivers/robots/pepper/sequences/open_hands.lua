-- The fingers open and close, one hand after the other.
return {
  name = "open_hands",
  about = "fingers of both hands",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    LHand = {
      { 0, kind = "input" }, { 0.6, 0.14, kind = "superposition" }, { 1.4, -0.06, kind = "superposition" },
      { 2.2, kind = "input" },
    },
    RHand = {
      { 0.3, kind = "input" }, { 1, 0.12, kind = "superposition" }, { 1.8, -0.07, kind = "superposition" },
      { 2.7, kind = "input" },
    },
    LWristYaw = { { 0.1, kind = "input" }, { 0.9, -0.12, kind = "superposition" }, { 2.2, kind = "input" } },
    RWristYaw = { { 0.4, kind = "input" }, { 1.2, 0.12, kind = "superposition" }, { 2.6, kind = "input" } },
  },
}
