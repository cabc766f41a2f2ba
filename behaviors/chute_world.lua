-- A bench with a chute that ends at a dish, and a bin beside it; behind the robot a wall with a door, and
-- another bench behind that. Somebody puts balls into the chute repeatedly.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 6, view = 2.6,
    rate = 20, noise = 0.002,
    color_noise = 0.03 },
  walls = { { id = "wall", from = { -1.3, -2.5 }, to = { -1.3, 2.5 },
    openings = { { at = 2.5, width = 0.96, height = 2.05 } } } },
  doors = {
    { id = "office", at = { -1.3, 0 }, yaw = pi, hinge = "left", opens = "away", handle = "lever",
      closer = 5, damping = 20 },
  },
  furniture = {
    { id = "bench", kind = "bench", shape = "table", at = { 0.50, 0 }, size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "chute", shape = "chute", at = { 0.72, 0.10, 0.95 }, yaw = pi, size = { 0.40, 0.12, 0.12 },
      board = 0.008,
      color = { 0.7, 0.7, 0.7 } },
    { id = "dish", shape = "bin", kind = "dish", at = { 0.38, 0.10, 0.92 }, size = { 0.22, 0.22, 0.045 },
      board = 0.006,
      color = { 0.9, 0.9, 0.9 } },
    { id = "bin", shape = "bin", at = { 0.32, 0.47, 0.92 }, size = { 0.22, 0.22, 0.10 }, board = 0.008,
      color = { 0.2, 0.2, 0.2 } },
    { id = "far bench", kind = "far bench", shape = "table", at = { -3.6, 0.3 }, yaw = pi,
      size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "box", kind = "box", shape = "bin", at = { -3.47, 0.1, 0.92 }, yaw = pi,
      size = { 0.24, 0.24, 0.10 }, board = 0.008,
      color = { 0.85, 0.1, 0.1 } },
  },
  things = {
    { id = "red ball", kind = "ball", radius = 0.035, color = { 0.85, 0.1, 0.1 } },
    { id = "green ball", kind = "ball", radius = 0.035, color = { 0.1, 0.7, 0.2 } },
    { id = "blue ball", kind = "ball", radius = 0.035, color = { 0.1, 0.2, 0.85 } },
  },
  events = {
    { at = 1, every = 120, what = "put", id = "blue ball", to = { 0.88, 0.10, 1.11 } },
    { at = 12, every = 120, what = "put", id = "green ball", to = { 0.88, 0.10, 1.11 } },
    { at = 30, every = 120, what = "put", id = "red ball", to = { 0.88, 0.10, 1.11 } },
  },
}
