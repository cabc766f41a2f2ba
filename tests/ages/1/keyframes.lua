--- A robot arm moves through a few poses, as an animator would set keyframes.
---
--- After the use case of Schoen et al., "Lively", 2023, section 4.1.2: a chain of timed states, each
--- wanting the hand somewhere, inside a box it should not leave, with a breath of life on top.
local brio = require "brio"
local want = brio.want

local keyframes = brio.behavior "keyframes" {
  about = "pick, lift, show, put back: four keyframes in a loop",
  robot = "panda",
  start = "over",
  safe = "over",
  memory = { rounds = 0 },
}

local down = { 1, 0, 0, 0 } -- the hand's z axis points to the floor

--- A keyframe: the hand at a point, pointing somewhere, for some seconds, then the next.
local function keyframe(point, orientation, seconds, following)
  return {
    blend = 0.25,
    wants = {
      want.collision_avoidance {},
      want.position_match { link = "panda_hand", goal = point },
      want.orientation_match { link = "panda_hand", goal = orientation },
      want.position_bounding { link = "panda_hand", goal = { position = { 0.45, 0, 0.45 }, size = { 0.35, 0.45, 0.4 } } },
      want.position_liveliness { link = "panda_hand", goal = { 0.006, 0.006, 0.004 }, frequency = 0.4 },
      want.group "low" { want.joint_velocity_minimization {}, want.joint_acceleration_minimization {}, want.joint_jerk_minimization {} },
      want.joint_limits {},
    },
    after = { seconds, following },
  }
end

keyframes.over = keyframe({ 0.50, -0.20, 0.45 }, down, 1.5, "at")
keyframes.at = keyframe({ 0.50, -0.20, 0.25 }, down, 1.5, "lifted")
keyframes.lifted = keyframe({ 0.45, 0.00, 0.55 }, down, 1.5, "shown")
keyframes.shown = keyframe({ 0.45, 0.25, 0.50 }, { 0.9239, 0.3827, 0, 0 }, 2.0, "over")

keyframes.shown.exit = function(self)
  self.memory.rounds = self.memory.rounds + 1
  self:emit("round", { number = self.memory.rounds })
end

return keyframes
