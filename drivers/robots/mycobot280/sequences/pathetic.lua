-- The tool sinks, leans to one side, and looks up once.
return {
  name = "pathetic",
  about = "a pathetic look",
  robot = "mycobot280",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.5, "begged" } },
  tracks = {
    joint5_to_joint4 = {
      { 0, kind = "input" }, { 0.35, 0.03, kind = "superposition" }, { 1.5, -0.4, kind = "superposition" },
      { 2.3, -0.38, kind = "superposition" }, { 2.9, -0.22, kind = "superposition" },
        { 3.6, -0.34, kind = "superposition" },
      { 5.2, kind = "input" },
    },
    joint6output_to_joint6 = {
      { 0.2, kind = "input" }, { 1.7, 0.22, kind = "superposition" }, { 4, 0.2, kind = "superposition" },
      { 5.3, kind = "input" },
    },
    joint3_to_joint2 = {
      { 0.1, kind = "input" }, { 1.8, -0.1, kind = "superposition" }, { 4, -0.11, kind = "superposition" },
      { 5.4, kind = "input" },
    },
    LightBrightness = { { 0.3, kind = "input" }, { 1.6, 0.3 }, { 3.8, 0.3 }, { 5, kind = "input" } },
  },
}
