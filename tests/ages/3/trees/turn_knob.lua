-- Turns a knob that a hand has grasped until its latch is free: turned back and tried again, five times at the most.
return { "fallback", name = "turn until it is free",
  params = { angle = { "number", unit = "rad", lower = -1.5, upper = 1.5, value = 0.6 } },
  try = {
    { "screw", name = "turn", frame = "knob", axis = {}, rotation = "$angle" },
    { "condition", holds = "latch_free" },
  },
  catch = {
    { "counter", name = "tries", limit = 5 },
    { "arm", name = "turn back", frame = "knob", pose = { position = { 0, 0, 0 }, orientation = { 0, 0.7071, 0, 0.7071 } },
      seconds = 1 },
    { "goto", to = "turn" },
  },
}
