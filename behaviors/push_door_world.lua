-- A door with a lever, 1.5 m ahead, that opens away; the robot's camera detects it.
return {
  sensor = { link = "camera", range = 4, view = 2, rate = 15, noise = 0.004, dropout = 0.1 },
  doors = { { id = "office", at = { 1.5, 0 }, hinge = "right", opens = "away", handle = "lever" } },
}
