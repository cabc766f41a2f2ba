--- A robot walks up to a table that no detector knows: it finds the edge in the cloud of its depth camera,
--- walks most of the way, looks again, and steps up to it.
local brio = require "brio"
local tables = require "table_actions"

local approach = brio.behavior "table_by_cloud" {
  about = "walks up to a table whose edge it finds in a point cloud",
  robot = "biped", start = "approaching", world = "table_by_cloud_world.lua",
}

--- Find the edge, and walk to that distance in front of it.
local function walk_to(distance)
  return { "sequence", name = ("to %g m before it"):format(distance),
    { "setup_object", name = "see the edge", object = "edge", derive = "table_edge", timeout = 5 },
    { "freeze_object", object = "edge" },
    { "walk", frame = "edge", stance = { -distance, 0, 0 }, focal = { 1, 0, 0 } } }
end

approach.approaching = {
  tree = { "sequence", name = "approach the table",
    { "neck", name = "look down", pitch = 0.5, seconds = 0.6 },
    { "retry", name = "get there", times = 3, { "sequence", name = "walk up to it",
      walk_to(tables.distance + 0.35), walk_to(tables.distance),
      { "proximity", name = "it is near enough", a = "walking", b = "edge", distance = "xy",
        min = tables.distance - 0.03,
        max = tables.distance + 0.03, timeout = 1 } } } },
  on = { tree_done = "there", tree_failed = "lost" },
}

approach.there = {}
approach.lost = { enter = function(self, failed) self:log("it did not get there: %s", failed.why) end }

return approach
