-- my_perspective.lua: a link looks along its x axis at a focus that stays where it is, from a place that
-- wanders about it, like one who inspects a thing.
local brio = require "brio"
local geometry = require "brio.geometry"
local noise = require "brio.noise"

local view = brio.goal_kind "my_view" {
  doc = "How far off the focus is (m), and how much the view turns about it (rad) and comes closer (m).",
  example = "{focus = 0.3, turn = 0.2, shift = 0.02}",
  fields = { "focus", "turn", "shift" },
  check = function(goal)
    if goal.focus <= 0 then error("the focus must be in front of the link", 0) end
  end,
}

--- The point so far along the x axis of a frame.
local function ahead(frame, distance)
  local x = geometry.turn(frame.orientation, { distance, 0, 0 })
  local p = frame.position
  return { p[1] + x[1], p[2] + x[2], p[3] + x[3] }
end

return brio.objective "my_perspective" {
  doc = "Lets a link wander about a focus that it keeps looking at.",
  goal = view,
  params = { link = "link", frequency = brio.param(0.2, "Hz", 0.01, 5) },

  reset = function(self, state, goal) -- the focus is where the link looks now
    local frame = state.past[1].frames[self.link]
    self.began = state.time
    self.focus, self.orientation = ahead(frame, goal.focus), { table.unpack(frame.orientation) }
  end,

  update = function(self, time, _, goal) -- where to look from in this solve
    local x, gain = self.frequency * time, math.min(1, (time - self.began) / 2) -- it begins softly
    local pitch, yaw = goal.turn * noise.value(self.seed, x), goal.turn * noise.value(self.seed + 1, x)
    local away = goal.focus + gain * goal.shift * noise.value(self.seed + 2, x)
    local frame = { position = self.focus }
    frame.orientation = geometry.times(self.orientation, geometry.from_rpy(0, gain * pitch, gain * yaw))
    self.place = ahead(frame, -away)
  end,

  residual = function(self, state, goal) -- how far the link is from that place, and its view from the focus
    local frame = state.frames[self.link]
    local p, place = frame.position, self.place
    local dx, dy, dz = self.focus[1] - p[1], self.focus[2] - p[2], self.focus[3] - p[3]
    local tip, away = ahead(frame, goal.focus), goal.focus / math.sqrt(dx * dx + dy * dy + dz * dz)
    return p[1] - place[1], p[2] - place[2], p[3] - place[3],
      tip[1] - p[1] - away * dx, tip[2] - p[2] - away * dy, tip[3] - p[3] - away * dz
  end,
}
