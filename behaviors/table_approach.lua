--- A robot walks up to a table: it takes the edge that is nearest to it, stops before the middle of that, and
--- stands square to it.
---
--- It looks twice: from afar to walk most of the way, and from near to walk the rest, since what is seen from
--- afar is off by more.
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
