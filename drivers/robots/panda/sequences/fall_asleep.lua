-- It nods off, catches itself once, then sinks. It breathes asleep until it is stopped, and wakes with a
-- start.
return {
  name = "fall_asleep",
  about = "falls asleep, sleeps as long as it is wanted, wakes",
  robot = "panda",
  curve = "minimum_jerk",
  fade = 0.4,
  emotion = 0,
  loop = { 5, 10 },
  events = { { 4.6, "asleep" }, { 11.2, "awake" } },
  tracks = {
    panda_joint6 = {
      { 0, kind = "input" }, { 1.3, -0.22, kind = "superposition" }, { 1.8, -0.02, kind = "superposition" },
      { 2.4, -0.05, kind = "superposition" }, { 4.8, -0.5, kind = "superposition" },
        { 7, -0.46, kind = "superposition" },
      { 10, -0.5, kind = "superposition" }, { 10.6, -0.53, kind = "superposition" },
        { 11.4, 0.06, kind = "superposition" },
      { 12.2, kind = "input" },
    },
    panda_joint2 = {
      { 0.3, kind = "input" }, { 1.6, 0.05, kind = "superposition" }, { 2.2, 0, kind = "superposition" },
      { 4.9, 0.14, kind = "superposition" }, { 7.2, 0.12, kind = "superposition" },
        { 10, 0.14, kind = "superposition" },
      { 11.5, -0.03, kind = "superposition" }, { 12.3, kind = "input" },
    },
    panda_joint7 = {
      { 2.4, kind = "input" }, { 4.9, 0.12, kind = "superposition" }, { 10, 0.12, kind = "superposition" },
      { 12, kind = "input" },
    },
  },
}
