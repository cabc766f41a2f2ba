-- Both eyes close and open again: for 0.2 s they are more than half closed. The ears give a little, behind
-- the lids.
return {
  name = "blink",
  about = "a blink",
  source = "0.2 s of closure: after Bentivoglio et al., Movement Disorders 12(6), 1997, and what social \z
    robots do",
  robot = "probo",
  curve = "minimum_jerk",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.12, -1 }, { 0.18, -1 }, { 0.36, kind = "input" } },
    EyelidRight = { { 0, kind = "input" }, { 0.12, -1 }, { 0.18, -1 }, { 0.36, kind = "input" } },
    EarLeft = { { 0.03, kind = "input" }, { 0.2, -0.07, kind = "superposition" }, { 0.5, kind = "input" } },
    EarRight = { { 0.03, kind = "input" }, { 0.2, -0.07, kind = "superposition" }, { 0.5, kind = "input" } },
  },
}
