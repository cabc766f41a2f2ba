-- A short look aside.
return {
  name = "glance",
  about = "the head turns aside and back",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.15,
  tracks = {
    neck_yaw = { { 0, kind = "input" }, { 0.5, 0.3, kind = "superposition" },
      { 1.3, 0.3, kind = "superposition" }, { 1.9, kind = "input" } },
    neck_pitch = { { 0, kind = "input" }, { 0.5, 0.08, kind = "superposition" },
      { 1.3, 0.08, kind = "superposition" }, { 1.9, kind = "input" } },
  },
}
