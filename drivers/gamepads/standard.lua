-- A gamepad as most drivers of the kernel show it: two sticks, a cross, four buttons, shoulders and triggers.
-- Up is positive: sticks and cross report down so, and are turned round. The sticks' dead zones are those of
-- the Xbox 360's controller (XInput), the triggers' is its 30 of 255.
return {
  title = "standard gamepad",
  panic = { "BTN_MODE" }, -- the button in the middle
  sticks = {
    stick_left = { x = "ABS_X", y = "ABS_Y", invert_y = true, dead = 7849 / 32767 },
    stick_right = { x = "ABS_RX", y = "ABS_RY", invert_y = true, dead = 8689 / 32767 },
  },
  inputs = {
    trigger_left = { axis = "ABS_Z", dead = 30 / 255, lower = 0, upper = 255, one_sided = true },
    trigger_right = { axis = "ABS_RZ", dead = 30 / 255, lower = 0, upper = 255, one_sided = true },
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
