-- The lights of the eyes go out for a moment, and the head tips aside: as near to a wink as this face comes.
return {
  name = "wink",
  about = "a wink",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.1,
  emotion = 0,
  events = { { 0.4, "winked" } },
  tracks = {
    EyeLedBrightness = { { 0.1, kind = "input" }, { 0.35, 0.05 }, { 0.65, 0.05 }, { 0.95, kind = "input" } },
    HeadYaw = {
      { 0, kind = "input" }, { 0.12, -0.01, kind = "superposition" }, { 0.5, 0.08, kind = "superposition" },
      { 0.8, 0.08, kind = "superposition" }, { 1.4, kind = "input" },
    },
    HeadPitch = {
      { 0.05, kind = "input" }, { 0.5, 0.05, kind = "superposition" }, { 0.8, 0.05, kind = "superposition" },
      { 1.4, kind = "input" },
    },
    LShoulderRoll = {
      { 0.1, kind = "input" }, { 0.55, 0.06, kind = "superposition" }, { 0.9, 0.05, kind = "superposition" },
      { 1.5, kind = "input" },
    },
  },
}
