-- Hello: the right hand comes up, waves twice and goes down, and the head lifts a little.
return {
  name = "greet",
  about = "hello, with the right hand",
  robot = "pepper",
  curve = "minimum_jerk",
  fade = 0.2,
  events = { { 1.3, "greeted" } },
  tracks = {
    RShoulderPitch = {
      { 0, kind = "input" }, { 0.3, 0.05, kind = "superposition" }, { 1.3, 0.35 }, { 2.9, 0.35 },
        { 4.2, kind = "input" },
    },
    RShoulderRoll = { { 0.1, kind = "input" }, { 1.3, -0.4 }, { 2.9, -0.4 }, { 4.2, kind = "input" } },
    RElbowYaw = { { 0.1, kind = "input" }, { 1.3, 1.6 }, { 2.9, 1.6 }, { 4.2, kind = "input" } },
    RElbowRoll = {
      { 0.1, kind = "input" }, { 1.3, 1.1 }, { 1.7, 1.4 }, { 2.1, 1 }, { 2.5, 1.35 }, { 2.9, 1.1 },
        { 4.2, kind = "input" },
    },
    RHand = { { 0.2, kind = "input" }, { 1, 0.9 }, { 3.2, 0.9 }, { 4.2, kind = "input" } },
    HeadPitch = {
      { 0.2, kind = "input" }, { 0.9, -0.06, kind = "superposition" }, { 2.6, -0.04, kind = "superposition" },
      { 3.6, kind = "input" },
    },
  },
}
