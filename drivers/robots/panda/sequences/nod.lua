-- Yes: up a little first, down, and a smaller one after it; the arm gives a little with it.
return {
  name = "nod",
  about = "yes, with the tool",
  robot = "panda",
  curve = "minimum_jerk",
  fade = 0.15,
  events = { { 0.65, "nodded" } },
  tracks = {
    panda_joint6 = {
      { 0, kind = "input" }, { 0.22, 0.04, kind = "superposition" }, { 0.65, -0.25, kind = "superposition" },
      { 1.05, 0.02, kind = "superposition" }, { 1.45, -0.12, kind = "superposition" },
        { 1.9, kind = "input" },
    },
    panda_joint2 = {
      { 0.1, kind = "input" }, { 0.8, 0.03, kind = "superposition" }, { 1.3, -0.01, kind = "superposition" },
      { 2.1, kind = "input" },
    },
  },
}
