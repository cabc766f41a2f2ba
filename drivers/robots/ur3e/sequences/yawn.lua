-- A long stretch, as after a rest, and a shake of the tool at its end.
return {
  name = "yawn",
  about = "a stretch",
  robot = "ur3e",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.3, "yawned" } },
  tracks = {
    shoulder_lift_joint = {
      { 0, kind = "input" }, { 0.5, 0.03, kind = "superposition" }, { 1.9, -0.2, kind = "superposition" },
      { 2.8, -0.19, kind = "superposition" }, { 4.4, kind = "input" },
    },
    wrist_1_joint = {
      { 0.1, kind = "input" }, { 0.6, 0.06, kind = "superposition" }, { 2, -0.25, kind = "superposition" },
      { 2.9, -0.22, kind = "superposition" }, { 4, 0.05, kind = "superposition" }, { 4.6, kind = "input" },
    },
    wrist_3_joint = {
      { 2.8, kind = "input" }, { 3.25, 0.16, kind = "superposition" },
        { 3.75, -0.12, kind = "superposition" },
      { 4.2, 0.06, kind = "superposition" }, { 4.7, kind = "input" },
    },
  },
}
