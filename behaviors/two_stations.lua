--- A robot sorts the balls of two benches: it walks up to one, sorts its balls by color, walks to the other,
--- and checks the first again.
local brio = require "brio"
local balls = require "ball_actions"
local tables = require "table_actions"

local stations = brio.behavior "two_stations" {
  about = "sorts balls by color at two benches, and walks between them",
  robot = "biped", start = "working", world = "two_stations_world.lua",
  memory = { left = {}, sorted = 0 }, skills = balls.skills, scene_objects = { tables.edge },
}

--- Walk up to a bench and sort its balls.
local function work_at(bench)
  return { "sequence", name = "work at the " .. bench,
    { "retry", name = "get to the " .. bench, times = 3, tables.walk_to(bench) },
    balls.ready(),
    { "setup_object", object = "red bin", class = "red bin", of = "pelvis" },
    { "setup_object", object = "blue bin", class = "blue bin", of = "pelvis" },
    { "parallel", name = "both hands", balls.sort("right", "red"), balls.sort("left", "blue") } }
end

stations.working = {
  tree = { "sequence", name = "two stations",
    work_at "first bench", work_at "second bench", work_at "first bench",
    { "condition", name = "none was left", holds = "none_left" },
  },
  on = { tree_done = "sorted", tree_failed = "not_all" },
}

stations.sorted = { enter = function(self) self:log("sorted %d balls", self.memory.sorted) end }

stations.not_all = { enter = function(self, failed)
  self:log("sorted %d balls, left %d: %s", self.memory.sorted, #self.memory.left, failed.why)
end }

return stations
