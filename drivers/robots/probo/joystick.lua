-- What a gamepad does (docs/operators/shared-control.md)
return {
  title = "after Saldien et al., IJARS 2014: emotion, trunk, triggers and buttons for what it plays",
  rows = {
    { does = "emotion", stick = "stick_left" },
    { does = "place", stick = "stick_right", name = "trunk", x = { TrunkPan = -1 }, y = { TrunkTilt = 1 } },
    -- rad/s; right and up are positive
    { does = "turn", stick = "stick_right", held = "shoulder_left", name = "head",
      x = { NeckPan = -1.2 }, y = { NeckTilt = -1 } },
    { does = "turn", stick = "stick_right", held = "shoulder_right", name = "eyes",
      x = { EyeLeftPan = -1.5, EyeRightPan = -1.5 },
      y = { EyesTilt = -1.5 } },
    { does = "play", button = "trigger_left", play = "wink" },
    { does = "play", button = "trigger_right", play = "wink", mirror = true },
    { does = "play", button = "pad_south", play = "nod" },
    { does = "play", button = "pad_east", play = "shake" },
    { does = "play", button = "pad_north", play = "pathetic" },
    { does = "play", button = "pad_west", play = "fall_asleep" },
    { does = "level", button = "cross_y", by = 0.25 },
    { does = "level", button = "-cross_y", by = -0.25 },
    { does = "give", button = "pad_select" },
  },
}
