-- No, over whatever the head does.
return {
  name = "shake",
  about = "a shake of the head over a gaze",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.15,
  tracks = {
    HeadYaw = {
      { 0, kind = "input" },
      { 0.35, 0.3, kind = "superposition" },
      { 0.75, -0.3, kind = "superposition" },
      { 1.1, 0.18, kind = "superposition" },
      { 1.45, kind = "input" },
    },
  },
}
