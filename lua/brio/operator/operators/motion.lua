--- The first motion after an action: the first command that deviates from the extrapolated motion of its DOF
--- before.
---
--- Commands are read once a tick, in runs to which people may attach. If a DOF's command had position q and
--- velocity v at the action, its first motion is the first command farther from q + v t than autonomous
--- motion could be. That distance is a t^2 / 2, with the maximum acceleration a that its command had
--- recently, plus half of it, and a minimum. So a joint at rest has a first motion with the first command
--- that moves it, and one that breathes or blinks only when it exceeds that.
local motion = {}
local Motion = {}
Motion.__index = Motion

--- Distance to the line, in the DOF's unit, that counts as on it; below the first value a DOF is at rest.
local still, floor = 1e-6, 1e-5

--- Factor of the recent acceleration that still counts as autonomous.
local margin = 1.5

--- Times after which an acceleration counts a third, s: for present motion, and for occasional motion.
local short, long = 0.1, 20

--- Time after an action in which a beginning motion is caused by it, s. Later, if the action names no DOFs,
--- it may be an occasional autonomous motion: a blink, a glance.
local prompt = 0.05

--- Time for which a motion is awaited if nothing shows that the action continues, s.
motion.patience = 0.5

--- Maximum time for which it is awaited, s.
motion.longest = 10

--- A first motion with a larger uncertainty is ignored, s.
motion.vaguest = 0.2

--- It is also ignored if any DOF may move and the probability of an autonomous beginning at that time is
--- greater than this.
local chance = 0.05

--- Minimum observation time for the rate of autonomous beginnings, s.
local least_span = 2

--- The detector of first motions for a host.
function motion.new(host)
  local self = setmetatable({ host = host, now = {}, before = {}, third = {}, names = {}, number = {},
    lately = {}, ever = {}, starts = 0, span = 0 }, Motion)
  for index, name in ipairs(host.actuator:axes()) do
    self.names[index], self.number[name] = name, index
    self.lately[index], self.ever[index] = 0, 0
  end
  return self
end

--- Update the accelerations of commands in the last two ticks, which took dt s each, and count the ticks in
--- which one exceeds its recent value.  `acting`: people have acted, so such ticks do not count. Called in
--- every tick, so the loop has no calls.
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

--- Nobody can be attached: discard the readings, which would be out of date.
function Motion:rest() self.t, self.t_before = nil, nil end

--- Begin to observe: positions and velocities of all DOFs; t: the time of the tick before.
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

--- Whether a DOF has left its autonomous motion, and whether it is still on its extrapolated line.
local function look(self, watch, index, accelerations)
  local value, from = self.now[index], watch.from[index]
  if value == nil or from == nil then return false, true end
  local passed = self.t - watch.t
  local off = math.abs(value - from - watch.rate[index] * passed)
  local own = margin * accelerations[index] * passed * (passed / 2 + watch.dt)
  return off > floor + own, off <= still
end

--- Whether one of some DOFs (names; "all") has moved since then: the time of the command, and by how much
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
    local by_itself = watch.dt == 0 -- without earlier readings it may have been in motion
    if names == "all" then
      by_itself = by_itself or self.starts / math.max(least_span, self.span) * passed > chance
    end
    return self.t, by_itself and math.huge or self.t - watch.quiet
  end
  if quiet then watch.quiet = self.t end
  return nil
end

return motion
