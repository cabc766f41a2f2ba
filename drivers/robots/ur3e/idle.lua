-- What the arm does when nothing else does: it breathes, drifts, and now and then looks around with its tool.
-- Amplitudes are in rad; at level 0.5 half of them is there. What is wanted of the arm comes first (follow):
-- held somewhere, it hardly moves.
return {
  source = {
    "breathing: 0.15 Hz, a few hundredths of a rad: what robots with a good reputation for it do",
    "amplitudes, intervals: chosen by us",
  },
  motions = {
    breath = { wave = 0.15, from = 0.05, follow = 5,
      dofs = { shoulder_lift_joint = 0.008, wrist_1_joint = { 0.014, 0.3 } } },
    drift = { noise = 0.08, beta = 1.25, follow = 5, dofs = {
      shoulder_pan_joint = 0.02, shoulder_lift_joint = 0.02, elbow_joint = 0.02,
      wrist_1_joint = 0.042, wrist_2_joint = 0.042, wrist_3_joint = 0.035,
    } },
  },
  gestures = {
    look = { play = { "peek", "bob" }, odds = { 2, 1 },
      every = { mean = 9, sigma = 0.5, least = 3, most = 30 },
      amplitude = { 0.4, 0.7 }, speed = { 0.85, 1.2 }, mirror = "random", from = 0.2 },
    posture = { play = { "stretch", "lean" }, every = "posture_shift", amplitude = { 0.4, 0.7 },
      speed = { 0.85, 1.1 }, mirror = "random", from = 0.2 },
  },
}
