-- The lights of the eyes go down and up again: its blink.
return {
  name = "blink",
  about = "a blink of the eyes' lights",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyeLedBrightness = { { 0, kind = "input" }, { 0.18, 0.1 }, { 0.22, 0.1 }, { 0.44, kind = "input" } },
  },
}
