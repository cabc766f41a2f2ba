-- Two rooms with a doorway between them. Ann walks through both, stands for a while, and is hidden by the
-- wall on the way.
return {
  sensor = { link = "camera", range = 7, view = 1.9, rate = 20, noise = 0.01, identity = true },
  depth = { link = "camera", width = 64, height = 32, view = 1.9, range = 6, rate = 4 },
  rooms = {
    { id = "hall", box = { -1.5, -2, 4, 2 }, doors = { { side = "east", at = 2, width = 1 } } },
    { id = "office", box = { 4, -3, 8, 3 }, without = { "west" } },
  },
  walls = {
    { id = "office/south of the hall", from = { 4, -3 }, to = { 4, -2 } },
    { id = "office/north of the hall", from = { 4, 2 }, to = { 4, 3 } },
  },
  walkers = {
    { id = "ann", speed = 0.35,
      path = { { 1.6, 0, 2 }, { 3, 0.3, 1 }, { 4.6, 0, 0 }, { 5.2, 1.6, 4 }, { 6.5, 1.6, 0 },
        { 6.5, -1, 30 } } },
  },
}
