--- A robot puts a can onto a tray. It freezes the pose of the can before its own hand hides it, feels whether
--- it has it, and checks afterwards whether the can is on the tray; if not, it starts again.
local brio = require "brio"
local balls = require "ball_actions"

local place = brio.behavior "pick_and_place" {
  about = "puts a can onto a tray",
  robot = "biped", start = "placing", world = "pick_and_place_world.lua",
}

local side = "right"

--- The volume of a can on the tray.
local on_the_tray = { kind = "box", size = { 0.22, 0.22, 0.12 }, pose = { position = { 0, 0, 0.04 } } }

place.placing = {
  tree = { "sequence", name = "put the can onto the tray",
    balls.ready(),
    { "setup_object", object = "tray" },
    { "freeze_object", object = "tray" },
    { "retry", name = "until it stands there", times = 4, { "sequence", name = "bring it",
      { "setup_object", name = "see the can", object = "can", history = 5, timeout = 2 },
      balls.grasp(side, "can"),
      balls.go(side, "goes over the tray", "tray", 0.16),
      balls.has(side),
      balls.go(side, "sets it down", "tray", 0.04, { position_tolerance = 0.015 }),
      balls.let_go(side),
      balls.go(side, "goes up", "tray", 0.20, { position_tolerance = 0.05 }),
      { "arm", name = "out of the way", side = side, preset = "ready", speed = balls.speed },
      { "setup_object", name = "see the can on the tray", object = "can", history = 5, timeout = 2,
        region = on_the_tray,
        region_frame = "tray" } } },
  },
  on = { tree_done = "placed", tree_failed = "given_up" },
}

place.placed = {}
place.given_up = { enter = function(self, failed) self:log("the can is not on the tray: %s", failed.why) end }

return place
