-- Hello: the arm lifts itself, and the tool tilts to one side and the other.
return {
  name = "greet",
  about = "hello: rises, and tilts the tool",
  robot = "ur3e",
  curve = "minimum_jerk",
  fade = 0.2,
  events = { { 0.9, "greeted" } },
  tracks = {
    shoulder_lift_joint = {
      { 0, kind = "input" }, { 0.3, 0.02, kind = "superposition" }, { 1, -0.12, kind = "superposition" },
      { 2.2, -0.11, kind = "superposition" }, { 3.4, kind = "input" },
    },
    wrist_1_joint = {
      { 0.1, kind = "input" }, { 1.1, 0.08, kind = "superposition" }, { 2.3, 0.07, kind = "superposition" },
      { 3.5, kind = "input" },
    },
    wrist_3_joint = {
      { 0.5, kind = "input" }, { 1.1, 0.3, kind = "superposition" }, { 1.7, -0.3, kind = "superposition" },
      { 2.2, 0.15, kind = "superposition" }, { 3, kind = "input" },
    },
  },
}
