-- The chest sinks a little and comes up again, as from a breath.
return {
  name = "sink",
  about = "the chest sinks and comes up",
  robot = "biped",
  curve = "minimum_jerk",
  fade = 0.2,
  tracks = {
    waist_pitch = { { 0, kind = "input" }, { 1.2, 0.06, kind = "superposition" },
      { 2.2, 0.05, kind = "superposition" }, { 3.6, kind = "input" } },
  },
}
