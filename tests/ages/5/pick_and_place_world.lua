-- A bench with a can and a tray on it.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 3, view = 2.4,
    rate = 20,
    noise = 0.002 },
  furniture = {
    { id = "bench", shape = "table", at = { 0.50, 0 }, size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "tray", kind = "tray", shape = "box", at = { 0.34, -0.36, 0.92 }, size = { 0.22, 0.22, 0.01 },
      color = { 0.8, 0.8, 0.8 } },
  },
  things = {
    { id = "can", kind = "can", shape = "box", size = { 0.06, 0.06, 0.07 }, at = { 0.36, -0.08 },
      color = { 0.8, 0.2, 0.2 } },
  },
}
