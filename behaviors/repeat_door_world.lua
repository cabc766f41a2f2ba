-- A door with a lever and a closer, from which a hand slips occasionally.
return {
  sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004, dropout = 0.1 },
  doors = {
    { id = "office", at = { 1.5, 0 }, hinge = "right", opens = "toward", handle = "lever", closer = 5,
      damping = 20, grip = 0.9 },
  },
}
