--- The first motion after what somebody did: the first command that is not where the DOF would have come to as it went before.
---
--- Commands are read once a tick, and only while somebody is there. Of a DOF whose command was at q and went at v when
--- something was done, the first one that is farther than a threshold from q + v t counts. What moves of itself, as breathing
--- does, leaves that line too, but slowly: so motion is waited for only a short while.
local motion = {}
local Motion = {}
Motion.__index = Motion

--- Of a DOF's range, so much is motion; and never less or more than this, in its unit.
local share, least, most = 0.002, 0.001, 0.02

--- s, for which motion is waited for where nothing says that the action goes on.
motion.patience = 0.5

--- s, for which it is waited for at most.
motion.longest = 10

function motion.new(host)
  local self = setmetatable({ host = host, now = {}, before = {}, names = {}, thresholds = {}, number = {} }, Motion)
  for index, name in ipairs(host.actuator:axes()) do
    local limits = host.actuator:limits(name)
    local range = limits.upper - limits.lower
    self.names[index], self.number[name] = name, index
    self.thresholds[index] = math.max(least, math.min(most, range == range and share * range or most))
  end
  return self
end

--- Read the commands of the tick that is over, which was at time t.
function Motion:read(t)
  self.now, self.before = self.before, self.now
  self.t_before, self.t = self.t, t
  self.host.actuator:commands(self.now)
  if not self.t_before then
    for index, value in ipairs(self.now) do self.before[index] = value end
    self.t_before = t
  end
end

--- Nobody is there: what was read is old.
function Motion:rest() self.t, self.t_before = nil, nil end

--- Begin to watch: where all DOFs are, and how they go; t: when the tick before was.
function Motion:watch(t)
  if not self.t then self:read(t) end
  local from, rate = {}, {}
  local dt = self.t and self.t - self.t_before or 0
  for index, value in ipairs(self.now) do
    from[index] = value
    rate[index] = dt > 1e-6 and (value - self.before[index]) / dt or 0
  end
  return { from = from, rate = rate, t = self.t }
end

local function moved(self, watch, index)
  local value = self.now[index]
  local from = watch.from[index]
  return value ~= nil and from ~= nil and math.abs(value - from - watch.rate[index] * (self.t - watch.t)) > self.thresholds[index]
end

--- Whether one of some DOFs (names; "all") moves since then.
function Motion:seen(watch, names)
  if not self.t then return false end
  if names == "all" then
    for index = 1, #self.now do
      if moved(self, watch, index) then return true end
    end
    return false
  end
  for _, name in ipairs(names) do
    local index = self.number[name]
    if index and moved(self, watch, index) then return true end
  end
  return false
end

return motion
