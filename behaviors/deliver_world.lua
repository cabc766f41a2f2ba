-- A bench with a ball; behind the robot a door that opens away from it, and behind that another bench with a
-- box.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 5, view = 2.4,
    rate = 20,
    noise = 0.002 },
  furniture = {
    { id = "bench", kind = "bench", shape = "table", at = { 0.50, 0 }, size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "far bench", kind = "far bench", shape = "table", at = { -4.6, 0 }, yaw = pi,
      size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "box", kind = "box", shape = "bin", at = { -4.42, 0.2, 0.92 }, yaw = pi,
      size = { 0.24, 0.24, 0.10 }, board = 0.008,
      color = { 0.85, 0.1, 0.1 } },
  },
  things = { { id = "ball", kind = "ball", radius = 0.035, at = { 0.36, -0.12 },
    color = { 0.9, 0.5, 0.1 } } },
  doors = { { id = "office", at = { -2, 0 }, yaw = pi, hinge = "right", opens = "away", handle = "lever",
    closer = 4,
    damping = 20 } },
}
