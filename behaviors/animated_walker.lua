-- Walks by radio or by animation, crouched or tall, and changes between motions without a jump: the
-- automaton of Li, Cummings, Sreenath, "Animated Cassie", 2020, as states. The states are {standing,
-- walking} x {animation, radio}, with `starting` and `stopping` between the postures.
--
-- At the prompt:  emit perform {"wave"}                 a motion now; it interrupts another one
--                 emit queue {"bow", "stroll", "bow"}   motions, one after the other
--                 emit radio {posture = "walking", vx = 0.2, turn = 0.1, height = -0.1}
--                                                       the operator takes over, at any time
--                 emit release                          gives back to the queue
-- With a gamepad, the left stick walks and the right one turns while the operator has the robot; a stick
-- that is moved takes over.
--
-- Walking is kinematic (docs/behaviors/walking.md): feet stay where they are set, but nothing predicts a
-- fall. A robot without legs stands, and says why it does not walk.
local brio = require "brio"
local automaton = require "brio.automaton"
local want = brio.want
local motions = require "animated_walker_motions"

local walker = brio.behavior "animated_walker" {
  about = "walks by radio or by animation, and changes between motions without a jump",
  robot = "biped",
  start = "standing",
  memory = { asked = { queue = {} }, command = {}, foot = "right" },
  tune = {
    swing = brio.param(0.5, "s", 0.3, 1.5), transfer = brio.param(0.3, "s", 0.1, 1.5),
    gentle = brio.param(0.5, "1", 0.1, 1),
  },
}

-- The range of gaits: m/s, rad/s, m below upright; how fast each changes, and how fast that does.
local gait = {
  vx = { lower = -0.2, upper = 0.35, velocity = 0.5, acceleration = 2 },
  vy = { lower = -0.08, upper = 0.08, velocity = 0.3, acceleration = 2 },
  turn = { lower = -0.4, upper = 0.4, velocity = 0.8, acceleration = 4 },
  height = { lower = -0.2, upper = 0, velocity = 0.2, acceleration = 0.8 },
}
local upright = { vx = 0, vy = 0, turn = 0, height = 0 }

-- The composer of this robot, made when it is first needed, and the values at which it rests.
local composer, rest
local function made(self)
  if composer then return composer end
  local variables = self.robot:variables()
  for _, variable in ipairs(variables) do
    variable.velocity = variable.velocity * self.tune.gentle
    variable.acceleration = variable.acceleration * self.tune.gentle
  end
  local limits = automaton.limits(variables, gait)
  composer = automaton.composer(limits, automaton.library(motions.list, limits))
  rest = {}
  for name, value in pairs(upright) do rest[name] = value end
  for _, motion in pairs(motions.list) do
    for name in pairs(motion.tracks) do
      if limits[name] and not rest[name] then rest[name] = self.poses[motions.home].joints[name] or 0 end
    end
  end
  return composer
end

-- What moves, kept over reloads.
local function motion(self)
  local memory = self.memory
  local c = made(self)
  memory.motion = memory.motion or c:start(rest)
  for name, value in pairs(rest) do -- a channel that a new version has
    if not memory.motion.q[name] then
      local more = c:start { [name] = value }
      memory.motion.q[name], memory.motion.v[name], memory.motion.r[name] = value, more.v[name], more.r[name]
    end
  end
  return memory.motion, c
end

-- Feedback --------------------------------------------------------------------------------------------------

-- What decides whether a transition may begin.
local function feedback(self)
  local state, c = motion(self)
  local can, why = self.stance:can_walk()
  local fastest, share = nil, 0
  for name, v in pairs(state.v) do
    local one = not gait[name] and math.abs(v) / c.limits[name].velocity or 0
    if one > share then fastest, share = name, one end
  end
  return { can_walk = can, why = why, lifted = self.stance:lifted(), steps = self.stance:steps(),
    fallen = self.memory.fallen, arrived = c:arrived(state), speed = share, fastest = fastest,
    pace = math.max(math.abs(state.q.vx), math.abs(state.q.vy), math.abs(state.q.turn)) }
end

-- Say why it waits, once for each reason; what counts down is said without its numbers.
local function waits(self, why)
  local kind = why and why:gsub("[%d.]+", "#")
  if kind == self.memory.waits then return end
  self.memory.waits = kind
  self:watch("waits", why)
  if why then self:log("it waits: %s", why) end
end

-- What the operator commands, within the range of gaits.
local function commanded(self)
  local target = {}
  for name, value in pairs(rest) do target[name] = self.memory.command[name] or value end
  if not self.memory.asked.radio or self.memory.asked.radio == "standing" then
    target.vx, target.vy, target.turn = 0, 0, 0
  end
  return target
end

-- Output ----------------------------------------------------------------------------------------------------

-- What moves the joints.
local live

-- The values of this tick, to the joints and the pelvis.
local function put_out(self)
  local state, c = motion(self)
  local values = c:step(state, self.dt)
  if not live or not live:on() then
    self:stop("automaton", 0) -- that of the version before a reload
    live = assert(self:live("automaton", { tau = 0 }))
  end
  for name, value in pairs(values) do
    if not gait[name] then live:say(name, value) end
  end
  self.stance:lower(-values.height)
end

-- One more step where none waits, by the present speed. `last`: the feet come side by side.
local function add_step(self, last)
  local state = motion(self)
  local q, seconds = state.q, self.tune.swing + self.tune.transfer
  local side = self.memory.foot
  local outward = (side == "left") == (q.vy > 0) and 2 * q.vy * seconds or 0
  assert(self.stance:step { side = side, ahead = last and 0 or q.vx * seconds, aside = last and 0 or outward,
    turn = last and 0 or q.turn * seconds, swing = self.tune.swing, transfer = self.tune.transfer })
  self.memory.foot = side == "left" and "right" or "left"
end

-- Where to next ---------------------------------------------------------------------------------------------

-- The next state on the way from `mode`, where the motion `id` plays; nil: stay.
local function next_state(self, mode, id)
  local asked = self.memory.asked
  local _, c = motion(self)
  local to, next_id = automaton.wanted(asked, c.library, id)
  local name, why = automaton.next(mode, to, next_id ~= id, feedback(self))
  if not name then
    waits(self, why)
    return nil
  end
  waits(self, nil)
  if name == "stand_to_walk" then return "starting" end
  if name == "walk_to_stand" then return "stopping" end
  if name == "animation_to_radio" then return mode:match "^%a+" .. ".radio" end
  if to:match "^%a+" ~= mode:match "^%a+" then -- the posture first, by the motion that comes
    local posture = automaton.route(mode, to)[2]
    return posture == "stand_to_walk" and "starting" or posture == "walk_to_stand" and "stopping" or nil
  end
  return to:match "^%a+" .. ".animation"
end

-- The states of an animation in one posture: to its first frame, then the motion.
local function animation(posture)
  local mode = posture .. "/animation"
  return {
    start = "approach",
    states = {
      approach = {
        enter = function(self)
          local state, c = motion(self)
          local _, id = automaton.wanted(self.memory.asked, c.library)
          self.memory.id = id
          if not id then return end
          local first = c.library:at(id, 0)
          for name, value in pairs(rest) do first[name] = first[name] or value end
          local seconds = c:go_to(state, first)
          automaton.begun(self.memory.asked, id)
          self:emit("motion_begins", { id = id, seconds = seconds, emotion = c.library:find(id).emotion })
        end,
        tick = function(self)
          local state, c = motion(self)
          local away = next_state(self, mode, self.memory.id)
          if away then return away end
          local there, slowest = c:arrived(state)
          if there then return "play" end
          waits(self, slowest and ("%s comes to the first frame"):format(slowest))
        end,
      },
      play = {
        enter = function(self)
          local state, c = motion(self)
          c:play(state, self.memory.id)
        end,
        tick = function(self)
          local state, c = motion(self)
          if not c:over(state) then return next_state(self, mode, self.memory.id) end
          self:emit("motion_ended", { id = self.memory.id })
          self.memory.id = nil
          local to = next_state(self, mode, nil)
          return to or posture .. ".radio"
        end,
      },
    },
  }
end

-- The operator, or nobody: the pose follows the commands, at rest without them.
local function radio(posture)
  return {
    enter = function(self) self.memory.id = nil end,
    tick = function(self)
      local state, c = motion(self)
      c:follow(state, commanded(self))
      return next_state(self, posture .. "/radio")
    end,
  }
end

local alive = { want.collision_avoidance {}, want.joint_limits {} }

walker.standing = {
  start = "radio", wants = alive,
  tick = put_out,
  states = { radio = radio "standing", animation = animation "standing" },
}

-- Stand to walk: the height of the walk, then the weight over the left foot, and the right one steps in
-- place.
walker.starting = {
  wants = alive, start = "height",
  tick = put_out,
  states = {
    height = {
      enter = function(self)
        local state, c = motion(self)
        local _, id = automaton.wanted(self.memory.asked, c.library)
        local first = id and c.library:at(id, 0) or commanded(self)
        c:go_to(state, { height = first.height or 0, vx = 0, vy = 0, turn = 0 })
      end,
      tick = function(self)
        local _, c = motion(self)
        if not automaton.wanted(self.memory.asked, c.library):find "^walking" then return "standing.radio" end
        local ready, why = automaton.transitions.stand_to_walk.done(feedback(self))
        waits(self, why)
        return ready and "lift" or nil
      end,
    },
    lift = {
      enter = function(self)
        self.memory.foot = "right"
        add_step(self)
      end,
      when = { function(self) return self.stance:lifted() end, "walking" },
    },
  },
}

walker.walking = {
  wants = alive,
  start = "radio",
  tick = function(self)
    put_out(self)
    if self.stance:steps() < 2 then add_step(self) end
  end,
  states = { radio = radio "walking", animation = animation "walking" },
}

-- Walk to stand: slower until it rests, the feet side by side, and it stands when the last step is complete.
walker.stopping = {
  wants = alive,
  start = "slower",
  tick = put_out,
  states = {
    slower = {
      enter = function(self)
        local state, c = motion(self)
        c:go_to(state, { vx = 0, vy = 0, turn = 0 })
      end,
      tick = function(self)
        local state, c = motion(self)
        if c:arrived(state) then return "square" end
        if self.stance:steps() < 2 then add_step(self) end
        waits(self, "it slows down")
      end,
    },
    square = {
      enter = function(self)
        add_step(self, true)
        add_step(self, true)
      end,
      tick = function(self)
        local ready, why = automaton.transitions.walk_to_stand.done(feedback(self))
        waits(self, why)
        return ready and "standing" or nil
      end,
    },
  },
}

-- What people ask for ---------------------------------------------------------------------------------------

-- Run `work`; what is wrong with a request is said, and changes nothing.
local function request(self, work)
  local good, why = pcall(work)
  if not good then
    why = tostring(why):gsub("^[^:]*%.lua:%d+: ", "")
    self:log("refused: %s", why)
    self:emit("refused", { why = why })
  end
end

-- A request for a walk where the robot does not walk.
local function check_walks(self, id)
  local _, c = motion(self)
  local found = c.library:find(id)
  local can, why = self.stance:can_walk()
  if found and found.mode == "walking" and not can then
    error(("'%s' walks: this robot does not: %s"):format(id, why), 0)
  end
end

local function perform(self, data)
  request(self, function()
    local _, c = motion(self)
    local id = type(data) == "table" and data[1] or data
    check_walks(self, id)
    automaton.demand(self.memory.asked, c.library, id)
  end)
end

local function queue(self, data)
  request(self, function()
    local _, c = motion(self)
    for _, id in ipairs(type(data) == "table" and data or {}) do check_walks(self, id) end
    automaton.append(self.memory.asked, c.library, data)
  end)
end

local function take_over(self, data)
  request(self, function()
    if data ~= nil and type(data) ~= "table" then error("radio expects a table", 0) end
    local command, said = {}, data or {}
    for name, value in pairs(said) do command[name] = value end
    command.posture = nil
    local posture = said.posture or self.memory.asked.radio or "standing"
    if posture == "walking" and not self.stance:can_walk() then
      error("this robot does not walk: " .. select(2, self.stance:can_walk()), 0)
    end
    local _, c = motion(self)
    local within, why = automaton.within(c.limits, command)
    automaton.radio(self.memory.asked, posture)
    if why then self:log("the command is changed: %s", why) end
    if why then self:emit("command_changed", { why = why }) end
    for name, value in pairs(within) do self.memory.command[name] = value end
  end)
end

local function release(self)
  automaton.radio(self.memory.asked, nil)
  self.memory.command = {}
end

-- The left stick walks and the right one turns: while one is moved, the operator has the robot.
local function sticks(self)
  if not (self:senses "stick_left_x" and self:senses "stick_right_x") then return end
  local ahead, aside, turn = self.inputs.stick_left_y, -self.inputs.stick_left_x, -self.inputs.stick_right_x
  local moved = ahead ~= 0 or aside ~= 0 or turn ~= 0
  if moved or self.memory.moved then
    take_over(self, { posture = moved and "walking" or "standing", turn = turn * gait.turn.upper,
      vx = ahead * (ahead > 0 and gait.vx.upper or -gait.vx.lower), vy = aside * gait.vy.upper })
  end
  self.memory.moved = moved
end

local asks = { perform = perform, queue = queue, radio = take_over, release = release,
  fell = function(self) self.memory.fallen = true end }
for _, state in ipairs { walker.standing, walker.starting, walker.walking, walker.stopping } do
  local tick = state.tick
  state.on = asks
  state.tick = function(self)
    sticks(self)
    tick(self)
  end
end

return walker
