--- A biped goes through three doors in a row: a lever to press, a knob to turn and pull, a push bar.
local brio = require "brio"
local doors = require "door_actions"

local three_doors = brio.behavior "three_doors" {
  about = "goes through three doors in a row", robot = "biped", start = "lever",
    world = "three_doors_world.lua",
  scene_objects = { doors.frame }, memory = { through = 0, why = "" },
}

local function after(number) return function(self) self.memory.through = number end end

three_doors.lever = {
  tree = doors.push { handle = "door_lever", hinge = "right" },
  on = { tree_done = "knob", tree_failed = "stuck", bumped = "stuck" },
}

three_doors.knob = {
  enter = after(1),
  tree = doors.pull { handle = "door_knob", hinge = "left" },
  on = { tree_done = "push_bar", tree_failed = "stuck", bumped = "stuck" },
}

three_doors.push_bar = {
  enter = after(2),
  tree = doors.push { handle = "door_push_bar", hinge = "left" },
  on = { tree_done = "outside", tree_failed = "stuck", bumped = "stuck" },
}

three_doors.outside = { enter = after(3) }

--- It stands where it is, its hands by its side, and says why.
three_doors.stuck = {
  enter = function(self, failed)
    self.memory.why = doors.why(failed)
    self:log("door %d did not open: %s", self.memory.through + 1, self.memory.why)
  end,
  tree = doors.give_up(),
}

return three_doors
