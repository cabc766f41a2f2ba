-- What the body does when nothing else does. Amplitudes are in rad; at level 0.5 half of them is there. What
-- is wanted of an arm or of the hips comes first (follow), the head's drift stays over a gaze.
return {
  source = {
    "blinks, of the eyes' lights: 17 a minute at rest, log-normal: Bentivoglio et al., Movement Disorders \z
      12(6), 1997",
    "glances: another place every 2 to 5 s, after social robots' practice",
    "breathing: 0.15 Hz, a few hundredths of a rad: what robots with a good reputation for it do",
    "amplitudes of the drift, intervals of posture: chosen by us",
  },
  motions = {
    breath = { wave = 0.15, from = 0.05, follow = 20, dofs = {
      HipPitch = 0.006, LShoulderPitch = { 0.016, 0.3 }, RShoulderPitch = { 0.016, 0.3 },
        LShoulderRoll = { 0.01, 0.3 },
      RShoulderRoll = { -0.01, 0.3 },
    } },
    drift = { noise = 0.08, beta = 1.25, dofs = { HeadYaw = 0.08, HeadPitch = 0.055 } },
    sway = { noise = 0.08, beta = 1.25, from = 0.1, follow = 20, dofs = {
      HipRoll = 0.018, HipPitch = 0.02, KneePitch = 0.014, LShoulderPitch = 0.035, RShoulderPitch = 0.035,
        LShoulderRoll = 0.02,
      RShoulderRoll = 0.02, LElbowRoll = 0.05, RElbowRoll = 0.05, LElbowYaw = 0.035, RElbowYaw = 0.035,
        LWristYaw = 0.085,
      RWristYaw = 0.085, LHand = 0.12, RHand = 0.12,
    } },
  },
  gestures = {
    blink = {
      play = { "blink", "blink_soft", "blink_slow", "blink_double" }, odds = { 8, 4, 3, 1 }, every = "blink",
        fixed = true,
      talking = "blink_talking", on = { blink = 1, speaking = 0.7, said = 0.7 },
      unless = { { emotion = "surprised", above = 0.4, dofs = { "EyeLedBrightness" } } },
    },
    glance = { play = { "glance", "tilt_down" }, odds = { 3, 1 },
      every = { mean = 8, sigma = 0.5, least = 2.5, most = 30 },
      amplitude = { 0.4, 0.7 }, speed = { 0.85, 1.2 }, mirror = "random", from = 0.2 },
    hands = { play = { "ease_arm", "open_hands" }, every = { mean = 18, sigma = 0.5, least = 6, most = 60 },
      amplitude = { 0.4, 0.7 }, speed = { 0.85, 1.1 }, mirror = "random", from = 0.2 },
    posture = { play = { "shift_weight", "sink" }, every = "posture_shift", amplitude = { 0.4, 0.7 },
      speed = { 0.85, 1.1 },
      mirror = "random", from = 0.2 },
  },
}
