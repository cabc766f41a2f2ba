-- It fights sleep once, then the head sinks. It breathes asleep until it is stopped, and wakes with a start
-- and a blink.
return {
  name = "fall_asleep",
  about = "falls asleep, sleeps as long as it is wanted, wakes",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.4,
  emotion = 0,
  loop = { 5, 10 },
  events = { { 4.6, "asleep" }, { 11.2, "awake" } },
  tracks = {
    EyelidLeft = {
      { 0, kind = "input" }, { 1.2, -0.75 }, { 1.7, -0.2 }, { 2.2, -0.3 }, { 3.8, -1 }, { 10, -1 },
      { 10.5, -0.6 }, { 10.7, -0.9 }, { 11.2, 0.2 }, { 11.35, -1 }, { 11.42, -1 }, { 12, kind = "input" },
    },
    EyelidRight = {
      { 0.05, kind = "input" }, { 1.3, -0.7 }, { 1.75, -0.2 }, { 2.3, -0.3 }, { 3.9, -1 }, { 10, -1 },
      { 10.55, -0.6 }, { 10.75, -0.9 }, { 11.2, 0.2 }, { 11.35, -1 }, { 11.42, -1 }, { 12, kind = "input" },
    },
    NeckTilt = {
      { 0, kind = "input" }, { 1.3, 0.22 }, { 1.8, 0.02 }, { 2.3, 0.04 }, { 4.6, 0.44 }, { 5, 0.44 },
      { 7, 0.41 }, { 10, 0.44 }, { 10.6, 0.47 }, { 11.4, -0.06 }, { 12.2, kind = "input" },
    },
    NeckSwing = { { 2.4, kind = "input" }, { 4.8, 0.1 }, { 10, 0.1 }, { 12, kind = "input" } },
    EyesTilt = { { 2.5, kind = "input" }, { 4.4, 0.3 }, { 10, 0.3 }, { 11.1, 0 }, { 12, kind = "input" } },
    EarLeft = {
      { 0.2, kind = "input" }, { 1.5, -0.4 }, { 1.95, -0.05 }, { 2.6, -0.15 }, { 4.8, -0.8 }, { 10, -0.8 },
      { 10.6, -0.85 }, { 11.2, 0.5 }, { 11.7, 0.1 }, { 12.3, kind = "input" },
    },
    EarRight = {
      { 0.3, kind = "input" }, { 1.6, -0.4 }, { 2.05, -0.05 }, { 2.7, -0.15 }, { 4.9, -0.8 }, { 10, -0.8 },
      { 10.65, -0.85 }, { 11.25, 0.5 }, { 11.75, 0.1 }, { 12.3, kind = "input" },
    },
    BrowInnerLeft = { { 0.5, kind = "input" }, { 1.75, 0.3 }, { 4, -0.2 }, { 10, -0.2 }, { 11.2, 0.5 },
      { 12, kind = "input" } },
    BrowInnerRight = { { 0.5, kind = "input" }, { 1.75, 0.3 }, { 4, -0.2 }, { 10, -0.2 }, { 11.2, 0.5 },
      { 12, kind = "input" } },
    BrowOuterLeft = { { 1, kind = "input" }, { 4, -0.2 }, { 10, -0.2 }, { 11.2, 0.5 },
      { 12, kind = "input" } },
    BrowOuterRight = { { 1, kind = "input" }, { 4, -0.2 }, { 10, -0.2 }, { 11.2, 0.5 },
      { 12, kind = "input" } },
    MouthOpen = { { 3, kind = "input" }, { 4.6, -0.2 }, { 5, -0.2 }, { 7.2, -0.1 }, { 10, -0.2 },
      { 12, kind = "input" } },
    TrunkTilt = {
      { 0.3, kind = "input" }, { 1.6, -0.4 }, { 2.1, -0.1 }, { 2.6, -0.2 }, { 5, -0.8 }, { 7.2, -0.72 },
        { 10, -0.8 },
      { 11.5, 0.15 }, { 12.4, kind = "input" },
    },
    TrunkCurl = { { 2.5, kind = "input" }, { 5, -0.5 }, { 7.4, -0.44 }, { 10, -0.5 }, { 11.6, 0.1 },
      { 12.5, kind = "input" } },
  },
}
