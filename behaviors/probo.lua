--- A huggable robot at a table: it looks at people who pass, greets those who come near, enjoys being
--- stroked, begs for it if nobody does, becomes tired when alone, and sleeps until somebody comes.
---
--- After Saldien et al., "A Motion System for Social and Animated Robots", IJARS 2014. The faculties of its
--- character move eyes, neck, lids, ears, mouth and trunk; the behavior only reacts to events. The same
--- character on another body:
---     brio run behaviors/probo.lua --robot pepper
---     brio run behaviors/probo.lua --robot ur3e
--- A person can take any part at any time: take head, joint NeckPan 0.4, give all; feel happy 0.8; idle 0.2;
--- level 0.5; say "hello"; and the triggers: emit nod, shake, yawn, wink, pathetic, surprise, greet, sleep,
--- wake. With a gamepad: joystick on.
local brio = require "brio"
local want = brio.want

local probo = brio.behavior "probo" {
  about = "looks, greets, likes to be stroked, begs, falls asleep",
  robot = "probo",
  world = "probo_world.lua",
  start = "awake",
  safe = "awake",
  memory = { met = {}, stroked = 0, last_stroke = false },
  tune = {
    patience = brio.param(12, "s", 3, 120), -- with somebody who does not touch it, until it begs
    drowsy = brio.param(16, "s", 3, 600), -- alone, until it yawns; half as long again, and it sleeps
  },
  character = {
    emotion = { temperament = { 0.1, 0 } },
    gaze = { zone = 1.2, leave = 0.5 },
    speech = { rate = 0.95 },
    idle = { level = 0.6 },
  },
}

--- Only safety: the character moves it.
local wants = {
  want.collision_avoidance {},
  want.nominal_posture { here = true, weight = 0.5 },
  want.group "low" { want.joint_velocity_minimization { weight = 0.5 } },
  want.joint_limits {},
}

-- Touch -----------------------------------------------------------------------------------------------------

local places = { "touch_head", "touch_trunk", "touch_belly", "touch_left_hand", "touch_right_hand" }

--- Whether a hand is on any of its touch sensors.
local function is_touched(self)
  for _, place in ipairs(places) do
    if self:senses(place) and self.inputs[place] then return true end
  end
  return false
end

--- While a hand is on it, it is being stroked, which feeds its emotion.
local function feel_hands(self)
  if not is_touched(self) then return end
  self.emotion:act("pet", 1, 2 * self.dt)
  self.memory.last_stroke = self.now
end

-- Actions on request, by a person at the prompt ------------------------------------------------------

--- Play a sequence if this body has it, one at a time.
local function play(self, name, how)
  if self:knows(name) and not self:plays(name) then self:play(name, how) end
end

local triggers = {}
for _, name in ipairs { "nod", "shake", "yawn", "wink", "pathetic", "surprise", "greet" } do
  triggers[name] = function(self) play(self, name, { priority = 10 }) end
end

--- A list of events with the triggers appended.
local function with_triggers(on)
  for name, trigger in pairs(triggers) do on[name] = on[name] or trigger end
  return on
end

-- Awake ----------------------------------------------------------------------------------------------

probo.awake = {
  wants = wants,
  start = "alone",
  tick = feel_hands,
  on = with_triggers {
    sleep = "asleep",
    sound_began = function(self) self.emotion:event "surprise" end,
    touched = function(self)
      self.memory.stroked = self.memory.stroked + 1
      if self.memory.stroked % 3 == 2 then play(self, "wink", { mirror = self:random() < 0.5 }) end
    end,
  },
  states = {
    alone = {
      enter = function(self) self.memory.last_stroke = false end,
      on = { engaged = "company" },
      run = function(self)
        self:wait(self.tune.drowsy)
        self.emotion:feel("tired", 0.7, 6)
        play(self, "yawn")
        self:wait(self.tune.drowsy / 2)
        return "asleep"
      end,
    },
    company = {
      enter = function(self, who)
        local name = type(who) == "table" and who.target or "somebody"
        self.emotion:feel("happy", 0.6, 3)
        play(self, "greet")
        self.speech:say(self.memory.met[name] and "Hello again!" or "Hello! I am *so* glad you came.")
        self.memory.met[name] = true
      end,
      tick = function(self)
        local since = math.max(self.memory.last_stroke or 0, self.now - self:elapsed())
        if self.now - since > self.tune.patience and not self:plays "pathetic" then
          self.memory.last_stroke = self.now
          self.emotion:feel("sad", 0.5, 4)
          play(self, "pathetic")
          self.speech:say "Will you stroke my head?"
        end
      end,
      on = {
        disengaged = function(self, who)
          if who.users > 0 then return nil end -- somebody else is still there
          self.emotion:feel("sad", 0.4, 3)
          self.speech:say "Bye bye."
          return "alone"
        end,
      },
    },
  },
}

-- Asleep ---------------------------------------------------------------------------------------------

probo.asleep = {
  wants = wants,
  enter = function(self)
    play(self, "fall_asleep")
    self.idle:level(0.15)
    self.control:level("gaze", 0, 2)
    self.emotion:feel("tired", 0.8, 5)
  end,
  exit = function(self)
    self:stop "fall_asleep"
    self.idle:level(0.6)
    self.control:level("gaze", 1, 0.5)
  end,
  on = with_triggers {
    wake = "awake",
    touched = "awake",
    sound_began = "awake",
    engaged = function(self)
      self.emotion:event "surprise"
      return "awake"
    end,
  },
}

probo.power_off = { wants = wants, enter = function(self) self.idle:level(0) end, lasts = 1 }

return probo
