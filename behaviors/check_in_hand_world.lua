-- A bench with four balls in the reach of the right hand, and two bins beside each other in its reach.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 3, view = 2.4,
    rate = 20, noise = 0.002,
    color_noise = 0.05 },
  furniture = {
    { id = "bench", shape = "table", at = { 0.50, 0 }, size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "red bin", kind = "red bin", shape = "bin", at = { 0.30, -0.48, 0.92 },
      size = { 0.22, 0.22, 0.08 }, board = 0.008,
      color = { 0.85, 0.1, 0.1 } },
    { id = "blue bin", kind = "blue bin", shape = "bin", at = { 0.50, -0.48, 0.92 },
      size = { 0.16, 0.22, 0.08 }, board = 0.008,
      color = { 0.1, 0.2, 0.85 } },
  },
  things = {
    { id = "ball 1", kind = "ball", radius = 0.035, at = { 0.32, -0.27 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 2", kind = "ball", radius = 0.035, at = { 0.30, -0.14 }, color = { 0.1, 0.2, 0.85 } },
    { id = "ball 3", kind = "ball", radius = 0.035, at = { 0.40, -0.06 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 4", kind = "ball", radius = 0.035, at = { 0.34, 0.01 }, color = { 0.1, 0.2, 0.85 } },
  },
}
