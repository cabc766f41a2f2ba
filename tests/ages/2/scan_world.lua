-- A table with three things on it and a button that somebody presses, for the scan on the simulator.
-- The sensor looks on from the side; things lie still: {seconds, x, y, z}, from the first time to the last.
return {
  sensor = {
    pose = { position = { -0.6, 0, 0.5 } },
    range = 3,
    view = 2 * pi,
    noise = 0.001,
    dropout = 0.05,
    rate = 20,
  },
  objects = {
    { kind = "button", id = "start", path = { { 3, 0.2, -0.45, 0.03 }, { 4, 0.2, -0.45, 0.03 } } },
    { kind = "item", id = "bolt", path = { { 0, 0.30, -0.20, 0.02 }, { 600, 0.30, -0.20, 0.02 } } },
    { kind = "item", id = "nut", path = { { 0, 0.36, 0.02, 0.02 }, { 600, 0.36, 0.02, 0.02 } } },
    { kind = "item", id = "washer", path = { { 0, 0.27, 0.20, 0.02 }, { 600, 0.27, 0.20, 0.02 } } },
  },
}
