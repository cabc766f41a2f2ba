-- A cupboard in front of the arm: its knob, and a switch that closes when the latch is free. The latch sticks
-- for the first 12 s.
return {
  sensor = { pose = { position = { 0, 0, 1 } }, range = 3, view = 2 * pi, rate = 20 },
  objects = { { kind = "knob", id = "knob", path = { { 0, 0.55, -0.10, 0.45 }, { 600, 0.55, -0.10,
    0.45 } } } },
  inputs = { latch_free = { kind = "button", path = { { 12, true } } } },
}
