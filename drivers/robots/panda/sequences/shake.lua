-- No: to and fro, each time less.
return {
  name = "shake",
  about = "no, with the tool",
  robot = "panda",
  curve = "minimum_jerk",
  fade = 0.15,
  events = { { 0.6, "shook" } },
  tracks = {
    panda_joint3 = {
      { 0, kind = "input" }, { 0.5, 0.24, kind = "superposition" }, { 1.1, -0.22, kind = "superposition" },
      { 1.6, 0.13, kind = "superposition" }, { 2.15, kind = "input" },
    },
  },
}
