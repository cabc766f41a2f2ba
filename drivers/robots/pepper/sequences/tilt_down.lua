-- The head looks at what is in front of the feet, and up again.
return {
  name = "tilt_down",
  about = "looks down for a moment",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    HeadPitch = {
      { 0, kind = "input" }, { 0.2, -0.01, kind = "superposition" }, { 0.9, 0.06, kind = "superposition" },
      { 1.8, 0.05, kind = "superposition" }, { 2.8, kind = "input" },
    },
    HeadYaw = {
      { 0.2, kind = "input" }, { 1, 0.04, kind = "superposition" }, { 1.8, -0.02, kind = "superposition" },
      { 2.5, kind = "input" },
    },
  },
}
