-- A blink with a moment of rest in it.
return {
  name = "blink_slow",
  about = "a slow blink of the eyes' lights",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyeLedBrightness = { { 0, kind = "input" }, { 0.22, 0.08 }, { 0.32, 0.08 }, { 0.64, kind = "input" } },
  },
}
