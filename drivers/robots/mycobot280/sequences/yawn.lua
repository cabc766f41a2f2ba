-- A long stretch, as after a rest, and a shake of the tool at its end.
return {
  name = "yawn",
  about = "a stretch",
  robot = "mycobot280",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.3, "yawned" } },
  tracks = {
    joint3_to_joint2 = {
      { 0, kind = "input" }, { 0.5, -0.03, kind = "superposition" }, { 1.9, 0.2, kind = "superposition" },
      { 2.8, 0.19, kind = "superposition" }, { 4.4, kind = "input" },
    },
    joint5_to_joint4 = {
      { 0.1, kind = "input" }, { 0.6, -0.06, kind = "superposition" }, { 2, 0.25, kind = "superposition" },
      { 2.9, 0.22, kind = "superposition" }, { 4, -0.05, kind = "superposition" }, { 4.6, kind = "input" },
    },
    joint6output_to_joint6 = {
      { 2.8, kind = "input" }, { 3.25, 0.16, kind = "superposition" },
        { 3.75, -0.12, kind = "superposition" },
      { 4.2, 0.06, kind = "superposition" }, { 4.7, kind = "input" },
    },
    LightBrightness = { { 0.3, kind = "input" }, { 1.8, 0.15 }, { 2.8, 0.15 }, { 3.8, kind = "input" } },
  },
}
