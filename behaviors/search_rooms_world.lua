-- Four rooms about a crossing of walls. The kitchen and the office open to the hall, the store to the office. A table stands in
-- the hall, a cupboard in the office, and the mug is on a shelf in the office.
return {
  sensor = { link = "camera", range = 4, view = 1.6, rate = 20, noise = 0.01 },
  depth = { link = "camera", width = 64, height = 40, view = 1.8, range = 6, rate = 4 },
  rooms = {
    { id = "hall", box = { -1.5, -2, 3, 2 },
      doors = { { side = "east", at = 2, width = 1 }, { side = "north", at = 1.8, width = 1 } } },
    { id = "kitchen", box = { 3, -2, 6.5, 2 }, without = { "west" } },
    { id = "office", box = { -1.5, 2, 3, 5.5 }, without = { "south" }, doors = { { side = "east", at = 1.5, width = 1 } } },
    { id = "store", box = { 3, 2, 6.5, 5.5 }, without = { "west", "south" } },
  },
  furniture = {
    { id = "table", shape = "table", at = { 1.6, -0.9 }, size = { 0.8, 0.8, 0.75 }, hidden = true },
    { id = "cupboard", shape = "box", at = { -1, 4 }, size = { 0.5, 1.2, 1.8 }, hidden = true },
    { id = "shelf", shape = "table", at = { 2.2, 5 }, size = { 0.9, 0.4, 0.9 }, hidden = true },
    { id = "mug", kind = "mug", shape = "box", at = { 2.2, 5, 0.9 }, size = { 0.08, 0.08, 0.1 }, color = { 0.2, 0.4, 0.8 } },
  },
  walkers = { { id = "ann", path = { { 5.9, -1.5 } }, yaw = 2, patience = 5, aside = { 5.9, 1.5 } } },
}
