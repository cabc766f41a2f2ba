--- A robot collects only the balls that it can reach: before a hand moves, it computes whether the arm can
--- hold a ball there. Balls out of reach are left, and reported.
local brio = require "brio"
local balls = require "ball_actions"

local function can_reach(side)
  return function(self, ball) return balls.reach(self, side, ball.position) ~= nil end
end

local reachable = brio.behavior "reachable_balls" {
  about = "collects the balls that it can reach, and no others",
  robot = "biped", start = "collecting", world = "reachable_balls_world.lua",
  memory = { left = {}, sorted = 0, beyond = 0 },
  skills = {
    right_reaches = can_reach "right", left_reaches = can_reach "left",
    count = balls.skills.count,
    note_others = function(self)
      for _, ball in ipairs(self.scene:objects "ball") do
        local lies = math.abs(ball.position[2]) < 0.37 and math.abs(ball.position[3] - 0.95) < 0.1
        local beyond = lies and not balls.reach(self, "right", ball.position)
          and not balls.reach(self, "left", ball.position)
        if beyond then self.memory.beyond = self.memory.beyond + 1 end
      end
      return true
    end,
  },
}

--- The volume of balls on the bench but not in the bins.
local on_the_bench = { kind = "box", size = { 0.70, 0.74, 0.3 }, pose = { position = { 0.45, 0, 0.05 } } }

--- One ball after the other, until none is in this hand's reach.
local function hand_collects(side)
  local ball = side .. " ball"
  local function find(timeout)
    return balls.find(side, ball, { where = side .. "_reaches", region = on_the_bench,
      region_frame = "bench front",
      timeout = timeout })
  end
  return { "fallback", name = side .. " hand collects",
    try = { { "loop", name = side .. " hand, ball after ball", { "sequence", name = "one " .. ball,
      find(1.5),
      { "retry", name = side .. " hand tries", times = 3, { "sequence", name = "the " .. ball,
        find(0.5), balls.grasp(side, ball), balls.drop(side, side .. " bin"),
          { "action", does = "count" } } } } } },
    catch = { { "arm", name = side .. " arm rests", side = side, preset = "ready", speed = balls.speed } } }
end

reachable.collecting = {
  tree = { "sequence", name = "collect what is in reach",
    balls.ready(),
    { "setup_object", object = "right bin", class = "bin", select = "rightmost" },
    { "setup_object", object = "left bin", class = "bin", select = "leftmost" },
    { "place_object", object = "bench front", frame = "walking", pose = { position = { 0, 0, 0.92 } } },
    { "parallel", name = "both hands", hand_collects "right", hand_collects "left" },
    { "action", name = "see what is left", does = "note_others" },
  },
  on = { tree_done = "collected", tree_failed = "stuck" },
}

reachable.collected = { enter = function(self)
  self:log("collected %d balls; %d are out of reach", self.memory.sorted, self.memory.beyond)
end }

reachable.stuck = { enter = function(self, failed) self:log("collected %d balls: %s", self.memory.sorted,
  failed.why) end }

return reachable
