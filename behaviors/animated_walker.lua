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
    gentle = brio.param(0.5, "1", 0.3, 1), -- below 0.3, wave is too fast for its joints
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

-- The composer of this robot, made when it is first needed and when `gentle` changes, and the values at which
-- it rests, of all channels that motions move.
local composer, rest, gentle

local function compose(self)
  local variables = self.robot:variables()
  for _, variable in ipairs(variables) do
    variable.velocity = variable.velocity * gentle
    variable.acceleration = variable.acceleration * gentle
  end
  local limits = automaton.limits(variables, gait)
  return automaton.composer(limits, automaton.repertoire(motions.list, limits))
end

-- The values at rest: in the pose of that name, or, on a robot without it, at 0 or the bound next to it.
local function resting(self, limits)
  local home = self.poses[motions.home] or self.poses.home
  local values = {}
  for name, value in pairs(upright) do values[name] = value end
  for _, motion in pairs(motions.list) do
    for name in pairs(motion.tracks) do
      if limits[name] and not values[name] then values[name] = home and home.joints[name] or 0 end
    end
  end
  return values
end

-- Leave out what a new version has no motion for: what was asked, and the motion that plays.
local function forget_removed(self)
  local memory, repertoire = self.memory, composer.repertoire
  local asked = memory.asked
  local kept = {}
  local function has(id)
    local found, why = repertoire:find(id)
    if not found then self:log("it is dropped: %s", why) end
    return found ~= nil
  end
  for _, id in ipairs(asked.queue) do
    if has(id) then kept[#kept + 1] = id end
  end
  asked.queue = kept
  if asked.demand and not has(asked.demand) then asked.demand = nil end
  if memory.id and not has(memory.id) then
    self:emit("motion_ended", { id = memory.id, interrupted = true })
    memory.id = nil
    if memory.motion then composer:hold(memory.motion) end
  end
end

local function made(self)
  if composer and gentle == self.tune.gentle then return composer end
  gentle = self.tune.gentle
  if composer then -- while it runs: motions that are too fast for it change nothing
    local good, new = pcall(compose, self)
    if good then composer = new else self:log("gentle changes nothing: %s", new) end
    return composer
  end
  composer = compose(self)
  rest = resting(self, composer.limits)
  forget_removed(self)
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
  local pacing = "vx"
  for _, name in ipairs { "vy", "turn" } do
    if math.abs(state.q[name]) > math.abs(state.q[pacing]) then pacing = name end
  end
  return { can_walk = can, why = why, lifted = self.stance:lifted(), steps = self.stance:steps(),
    fallen = self.memory.fallen, arrived = c:arrived(state), speed = share, fastest = fastest,
    pace = math.abs(state.q[pacing]), pacing = pacing }
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

-- One more step where none waits, by the present speed. `last`: the feet come side by side. Return whether
-- there is one: in the first tick of a run that is resumed the robot does not stand yet.
local function add_step(self, last)
  if not self.stance:feet() then return false end
  local state = motion(self)
  local q, seconds = state.q, self.tune.swing + self.tune.transfer
  local side = self.memory.foot
  local outward = (side == "left") == (q.vy > 0) and 2 * q.vy * seconds or 0
  assert(self.stance:step { side = side, ahead = last and 0 or q.vx * seconds, aside = last and 0 or outward,
    turn = last and 0 or q.turn * seconds, swing = self.tune.swing, transfer = self.tune.transfer })
  self.memory.foot = side == "left" and "right" or "left"
  return true
end

-- Where to next ---------------------------------------------------------------------------------------------

-- The next state on the way from `mode`, where the motion `id` plays; nil: stay.
local function next_state(self, mode, id)
  local asked = self.memory.asked
  local _, c = motion(self)
  local to, next_id = automaton.wanted(asked, c.repertoire, id)
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
    local route = automaton.route(mode, to, next_id ~= id)
    local posture = route[#route]
    return posture == "stand_to_walk" and "starting" or posture == "walk_to_stand" and "stopping" or nil
  end
  return to:match "^%a+" .. ".animation"
end

-- The next state, as above: a motion that it leaves has been interrupted.
local function leave(self, mode)
  local memory = self.memory
  local away = next_state(self, mode, memory.id)
  if away and memory.id then
    self:emit("motion_ended", { id = memory.id, interrupted = true })
    memory.id = nil
  end
  return away
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
          if self.resumed and self.memory.id then return end
          local _, id = automaton.wanted(self.memory.asked, c.repertoire)
          self.memory.id = id
          if not id then return end
          local first = c.repertoire:at(id, 0)
          for name, value in pairs(rest) do first[name] = first[name] or value end
          local seconds = c:go_to(state, first)
          automaton.begun(self.memory.asked, id)
          self:emit("motion_begins", { id = id, seconds = seconds, emotion = c.repertoire:find(id).emotion })
        end,
        tick = function(self)
          local state, c = motion(self)
          local away = leave(self, mode)
          if away then return away end
          local there, slowest = c:arrived(state)
          if there then return "play" end
          waits(self, slowest and ("%s comes to the first frame"):format(slowest))
        end,
      },
      play = {
        enter = function(self)
          local state, c = motion(self)
          if not self.resumed then c:play(state, self.memory.id) end
        end,
        tick = function(self)
          local state, c = motion(self)
          if not c:over(state) then return leave(self, mode) end
          if self.memory.id then self:emit("motion_ended", { id = self.memory.id }) end
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
        local _, id = automaton.wanted(self.memory.asked, c.repertoire)
        local first = id and c.repertoire:at(id, 0) or commanded(self)
        c:go_to(state, { height = first.height or 0, vx = 0, vy = 0, turn = 0 })
      end,
      tick = function(self)
        local _, c = motion(self)
        local to = automaton.wanted(self.memory.asked, c.repertoire)
        if not to:find "^walking" then return "standing.radio" end
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
      tick = function(self)
        if self.stance:steps() == 0 and not self.stance:lifted() then -- the robot did not stand, or lost it
          self.memory.foot = "right"
          add_step(self)
        end
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
      enter = function(self) self.memory.square = 2 end,
      tick = function(self)
        while self.memory.square > 0 do
          if not add_step(self, true) then return end
          self.memory.square = self.memory.square - 1
        end
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

-- Refuse a motion that this robot cannot show; say once what it has no joints for.
local told = {}
local function check_possible(self, id)
  local _, c = motion(self)
  local found = c.repertoire:find(id)
  if not found then return end
  local can, why = self.stance:can_walk()
  if found.mode == "walking" and not can then
    error(("'%s' walks: this robot does not: %s"):format(id, why), 0)
  end
  local missing = table.concat(found.missing, ", ")
  if found.joints == 0 and not can then
    error(("'%s' moves no joint of this robot, which has no %s"):format(id, missing), 0)
  end
  if missing ~= "" and not told[id] then
    told[id] = true
    self:log("'%s' is played without %s, which this robot does not have", id, missing)
  end
end

-- The limits of what an operator commands: joints that motions move, and the gait of a robot with legs.
local function commandable(self)
  local _, c = motion(self)
  local can, limits = self.stance:can_walk(), {}
  for name in pairs(rest) do limits[name] = (can or not gait[name]) and c.limits[name] or nil end
  return limits
end

local function perform(self, data)
  request(self, function()
    local _, c = motion(self)
    local id = type(data) == "table" and data[1] or data
    check_possible(self, id)
    automaton.demand(self.memory.asked, c.repertoire, id)
  end)
end

local function queue(self, data)
  request(self, function()
    local _, c = motion(self)
    for _, id in ipairs(type(data) == "table" and data or {}) do check_possible(self, id) end
    automaton.append(self.memory.asked, c.repertoire, data)
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
    local within, why = automaton.within(commandable(self), command)
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
  local can, why = self.stance:can_walk()
  if not can then
    if moved and not self.memory.moved then
      self:log("sticks do nothing: this robot does not walk: %s", why)
    end
    self.memory.moved = self.memory.moved or moved
    return
  end
  if moved or self.memory.moved then
    take_over(self, { posture = moved and "walking" or "standing", turn = turn * gait.turn.upper,
      vx = ahead * (ahead > 0 and gait.vx.upper or -gait.vx.lower), vy = aside * gait.vy.upper })
  end
  self.memory.moved = moved
end

local asks = { perform = perform, queue = queue, radio = take_over, release = release,
  fell = function(self) self.memory.fallen = true end,
  upright = function(self) self.memory.fallen = nil end,
  resumed = function(self) self.memory.fallen = nil end } -- the robot is set down again
for _, state in ipairs { walker.standing, walker.starting, walker.walking, walker.stopping } do
  local tick = state.tick
  state.on = asks
  state.tick = function(self)
    sticks(self)
    tick(self)
  end
end

return walker
