-- The look that asks for a cuddle: head low and aside, arms drawn in, lights dim, and one look up.
return {
  name = "pathetic",
  about = "a pathetic look",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.3,
  events = { { 1.5, "begged" } },
  tracks = {
    HeadPitch = {
      { 0, kind = "input" }, { 0.35, -0.03, kind = "superposition" }, { 1.5, 0.3 }, { 2.4, 0.28 }, { 3, 0.1 },
        { 3.8, 0.24 },
      { 5.2, kind = "input" },
    },
    HeadYaw = {
      { 0.2, kind = "input" }, { 1.6, 0.12, kind = "superposition" }, { 4, 0.1, kind = "superposition" },
      { 5.2, kind = "input" },
    },
    HipRoll = {
      { 0.3, kind = "input" }, { 1.9, 0.05, kind = "superposition" }, { 4, 0.045, kind = "superposition" },
      { 5.6, kind = "input" },
    },
    HipPitch = {
      { 0.2, kind = "input" }, { 1.8, -0.08, kind = "superposition" }, { 4, -0.07, kind = "superposition" },
      { 5.6, kind = "input" },
    },
    LElbowRoll = {
      { 0.3, kind = "input" }, { 1.8, -0.35, kind = "superposition" }, { 4, -0.3, kind = "superposition" },
      { 5.4, kind = "input" },
    },
    RElbowRoll = {
      { 0.35, kind = "input" }, { 1.9, 0.35, kind = "superposition" }, { 4, 0.3, kind = "superposition" },
      { 5.4, kind = "input" },
    },
    EyeLedBrightness = { { 0.3, kind = "input" }, { 1.6, 0.35 }, { 3.8, 0.35 }, { 5, kind = "input" } },
  },
}
