-- A start: it draws back for a moment, then everything opens at once, and slowly settles. The lids stay up
-- throughout.
return {
  name = "surprise",
  about = "a start, with the eyes wide open",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.1,
  priority = 5,
  events = { { 0.35, "startled" } },
  tracks = {
    EyelidLeft = {
      { 0, kind = "input" }, { 0.1, -0.2, kind = "superposition" }, { 0.35, 1 }, { 2, 0.9 },
        { 3, kind = "input" },
    },
    EyelidRight = {
      { 0, kind = "input" }, { 0.1, -0.2, kind = "superposition" }, { 0.35, 1 }, { 2, 0.9 },
        { 3, kind = "input" },
    },
    BrowInnerLeft = { { 0.05, kind = "input" }, { 0.4, 0.9 }, { 2, 0.8 }, { 3, kind = "input" } },
    BrowInnerRight = { { 0.05, kind = "input" }, { 0.4, 0.9 }, { 2, 0.8 }, { 3, kind = "input" } },
    BrowOuterLeft = { { 0.08, kind = "input" }, { 0.43, 0.9 }, { 2, 0.8 }, { 3, kind = "input" } },
    BrowOuterRight = { { 0.08, kind = "input" }, { 0.43, 0.9 }, { 2, 0.8 }, { 3, kind = "input" } },
    MouthOpen = { { 0.1, kind = "input" }, { 0.45, 0.8 }, { 1.8, 0.55 }, { 2.8, kind = "input" } },
    TrunkTilt = { { 0.1, kind = "input" }, { 0.7, 0.55 }, { 2, 0.5 }, { 3.2, kind = "input" } },
    TrunkCurl = { { 0.2, kind = "input" }, { 0.9, 0.6 }, { 2.2, 0.5 }, { 3.4, kind = "input" } },
    NeckTilt = { { 0, kind = "input" }, { 0.2, 0.02, kind = "superposition" },
      { 0.6, -0.14, kind = "superposition" }, { 2, -0.1, kind = "superposition" }, { 3.2, kind = "input" } },
  },
}
