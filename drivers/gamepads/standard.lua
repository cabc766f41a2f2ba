-- A gamepad as most drivers of the kernel show it: two sticks, a cross, four buttons, shoulders and triggers.
-- Up is positive: sticks and cross report down so, and are turned round.
return {
  title = "standard gamepad",
  panic = { "BTN_MODE" }, -- the button in the middle
  inputs = {
    stick_left_x = { axis = "ABS_X", dead = 0.12 },
    stick_left_y = { axis = "ABS_Y", dead = 0.12, invert = true },
    stick_right_x = { axis = "ABS_RX", dead = 0.12 },
    stick_right_y = { axis = "ABS_RY", dead = 0.12, invert = true },
    trigger_left = { axis = "ABS_Z", dead = 0.03, lower = 0, upper = 255, one_sided = true },
    trigger_right = { axis = "ABS_RZ", dead = 0.03, lower = 0, upper = 255, one_sided = true },
    cross_x = { axis = "ABS_HAT0X", lower = -1, upper = 1 },
    cross_y = { axis = "ABS_HAT0Y", lower = -1, upper = 1, invert = true },
    pad_south = { button = "BTN_SOUTH" },
    pad_east = { button = "BTN_EAST" },
    pad_north = { button = "BTN_NORTH" },
    pad_west = { button = "BTN_WEST" },
    shoulder_left = { button = "BTN_TL" },
    shoulder_right = { button = "BTN_TR" },
    pad_select = { button = "BTN_SELECT" },
    pad_start = { button = "BTN_START" },
    pad_mode = { button = "BTN_MODE" },
    thumb_left = { button = "BTN_THUMBL" },
    thumb_right = { button = "BTN_THUMBR" },
  },
}
