-- A table in front of the robot that only the depth camera sees, with things on it.
return {
  sensor = { link = "camera", range = 6, view = 2, rate = 20 },
  depth = { link = "camera", width = 160, height = 120, view = 1.2, range = 5, rate = 5, noise = 0.002 },
  furniture = {
    { id = "table", shape = "table", at = { 1.7, 0.1 }, yaw = 0.2, size = { 0.7, 1.4, 0.92 },
      color = { 0.55, 0.4, 0.25 },
      hidden = true },
  },
  things = {
    { id = "ball", kind = "ball", radius = 0.05, at = { 1.6, 0.2 }, color = { 0.9, 0.3, 0.1 } },
    { id = "can", kind = "can", shape = "box", size = { 0.07, 0.07, 0.12 }, at = { 1.8, -0.1 } },
  },
}
