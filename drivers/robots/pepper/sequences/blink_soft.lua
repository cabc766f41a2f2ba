-- A blink that does not go all the way down.
return {
  name = "blink_soft",
  about = "an incomplete blink of the eyes' lights",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyeLedBrightness = { { 0, kind = "input" }, { 0.15, 0.35 }, { 0.18, 0.35 }, { 0.36, kind = "input" } },
  },
}
