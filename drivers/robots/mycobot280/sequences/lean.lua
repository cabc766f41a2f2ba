-- The whole arm turns a little on its base, and stays there for a while.
return {
  name = "lean",
  about = "turns on its base to its left; played mirrored, to its right",
  robot = "mycobot280",
  curve = "minimum_jerk",
  follow = 5, -- it gives way to what is wanted of the arm
  tracks = {
    joint2_to_joint1 = {
      { 0, kind = "input" }, { 0.4, -0.006, kind = "superposition" }, { 2, 0.05, kind = "superposition" },
      { 5, 0.045, kind = "superposition" }, { 7, kind = "input" },
    },
    joint6_to_joint5 = {
      { 0.2, kind = "input" }, { 2.2, -0.03, kind = "superposition" },
        { 5.2, -0.025, kind = "superposition" },
      { 7.2, kind = "input" },
    },
  },
}
