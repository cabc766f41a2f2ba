-- A child at the robot's table: comes, looks elsewhere for a while, turns to it, and joins in now and then. What the child shows
-- comes as inputs, which a camera's program would send (`input child_nod true` on the run's socket); here they are pressed in
-- time. Paths are {seconds, x, y, z, which way the face looks}: pi is towards the robot.
return {
  sensor = { pose = { position = { 0, 0, 0.9 } }, range = 4, view = 0.85 * pi, noise = 0.005, dropout = 0.05, rate = 20 },
  people = {
    { id = "tim", path = {
      { 1, 3.0, 1.0, 0.7, 2.0 }, { 4, 0.9, 0.1, 0.7, 2.0 }, { 11, 0.9, 0.1, 0.7, 1.6 },
      { 11.6, 0.9, 0.1, 0.7, pi }, { 40, 0.9, 0.0, 0.7, pi }, { 41, 0.9, 0.0, 0.7, 4.6 }, { 48, 0.9, 0.0, 0.7, 4.6 },
      { 49, 0.9, 0.0, 0.7, pi }, { 64, 0.9, -0.1, 0.7, pi }, { 68, 3.2, -1.5, 0.7, 5.8 },
    } },
  },
  inputs = {
    child_nod = { kind = "button", path = { { 17, true }, { 17.4, false }, { 36, true }, { 36.4, false } } },
    child_shake = { kind = "button", path = { { 29, true }, { 29.4, false } } },
    child_wave = { kind = "button", path = { { 24, true }, { 24.4, false }, { 56, true }, { 56.4, false } } },
  },
}
