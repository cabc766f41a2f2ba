-- The tool dips and comes up again, like a head that agrees with itself.
return {
  name = "bob",
  about = "a small dip of the tool",
  robot = "panda",
  curve = "minimum_jerk",
  follow = 5, -- it gives way to what is wanted of the arm
  tracks = {
    panda_joint6 = {
      { 0, kind = "input" }, { 0.4, 0.007, kind = "superposition" }, { 1.6, -0.045, kind = "superposition" },
      { 2.8, 0.01, kind = "superposition" }, { 4, kind = "input" },
    },
  },
}
