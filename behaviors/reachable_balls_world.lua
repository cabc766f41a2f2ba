-- A deep bench with six balls, four of them in reach, and a bin at either end.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 3, view = 2.4,
    rate = 20,
    noise = 0.002 },
  furniture = {
    { id = "bench", shape = "table", at = { 0.70, 0 }, size = { 1.00, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "right bin", shape = "bin", at = { 0.34, -0.49, 0.92 }, size = { 0.22, 0.22, 0.08 },
      board = 0.008 },
    { id = "left bin", shape = "bin", at = { 0.34, 0.49, 0.92 }, size = { 0.22, 0.22, 0.08 }, board = 0.008 },
  },
  things = {
    { id = "ball 1", kind = "ball", radius = 0.035, at = { 0.33, -0.22 }, color = { 0.9, 0.6, 0.1 } },
    { id = "ball 2", kind = "ball", radius = 0.035, at = { 0.44, -0.12 }, color = { 0.9, 0.6, 0.1 } },
    { id = "ball 3", kind = "ball", radius = 0.035, at = { 0.72, -0.20 }, color = { 0.9, 0.6, 0.1 } },
    { id = "ball 4", kind = "ball", radius = 0.035, at = { 0.35, 0.12 }, color = { 0.9, 0.6, 0.1 } },
    { id = "ball 5", kind = "ball", radius = 0.035, at = { 0.42, 0.26 }, color = { 0.9, 0.6, 0.1 } },
    { id = "ball 6", kind = "ball", radius = 0.035, at = { 0.75, 0.15 }, color = { 0.9, 0.6, 0.1 } },
  },
}
