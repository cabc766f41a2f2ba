-- The chest turns a little and comes back; the legs stand still.
return {
  name = "turn_chest",
  about = "the chest turns aside and back",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.2,
  tracks = {
    waist_yaw = { { 0, kind = "input" }, { 1.4, 0.05, kind = "superposition" },
      { 2.6, 0.04, kind = "superposition" }, { 4, kind = "input" } },
  },
}
