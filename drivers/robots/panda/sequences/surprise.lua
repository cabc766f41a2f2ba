-- A start: it shrinks for a moment, then is back and up at once, and settles slowly.
return {
  name = "surprise",
  about = "a start",
  robot = "panda",
  curve = "minimum_jerk",
  fade = 0.1,
  events = { { 0.35, "startled" } },
  tracks = {
    panda_joint2 = {
      { 0, kind = "input" }, { 0.15, 0.01, kind = "superposition" }, { 0.6, -0.14, kind = "superposition" },
      { 1.8, -0.11, kind = "superposition" }, { 3.2, kind = "input" },
    },
    panda_joint6 = {
      { 0, kind = "input" }, { 0.15, -0.02, kind = "superposition" }, { 0.6, 0.15, kind = "superposition" },
      { 1.8, 0.1, kind = "superposition" }, { 3.2, kind = "input" },
    },
  },
}
