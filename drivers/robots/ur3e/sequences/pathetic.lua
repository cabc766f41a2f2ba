-- The tool sinks, leans to one side, and looks up once.
return {
  name = "pathetic",
  about = "a pathetic look",
  robot = "ur3e",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.5, "begged" } },
  tracks = {
    wrist_1_joint = {
      { 0, kind = "input" }, { 0.35, -0.03, kind = "superposition" }, { 1.5, 0.4, kind = "superposition" },
      { 2.3, 0.38, kind = "superposition" }, { 2.9, 0.22, kind = "superposition" },
        { 3.6, 0.34, kind = "superposition" },
      { 5.2, kind = "input" },
    },
    wrist_3_joint = {
      { 0.2, kind = "input" }, { 1.7, 0.22, kind = "superposition" }, { 4, 0.2, kind = "superposition" },
      { 5.3, kind = "input" },
    },
    shoulder_lift_joint = {
      { 0.1, kind = "input" }, { 1.8, 0.1, kind = "superposition" }, { 4, 0.11, kind = "superposition" },
      { 5.4, kind = "input" },
    },
  },
}
