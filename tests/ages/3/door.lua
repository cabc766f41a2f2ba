--- An arm opens a cupboard: sees the knob, shapes its hand on the way, grasps, turns until the latch is free, pulls, lets go.
---
--- docs/tutorial-door.md builds it from an empty file.
local brio = require "brio"

local door = brio.behavior "door" {
  about = "opens a cupboard's door, and tries again when its latch sticks",
  robot = "panda", start = "opening", world = "door_world.lua",
  skills = { latch_free = function(self) return self.inputs.latch_free end },
}

local forward = { 0, 0.7071, 0, 0.7071 } -- the hand points away from the robot

door.opening = {
  tree = { "sequence", name = "open the door",
    { "proximity", name = "see the knob", b = "knob", max = 0.9, timeout = 5 },
    { "hand", name = "shape the hand", fingers = { panda_finger_joint1 = 0.02 }, velocity = 0.01 },
    { "arm", name = "reach", frame = "knob", pose = { position = { -0.1, 0, 0 }, orientation = forward }, seconds = 2,
      after = "see the knob" },
    { "arm", name = "approach", frame = "knob", pose = { position = { 0, 0, 0 }, orientation = forward }, seconds = 1,
      after = "all" },
    { "hand", name = "grasp", grip = "close" },
    { "subtree", file = "trees/turn_knob.lua", with = { angle = 0.7 } },
    { "screw", name = "pull", frame = "knob", rotation = -0.4,
      axis = { position = { 0, 0.4, 0 }, orientation = { 0, -0.7071, 0, 0.7071 } } },
    { "hand", name = "let go", grip = "open" },
    { "arm", name = "back", preset = "ready", seconds = 2 },
  },
  on = { tree_done = "through", tree_failed = "stuck" },
}

door.through = {}
door.stuck = {}

return door
