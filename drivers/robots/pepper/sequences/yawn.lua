-- A stretch: the head goes back, the arms come out, and all of it sinks down again.
return {
  name = "yawn",
  about = "a yawn, with both arms stretched",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.3, "yawned" } },
  tracks = {
    HeadPitch = {
      { 0, kind = "input" }, { 0.4, 0.05, kind = "superposition" }, { 1.6, -0.25, kind = "superposition" },
      { 2.6, -0.22, kind = "superposition" }, { 3.5, 0.08, kind = "superposition" }, { 4.3, kind = "input" },
    },
    LShoulderRoll = {
      { 0.2, kind = "input" }, { 1.7, 0.55, kind = "superposition" }, { 2.7, 0.5, kind = "superposition" },
      { 4.4, kind = "input" },
    },
    RShoulderRoll = {
      { 0.3, kind = "input" }, { 1.8, -0.55, kind = "superposition" }, { 2.8, -0.5, kind = "superposition" },
      { 4.5, kind = "input" },
    },
    LShoulderPitch = {
      { 0.2, kind = "input" }, { 1.7, -0.4, kind = "superposition" }, { 2.7, -0.35, kind = "superposition" },
      { 4.4, kind = "input" },
    },
    RShoulderPitch = {
      { 0.3, kind = "input" }, { 1.8, -0.4, kind = "superposition" }, { 2.8, -0.35, kind = "superposition" },
      { 4.5, kind = "input" },
    },
    LElbowRoll = {
      { 0.2, kind = "input" }, { 1.6, -0.6, kind = "superposition" }, { 2.7, -0.5, kind = "superposition" },
      { 4.3, kind = "input" },
    },
    RElbowRoll = {
      { 0.3, kind = "input" }, { 1.7, 0.6, kind = "superposition" }, { 2.8, 0.5, kind = "superposition" },
      { 4.4, kind = "input" },
    },
    HipPitch = {
      { 0.2, kind = "input" }, { 1.8, 0.04, kind = "superposition" }, { 2.8, 0.03, kind = "superposition" },
      { 4.4, kind = "input" },
    },
    EyeLedBrightness = { { 0.5, kind = "input" }, { 1.6, 0.15 }, { 2.7, 0.1 }, { 3.8, kind = "input" } },
  },
}
