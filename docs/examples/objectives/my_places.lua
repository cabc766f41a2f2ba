-- my_places.lua: a goal that is a list, and a feature that two objectives share.
local brio = require "brio"

local places = brio.goal_kind "my_places" {
  doc = "A list of 1 to 20 points (m).",
  example = "{{0.4, 0, 0.5}, {0.4, 0.3, 0.5}}",
  items = { "x", "y", "z" },
  most = 20,
}

local tool = brio.feature "my_tool" {
  doc = "How far the last link of the arm is from its base, and how high.",
  unit = "m", count = 2,
  compute = function(state)
    local p, o = state.frames.panda_hand.position, state.origin.position
    local x, y, z = p[1] - o[1], p[2] - o[2], p[3] - o[3]
    return math.sqrt(x * x + y * y + z * z), z
  end,
}

local nearest = brio.objective "my_nearest" {
  doc = "Brings a link to the nearest of several places.",
  goal = places,
  params = { link = "link" },
  residual = function(self, state, goal)
    local p, best, least = state.frames[self.link].position, nil, math.huge
    for _, place in ipairs(goal) do
      local x, y, z = p[1] - place[1], p[2] - place[2], p[3] - place[3]
      local square = x * x + y * y + z * z
      if square < least then best, least = { x, y, z }, square end
    end
    return best
  end,
}

local close = brio.objective "my_close" {
  doc = "Keeps the hand no farther from the base than the goal says (m).",
  goal = "scalar", features = { tool },
  residual = function(_, state, goal) return math.max(0, state.features.my_tool[1] - goal) end,
}

local low = brio.objective "my_low" {
  doc = "Keeps the hand no higher above the base than the goal says (m).",
  goal = "scalar", features = { tool },
  cost = function(_, state, goal) return 50 * math.max(0, state.features.my_tool[2] - goal) ^ 2 end,
}

return { nearest = nearest, close = close, low = low }
