-- Two benches across the room from each other, nine balls on them, and a bin of each color at either end of both. One ball is
-- put on the first bench while the robot works at the second.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 6, view = 2.6, rate = 20, noise = 0.003,
    color_noise = 0.02 },
  furniture = {
    { id = "first bench", kind = "first bench", shape = "table", at = { 1.5, 0.6 }, yaw = 0.3, size = { 0.6, 1.3, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "red bin of the first bench", kind = "red bin", shape = "bin", at = { 1.486, 0.104, 0.92 }, yaw = 0.3,
      size = { 0.22, 0.22, 0.08 }, board = 0.008, color = { 0.85, 0.1, 0.1 } },
    { id = "blue bin of the first bench", kind = "blue bin", shape = "bin", at = { 1.208, 1.002, 0.92 }, yaw = 0.3,
      size = { 0.22, 0.22, 0.08 }, board = 0.008, color = { 0.1, 0.2, 0.85 } },
    { id = "second bench", kind = "second bench", shape = "table", at = { -1.4, 0.8 }, yaw = 2.9, size = { 0.6, 1.3, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "red bin of the second bench", kind = "red bin", shape = "bin", at = { -1.132, 1.218, 0.92 }, yaw = 2.9,
      size = { 0.22, 0.22, 0.08 }, board = 0.008, color = { 0.85, 0.1, 0.1 } },
    { id = "blue bin of the second bench", kind = "blue bin", shape = "bin", at = { -1.357, 0.305, 0.92 }, yaw = 2.9,
      size = { 0.22, 0.22, 0.08 }, board = 0.008, color = { 0.1, 0.2, 0.85 } },
  },
  things = {
    { id = "ball 1", kind = "ball", radius = 0.035, at = { 1.43, 0.285 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 2", kind = "ball", radius = 0.035, at = { 1.472, 0.487 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 3", kind = "ball", radius = 0.035, at = { 1.304, 0.623 }, color = { 0.1, 0.2, 0.85 } },
    { id = "ball 4", kind = "ball", radius = 0.035, at = { 1.35, 0.815 }, color = { 0.1, 0.2, 0.85 } },
    { id = "ball 5", kind = "ball", radius = 0.035, at = { 1.402, 0.444 }, color = { 0.85, 0.1, 0.1 }, from = 40 },
    { id = "ball 6", kind = "ball", radius = 0.035, at = { -1.195, 1.007 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 7", kind = "ball", radius = 0.035, at = { -1.206, 0.835 }, color = { 0.85, 0.1, 0.1 } },
    { id = "ball 8", kind = "ball", radius = 0.035, at = { -1.346, 0.684 }, color = { 0.1, 0.2, 0.85 } },
    { id = "ball 9", kind = "ball", radius = 0.035, at = { -1.309, 0.5 }, color = { 0.1, 0.2, 0.85 } },
  },
}
