--- The field `balance` of a robot's file: the solver takes no step from which the robot could not stop
--- without tipping.
local geometry = require "brio.lib.geometry"

local balance = {}

--- Let the solver of a run, at its first pose, keep the balance; points are in the axes of the robot's root.
--- Return true, or nil and a sentence.
function balance.keep(solver, description)
  local said, points = description.balance, {}
  local root = solver:frames()[description.robot:links()[1]]
  for index, point in ipairs(said.points) do
    local turned = geometry.turn(root.orientation, point)
    points[index] = { root.position[1] + turned[1], root.position[2] + turned[2],
      root.position[3] + turned[3] }
  end
  local good, why = pcall(solver.balance, solver, { points = points, margin = said.margin,
    moving = said.moving })
  return good or nil, not good and (tostring(why):gsub("^.-%.lua:%d+: ", "")) or nil
end

return balance
