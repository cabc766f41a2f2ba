-- A minute in front of the robot: somebody passes by; a child comes near, strokes the robot's head, and goes;
-- another child passes; then nobody comes. Heights (z) are measured from the top of the table on which the
-- robot stands. Paths are {s, x, y, z}, in m.
return {
  sensor = {
    pose = { position = { 0, 0, 0.9 } },
    range = 5,
    view = 0.85 * pi,
    noise = 0.01,
    dropout = 0.05,
    rate = 20,
  },
  people = {
    { id = "ben", path = { { 1, 3.2, 2.6, 1.0 }, { 7, 3.0, -2.6, 1.0 } } },
    { id = "ann", path = {
      { 8, 3.5, 1.2, 0.75 }, { 11, 0.85, 0.25, 0.75 }, { 16, 0.8, 0.0, 0.75 }, { 24, 0.85, -0.15, 0.75 },
        { 28, 0.9, -0.3, 0.75 },
      { 31, 3.5, -1.8, 0.75 },
    } },
    { id = "carl", path = { { 33, 3.0, -2.6, 0.9 }, { 36, 2.2, 0.2, 0.9 }, { 37.5, 2.2, 0.3, 0.9 },
      { 40.5, 3.2, 2.8, 0.9 } } },
  },
  -- ann strokes its head, twice: {s, value}
  inputs = {
    touch_head = { kind = "touch", path = { { 14, true }, { 17, false }, { 17.6, true }, { 20, false } } },
  },
}
