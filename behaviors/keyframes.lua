--- A robot arm moves through a few poses, as an animator would set keyframes.
---
--- After the use case of Schoen et al., "Lively", 2023, section 4.1.2: a chain of timed states, each with a
--- goal for the hand's position and an orientation for grasping; hand and elbow each stay within a volume, as
--- the space is narrow; with some liveliness added.
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

-- The volumes of hand and elbow: ellipsoids, {center, half lengths}.
local room_for_hand = { position = { 0.45, 0, 0.42 }, size = { 0.20, 0.40, 0.30 } }
local room_for_elbow = { position = { 0.0, 0, 0.60 }, size = { 0.25, 0.25, 0.15 } }

--- A keyframe: the hand at a point, with a direction, for some seconds, then the next.
local function keyframe(point, orientation, seconds, following)
  return {
    blend = 0.25,
    wants = {
      want.collision_avoidance {},
      want.position_match { link = "panda_hand", goal = point },
      want.orientation_match { link = "panda_hand", goal = orientation },
      want.position_bounding { link = "panda_hand", goal = room_for_hand },
      want.position_bounding { link = "panda_link4", goal = room_for_elbow },
      want.position_liveliness { link = "panda_hand", goal = { 0.006, 0.006, 0.004 }, frequency = 0.4 },
      want.smoothness_macro { links = false, weight = 10 },
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
