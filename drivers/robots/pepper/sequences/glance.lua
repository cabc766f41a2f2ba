-- The head looks to one side for a moment; the shoulders hardly follow.
return {
  name = "glance",
  about = "a glance to its left; played mirrored, to its right",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    HeadYaw = {
      { 0, kind = "input" }, { 0.15, -0.01, kind = "superposition" }, { 0.7, 0.1, kind = "superposition" },
      { 1.6, 0.09, kind = "superposition" }, { 2.6, kind = "input" },
    },
    HeadPitch = {
      { 0.1, kind = "input" }, { 0.7, 0.03, kind = "superposition" }, { 1.5, 0.02, kind = "superposition" },
      { 2.1, kind = "input" },
    },
  },
}
