--- A robot walks up to a table: it selects the nearest edge, stops in front of its center, and faces it at a
--- right angle.
---
--- It looks twice: from afar to walk most of the way, and from near to walk the rest, since detections from
--- afar have larger errors.
local brio = require "brio"
local tables = require "table_actions"

local approach = brio.behavior "table_approach" {
  about = "walks up to a table and stands square to its edge",
  robot = "biped", start = "approaching", world = "table_approach_world.lua",
  scene_objects = { tables.edge },
}

approach.approaching = {
  tree = { "sequence", name = "approach the table",
    { "retry", name = "get there", times = 3, tables.walk_to("table") },
  },
  on = { tree_done = "there", tree_failed = "lost" },
}

approach.there = {}
approach.lost = { enter = function(self, failed) self:log("it did not get there: %s", failed.why) end }

return approach
