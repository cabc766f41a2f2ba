--- Small motions of the eyes on top of the target, each a layer of its own: scanning of a face, aversion, and
--- wandering without a target.  (Aversion, following a face and idle motion as three layers: Andrist, Tan,
--- Gleicher and Mutlu, "Conversational gaze aversion for humanlike robots", HRI
--- 2014.)
local layers = {}

--- A log-normal number with this mean and variance, from a stream, within limits.
local function draw(stream, said)
  local sigma2 = math.log(1 + said.variance / (said.mean * said.mean))
  local value = math.exp(math.log(said.mean) - sigma2 / 2 + math.sqrt(sigma2) * stream:normal())
  return math.max(said.least, math.min(said.most, value))
end

local function normal(stream, mean, sigma) return math.max(0.3 * mean, mean + sigma * stream:normal()) end

--- Intervals between saccades, s: means and variances of a social robot's gaze (explore 1.6/0.11, small ones
--- 0.42/0.10, over a face 0.25/0.20).
layers.intervals = {
  explore = { mean = 1.6, variance = 0.11, least = 0.8, most = 4 },
  micro = { mean = 0.42, variance = 0.10, least = 0.15, most = 2 },
  face = { mean = 0.25, variance = 0.20, least = 0.15, most = 2 },
}

-- Over a face ----------------------------------------------------------------------------------------

local Scanning = {}
Scanning.__index = Scanning

--- Points in a face, as seen: m to its left and up from its center; the eyes are more frequent than the
--- mouth.
local features = { { -0.032, 0 }, { 0.032, 0 }, { -0.032, 0 }, { 0.032, 0 }, { 0, -0.07 } }

--- Amplitude of the fixation of other targets, rad: 0.3 deg, a small fixational saccade.
local small = 0.005

function layers.scanning(stream)
  return setmetatable({ stream = stream, side = 0, up = 0, next = 0 }, Scanning)
end

--- Work of a tick: the offset sideways and up from a target at `distance`, m.
function Scanning:work(now, kind, distance)
  if now < self.next then return self.side, self.up end
  local face = kind == "person" or kind == "face"
  self.next = now + draw(self.stream, face and layers.intervals.face or layers.intervals.micro)
  if face then
    local feature = features[self.stream:whole(#features)]
    self.side, self.up = feature[1], feature[2]
  else
    self.side, self.up = small * distance * self.stream:normal(), small * distance * self.stream:normal()
  end
  return self.side, self.up
end

--- A new target: its center first.
function Scanning:reset(now) self.side, self.up, self.next = 0, 0, now + 0.3 end

-- Away -----------------------------------------------------------------------------------------------

local Aversion = {}
Aversion.__index = Aversion

--- Durations, and intervals between two, s: mean and deviation, while listening and while speaking.
--- Intimacy-modulating aversions of people in conversation: Andrist, Mutlu and Gleicher, IVA 2013.
layers.aversions = {
  listening = { lasts = { 1.14, 0.27 }, between = { 7.21, 1.88 } },
  speaking = { lasts = { 1.96, 0.32 }, between = { 4.75, 1.39 } },
}

--- Directions, rad sideways and up, and their frequency: mostly sideways, as in that work. The angles are our
--- choice.
local ways = { { 0.24, 0.02 }, { -0.24, 0.02 }, { 0.2, -0.12 }, { -0.2, -0.12 }, { 0.08, -0.2 },
  { 0.1, 0.16 } }

function layers.aversion(stream) return setmetatable({ stream = stream }, Aversion) end

--- Look away now, for this time (s), or a usual one; `asked`: from any target.
function Aversion:begin(now, seconds, talking, asked)
  local lasts = layers.aversions[talking and "speaking" or "listening"].lasts
  self.ends = now + (seconds or normal(self.stream, lasts[1], lasts[2]))
  self.way = ways[self.stream:whole(#ways)]
  self.due, self.asked = nil, asked
end

--- A new target: there is no need to look away from it.
function Aversion:turned()
  if not self.asked then self:finish() end
end

--- Work of a tick: whether it looks away now, and its angles sideways and up, rad. `with`: the target is a
--- person.
function Aversion:work(now, with, talking)
  if self.ends then
    if now < self.ends then return true, self.way[1], self.way[2] end
    self.ends = nil
  end
  if not with then
    self.due = nil
    return false
  end
  local between = layers.aversions[talking and "speaking" or "listening"].between
  self.due = self.due or now + normal(self.stream, between[1], between[2])
  if now < self.due then return false end
  self:begin(now, nil, talking)
  return true, self.way[1], self.way[2]
end

function Aversion:finish() self.ends, self.due, self.asked = nil, nil, nil end

-- About ----------------------------------------------------------------------------------------------

local Exploring = {}
Exploring.__index = Exploring

--- Wandering without stimuli: `said` is {spread = rad, every = s}; eyes move every 1.6 s.
function layers.exploring(stream, said)
  local interval = layers.intervals.explore
  if said and said.every then
    interval = { mean = said.every, variance = (said.every / 4) ^ 2, least = said.every / 2,
      most = 3 * said.every }
  end
  return setmetatable({ stream = stream, interval = interval, spread = said and said.spread or 0.25, next = 0,
    yaw = 0, pitch = 0 }, Exploring)
end

--- Work of a tick: whether the direction has changed, and yaw and pitch from straight ahead.
function Exploring:work(now)
  if now < self.next then return false, self.yaw, self.pitch end
  self.next = now + draw(self.stream, self.interval)
  self.yaw = math.max(-2, math.min(2, self.stream:normal())) * self.spread
  self.pitch = math.max(-2, math.min(2, self.stream:normal())) * self.spread / 2
  return true, self.yaw, self.pitch
end

return layers
