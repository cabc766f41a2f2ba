--- A robot at a bench sorts balls by color: its right hand puts red ones into the red bin, its left hand blue
--- ones into the blue bin, both at once.
local brio = require "brio"
local balls = require "ball_actions"

local sort = brio.behavior "sort_balls" {
  about = "sorts balls by color into bins, with both hands",
  robot = "biped", start = "sorting", world = "sort_balls_world.lua",
  memory = { left = {}, sorted = 0 }, skills = balls.skills,
}

sort.sorting = {
  tree = { "sequence", name = "sort the balls",
    balls.ready(),
    { "setup_object", object = "red bin", class = "red bin" },
    { "setup_object", object = "blue bin", class = "blue bin" },
    { "parallel", name = "both hands", balls.sort("right", "red"), balls.sort("left", "blue") },
    { "condition", name = "none was left", holds = "none_left" },
  },
  on = { tree_done = "sorted", tree_failed = "not_all" },
}

sort.sorted = { enter = function(self) self:log("sorted %d balls", self.memory.sorted) end }

sort.not_all = { enter = function(self, failed)
  self:log("sorted %d balls, left %d: %s", self.memory.sorted, #self.memory.left, failed.why)
end }

return sort
