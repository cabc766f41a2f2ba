-- Yes, over whatever the head does.
return {
  name = "nod",
  about = "a nod over a gaze",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.15,
  tracks = {
    neck_pitch = {
      { 0, kind = "input" },
      { 0.35, 0.2, kind = "superposition" },
      { 0.7, -0.04, kind = "superposition" },
      { 1.0, 0.12, kind = "superposition" },
      { 1.35, kind = "input" },
    },
  },
}
