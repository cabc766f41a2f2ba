-- No, over whatever the head does.
return {
  name = "shake",
  about = "a shake of the head over a gaze",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.15,
  tracks = {
    neck_yaw = {
      { 0, kind = "input" },
      { 0.4, 0.3, kind = "superposition" },
      { 0.95, -0.3, kind = "superposition" },
      { 1.45, 0.18, kind = "superposition" },
      { 1.8, kind = "input" },
    },
  },
}
