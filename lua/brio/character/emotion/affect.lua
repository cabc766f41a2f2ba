--- The dynamics of an emotion in the plane of valence and arousal: numbers only, without a robot.
---
---     local state = affect.new { tau = 4, mood_tau = 120 }
---     state:push({ 0.5, 0.1 })          -- something happened
---     state:step(0.005)
---     local valence, arousal = state:total()
---
--- Emotion and mood are first-order lags. The mood moves with its time constant towards the temperament plus
--- the input of needs; the emotion moves with its own towards the mood plus the active influences, or, while
--- it is told to feel something, quickly towards that:
---
---     mood' = (M - mood) / mood_tau        emotion' = (mood + S - emotion) / tau   or   (F - emotion) / rise
---
--- after Breazeal, "Designing Sociable Robots", 2002, p. 118 (emotions decay in seconds, drives form the
--- slower mood). Both are solved exactly for inputs that are constant in a step; a step is split where an
--- input ends, so the result does not depend on the length of the tick. |emotion| stays within 1.
local graph = require "brio.character.emotion.graph"

local affect = {}
local Affect = {}
Affect.__index = Affect

--- A vector cut to length 1.
function affect.clamped(x, y)
  local length = math.sqrt(x * x + y * y)
  if length <= 1 then return x, y end
  return x / length, y / length
end

--- Create the state, at rest in its temperament: {tau, mood_tau, rise (s), temperament = {valence, arousal}}.
function affect.new(settings)
  local self = setmetatable({ pulses = {}, stimuli = {} }, Affect)
  self:use(settings)
  local x, y = affect.clamped(settings.temperament[1], settings.temperament[2])
  self.mood, self.emotion = { x, y }, { x, y }
  return self
end

--- Change the settings.
function Affect:use(settings) self.settings = settings end

--- An event: the emotion is pushed by a vector, and decays.
function Affect:push(vector)
  local e = self.emotion
  e[1], e[2] = affect.clamped(e[1] + vector[1], e[2] + vector[2])
end

--- The same with a decay of its own: the vector times the value of the graph `decay`, until the graph ends.
function Affect:pulse(vector, decay)
  if #self.pulses >= 32 then table.remove(self.pulses, 1) end
  self.pulses[#self.pulses + 1] = { vector = vector, decay = decay, age = 0 }
end

--- Feel something for `seconds`.
function Affect:feel(vector, seconds)
  local x, y = affect.clamped(vector[1], vector[2])
  self.felt = { x, y, left = seconds }
end

--- An action for `seconds`: it pulls the emotion by a vector away from the mood. It replaces an earlier
--- action with the same key.
function Affect:act(key, vector, seconds)
  for _, stimulus in ipairs(self.stimuli) do
    if stimulus.key == key then
      stimulus.vector, stimulus.left = vector, math.max(stimulus.left, seconds)
      return false
    end
  end
  self.stimuli[#self.stimuli + 1] = { key = key, vector = vector, left = seconds }
  return true
end

--- Whether an action with that key is active.
function Affect:acts(key)
  for _, stimulus in ipairs(self.stimuli) do
    if stimulus.key == key then return true end
  end
  return false
end

--- Advance one axis of the emotion by `h` s, with a mood that moves from `mood` to `goal`, and a push away
--- from it.
local function relaxed(e, mood, goal, push, h, tau, mood_tau)
  local away, still, decay = mood - goal, goal + push, math.exp(-h / tau)
  if math.abs(mood_tau - tau) < 1e-9 * tau then return still + (away * h / tau + e - still) * decay end
  local share = away * mood_tau / (mood_tau - tau)
  return still + share * math.exp(-h / mood_tau) + (e - still - share) * decay
end

--- The sum of all actions, as one vector that keeps the goal within 1.
local function push_of(self)
  local x, y = 0, 0
  for _, stimulus in ipairs(self.stimuli) do x, y = x + stimulus.vector[1], y + stimulus.vector[2] end
  local mood = self.mood
  local gx, gy = affect.clamped(mood[1] + x, mood[2] + y)
  return { gx - mood[1], gy - mood[2] }
end

local function advance(self, h, goal)
  local settings, e, mood, felt, push = self.settings, self.emotion, self.mood, self.felt, push_of(self)
  local slow, quick = math.exp(-h / settings.mood_tau), math.exp(-h / settings.rise)
  for axis = 1, 2 do
    e[axis] = felt and felt[axis] + (e[axis] - felt[axis]) * quick
      or relaxed(e[axis], mood[axis], goal[axis], push[axis], h, settings.tau, settings.mood_tau)
    mood[axis] = goal[axis] + (mood[axis] - goal[axis]) * slow
  end
  e[1], e[2] = affect.clamped(e[1], e[2])
end

--- The longest step up to `h` within which no input ends.
local function undisturbed(self, h)
  if self.felt then h = math.min(h, self.felt.left) end
  for _, stimulus in ipairs(self.stimuli) do h = math.min(h, stimulus.left) end
  return h
end

--- Subtract `h` from all remaining times, and remove the expired ones.
local function expire(self, h)
  if self.felt then
    self.felt.left = self.felt.left - h
    if self.felt.left <= 1e-12 then self.felt = nil end
  end
  for index = #self.stimuli, 1, -1 do
    local stimulus = self.stimuli[index]
    stimulus.left = stimulus.left - h
    if stimulus.left <= 1e-12 then table.remove(self.stimuli, index) end
  end
  for index = #self.pulses, 1, -1 do
    local pulse = self.pulses[index]
    pulse.age = pulse.age + h
    if pulse.age >= pulse.decay[#pulse.decay][1] then table.remove(self.pulses, index) end
  end
end

--- Advance by `dt` s. `feed(h)`, if given, advances the needs by h and returns their input to the
--- temperament.
function Affect:step(dt, feed)
  local left = dt
  while left > 0 do
    local h = undisturbed(self, left)
    local add = feed and feed(h) or { 0, 0 }
    local temperament = self.settings.temperament
    local x, y = affect.clamped(temperament[1] + add[1], temperament[2] + add[2])
    advance(self, h, { x, y })
    expire(self, h)
    left = left - h
  end
end

--- Valence and arousal now, all together.
function Affect:total()
  local x, y = self.emotion[1], self.emotion[2]
  for _, pulse in ipairs(self.pulses) do
    local share = graph.at(pulse.decay, pulse.age)
    x, y = x + pulse.vector[1] * share, y + pulse.vector[2] * share
  end
  return affect.clamped(x, y)
end

return affect
