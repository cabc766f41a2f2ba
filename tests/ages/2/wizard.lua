--- A person behind the curtain moves the robot, and it stays alive and careful by itself.
---
--- After the use case of Schoen et al., "Lively", 2023, section 4.2.2: the wizard picks movements from a
--- library, or sets single joints; the head and the torso keep a little life of their own; and whatever
--- the sensor sees is kept clear of, wherever the wizard sends an arm.
---
--- The wizard speaks by events, at the prompt or from a program (see docs/prompt.md):
---     emit play "wave"               play a movement of wizard_actions.lua
---     emit set { HeadYaw = 0.4 }     hold joints somewhere
---     emit free                      let them go again
local brio = require "brio"
local actions = require "wizard_actions"
local want = brio.want

local wizard = brio.behavior "wizard" {
  about = "play what the wizard asks for, alive, and clear of what is around",
  robot = "pepper",
  start = "ready",
  safe = "ready",
  memory = { action = false, began = 0, from = {}, held = {}, around = {} },
}

local stand = {
  HeadYaw = 0, HeadPitch = -0.15,
  LShoulderPitch = 1.45, LShoulderRoll = 0.16, LElbowYaw = -1.0, LElbowRoll = -0.5, LWristYaw = 0, LHand = 0.6,
  RShoulderPitch = 1.45, RShoulderRoll = -0.16, RElbowYaw = 1.0, RElbowRoll = 0.5, RWristYaw = 0, RHand = 0.6,
}

-- Where each joint should be ---------------------------------------------------------------------

--- From 0 to 1, gently at both ends.
local function ease(u) return u * u * u * (10 + u * (6 * u - 15)) end

--- How long a movement lasts, s: its last key, and a second to come back.
local function length_of(keys) return keys[#keys][1] + 1 end

--- The value of a joint so many seconds into a movement, which it began at `from`.
local function value_at(keys, joint, from, seconds)
  local before, value = 0, from
  local function towards(time, next_value)
    return value + (next_value - value) * ease(math.max(0, math.min(1, (seconds - before) / (time - before))))
  end
  for _, key in ipairs(keys) do
    if key[joint] then
      if seconds < key[1] then return towards(key[1], key[joint]) end
      before, value = key[1], key[joint]
    end
  end
  before = keys[#keys][1]
  return towards(length_of(keys), stand[joint])
end

--- What the wizard holds, else what the movement says, else how the robot stands.
local function goal_of(joint)
  return function(self)
    local memory = self.memory
    if memory.held[joint] then return memory.held[joint] end
    if not memory.action then return stand[joint] end
    return value_at(actions[memory.action], joint, memory.from[joint], self.now - memory.began)
  end
end

local function each_joint()
  local list = {}
  for joint in pairs(stand) do list[#list + 1] = want.joint_match { joint = joint, goal = goal_of(joint) } end
  return want.group "low"(list)
end

local alive = {
  want.collision_avoidance { weight = 20 },
  each_joint(),
  want.orientation_liveliness { link = "Head", goal = { 0.06, 0.08, 0.10 }, frequency = 0.3, weight = 2 },
  want.position_liveliness { link = "torso", goal = { 0.012, 0.015, 0.004 }, frequency = 0.2, weight = 20 },
  want.group "low" {
    want.joint_match { joint = "HipRoll", goal = 0, weight = 2 },
    want.joint_match { joint = "HipPitch", goal = -0.04, weight = 2 },
    want.joint_match { joint = "KneePitch", goal = 0, weight = 2 },
  },
  want.smoothness_macro { links = false, weight = 10 },
  want.joint_limits {},
}

-- What is around ---------------------------------------------------------------------------------

--- A solid for a thing that is seen: a person from the floor to the head, all else its size, or a hand's.
local function solid_of(thing)
  local x, y, z = table.unpack(thing.position)
  if thing.kind == "person" then
    return { kind = "capsule", size = { 0.22, 0, math.max(0.1, z - 0.44) }, pose = { position = { x, y, z / 2 } } }
  elseif thing.size[1] > 0 then
    return { kind = "box", size = thing.size, pose = { position = { x, y, z } } }
  end
  return { kind = "sphere", size = { 0.05, 0, 0 }, pose = { position = { x, y, z } } }
end

--- Keep clear of what is seen now, and forget what is gone.
local function look_out(self)
  local seen = {}
  for _, thing in ipairs(self.scene:objects()) do
    seen[thing.id] = true
    self:shape("seen " .. thing.id, solid_of(thing))
  end
  for id in pairs(self.memory.around) do
    if not seen[id] then self:shape("seen " .. id, nil) end
  end
  self.memory.around = seen
end

-- What the wizard says ---------------------------------------------------------------------------

local function hold(self, joints)
  for joint, value in pairs(type(joints) == "table" and joints or {}) do
    if stand[joint] and type(value) == "number" then
      self.memory.held[joint] = value
    else
      self:log("the wizard sets '%s', which is no joint that can be held", tostring(joint))
    end
  end
end

local function free(self) self.memory.held = {} end

local function play(self, name)
  if type(name) == "string" and actions[name] then return "playing" end
  self:log("the wizard asks for '%s', which is no movement of the library", tostring(name))
  self:emit("refused", { name = tostring(name) })
end

-- When it does what ------------------------------------------------------------------------------

wizard.ready = {
  blend = 0.2,
  wants = alive,
  enter = function(self) self.memory.action = false end,
  tick = look_out,
  on = { play = play, set = hold, free = free },
}

wizard.playing = {
  blend = 0.2,
  wants = alive,
  enter = function(self, name)
    local from = {}
    for joint in pairs(stand) do from[joint] = goal_of(joint)(self) end
    self.memory.action, self.memory.from, self.memory.began = name, from, self.now
    self:emit("plays", { name = name })
  end,
  tick = function(self)
    look_out(self)
    if self:elapsed() < length_of(actions[self.memory.action]) then return end
    self:emit("played", { name = self.memory.action })
    return "ready"
  end,
  on = { play = play, set = hold, free = free },
}

return wizard
