-- Both eyes close and open again within 0.3 s, over whatever the lids do.
return {
  name = "blink",
  robot = "probo",
  curve = "ease_in_out",
  fade = 0.05,
  emotion = 0,
  tracks = {
    EyelidLeft = { { 0, kind = "input" }, { 0.13, -1 }, { 0.16, -1 }, { 0.3, kind = "input" } },
    EyelidRight = { { 0, kind = "input" }, { 0.13, -1 }, { 0.16, -1 }, { 0.3, kind = "input" } },
  },
}
