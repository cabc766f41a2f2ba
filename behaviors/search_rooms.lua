--- A biped searches for a mug in three rooms. It knows the rooms and their names, but not their contents or
--- obstacles. The kitchen is behind a door: it searches the open rooms first, then opens the door, goes
--- through and searches there. It walks up to the mug, or reports where it has searched.
local brio = require "brio"
local doors = require "door_actions"

local searcher = brio.behavior "search_rooms" {
  about = "looks for a mug, room by room and through a door, and goes up to it",
  robot = "biped", start = "searching", world = "search_rooms_world.lua", scene_objects = { doors.frame },
  memory = { why = "" },
  character = {
    map = {
      rooms = { hall = { -1.5, -2, 3, 2 }, kitchen = { 3, -2, 6.5, 2 }, office = { -1.5, 2, 3, 5.5 } },
      grid = { x = 2.5, y = 2, size = 12 }, forget = { "person", "door_panel" }, doors = { "door_push_bar" },
    },
  },
}

searcher.searching = {
  enter = function(self)
    self.map:remember("hall", { position = { 0.6, 0.6, 0 }, yaw = 0.8 })
    self.map:remember("office", { position = { 0.6, 3.5, 0 }, yaw = 1.2 })
    self.map:remember("before the kitchen", { position = { 1.7, 0, 0 }, yaw = 0 })
    self.map:remember("kitchen", { position = { 4.6, 0, 0 }, yaw = 0 })
  end,
  tree = { "search", name = "look in the open rooms", what = "mug", places = { "hall", "office" },
    timeout = 120 },
  on = { tree_done = "going_up", tree_failed = "at_the_door" },
}

searcher.at_the_door = {
  tree = { "sequence",
    { "go_to", name = "to the kitchen's door", place = "before the kitchen", timeout = 90 },
    doors.push { handle = "door_push_bar", hinge = "right" } },
  on = { tree_done = "in_the_kitchen", tree_failed = "given_up", bumped = "given_up" },
}

searcher.in_the_kitchen = {
  tree = { "search", name = "look in the kitchen", what = "mug", places = { "kitchen" }, timeout = 60 },
  on = { tree_done = "going_up", tree_failed = "given_up" },
}

searcher.going_up = {
  tree = { "go_to", name = "go up to it", place = "mug", distance = 0.9, timeout = 60 },
  on = { tree_done = "found", tree_failed = "given_up" },
}

searcher.found = {
  enter = function(self)
    local mug = self.map:where "mug"
    self:log("the mug is in the %s, at (%.1f, %.1f)", mug.room or "house", mug.position[1], mug.position[2])
  end,
}

searcher.given_up = {
  enter = function(self, failed)
    self.memory.why = doors.why(failed)
    self:log("no mug: %s", self.memory.why)
  end,
}

return searcher
