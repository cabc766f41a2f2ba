--- A biped follows a person through two rooms: it stays behind them, stands when they stand, and searches
--- around the corner when a wall hides them.
local brio = require "brio"

local follower = brio.behavior "follow_person" {
  about = "follows a person, and looks for them where they were seen last",
  robot = "biped", start = "waiting", world = "follow_person_world.lua",
  character = { gaze = true, map = { grid = { size = 16 }, forget = { "person" } } },
}

follower.waiting = {
  tree = { "proximity", name = "see somebody", b = "ann", max = 6, timeout = 20 },
  on = { tree_done = "following", tree_failed = "alone" },
}

follower.following = {
  enter = function(self) self.gaze:look_at("ann", { why = "follows her" }) end,
  tree = { "follow", name = "follow", who = "person", distance = 1.2, seconds = 40, lost = 20 },
  on = { tree_done = "done", tree_failed = "alone" },
}

follower.done = {}

follower.alone = {
  enter = function(self, failed) self:log("it follows no more: %s", failed and failed.why
    or "nobody is there") end,
}

return follower
