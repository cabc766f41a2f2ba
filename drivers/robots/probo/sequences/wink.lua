-- One eye closes for a moment, and that side of the face helps it.
return {
  name = "wink",
  about = "the left eye winks; played mirrored, the right one",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.1,
  emotion = 0,
  events = { { 0.4, "winked" } },
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.12, 0.1, kind = "superposition" }, { 0.32, -1 }, { 0.62, -1 },
      { 0.95, kind = "input" } },
    EyelidRight = { { 0.1, kind = "input" }, { 0.35, -0.12, kind = "superposition" }, { 0.9, kind = "input" } },
    BrowOuterLeft = { { 0.05, kind = "input" }, { 0.36, -0.4, kind = "superposition" }, { 0.66, -0.4, kind = "superposition" },
      { 1.1, kind = "input" } },
    BrowOuterRight = { { 0.1, kind = "input" }, { 0.45, 0.25, kind = "superposition" }, { 1.1, kind = "input" } },
    MouthCornerLeft = { { 0.1, kind = "input" }, { 0.42, 0.4, kind = "superposition" }, { 0.75, 0.4, kind = "superposition" },
      { 1.3, kind = "input" } },
    NeckSwing = { { 0, kind = "input" }, { 0.5, 0.07, kind = "superposition" }, { 0.8, 0.07, kind = "superposition" },
      { 1.4, kind = "input" } },
    EarLeft = { { 0.15, kind = "input" }, { 0.5, -0.2, kind = "superposition" }, { 1.2, kind = "input" } },
  },
}
