--- An automaton of motions: a robot changes between standing and walking, between animations and an operator,
--- without a jump.
---
---     local limits = automaton.limits(self.robot:variables(), { vx = { lower = -0.2, upper = 0.3, ... } })
---     local library = automaton.repertoire(motions, limits)
---     local composer = automaton.composer(limits, library)
---     local state = composer:start { neck_yaw = 0 }     plain data: it may be kept in a behavior's memory
---     composer:approach(state, "bow")                   a transition to the first frame of a motion
---     composer:step(state, dt)                          values by name, within the limits
---
--- It knows no robot or run: which transition is next, when it may begin and what it commands is the
--- statechart of a behavior (behaviors/animated_walker.lua).  After Li, Cummings, Sreenath, "Animated
--- Cassie: A Dynamic Relatable Robotic Character", 2020, section IV-B; durations of transitions are our
--- own.
local channels = require "brio.character.automaton.channels"
local repertoire = require "brio.character.automaton.repertoire"
local modes = require "brio.character.automaton.modes"
local requests = require "brio.character.automaton.requests"
local suggest = require "brio.lib.suggest"

local automaton = {
  repertoire = repertoire.new, route = modes.route, transitions = modes.transitions,
  append = requests.append, demand = requests.demand, radio = requests.radio, wanted = requests.wanted,
  begun = requests.begun, seconds = channels.seconds, least = channels.least,
}

local Composer = {}
Composer.__index = Composer

--- How near a channel is at the end of a transition, as a share of its range.
local near = 1e-3

--- The fields of a limit.
local limit_fields = { "lower", "upper", "velocity", "acceleration" }

local function checked(name, said)
  local made = {}
  for _, field in ipairs(limit_fields) do
    local value = said[field]
    if type(value) ~= "number" or value ~= value then
      error(("limits of %s: %s must be a number"):format(name, field), 3)
    end
    made[field] = value
  end
  if made.lower > made.upper then error(("limits of %s: lower is above upper"):format(name), 3) end
  if not (made.velocity > 0 and made.acceleration > 0) then
    error(("limits of %s: velocity and acceleration must be above 0"):format(name), 3)
  end
  return made
end

--- Limits by name, of a robot's variables (robot:variables()) and of gait parameters.
---@param variables table list of {name, lower, upper, velocity, acceleration}
---@param gait? table {lower, upper, velocity, acceleration} by name: vx, vy, turn, height
---@return table limits by name
function automaton.limits(variables, gait)
  local limits = {}
  for _, variable in ipairs(variables) do limits[variable.name] = checked(variable.name, variable) end
  for _, name in ipairs(suggest.keys(gait or {})) do
    if not repertoire.gait[name] then
      local hint = suggest.hint(name, suggest.keys(repertoire.gait))
      error(("a gait has no parameter '%s'%s"):format(name, hint), 2)
    end
    limits[name] = checked(name, gait[name])
  end
  return limits
end

--- A command within the limits, by name, and a sentence on the first value that is not.  Names without limits
--- and values that are no numbers are left out, with a sentence.
function automaton.within(limits, command)
  local made, why = {}, nil
  for _, name in ipairs(suggest.keys(command)) do
    local limit, value = limits[name], command[name]
    if not limit then
      why = why or ("there is no '%s' to command%s"):format(name, suggest.hint(name, suggest.keys(limits)))
    elseif type(value) ~= "number" or value ~= value then
      why = why or ("%s must be a number"):format(name)
    else
      made[name] = math.max(limit.lower, math.min(limit.upper, value))
      if made[name] ~= value then
        why = why or ("%s of %.4g is beyond %.4g to %.4g: it is %.4g"):format(name, value, limit.lower,
          limit.upper, made[name])
      end
    end
  end
  return made, why
end

--- The next elemental transition on the way from one mode to another, if it may begin now.
---@param other boolean whether it is to another motion
---@param feedback table {fallen, can_walk, why (it does not walk), lifted (foot in the air),
---  steps (that are left),
---  speed (of the fastest joint, a share of its limit), fastest (its name), pace (of the walk, the
---  largest of vx, vy (m/s) and turn (rad/s)), pacing (its name), arrived}
---@return string? transition the next one; nil: none is needed, or it waits
---@return string? why it waits, a sentence
function automaton.next(from, to, other, feedback)
  local name = modes.route(from, to, other)[1]
  if not name then return nil end
  local may, why = modes.transitions[name].may(feedback)
  if may then return name end
  return nil, why
end

-- Motion ----------------------------------------------------------------------------------------------------

--- Make what moves the channels of `limits`, by motions of a library.
function automaton.composer(limits, motions)
  return setmetatable({ limits = limits, repertoire = motions }, Composer)
end

--- The state at the beginning: at rest at these values, by name, which are the channels that it moves.
function Composer:start(values)
  local state = { q = {}, v = {}, r = {}, does = "hold" }
  for _, name in ipairs(suggest.keys(values)) do
    local limit = self.limits[name]
    if not limit then error(("there are no limits of '%s'"):format(name), 2) end
    local at = math.max(limit.lower, math.min(limit.upper, values[name]))
    state.q[name], state.v[name], state.r[name] = at, 0.0, at
  end
  return state
end

--- Begin a transition to these values; others stay where they are.  how: {curve = "minimum_jerk" or "linear",
--- least = s}.  Return its duration, s.
function Composer:go_to(state, values, how)
  how = how or {}
  local curve = how.curve or "minimum_jerk"
  if not channels.curves[curve] then
    error(("there is no curve '%s'%s"):format(tostring(curve), suggest.hint(tostring(curve),
      suggest.keys(channels.curves))), 2)
  end
  local from, speed, to = {}, {}, {}
  for name, q in next, state.q do
    local limit = self.limits[name]
    from[name], speed[name], state.r[name] = q, state.v[name], q
    to[name] = math.max(limit.lower, math.min(limit.upper, values[name] or q))
  end
  local seconds, slowest = channels.seconds(self.limits, from, to, how.least)
  state.does, state.time, state.id, state.target = "go_to", 0.0, nil, nil
  state.way = { from = from, speed = speed, to = to, seconds = seconds, curve = curve, slowest = slowest }
  return seconds
end

--- Begin a transition to the first frame of a motion.
function Composer:approach(state, id, how)
  return self:go_to(state, self.repertoire:at(id, 0), how)
end

--- Begin a motion.
function Composer:play(state, id)
  state.does, state.id, state.time, state.way, state.target = "play", id, 0.0, nil, nil
end

--- Follow an operator's values, which may change in every step.
function Composer:follow(state, values)
  if state.does ~= "follow" then state.does, state.id, state.way, state.time = "follow", nil, nil, nil end
  state.target = values
end

--- Stay at the last reference.
function Composer:hold(state) state.does, state.id, state.way, state.target = "hold", nil, nil, nil end

--- Whether a transition has ended and every channel is at its end. If not: false, the name of the channel
--- that decides, and what it lacks: the seconds of the transition that are left (the slowest channel), or the
--- distance to its end as a share of its range (the farthest one).
function Composer:arrived(state)
  if state.does == "go_to" and state.time < state.way.seconds - 1e-9 then
    return false, state.way.slowest, state.way.seconds - state.time
  end
  local worst, most = nil, near
  for name, q in next, state.q do
    local limit = self.limits[name]
    local off = math.abs(q - state.r[name]) / math.max(1e-9, math.min(10, limit.upper - limit.lower))
    if off > most or off == most and worst and name < worst then worst, most = name, off end
  end
  return worst == nil, worst, most
end

--- Whether the motion is over.
function Composer:over(state)
  return state.does ~= "play" or state.time >= self.repertoire.motions[state.id].seconds - 1e-9
end

--- The reference of this step, put into `out`.
local references = {
  hold = function() end,
  go_to = function(self, state, out)
    local way = state.way
    for name, q in next, way.from do
      out[name] = channels.between(way.curve, self.limits[name], q, way.speed[name], way.to[name], state.time,
        way.seconds)
    end
  end,
  play = function(self, state, out) self.repertoire:at(state.id, state.time, out) end,
  follow = function(_, state, out)
    for name, value in next, state.target do out[name] = value end
  end,
}

--- Go on by dt, s.  Return the values by name, which are state.q.
function Composer:step(state, dt)
  state.time = state.time and state.time + dt
  local to = self.scratch or {}
  self.scratch = to
  for name, r in next, state.r do to[name] = r end
  references[state.does](self, state, to)
  for name, q in next, state.q do
    local limit = self.limits[name]
    local r = math.max(limit.lower, math.min(limit.upper, to[name]))
    state.q[name], state.v[name] = channels.step(limit, q, state.v[name], state.r[name], r, dt)
    state.r[name] = r
  end
  return state.q
end

return automaton
