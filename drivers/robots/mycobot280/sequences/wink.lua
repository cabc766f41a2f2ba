-- The tool dips to one side, quickly, and comes back slowly.
return {
  name = "wink",
  about = "a wink, with the tool",
  robot = "mycobot280",
  curve = "minimum_jerk",
  fade = 0.1,
  emotion = 0,
  events = { { 0.45, "winked" } },
  tracks = {
    joint6output_to_joint6 = {
      { 0, kind = "input" }, { 0.12, -0.02, kind = "superposition" }, { 0.45, 0.2, kind = "superposition" },
      { 0.75, 0.2, kind = "superposition" }, { 1.3, kind = "input" },
    },
    joint5_to_joint4 = {
      { 0.05, kind = "input" }, { 0.5, -0.06, kind = "superposition" },
        { 0.8, -0.06, kind = "superposition" },
      { 1.4, kind = "input" },
    },
    LightBrightness = { { 0.1, kind = "input" }, { 0.4, 0 }, { 0.65, 0 }, { 1, kind = "input" } },
  },
}
