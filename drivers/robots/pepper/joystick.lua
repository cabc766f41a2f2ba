-- What a gamepad does (docs/operators/shared-control.md)
return {
  title = "emotion and head, buttons for what it plays",
  rows = {
    { does = "emotion", stick = "stick_left" },
    -- rad/s; right and up are positive
    { does = "turn", stick = "stick_right", name = "head", x = { HeadYaw = -1.5 }, y = { HeadPitch = -1 } },
    { does = "turn", stick = "stick_right", held = "shoulder_left", name = "torso",
      x = { HipRoll = 0.3 }, y = { HipPitch = 0.3 } },
    -- m/s along the world's axes: right, forward; up
    { does = "twist", stick = "stick_right", held = "shoulder_right", link = "right_hand",
      x = { 0, -0.15, 0 }, y = { 0.15, 0, 0 } },
    { does = "twist", stick = "stick_left", held = "shoulder_right", link = "right_hand",
      y = { 0, 0, 0.15 } },
    { does = "play", button = "trigger_left", play = "blink_slow" },
    { does = "play", button = "trigger_right", play = "wave" },
    { does = "play", button = "pad_south", play = "nod" },
    { does = "play", button = "pad_east", play = "shake" },
    { does = "play", button = "pad_north", play = "pathetic" },
    { does = "play", button = "pad_west", play = "fall_asleep" },
    { does = "level", button = "cross_y", by = 0.25 },
    { does = "level", button = "-cross_y", by = -0.25 },
    { does = "give", button = "pad_select" },
  },
}
