-- The arm draws itself up and sinks back; the tool stays level.
return {
  name = "stretch",
  about = "draws itself up a little, and sinks back",
  robot = "mycobot280",
  curve = "minimum_jerk",
  follow = 5, -- it gives way to what is wanted of the arm
  tracks = {
    joint3_to_joint2 = {
      { 0, kind = "input" }, { 0.6, -0.01, kind = "superposition" }, { 2, 0.06, kind = "superposition" },
      { 3.4, 0.05, kind = "superposition" }, { 5, kind = "input" },
    },
    joint5_to_joint4 = {
      { 0.1, kind = "input" }, { 2.1, -0.05, kind = "superposition" }, { 3.5, -0.04, kind = "superposition" },
      { 5.1, kind = "input" },
    },
  },
}
