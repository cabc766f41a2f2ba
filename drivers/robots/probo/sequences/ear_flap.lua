-- The left ear flaps; played mirrored, the right one.
return {
  name = "ear_flap",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    EarLeft = {
      { 0, kind = "input" },
      { 0.3, { 0.4, 0.7 }, kind = "random" },
      { 0.6, { -0.3, 0 }, kind = "random" },
      { 1.0, kind = "input" },
    },
  },
}
