--- A biped takes a ball from a bench, carries it through a door, and puts it into a box on a bench behind it.
local brio = require "brio"
local balls = require "ball_actions"
local doors = require "door_actions"
local tables = require "table_actions"

local deliver = brio.behavior "deliver" {
  about = "carries a ball through a door", robot = "biped", start = "delivering", world = "deliver_world.lua",
  scene_objects = { doors.frame, tables.edge }, memory = { why = "", left = {}, sorted = 0 },
    skills = balls.skills,
}

local side = "right"

deliver.delivering = {
  tree = { "sequence", name = "deliver a ball",
    balls.ready(),
    { "retry", name = "take it", times = 3, { "sequence", name = "try to take it",
      balls.find(side, "ball", { timeout = 5 }), balls.grasp(side, "ball") } },
    { "arm", name = "hold it close", side = side, preset = "ready", speed = balls.speed },
    { "walk", name = "turn to the door", stance = { -0.5, 0, 0 }, focal = { -2, 0, 0 }, swing = 0.55,
      transfer = 0.15,
      settings = { step_length = 0.35, near_swing = 0.5, far_swing = 0.6 } },
    doors.push { handle = "door_lever", hinge = "right", carry = true },
    balls.has(side),
    tables.walk_to "far bench",
    { "setup_object", object = "box", class = "box", of = "pelvis", timeout = 3 },
    balls.drop(side, "box"),
    balls.ready(),
  },
  on = { tree_done = "delivered", tree_failed = "stuck", bumped = "stuck" },
}

deliver.delivered = {}

--- It stands where it is, and says why; it keeps what it holds.
deliver.stuck = { enter = function(self, failed)
  self.memory.why = doors.why(failed)
  self:log("the ball was not delivered: %s", self.memory.why)
end }

return deliver
