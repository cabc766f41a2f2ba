-- A quick double twitch of one ear, as against a fly.
return {
  name = "ear_twitch",
  about = "the left ear twitches twice; played mirrored, the right one",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    EarLeft = {
      { 0, kind = "input" },
      { 0.18, -0.25, kind = "superposition" },
      { 0.36, 0.05, kind = "superposition" },
      { 0.55, -0.18, kind = "superposition" },
      { 0.9, kind = "input" },
    },
  },
}
