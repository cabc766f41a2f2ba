-- One arm is held a little differently: elbow, wrist and fingers, one after the other.
return {
  name = "ease_arm",
  about = "eases its left arm; played mirrored, its right",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    LElbowRoll = {
      { 0, kind = "input" }, { 0.4, 0.02, kind = "superposition" }, { 1.4, -0.14, kind = "superposition" },
      { 3.4, -0.11, kind = "superposition" }, { 4.8, kind = "input" },
    },
    LElbowYaw = {
      { 0.15, kind = "input" }, { 1.6, -0.1, kind = "superposition" }, { 3.5, -0.08, kind = "superposition" },
      { 4.9, kind = "input" },
    },
    LWristYaw = {
      { 0.3, kind = "input" }, { 1.8, -0.2, kind = "superposition" }, { 3.7, -0.15, kind = "superposition" },
      { 5, kind = "input" },
    },
    LHand = {
      { 0.5, kind = "input" }, { 1.2, -0.15, kind = "superposition" }, { 2.2, 0.1, kind = "superposition" },
      { 3.6, 0.06, kind = "superposition" }, { 5, kind = "input" },
    },
  },
}
