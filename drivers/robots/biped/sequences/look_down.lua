-- A short look down.
return {
  name = "look_down",
  about = "the head bends, a little aside, and comes up",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.15,
  tracks = {
    neck_pitch = { { 0, kind = "input" }, { 0.6, 0.2, kind = "superposition" },
      { 1.4, 0.2, kind = "superposition" }, { 2.1, kind = "input" } },
    neck_yaw = { { 0, kind = "input" }, { 0.6, 0.08, kind = "superposition" },
      { 1.4, 0.08, kind = "superposition" }, { 2.1, kind = "input" } },
  },
}
