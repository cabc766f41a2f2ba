-- Three rooms. The office opens to the hall, the kitchen is behind a door that opens away. A table stands in
-- the hall, a cupboard and a shelf in the office, and the mug is on a table in the kitchen.
return {
  sensor = { link = "camera", range = 4, view = 1.8, rate = 20, noise = 0.005 },
  depth = { link = "camera", width = 64, height = 40, view = 1.8, range = 6, rate = 4 },
  rooms = {
    { id = "hall", box = { -1.5, -2, 3, 2 },
      doors = { { side = "east", at = 2, width = 1 }, { side = "north", at = 1.8, width = 1 } } },
    { id = "kitchen", box = { 3, -2, 6.5, 2 }, without = { "west" } },
    { id = "office", box = { -1.5, 2, 3, 5.5 }, without = { "south" } },
  },
  doors = { { id = "kitchen door", at = { 3, 0 }, hinge = "right", opens = "away", handle = "push_bar" } },
  furniture = {
    { id = "table", shape = "table", at = { 1.6, -1.2 }, size = { 0.8, 0.8, 0.75 }, hidden = true },
    { id = "cupboard", shape = "box", at = { -1, 4 }, size = { 0.5, 1.2, 1.8 }, hidden = true },
    { id = "shelf", shape = "table", at = { 2.2, 5 }, size = { 0.9, 0.4, 0.9 }, hidden = true },
    { id = "kitchen table", shape = "table", at = { 5.6, 1.2 }, size = { 0.8, 0.8, 0.75 }, hidden = true },
    { id = "mug", kind = "mug", shape = "box", at = { 5.6, 1.2, 0.75 }, size = { 0.08, 0.08, 0.1 },
      color = { 0.2, 0.4, 0.8 } },
  },
  walkers = { { id = "ann", path = { { 5.9, -1.5 } }, yaw = 2, patience = 5, aside = { 5.9, -1.5 } } },
}
