--- Turn-taking and imitation with a child: it seeks eye contact, shows something and waits to be imitated, imitates what it is
--- shown, and leaves the first move to the child as often as it can.
---
--- After what therapists do with Probo and children (Vanderborght, Simut, Saldien et al., "Using the social robot Probo as a
--- social story telling agent", Interaction Studies 13(3), 2012; on first moves by the child, Koegel et al., J. Autism and
--- Developmental Disorders 44, 2014): little at once, always the same order, time to answer, help step by step, and praise.
---
--- What the child shows comes as buttons, child_nod, child_shake and child_wave: a camera's program presses them (a line
--- `input child_nod true` on the run's socket), a person at the prompt, or the simulated world. Where the child looks is seen
--- from the pose of its face. Every step is an event, with how long the child took:
---     SELECT t, name, data FROM events WHERE name IN ('contact', 'shown', 'helped', 'answered', 'initiated', 'imitated')
local brio = require "brio"
local want = brio.want

local visitor = brio.behavior "visitor" {
  about = "takes turns and imitates with a child",
  robot = "probo",
  world = "visitor_world.lua",
  start = "alone",
  safe = "alone",
  memory = { shown = false, before = false, helped = 0, scores = {}, child = false },
  tune = {
    near = brio.param(1.3, "m", 0.6, 2.5),
    facing = brio.param(0.4, "rad", 0.1, 1), -- so far aside counts as a look at the robot
    patience = brio.param(4, "s", 1, 20), -- the first wait; each help comes after a longer one
    turn = brio.param(5, "s", 1, 30), -- how long the first move is the child's
  },
  character = {
    emotion = { temperament = { 0.15, 0 } },
    gaze = { zone = 1.3, avert = false }, -- who is to find its eyes must find them there
    speech = { rate = 0.9, beats = 0.5 },
    idle = { level = 0.35 },
  },
}

local wants = {
  want.collision_avoidance {},
  want.nominal_posture { here = true, weight = 0.5 },
  want.group "low" { want.joint_velocity_minimization { weight = 0.5 } },
  want.joint_limits {},
}

--- What is shown and imitated: what it is called, and the robot's sequence.
local moves = { nod = "nod", shake = "shake", wave = "greet" }
local names = { "nod", "shake", "wave" }
local invitations = { nod = "Can you nod?", shake = "Can you shake your head?", wave = "Can you wave?" }

-- The child ---------------------------------------------------------------------------------------------------

local function child(self)
  local who = self.memory.child and self.scene:find(self.memory.child)
  return who or self.scene:nearest("person", { within = self.tune.near + 0.4, of = self:where("head").position })
end

local function is_near(self)
  local who = self.scene:nearest("person", { within = self.tune.near, of = self:where("head").position })
  if not who then return false end
  self.memory.child = who.id
  return true
end

local function is_gone(self)
  local who = child(self)
  return not who or brio.geometry.distance(who.position, self:where("head").position) > self.tune.near + 0.4
end

--- Whether the child's face is turned to the robot's: the angle between where it looks and where the robot's head is.
local function looks_here(self)
  local who = child(self)
  if not who then return false end
  local head, q = self:where("head").position, who.pose.orientation
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local ahead = { 1 - 2 * (y * y + z * z), 2 * (x * y + z * w) } -- the face's x axis, level
  local to = { head[1] - who.position[1], head[2] - who.position[2] }
  local length = math.sqrt(to[1] ^ 2 + to[2] ^ 2) * math.sqrt(ahead[1] ^ 2 + ahead[2] ^ 2)
  if length < 1e-6 then return false end
  return math.acos(math.max(-1, math.min(1, (to[1] * ahead[1] + to[2] * ahead[2]) / length))) < self.tune.facing
end

--- Which move the child shows now: the name of the button that was pressed; nil: another button.
local function move_of(data)
  local name = data.name:match "^child_(%a+)$"
  return moves[name] and name
end

-- The robot -----------------------------------------------------------------------------------------------------

--- Show a move, smaller or slower when it is a help.
local function show(self, name, how)
  self:play(moves[name], how)
  self.memory.shown = name
  self:emit("shown", { move = name })
end

--- Another move than the last time.
local function choose(self)
  local list = {}
  for _, name in ipairs(names) do
    if name ~= self.memory.before then list[#list + 1] = name end
  end
  self.memory.before = self:choose(list)
  return self.memory.before
end

local function praise(self, score)
  self.memory.scores[score] = (self.memory.scores[score] or 0) + 1
  self.emotion:feel("happy", 0.8, 3)
  self.speech:say(self:choose { "Yes!", "Well done!", "That was *lovely*." }, { interrupt = true })
end

--- How long it waits before it helps for the nth time: longer each time, for children need time.
local function wait_of(self) return self.tune.patience * (1 + 0.5 * self.memory.helped) end

-- What it does when ---------------------------------------------------------------------------------------------

visitor.alone = {
  wants = wants,
  enter = function(self) self.memory.child, self.memory.helped = false, 0 end,
  when = { is_near, "together" },
}

visitor.together = {
  wants = wants,
  start = "contact",
  enter = function(self)
    self:play "greet"
    self.speech:say "Hello."
  end,
  exit = function(self) self.speech:hush() end,
  when = { is_gone, "goodbye" },
  states = {
    -- Eye contact first: it looks, and waits. Then it calls, with a small nod, with a word, with another.
    contact = {
      enter = function(self)
        self.memory.helped = 0
        if child(self) then self.gaze:look_at(child(self).id, { why = "eye contact" }) end
      end,
      when = { function(self) return self:elapsed() > 0.6 and looks_here(self) end, "mine" },
      run = function(self)
        local calls = { "a nod", "Here I am.", "Look!" }
        for number = 1, 100 do
          self:wait(wait_of(self))
          self.memory.helped = math.min(4, number)
          local call = calls[(number - 1) % #calls + 1]
          self:emit("helped", { with = call, number = number })
          if call == "a nod" then self:play("nod", { amplitude = 0.5 }) else self.speech:say(call) end
        end
      end,
      exit = function(self) self:emit("contact", { seconds = self:elapsed(), helped = self.memory.helped }) end,
    },
    -- Its turn: it shows a move and waits for the child's.
    mine = {
      enter = function(self)
        self.memory.helped = 0
        show(self, choose(self))
      end,
      run = function(self)
        for number = 1, 3 do
          self:wait(wait_of(self))
          self.memory.helped = number
          self:emit("helped", { with = number == 1 and "words" or "again", number = number })
          self.speech:say(invitations[self.memory.shown])
          if number > 1 then show(self, self.memory.shown, { speed = 0.8, amplitude = 1.2 }) end
        end
        self:wait(wait_of(self))
        return "rest"
      end,
      on = {
        button_pressed = function(self, data)
          local name = move_of(data)
          if not name then return nil end
          self:emit("answered", { move = name, asked = self.memory.shown, same = name == self.memory.shown,
            seconds = self:elapsed(), helped = self.memory.helped })
          if name ~= self.memory.shown then return "imitating" end -- who shows something else leads
          praise(self, "imitated")
          return "yours"
        end,
      },
    },
    -- The child's turn: nothing is asked. What the child begins by itself is worth the most.
    yours = {
      run = function(self)
        self:wait(self.tune.turn)
        return looks_here(self) and "mine" or "contact"
      end,
      on = {
        button_pressed = function(self, data)
          local name = move_of(data)
          if not name then return nil end
          self:emit("initiated", { move = name, seconds = self:elapsed() })
          self.memory.scores.initiated = (self.memory.scores.initiated or 0) + 1
          return "imitating"
        end,
      },
    },
    -- It does what the child did, at once, and is glad.
    imitating = {
      enter = function(self, data)
        local name = move_of(data)
        self.emotion:feel("happy", 0.7, 3)
        self:play(moves[name])
        self.memory.before = name
        self:emit("imitated", { move = name })
      end,
      after = { 3, "yours" },
    },
    -- It was too much: it looks away for a moment, breathes, and begins with less.
    rest = {
      enter = function(self)
        self.gaze:avert(2)
        self.idle:level(0.15)
      end,
      exit = function(self) self.idle:level(0.35) end,
      after = { 4, "contact" },
    },
  },
}

visitor.goodbye = {
  wants = wants,
  enter = function(self)
    self.gaze:free()
    self.emotion:feel("sad", 0.3, 2)
    self.speech:say "Bye bye."
  end,
  when = { is_near, "together" },
  after = { 3, "alone" },
}

visitor.power_off = { wants = wants, enter = function(self) self.idle:level(0) end, lasts = 1 }

return visitor
