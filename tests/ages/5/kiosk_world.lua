-- A visitor's coming and going, for the kiosk on the simulator.
-- Paths are {seconds, x, y [, z [, heading]]}: x is straight ahead of the robot.
return {
  sensor = {
    pose = { position = { 0.1, 0, 1.2 } }, -- fixed at the height of the head, looking ahead
    range = 4.5,
    view = 2 * pi / 3,
    noise = 0.01,
    dropout = 0.1,
    rate = 20,
  },
  people = {
    { id = "ann", height = 1.68, path = {
      { 3, 5.5, 2.5 }, { 6, 1.3, 0.5 }, { 8, 1.1, 0.0 }, { 11, 1.2, -0.5 }, { 13, 1.2, -0.4 },
        { 17, 5.5, -2.5 },
    } },
  },
  -- ann touches the head on her way: {seconds, value}
  inputs = {
    touch_head = { kind = "touch", path = { { 9.0, true }, { 9.4, false } } },
    sonar_front = { kind = "range", near = 0.5, linear = true, path = {
      { 3, 5 }, { 6, 1.1 }, { 8, 0.9 }, { 13, 1.1 }, { 17, 5 },
    } },
  },
}
