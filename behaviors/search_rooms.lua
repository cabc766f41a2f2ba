--- A biped looks for a mug in three rooms: it knows where the rooms are and what they are called, not what is in them or what
--- stands in the way. It goes up to the mug, or says where it has looked.
local brio = require "brio"

local searcher = brio.behavior "search_rooms" {
  about = "looks for a mug, room by room, and goes up to it",
  robot = "biped", start = "searching", world = "search_rooms_world.lua",
  character = {
    map = {
      rooms = {
        hall = { -1.5, -2, 3, 2 }, kitchen = { 3, -2, 6.5, 2 }, office = { -1.5, 2, 3, 5.5 }, store = { 3, 2, 6.5, 5.5 },
      },
      grid = { x = 2.5, y = 2, size = 12 }, forget = { "person" },
    },
  },
}

searcher.searching = {
  enter = function(self)
    self.map:remember "home"
    self.map:remember("kitchen", { position = { 4.6, 0, 0 }, yaw = 0 })
    self.map:remember("office", { position = { 0.6, 3.7, 0 }, yaw = 1.57 })
    self.map:remember("store", { position = { 4.6, 3.7, 0 }, yaw = 0 })
  end,
  tree = { "sequence",
    { "search", name = "look for the mug", what = "mug", places = { "kitchen", "office", "store" }, timeout = 170 },
    { "go_to", name = "go up to it", place = "mug", distance = 0.7, timeout = 60 },
  },
  on = { tree_done = "found", tree_failed = "given_up" },
}

searcher.found = {
  enter = function(self)
    local mug = self.map:where "mug"
    self:log("the mug is in the %s, at (%.1f, %.1f)", mug.room or "house", mug.position[1], mug.position[2])
  end,
}

searcher.given_up = {
  enter = function(self, failed) self:log("no mug: %s", failed.why) end,
}

return searcher
