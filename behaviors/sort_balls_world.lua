-- A bench in front of the robot with six balls on it, three red and three blue, and a bin for each color
-- beside them.
local function ball(id, x, y, color)
  return { id = id, kind = "ball", radius = 0.035, at = { x, y }, color = color }
end
local red, blue = { 0.85, 0.1, 0.1 }, { 0.1, 0.2, 0.85 }

return {
  sensor = { link = "camera", pose = { orientation = { 0, 0.3, 0, 0.954 } }, range = 3, view = 2.4,
    rate = 20, noise = 0.002,
    color_noise = 0.02 },
  furniture = {
    { id = "bench", shape = "table", at = { 0.50, 0 }, size = { 0.60, 1.30, 0.92 },
      color = { 0.55, 0.4, 0.25 } },
    { id = "red bin", kind = "red bin", shape = "bin", at = { 0.34, -0.47, 0.92 },
      size = { 0.22, 0.22, 0.08 }, board = 0.008,
      color = red },
    { id = "blue bin", kind = "blue bin", shape = "bin", at = { 0.34, 0.47, 0.92 },
      size = { 0.22, 0.22, 0.08 }, board = 0.008,
      color = blue },
  },
  things = {
    ball("ball 1", 0.34, -0.28, red), ball("ball 2", 0.44, -0.12, red), ball("ball 3", 0.32, -0.06, red),
    ball("ball 4", 0.34, 0.28, blue), ball("ball 5", 0.44, 0.12, blue), ball("ball 6", 0.32, 0.06, blue),
  },
}
