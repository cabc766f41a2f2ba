--- Balls come down a chute, and the robot reacts to each color, without end: it carries a red one through a
--- door to the bench behind it, it dances for a green one, and puts a blue one into the bin.
---
--- Each color has a part of its own below: another color is another part.
local brio = require "brio"
local balls = require "ball_actions"
local doors = require "door_actions"
local tables = require "table_actions"

local chute = brio.behavior "chute" {
  about = "takes balls from a chute and does with each what its color asks for",
  robot = "biped", start = "working", world = "chute_world.lua",
  memory = { red = 0, green = 0, blue = 0, failures = 0 }, scene_objects = { tables.edge, doors.frame },
  skills = {
    count = { params = { color = "string" }, tick = function(self, _, with)
      self.memory[with.color], self.memory.failures = self.memory[with.color] + 1, 0
      return true
    end },
    again = function(self)
      self.memory.failures = self.memory.failures + 1
      if self.memory.failures < 5 then return true end
      return false, "five balls in a row came to nothing"
    end,
  },
}

local side = "left"

local function count(color)
  return { "action", name = "count " .. color, does = "count", with = { color = color } }
end

local function arms(name, seconds, right, left)
  return { "parallel", name = name,
    { "arm", name = name .. ", right", side = "right", joints = right, seconds = seconds, tolerance = 0.3 },
    { "arm", name = name .. ", left", side = "left", joints = left, seconds = seconds, tolerance = 0.3 } }
end

-- shoulder pitch, roll and yaw, elbow, wrist yaw, roll and pitch
local up = { right = { -2.4, -0.5, 0, -0.5, 0, 0, 0 }, left = { -2.4, 0.5, 0, -0.5, 0, 0, 0 } }
local wide = { right = { -0.6, -1.3, 0, -0.4, 0, 0, 0 }, left = { -0.6, 1.3, 0, -0.4, 0, 0, 0 } }

--- Arms up and wide in turn, with the chest turning along.
local dance = { "sequence", name = "dance",
  arms("arms up", 0.9, up.right, up.left),
  { "loop", name = "to and fro", times = 2, { "sequence", name = "once to and fro",
    { "parallel", name = "to the left", { "chest", name = "turn left", yaw = 0.35, seconds = 0.8,
      frame = "pelvis" },
      arms("one arm wide", 0.8, wide.right, up.left) },
    { "parallel", name = "to the right", { "chest", name = "turn right", yaw = -0.35, seconds = 0.8,
      frame = "pelvis" },
      arms("the other arm wide", 0.8, up.right, wide.left) } } },
  { "chest", name = "turn back", yaw = 0, seconds = 0.6, frame = "pelvis" },
  balls.ready() }

--- Carry the ball through the door to the bench behind it, put it into the box there, and come back.
local deliver = { "sequence", name = "deliver",
  { "arm", name = "holds it close", side = side, preset = "ready", speed = balls.speed },
  tables.look_for("door_lever", tables.ahead),
  { "parallel", name = "there", doors.push { handle = "door_lever", hinge = "left", carry = true } },
  balls.has(side),
  tables.walk_to "far bench",
  { "setup_object", object = "box", class = "box", of = "pelvis", timeout = 3 },
  balls.ready(),
  balls.drop(side, "box"),
  { "arm", name = "arm back", side = side, preset = "stand", speed = balls.speed },
  tables.look_for("door_lever", tables.ahead),
  { "parallel", name = "and back", doors.pull { handle = "door_lever", hinge = "right" } },
  tables.walk_to "bench", balls.ready() }

--- The reaction to a ball in the hand, by its color; each begins with a look at it.
local function of_color(color, does)
  return { "sequence", name = "a " .. color .. " one",
    balls.is_of(side, color), does, count(color) }
end

local into_the_bin = { "sequence", name = "into the bin",
  { "setup_object", object = "bin", class = "bin", of = "pelvis", timeout = 3 }, balls.drop(side, "bin") }

--- Return to the bench: the robot may have walked away with a ball and not reached its destination.
local at_the_bench = { "selector", name = "be at the bench",
  { "proximity", name = "it is there", a = "walking", b = "bench edge", distance = "xy", max = 0.35,
    timeout = 0 },
  { "sequence", name = "back to the bench", tables.walk_to "bench", balls.ready() } }

local one_ball = { "sequence", name = "one ball",
  at_the_bench,
  balls.find(side, "ball", { timeout = 60, history = 10 }),
  { "retry", name = "take it", times = 3, { "sequence", name = "try to take it",
    balls.find(side, "ball", { timeout = 2 }), balls.grasp(side, "ball"),
    balls.show(side), balls.has(side) } },
  { "selector", name = "by its color", of_color("red", deliver),
    of_color("green", { "sequence", name = "let it go and dance", into_the_bin, dance }),
      of_color("blue", into_the_bin) } }

chute.working = {
  tree = { "sequence", name = "work at the chute",
    balls.ready(),
    { "setup_object", object = "bench", class = "bench" },
    { "setup_object", object = "bench edge", derive = "edge", with = { table = "bench", from = "pelvis" } },
    { "freeze_object", object = "bench edge" },
    { "loop", name = "ball after ball", { "fallback", name = "one ball, whatever comes", try = { one_ball },
      catch = { balls.let_go(side), { "retry", name = "arms up again", times = 3, balls.ready() },
        { "action", name = "once more", does = "again" }, { "goto", to = "next" } } } } },
  on = { tree_failed = "stuck" },
}

chute.stuck = { enter = function(self, failed) self:log("it stops here: %s", failed.why) end }

return chute
