-- What the head does when nothing else does. Amplitudes are in rad for joints and in shares of the face's
-- range; at level 0.5 half of them is there.
return {
  source = {
    "blinks: 17 a minute at rest, log-normal: Bentivoglio et al., Movement Disorders 12(6), 1997",
    "blinks where speech begins and ends: 0.7 of them, after social robots' practice",
    "breathing: 0.15 Hz, a few hundredths of a rad: what robots with a good reputation for it do",
    "amplitudes of the drift, intervals of ears and posture: chosen by us",
  },
  motions = {
    breath = { wave = 0.15, from = 0.05,
      dofs = { NeckTilt = 0.012, TrunkTilt = { 0.06, 0.5 }, MouthOpen = { 0.02, 0.2 } } },
    drift = { noise = 0.08, beta = 1.3, dofs = { NeckPan = 0.035, NeckTilt = 0.03, NeckSwing = 0.035 } },
    face = { noise = 0.08, beta = 1.6, from = 0.1, dofs = {
      BrowInnerLeft = 0.06, BrowInnerRight = 0.06, BrowOuterLeft = 0.06, BrowOuterRight = 0.06,
      MouthCornerLeft = 0.04, MouthCornerRight = 0.04,
    } },
    soft = { noise = 0.08, from = 0.1, dofs = {
      EarLeft = 0.14, EarRight = 0.14, TrunkPan = 0.14, TrunkTilt = 0.14, TrunkCurl = 0.14, MouthOpen = 0.05,
    } },
  },
  gestures = {
    blink = {
      play = { "blink", "blink_soft", "blink_slow", "blink_double" }, odds = { 8, 4, 3, 1 }, every = "blink",
        fixed = true,
      talking = "blink_talking", on = { blink = 1, speaking = 0.7, said = 0.7 },
      unless = { { emotion = "surprised", above = 0.4, dofs = { "eyelids" } } },
    },
    ears = { play = { "ear_flap", "ear_turn", "ear_twitch" }, odds = { 3, 2, 1 }, every = "ear_flap",
      amplitude = { 0.45, 0.7 },
      speed = { 0.85, 1.15 }, mirror = "random", from = 0.1,
        on = { sound_began = 0.5, person_appeared = 0.6 } },
    trunk = { play = { "trunk_sway", "sniff" }, every = { mean = 18, sigma = 0.5, least = 5, most = 60 },
      amplitude = { 0.4, 0.7 }, speed = { 0.85, 1.1 }, mirror = "random", from = 0.2 },
    posture = { play = { "head_tilt", "settle" }, every = "posture_shift", amplitude = { 0.4, 0.7 },
      speed = { 0.85, 1.1 }, mirror = "random", from = 0.2 },
  },
}
