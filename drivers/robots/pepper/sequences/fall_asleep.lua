-- It nods off, catches itself once, then the head sinks and the lights go down. It breathes asleep until it
-- is stopped.
return {
  name = "fall_asleep",
  about = "falls asleep, sleeps as long as it is wanted, wakes",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.4,
  emotion = 0,
  loop = { 5, 10 },
  events = { { 4.6, "asleep" }, { 11.2, "awake" } },
  tracks = {
    HeadPitch = {
      { 0, kind = "input" }, { 1.3, 0.2 }, { 1.8, -0.05 }, { 2.4, 0 }, { 4.8, 0.45 }, { 7, 0.41 },
        { 10, 0.45 },
      { 10.6, 0.47 }, { 11.4, -0.25 }, { 12.2, kind = "input" },
    },
    HipPitch = {
      { 0.4, kind = "input" }, { 1.7, -0.03, kind = "superposition" }, { 2.3, 0, kind = "superposition" },
      { 4.9, -0.12, kind = "superposition" }, { 7.2, -0.1, kind = "superposition" },
        { 10, -0.12, kind = "superposition" },
      { 11.6, 0.02, kind = "superposition" }, { 12.4, kind = "input" },
    },
    EyeLedBrightness = {
      { 0.8, kind = "input" }, { 1.4, 0.4 }, { 1.8, 0.8 }, { 4.2, 0.05 }, { 10, 0.05 }, { 11, 0.8 },
        { 11.2, 0.2 },
      { 11.5, 1 }, { 12, kind = "input" },
    },
    EarLedBrightness = { { 1, kind = "input" }, { 4.4, 0.1 }, { 7, 0.25 }, { 10, 0.1 },
      { 12, kind = "input" } },
    ShoulderLedBrightness = { { 1, kind = "input" }, { 4.4, 0.05 }, { 7, 0.15 }, { 10, 0.05 },
      { 12, kind = "input" } },
  },
}
