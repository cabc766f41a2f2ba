-- The right hand is raised, waves as long as it is wanted, and comes down.
return {
  name = "wave",
  about = "a wave of the right hand; played mirrored, of the left",
  robot = "biped",
  curve = "cubic",
  loop = { 1.2, 2.8 },
  tracks = {
    right_shoulder_pitch = { { 0, kind = "input" }, { 1.2, -1.2 }, { 2.8, -1.2 }, { 4.0, kind = "input" } },
    right_shoulder_roll = { { 0, kind = "input" }, { 1.2, -0.6 }, { 1.6, -0.75 }, { 2.0, -0.6 },
      { 2.4, -0.45 }, { 2.8, -0.6 }, { 4.0, kind = "input" } },
    right_elbow = { { 0, kind = "input" }, { 1.2, -1.7 }, { 2.8, -1.7 }, { 4.0, kind = "input" } },
    right_grip = { { 0, kind = "input" }, { 0.6, 0.02 }, { 3.4, 0.02 }, { 4.0, kind = "input" } },
  },
}
