-- The tip of the trunk curls out and in, twice, as if something smelled.
return {
  name = "sniff",
  about = "two sniffs with the tip of the trunk",
  robot = "probo",
  curve = "minimum_jerk",
  events = { { 0.4, "sniffed" } },
  tracks = {
    TrunkTilt = { { 0, kind = "input" }, { 0.5, 0.22, kind = "superposition" },
      { 1.3, 0.18, kind = "superposition" }, { 2.1, kind = "input" } },
    TrunkCurl = {
      { 0.1, kind = "input" },
      { 0.45, 0.3, kind = "superposition" },
      { 0.8, 0.05, kind = "superposition" },
      { 1.15, 0.26, kind = "superposition" },
      { 1.5, 0.05, kind = "superposition" },
      { 2.2, kind = "input" },
    },
    MouthOpen = { { 0.2, kind = "input" }, { 0.5, -0.12, kind = "superposition" }, { 1.6, kind = "input" } },
  },
}
