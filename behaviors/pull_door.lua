--- A biped walks up to a door, turns its lever, pulls the door open (again, if its hand slips), and walks
--- through.
local brio = require "brio"
local doors = require "door_actions"

local pull_door = brio.behavior "pull_door" {
  about = "opens a door that opens towards it, and goes through", robot = "biped", start = "opening",
  world = "pull_door_world.lua", scene_objects = { doors.frame }, memory = { why = "" },
}

pull_door.opening = {
  tree = doors.pull { handle = "door_lever", hinge = "right" },
  on = { tree_done = "through", tree_failed = "stuck", bumped = "stuck" },
}

pull_door.through = {}

--- The robot stands where it is, its hands at its sides; the log has the reason.
pull_door.stuck = {
  enter = function(self, failed)
    self.memory.why = doors.why(failed)
    self:log("the door did not open: %s", self.memory.why)
  end,
  tree = doors.give_up(),
}

return pull_door
