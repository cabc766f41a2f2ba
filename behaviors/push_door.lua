--- A biped walks up to a door with a lever, presses it, pushes the door open and walks through.
local brio = require "brio"
local doors = require "door_actions"

local push_door = brio.behavior "push_door" {
  about = "opens a door that opens away, and goes through", robot = "biped", start = "opening",
  world = "push_door_world.lua", scene_objects = { doors.frame }, memory = { why = "" },
}

push_door.opening = {
  tree = doors.push { handle = "door_lever", hinge = "right" },
  on = { tree_done = "through", tree_failed = "stuck", bumped = "stuck" },
}

push_door.through = {}

--- It stands where it is, its hands by its side, and says why.
push_door.stuck = {
  enter = function(self, failed)
    self.memory.why = doors.why(failed)
    self:log("the door did not open: %s", self.memory.why)
  end,
  tree = doors.give_up(),
}

return push_door
