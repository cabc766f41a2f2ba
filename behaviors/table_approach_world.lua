-- A table across the room, turned a little, and a cupboard beside the way.
return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.1494, 0, 0.9888 } }, range = 6, view = 2.2,
    rate = 20,
    noise = 0.004 },
  furniture = {
    { id = "table", shape = "table", at = { 1.9, 0.5 }, yaw = 0.35, size = { 0.6, 1.3, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "cupboard", kind = "cupboard", shape = "box", at = { 0.8, -1.0 }, size = { 0.4, 0.8, 1.8 } },
  },
}
