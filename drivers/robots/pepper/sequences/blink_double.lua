-- Two blinks, the second one shorter.
return {
  name = "blink_double",
  about = "two blinks of the eyes' lights",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyeLedBrightness = {
      { 0, kind = "input" }, { 0.18, 0.1 }, { 0.22, 0.1 }, { 0.42, kind = "input" }, { 0.6, 0.25 },
        { 0.64, 0.25 },
      { 0.86, kind = "input" },
    },
  },
}
