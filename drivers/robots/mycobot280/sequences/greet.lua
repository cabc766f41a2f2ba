-- Hello: the arm lifts itself, and the tool tilts to one side and the other.
return {
  name = "greet",
  about = "hello: rises, and tilts the tool",
  robot = "mycobot280",
  curve = "minimum_jerk",
  fade = 0.2,
  events = { { 0.9, "greeted" } },
  tracks = {
    joint3_to_joint2 = {
      { 0, kind = "input" }, { 0.3, -0.02, kind = "superposition" }, { 1, 0.12, kind = "superposition" },
      { 2.2, 0.11, kind = "superposition" }, { 3.4, kind = "input" },
    },
    joint5_to_joint4 = {
      { 0.1, kind = "input" }, { 1.1, -0.08, kind = "superposition" }, { 2.3, -0.07, kind = "superposition" },
      { 3.5, kind = "input" },
    },
    joint6output_to_joint6 = {
      { 0.5, kind = "input" }, { 1.1, 0.3, kind = "superposition" }, { 1.7, -0.3, kind = "superposition" },
      { 2.2, 0.15, kind = "superposition" }, { 3, kind = "input" },
    },
    LightBrightness = { { 0.2, kind = "input" }, { 0.7, 1 }, { 2.2, 1 }, { 3, kind = "input" } },
  },
}
