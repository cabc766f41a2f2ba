--- Turn-taking and imitation with a child: the robot seeks eye contact, shows a move and waits for its
--- imitation, imitates the child's moves, and leaves the initiative to the child as often as possible.
---
--- After the practice of therapists with Probo and children (Vanderborght, Simut, Saldien et al., "Using the
--- social robot Probo as a social story telling agent", Interaction Studies 13(3), 2012; on initiations by
--- the child, Koegel et al., J. Autism and Developmental Disorders 44, 2014): one thing at a time, always the
--- same order, time to answer, help step by step, and praise.
---
--- The child's moves are the buttons child_nod, child_shake and child_wave: set by a camera's program (a line
--- `input child_nod true` on the run's socket), a person at the prompt, or the simulated world. The direction
--- of the child's gaze is that of its face. Every step is an event with the child's response time:
---     SELECT t, name, data FROM events
---       WHERE name IN ('contact', 'shown', 'helped', 'answered', 'initiated', 'imitated')
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

--- The moves that are shown and imitated: their names, and the robot's sequences.
local moves = { nod = "nod", shake = "shake", wave = "greet" }
local names = { "nod", "shake", "wave" }
local invitations = { nod = "Can you nod?", shake = "Can you shake your head?", wave = "Can you wave?" }

-- The child ------------------------------------------------------------------------------------------

--- The viewpoint of the robot: its head, or an arm's tool.
local function eyes(self)
  local at = self:where "head" or self:where "tool"
  return at and at.position or { 0, 0, 0 }
end

local function child(self)
  local who = self.memory.child and self.scene:find(self.memory.child)
  return who or self.scene:nearest("person", { within = self.tune.near + 0.4, of = eyes(self) })
end

local function is_near(self)
  local who = self.scene:nearest("person", { within = self.tune.near, of = eyes(self) })
  if not who then return false end
  self.memory.child = who.id
  return true
end

local function is_gone(self)
  local who = child(self)
  return not who or brio.geometry.distance(who.position, eyes(self)) > self.tune.near + 0.4
end

--- Whether the child's face is turned to the robot: by the angle between its direction and the direction of
--- the robot's head.
local function looks_here(self)
  local who = child(self)
  if not who then return false end
  local head, q = eyes(self), who.pose.orientation
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local ahead = { 1 - 2 * (y * y + z * z), 2 * (x * y + z * w) } -- the face's x axis, level
  local to = { head[1] - who.position[1], head[2] - who.position[2] }
  local length = math.sqrt(to[1] ^ 2 + to[2] ^ 2) * math.sqrt(ahead[1] ^ 2 + ahead[2] ^ 2)
  if length < 1e-6 then return false end
  return math.acos(math.max(-1, math.min(1, (to[1] * ahead[1] + to[2] * ahead[2]) / length)))
    < self.tune.facing
end

--- The child's present move: by the name of the pressed button; nil: another button.
local function move_of(data)
  local name = data.name:match "^child_(%a+)$"
  return moves[name] and name
end

-- The robot ------------------------------------------------------------------------------------------

--- Play a sequence if this body has it.
local function play(self, sequence, how)
  if self:knows(sequence) then self:play(sequence, how) end
end

--- Show a move, smaller or slower as a help.
local function show(self, name, how)
  play(self, moves[name], how)
  self.memory.shown = name
  self:emit("shown", { move = name })
end

--- Select a move that this body can show, different from the last one; without any, the robot asks for it in
--- words.
local function choose(self)
  local list, any = {}, false
  for _, name in ipairs(names) do any = any or self:knows(moves[name]) end
  for _, name in ipairs(names) do
    if name ~= self.memory.before and (not any or self:knows(moves[name])) then list[#list + 1] = name end
  end
  if #list == 0 then return self.memory.before end -- there is only one
  self.memory.before = self:choose(list)
  return self.memory.before
end

local function praise(self, score)
  self.memory.scores[score] = (self.memory.scores[score] or 0) + 1
  self.emotion:feel("happy", 0.8, 3)
  self.speech:say(self:choose { "Yes!", "Well done!", "That was *lovely*." }, { interrupt = true })
end

--- Waiting time before the nth help: longer each time, as children need time.
local function wait_of(self) return self.tune.patience * (1 + 0.5 * self.memory.helped) end

-- What it does when ----------------------------------------------------------------------------------

visitor.alone = {
  wants = wants,
  enter = function(self) self.memory.child, self.memory.helped = false, 0 end,
  when = { is_near, "together" },
}

visitor.together = {
  wants = wants,
  start = "contact",
  enter = function(self)
    play(self, "greet")
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
          if call == "a nod" then play(self, "nod", { amplitude = 0.5 }) else self.speech:say(call) end
        end
      end,
      exit = function(self) self:emit("contact", { seconds = self:elapsed(),
        helped = self.memory.helped }) end,
    },
    -- The robot's turn: it shows a move and waits for the child's.
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
          if name ~= self.memory.shown then return "imitating" end -- another move is the child's initiative
          praise(self, "imitated")
          return "yours"
        end,
      },
    },
    -- The child's turn: nothing is requested. An initiative of the child is worth the most.
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
    -- It repeats the child's move at once, and is happy.
    imitating = {
      enter = function(self, data)
        local name = move_of(data)
        self.emotion:feel("happy", 0.7, 3)
        play(self, moves[name])
        self.memory.before = name
        self:emit("imitated", { move = name })
      end,
      after = { 3, "yours" },
    },
    -- The child was overwhelmed: it looks away for a moment, breathes, and starts again with less.
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
