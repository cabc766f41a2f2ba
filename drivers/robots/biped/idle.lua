-- What the body does when nothing else does; the legs stand still. Amplitudes are in rad; at level 0.5 half
-- of them is there. What is wanted of an arm or of the chest comes first (follow), the head's drift stays
-- over a gaze.
return {
  source = {
    "breathing: 0.15 Hz, a few hundredths of a rad: what robots with a good reputation for it do",
    "amplitudes of the drift, intervals of posture: chosen by us",
  },
  motions = {
    breath = { wave = 0.15, from = 0.05, follow = 20, dofs = {
      waist_pitch = 0.006, left_shoulder_pitch = { 0.014, 0.3 }, right_shoulder_pitch = { 0.014, 0.3 },
      left_shoulder_roll = { 0.01, 0.3 }, right_shoulder_roll = { -0.01, 0.3 },
    } },
    drift = { noise = 0.08, beta = 1.25, dofs = { neck_yaw = 0.08, neck_pitch = 0.055 } },
    sway = { noise = 0.08, beta = 1.25, from = 0.1, follow = 20, dofs = {
      waist_yaw = 0.03, waist_roll = 0.015, left_shoulder_pitch = 0.03, right_shoulder_pitch = 0.03,
        left_elbow = 0.05,
      right_elbow = 0.05, left_wrist_yaw = 0.08, right_wrist_yaw = 0.08, left_grip = 0.1, right_grip = 0.1,
    } },
  },
  gestures = {
    glance = { play = { "glance", "look_down" }, odds = { 3, 1 },
      every = { mean = 8, sigma = 0.5, least = 2.5, most = 30 },
      amplitude = { 0.4, 0.7 }, speed = { 0.85, 1.2 }, mirror = "random", from = 0.2 },
    posture = { play = { "sink", "turn_chest" }, every = "posture_shift", amplitude = { 0.4, 0.7 },
      speed = { 0.85, 1.1 }, mirror = "random", from = 0.2 },
  },
}
