-- The right hand is raised, waves as long as it is wanted, and comes down.
return {
  name = "wave",
  about = "a wave of the right hand; played mirrored, of the left",
  robot = "pepper",
  curve = "cubic",
  loop = { 1.2, 2.8 },
  tracks = {
    RShoulderPitch = { { 0, kind = "input" }, { 1.2, -0.2 }, { 2.8, -0.2 }, { 4.0, kind = "input" } },
    RShoulderRoll = { { 0, kind = "input" }, { 1.2, -0.35 }, { 2.8, -0.35 }, { 4.0, kind = "input" } },
    RElbowYaw = { { 0, kind = "input" }, { 1.2, 1.5 }, { 2.8, 1.5 }, { 4.0, kind = "input" } },
    RElbowRoll = { { 0, kind = "input" }, { 1.2, 1.0 }, { 1.6, 1.25 }, { 2.0, 1.0 }, { 2.4, 0.75 },
      { 2.8, 1.0 }, { 4.0, kind = "input" } },
    RHand = { { 0, kind = "input" }, { 0.6, 0.9 }, { 3.4, 0.9 }, { 4.0, kind = "input" } },
  },
}
