-- Listens and nods: the head follows the nearest person, with liveliness; gestures are superposed. A nod is a
-- superposition, so the gaze continues under it; the wave continues while somebody touches the head; now and
-- then the robot shifts its weight. At the prompt: `play shake`, `why HeadPitch`, `mix`.
local brio = require "brio"
local want = brio.want

local nodding = brio.behavior "nodding" {
  robot = "pepper",
  world = "kiosk_world.lua",
  start = "alone",
  about = "follows whoever is near with the head, and nods over it",
  memory = { nods = 0 },
  tune = { every = brio.param(4, "s", 1, 30), near = brio.param(2.5, "m", 0.5, 5) },
  sequences = {
    shift = { -- of weight: the hips go to one side and come back
      curve = "minimum_jerk",
      tracks = { HipRoll = { { 0, kind = "input" }, { 1.2, 0.04, kind = "superposition" },
        { 2.6, kind = "input" } } },
    },
  },
  life = { shift = { play = "shift", every = "posture_shift", mirror = "random" } },
  keys = { n = { play = "nod" }, s = { play = "shake" }, w = { play = "wave", mode = "toggle" } },
}

local function within(self, distance)
  return self.scene:nearest("person", { within = distance, of = self:where("torso").position })
end

local function person(self) return within(self, self.tune.near) end

--- A visitor who is there stays one up to a slightly larger distance: hysteresis at the edge.
local function company(self) return within(self, self.tune.near + 0.4) end

local function towards(self)
  local who = company(self)
  return who and self:towards("Head", who.position)
end

local alive = {
  want.collision_avoidance {},
  want.joint_liveliness { joint = "HeadYaw", goal = 0.2, frequency = 0.2 },
  want.group "low" { want.joint_velocity_minimization {}, want.joint_acceleration_minimization {} },
  want.joint_limits {},
}

nodding.alone = { wants = alive, when = { person, "listening" } }

nodding.listening = {
  wants = {
    want.orientation_match { link = "Head", goal = towards },
    want.collision_avoidance {},
    want.group "low" { want.joint_velocity_minimization {}, want.joint_acceleration_minimization {} },
    want.joint_limits {},
  },
  enter = function(self) self:play("nod", { amplitude = 0.8 }) end,
  tick = function(self)
    if self:every(self.tune.every) then
      self:play("nod", { amplitude = self:random(0.5, 1), speed = self:random(0.9, 1.2) })
    end
    if not company(self) then return "alone" end
  end,
  on = {
    sequence_ended = function(self, data)
      if data.name == "nod" then self.memory.nods = self.memory.nods + 1 end
    end,
    touched = function(self) self:play("wave") end,
    touch_ended = function(self) self:stop("wave") end,
  },
}

return nodding
