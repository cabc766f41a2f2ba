--- A robot sorts balls whose color cannot be seen reliably from a distance: it feels whether it has grasped
--- one, holds it in front of its eyes, and drops it into the bin of the color seen there. A ball that is lost
--- on the way is grasped again, up to three times in all.
local brio = require "brio"
local balls = require "ball_actions"

local check = brio.behavior "check_in_hand" {
  about = "takes balls, looks at the color of each in the hand, and puts it into the bin of that color",
  robot = "biped", start = "checking", world = "check_in_hand_world.lua",
  memory = { left = {}, sorted = 0 }, skills = balls.skills,
}

local side = "right"

--- If a ball of that color is seen in the hand, drop it into the bin of that color.
local function if_it_is(color)
  return { "sequence", name = "if it is " .. color,
    balls.is_of(side, color), balls.drop(side, color .. " bin") }
end

check.checking = {
  tree = { "fallback", name = "check all balls",
    try = { { "sequence", name = "ball after ball",
      balls.ready(),
      { "setup_object", object = "red bin", class = "red bin" },
      { "setup_object", object = "blue bin", class = "blue bin" },
      { "loop", name = "balls", { "sequence", name = "one ball",
        balls.find(side, "ball", { where = "worth_it", timeout = 2 }),
        { "fallback", name = "one ball, or it is left",
          try = { { "retry", name = "tries", times = 3, { "sequence", name = "take and look",
            balls.find(side, "ball", { where = "worth_it", timeout = 0.5 }),
            balls.grasp(side, "ball"), balls.show(side), balls.has(side),
            { "selector", name = "by its color", if_it_is "red", if_it_is "blue" },
            { "action", does = "count" } } } },
          catch = { { "action", does = "leave_it", with = { object = "ball" } } } } } } } },
    catch = { { "arm", name = "rests", side = side, preset = "ready", speed = balls.speed },
      { "condition", name = "none was left", holds = "none_left" } } },
  on = { tree_done = "checked", tree_failed = "not_all" },
}

check.checked = { enter = function(self) self:log("checked %d balls", self.memory.sorted) end }

check.not_all = { enter = function(self, failed)
  self:log("checked %d balls, left %d: %s", self.memory.sorted, #self.memory.left, failed.why)
end }

return check
