-- The right hand is raised, waves as long as it is wanted, and comes down.
return {
  name = "wave",
  about = "a wave of the right hand; played mirrored, of the left",
  robot = "pepper",
  curve = "cubic",
  loop = { 1.2, 2.2 },
  tracks = {
    RShoulderPitch = { { 0, kind = "input" }, { 1.2, -0.2 }, { 2.2, -0.2 }, { 3.4, kind = "input" } },
    RShoulderRoll = { { 0, kind = "input" }, { 1.2, -0.35 }, { 2.2, -0.35 }, { 3.4, kind = "input" } },
    RElbowYaw = { { 0, kind = "input" }, { 1.2, 1.5 }, { 2.2, 1.5 }, { 3.4, kind = "input" } },
    RElbowRoll = { { 0, kind = "input" }, { 1.2, 1.0 }, { 1.45, 1.25 }, { 1.7, 1.0 }, { 1.95, 0.75 }, { 2.2, 1.0 }, { 3.4, kind = "input" } },
    RHand = { { 0, kind = "input" }, { 0.6, 0.9 }, { 2.8, 0.9 }, { 3.4, kind = "input" } },
  },
}
