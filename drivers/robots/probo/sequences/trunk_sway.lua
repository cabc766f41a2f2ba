-- The trunk swings to one side and back, its tip behind it.
return {
  name = "trunk_sway",
  about = "the trunk swings to its left; played mirrored, to its right",
  robot = "probo",
  curve = "minimum_jerk",
  tracks = {
    TrunkPan = {
      { 0, kind = "input" },
      { 0.35, -0.06, kind = "superposition" },
      { 1.1, 0.26, kind = "superposition" },
      { 2.0, -0.1, kind = "superposition" },
      { 2.8, kind = "input" },
    },
    TrunkCurl = {
      { 0.2, kind = "input" },
      { 1.3, 0.18, kind = "superposition" },
      { 2.2, -0.08, kind = "superposition" },
      { 3.1, kind = "input" },
    },
  },
}
