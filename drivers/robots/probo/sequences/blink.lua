-- Both eyes close and open again within 0.2 s, over whatever the lids do.
return {
  name = "blink",
  robot = "probo",
  curve = "ease_in_out",
  fade = 0.05,
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.08, -1 }, { 0.12, -1 }, { 0.24, kind = "input" } },
    EyelidRight = { { 0, kind = "input" }, { 0.08, -1 }, { 0.12, -1 }, { 0.24, kind = "input" } },
  },
}
