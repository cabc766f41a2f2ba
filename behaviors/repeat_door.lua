--- A biped goes through the same door repeatedly: it pulls the door open, goes through, turns around, and
--- comes back by pushing it open from the other side. Its starting position is random each time.
local brio = require "brio"
local doors = require "door_actions"

local repeat_door = brio.behavior "repeat_door" {
  about = "goes through a door again and again, to and fro", robot = "biped", start = "pulling",
  world = "repeat_door_world.lua", scene_objects = { doors.frame },
  memory = { opened = 0, failed = 0, why = {} },
  tune = { times = brio.param(33, "1", 1, 1000) },
  skills = {
    --- Set "start" to a random place in front of the door, on the side where the robot is.
    choose_start = function(self)
      self.scene:place { name = "start", frame = "door",
        position = { self:random(1.2, 1.6), self:random(-0.3, 0.3), 0 },
          yaw = math.pi + self:random(-0.3, 0.3) }
      return true
    end,
  },
}

--- Behind the door: walk to the next starting place, facing the door, which closes meanwhile.
local turn_around = { "sequence", name = "turn around",
  { "place_object", object = "start", frame = "door", pose = { position = { 1.4, 0, 0 }, orientation = { 0,
    0, 1, 0 } } },
  { "action", name = "choose where to begin", does = "choose_start" },
  { "walk", name = "go there", frame = "start", stance = { 0, 0, 0 }, swing = 0.55, transfer = 0.15,
    settings = { step_length = 0.35, near_swing = 0.5, far_swing = 0.6 } } }

local function counted(self, failed)
  if failed and failed.why then
    self.memory.failed = self.memory.failed + 1
    table.insert(self.memory.why, doors.why(failed))
  else
    self.memory.opened = self.memory.opened + 1
  end
end

local function enough(self) return self.memory.opened >= self.tune.times end

repeat_door.pulling = {
  tree = doors.pull { handle = "door_lever", hinge = "right" },
  on = { tree_done = "behind", tree_failed = "stuck", bumped = "stuck" },
}

repeat_door.behind = {
  enter = counted, tree = turn_around,
  tick = function(self) if enough(self) then return "done" end end,
  on = { tree_done = "pushing", tree_failed = "stuck" },
}

repeat_door.pushing = {
  tree = doors.push { handle = "door_lever", hinge = "left" },
  on = { tree_done = "before", tree_failed = "stuck", bumped = "stuck" },
}

repeat_door.before = {
  enter = counted, tree = turn_around,
  tick = function(self) if enough(self) then return "done" end end,
  on = { tree_done = "pulling", tree_failed = "stuck" },
}

--- The robot stands where it is, its hands at its sides; the log has the reason.
repeat_door.stuck = {
  enter = function(self, failed)
    counted(self, { node = failed.node, why = failed.why or "bumped" })
    self:log("the door did not open: %s", self.memory.why[#self.memory.why])
  end,
  tree = doors.give_up(),
}

repeat_door.done = {}

return repeat_door
