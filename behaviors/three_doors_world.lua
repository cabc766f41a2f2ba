-- Three doors along a corridor, 3.2 m apart.
return {
  sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004, dropout = 0.1 },
  doors = {
    { id = "office", at = { 1.5, 0 }, hinge = "right", opens = "away", handle = "lever", closer = 5,
      damping = 20 },
    { id = "store", at = { 4.7, 0 }, hinge = "left", opens = "toward", handle = "knob" },
    { id = "yard", at = { 7.9, 0 }, hinge = "left", opens = "away", handle = "push_bar", closer = 8,
      damping = 25 },
  },
}
