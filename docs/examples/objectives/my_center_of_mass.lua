-- my_center_of_mass.lua: brings the robot's center of mass to a point of the world.
local brio = require "brio"

return brio.objective "my_center_of_mass" {
  doc = "Brings the center of mass to a point of the world.",
  goal = "translation",
  residual = function(_, state, goal)
    local com = state.center_of_mass
    return com[1] - goal[1], com[2] - goal[2], com[3] - goal[3]
  end,
}
