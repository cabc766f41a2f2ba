--- A robot at a kiosk: idles until somebody comes, greets them, thinks with them, says farewell.
---
--- After the use case of Schoen et al., "Lively", 2023, section 4.1.1: it sways and looks around by
--- itself, its gaze follows a visitor, and nothing it does makes it collide.
local brio = require "brio"
local geometry = require "brio.geometry"
local want = brio.want

local kiosk = brio.behavior "kiosk" {
  about = "idle, greet, think, farewell",
  robot = "pepper",
  world = "kiosk_world.lua",
  start = "idle",
  safe = "idle",
  memory = { visitors = 0, visitor = false },
  tune = {
    near = brio.param(2.5, "m", 0.5, 5.0), -- whoever is nearer is a visitor
    wave = brio.param(0.35, "rad", 0.0, 0.6), -- how far the forearm swings
  },
}

-- What the robot does with its body -----------------------------------------------------------

--- A property for each joint that should stand at a value (a number, or a function(self)).
local function hold(joints)
  local list = {}
  for joint, goal in pairs(joints) do list[#list + 1] = want.joint_match { joint = joint, goal = goal } end
  return want.group "low"(list)
end

local arms_down = hold {
  LShoulderPitch = 1.45, LShoulderRoll = 0.16, LElbowYaw = -1.0, LElbowRoll = -0.5, LWristYaw = 0, LHand = 0.6,
  RShoulderPitch = 1.45, RShoulderRoll = -0.16, RElbowYaw = 1.0, RElbowRoll = 0.5, RWristYaw = 0, RHand = 0.6,
}

--- The right forearm swings about its resting place, starting from rest.
local function waving(self)
  local t = self:elapsed()
  return 1.35 + self.tune.wave * math.sin(2 * math.pi * 0.9 * t) * math.min(1, t)
end

local greeting = hold {
  LShoulderPitch = 1.45, LShoulderRoll = 0.16, LElbowYaw = -1.0, LElbowRoll = -0.5, LWristYaw = 0, LHand = 0.6,
  RShoulderPitch = 0.4, RShoulderRoll = -0.45, RElbowYaw = 1.7, RElbowRoll = waving, RWristYaw = 0.6, RHand = 0.95,
}

local hand_to_chin = hold {
  LShoulderPitch = 1.4, LShoulderRoll = 0.16, LElbowYaw = -1.0, LElbowRoll = -0.9, LWristYaw = 0, LHand = 0.5,
  RShoulderPitch = 0.45, RShoulderRoll = -0.2, RElbowYaw = 0.9, RElbowRoll = 1.3, RWristYaw = -0.3, RHand = 0.3,
}

--- The body: held loosely, so that it can sway.
local function stand(joints)
  local list = {}
  for joint, goal in pairs(joints) do list[#list + 1] = want.joint_match { joint = joint, goal = goal, weight = 2 } end
  return want.group "low"(list)
end

local upright = stand { HipRoll = 0, HipPitch = -0.04, KneePitch = 0 }
local bowing = stand { HipRoll = 0, HipPitch = -0.35, KneePitch = 0.08 }

local sway = want.position_liveliness { link = "torso", goal = { 0.015, 0.02, 0.005 }, frequency = 0.2 }
local look_around = want.joint_liveliness { joint = "HeadYaw", goal = 0.5, frequency = 0.15 }
local nod_around = want.joint_liveliness { joint = "HeadPitch", goal = 0.12, frequency = 0.25 }
local head_level = hold { HeadPitch = -0.15 }

--- The orientation that turns the head to the visitor; nil when there is none.
local function towards_visitor(self)
  local person = self.scene:find(self.memory.visitor or "")
  return person and geometry.towards(self:where("Head").position, person.position)
end

local gaze = want.orientation_match { link = "Head", goal = towards_visitor }

--- What every state wants besides its own: to be smooth, within its joints, and in one piece.
local function alive(list)
  table.insert(list, 1, want.collision_avoidance {})
  table.insert(list, want.smoothness_macro { links = false, weight = 20 })
  table.insert(list, want.joint_limits {})
  return list
end

--- How bright the eyes are, 0 to 1, on a robot whose eyes can light up.
local function eyes(self, brightness)
  if self:has "EyeLedBrightness" then self.actuator:target("EyeLedBrightness", brightness) end
end

-- What it does when ---------------------------------------------------------------------------

local function somebody_near(self)
  return self.scene:nearest("person", { within = self.tune.near, of = { 0, 0, 1.2 } })
end

local function visitor_left(self)
  local person = self.scene:find(self.memory.visitor or "")
  return not person or geometry.distance(person.position, { 0, 0, 1.2 }) > self.tune.near + 0.5
end

kiosk.power_on = {
  blend = 0.5,
  wants = alive { upright, arms_down },
  after = { 0.5, "idle" },
}

kiosk.idle = {
  blend = 0.6,
  wants = alive { upright, arms_down, sway, look_around, nod_around, head_level },
  when = { somebody_near, "greet" },
}

kiosk.greet = {
  blend = 0.35,
  wants = alive { upright, greeting, gaze, sway },
  enter = function(self)
    local person = somebody_near(self)
    self.memory.visitors = self.memory.visitors + 1
    self.memory.visitor = person and person.id or false
    eyes(self, 1)
    self:emit("greeted", { visitor = self.memory.visitor, number = self.memory.visitors })
  end,
  when = { visitor_left, "farewell" },
  after = { 3.0, "think" },
}

kiosk.think = {
  blend = 0.5,
  wants = alive { upright, hand_to_chin, gaze, sway, nod_around },
  enter = function(self) eyes(self, 0.4) end,
  exit = function(self) eyes(self, 1) end,
  when = { visitor_left, "farewell" },
}

kiosk.farewell = {
  blend = 0.4,
  wants = alive { bowing, arms_down, gaze, sway },
  exit = function(self) self.memory.visitor = false end,
  after = { 2.0, "idle" },
}

kiosk.power_off = {
  blend = 0.3,
  wants = alive { upright, arms_down, head_level },
  lasts = 1.5,
}

return kiosk
