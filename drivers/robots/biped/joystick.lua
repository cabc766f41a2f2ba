-- What a gamepad does (docs/operators/shared-control.md)
return {
  title = "emotion, head and right hand",
  rows = {
    { does = "emotion", stick = "stick_left" },
    -- rad/s; right and up are positive
    { does = "turn", stick = "stick_right", name = "head", x = { neck_yaw = -1.5 }, y = { neck_pitch = -1 } },
    { does = "turn", stick = "stick_right", held = "shoulder_left", name = "torso", x = { waist_yaw = -0.5 },
      y = { waist_pitch = 0.3 } },
    -- m/s along the world's axes: right, forward; up
    { does = "twist", stick = "stick_right", held = "shoulder_right", link = "right_hand",
      x = { 0, -0.15, 0 }, y = { 0.15, 0, 0 } },
    { does = "twist", stick = "stick_left", held = "shoulder_right", link = "right_hand",
      y = { 0, 0, 0.15 } },
    { does = "play", button = "pad_south", play = "nod" },
    { does = "play", button = "pad_east", play = "shake" },
    { does = "play", button = "pad_north", play = "wave" },
    { does = "level", button = "cross_y", by = 0.25 },
    { does = "level", button = "-cross_y", by = -0.25 },
    { does = "give", button = "pad_select" },
  },
}
