--- The first motion after what somebody did: the first command that is not where the DOF would have come to
--- as it went before.
---
--- Commands are read once a tick, in runs that people may attach to. Of a DOF whose command was at q and went
--- at v when something was done, the first one counts that is farther from q + v t than what moves by itself
--- would take it. That is a t^2 / 2 for the greatest acceleration a that its command had a while before, half
--- as much again, and a floor. So a joint at rest has a motion with the first command that moves it, and one
--- that breathes or blinks only where it goes faster than that.
local motion = {}
local Motion = {}
Motion.__index = Motion

--- Nearer than this to the line, in the DOF's unit, is on it; nearer than the first it is still.
local still, floor = 1e-6, 1e-5

--- Of the acceleration before, so much is what continues automatically.
local margin = 1.5

--- s after which an acceleration counts a third: what a DOF does just now, and what it does now and then.
local short, long = 0.1, 20

--- s: a DOF that begins to move so soon after an action does so because of it. Later than that, where the
--- action names no DOFs, it may be what it does now and then: a blink, a glance.
local prompt = 0.05

--- s, for which motion is waited for where nothing says that the action goes on.
motion.patience = 0.5

--- s, for which it is waited for at most.
motion.longest = 10

--- s: a first motion with a larger uncertainty than this is ignored.
motion.vaguest = 0.2

--- Nor is there one where any DOF may move and the chance is greater than this that one began by itself just
--- then.
local chance = 0.05

--- s, so long at least it counts as looked on how often DOFs begin to move by themselves.
local least_span = 2

function motion.new(host)
  local self = setmetatable({ host = host, now = {}, before = {}, third = {}, names = {}, number = {},
    lately = {}, ever = {}, starts = 0, span = 0 }, Motion)
  for index, name in ipairs(host.actuator:axes()) do
    self.names[index], self.number[name] = name, index
    self.lately[index], self.ever[index] = 0, 0
  end
  return self
end

--- Note how commands were accelerated in the last two ticks, which took dt s each, and how many ticks there
--- are in which one is accelerated more than just before.  `acting`: people did something, so such ticks say
--- nothing.  It is done in every tick, so without calls in the loop.
local function note_acceleration(self, dt, acting)
  local now, before, third, lately, ever = self.now, self.before, self.third, self.lately, self.ever
  if dt ~= self.dt then
    self.dt, self.keep_short, self.keep_long = dt, math.exp(-dt / short), math.exp(-dt / long)
  end
  local keep_short, keep_long, per_square = self.keep_short, self.keep_long, 1 / (dt * dt)
  local least, starts = floor * per_square, 0
  for index = 1, #third do
    local acceleration = (now[index] - 2 * before[index] + third[index]) * per_square
    if acceleration < 0 then acceleration = -acceleration end
    local was, had = lately[index], ever[index] * keep_long
    if acceleration > least + margin * was then starts = 1 end
    was = was * keep_short
    lately[index] = acceleration > was and acceleration or was
    ever[index] = acceleration > had and acceleration or had
  end
  if acting then return end
  self.starts, self.span = self.starts * keep_long + starts, self.span * keep_long + dt
end

--- Read the commands of the last tick, at time t.  `acting`: people acted a moment ago.
function Motion:read(t, acting)
  self.third, self.before, self.now = self.before, self.now, self.third
  local dt_before = self.t_before and self.t - self.t_before or nil
  self.t_before, self.t = self.t, t
  self.host.actuator:commands(self.now)
  if not self.t_before then
    for index, value in ipairs(self.now) do self.before[index] = value end
    self.t_before = t
  elseif dt_before and t > self.t_before and math.abs(t - self.t_before - dt_before) < 0.5 * dt_before then
    note_acceleration(self, t - self.t_before, acting)
  end
end

--- Nobody can be there: the readings are out of date.
function Motion:rest() self.t, self.t_before = nil, nil end

--- Begin to watch: where all DOFs are, and how they go; t: when the tick before was.
function Motion:watch(t)
  if not self.t then self:read(t, true) end
  local from, rate, lately, ever = {}, {}, {}, {}
  local dt = self.t and self.t - self.t_before or 0
  for index, value in ipairs(self.now) do
    from[index] = value
    rate[index] = dt > 1e-6 and (value - self.before[index]) / dt or 0
    lately[index], ever[index] = self.lately[index], self.ever[index]
  end
  return { from = from, rate = rate, t = self.t, dt = dt, lately = lately, ever = ever, quiet = self.t }
end

--- Whether a DOF has left what it does by itself, and whether it is still where it would have come to.
local function look(self, watch, index, accelerations)
  local value, from = self.now[index], watch.from[index]
  if value == nil or from == nil then return false, true end
  local passed = self.t - watch.t
  local off = math.abs(value - from - watch.rate[index] * passed)
  local own = margin * accelerations[index] * passed * (passed / 2 + watch.dt)
  return off > floor + own, off <= still
end

--- Whether one of some DOFs (names; "all") moves since then: when the command was given, and by how much
--- earlier the motion may have begun, s.
function Motion:seen(watch, names)
  if not self.t then return nil end
  local found, quiet = false, true
  if names == "all" then
    local own = self.t - watch.t <= prompt and watch.lately or watch.ever
    for index = 1, #self.now do
      local moved, calm = look(self, watch, index, own)
      found, quiet = found or moved, quiet and calm
    end
  else
    for _, name in ipairs(names) do
      local index = self.number[name]
      local moved, calm = false, true
      if index then moved, calm = look(self, watch, index, watch.lately) end
      found, quiet = found or moved, quiet and calm
    end
  end
  if found then
    local passed = self.t - watch.t
    local by_itself = watch.dt == 0 -- nobody looked before: it may have been in motion
    if names == "all" then
      by_itself = by_itself or self.starts / math.max(least_span, self.span) * passed > chance
    end
    return self.t, by_itself and math.huge or self.t - watch.quiet
  end
  if quiet then watch.quiet = self.t end
  return nil
end

return motion
