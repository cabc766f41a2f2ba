-- The tool looks to one side for a moment, and leans a little with it.
return {
  name = "peek",
  about = "looks to its left; played mirrored, to its right",
  robot = "ur3e",
  curve = "minimum_jerk",
  follow = 5, -- it gives way to what is wanted of the arm
  tracks = {
    wrist_2_joint = {
      { 0, kind = "input" }, { 0.3, 0.008, kind = "superposition" }, { 1.6, -0.07, kind = "superposition" },
      { 3.6, -0.06, kind = "superposition" }, { 5.4, kind = "input" },
    },
    wrist_3_joint = {
      { 0.2, kind = "input" }, { 1.8, 0.05, kind = "superposition" }, { 3.8, 0.04, kind = "superposition" },
      { 5.6, kind = "input" },
    },
  },
}
