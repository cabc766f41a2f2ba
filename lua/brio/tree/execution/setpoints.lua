--- A path (see way.lua) of set points that follow goals which may change at any time: with limited speed,
--- and low-pass filtered.
---
---     s moves towards its goal by velocity * dt at most;   f = f + alpha (s - f),  alpha = dt / (tau + dt),
---       tau = 1 / (2 pi fc)
---
--- with fc = 1 Hz, as for hands in the IHMC behavior system (Calvert 2026). The result is f. The path ends
--- when all have arrived, unless `kept` is set: then more goals may follow.
local setpoints = {}
local Setpoints = {}
Setpoints.__index = Setpoints

--- Cut-off frequency of the filter, Hz; distance that counts as arrived, as a share of the distance between
--- start and goal.
setpoints.cutoff, setpoints.arrived = 1, 1e-3

--- Make set points of rows {lower, upper, velocity}, with their start values and goals; `cutoff`: 0 for no
--- filter.
function setpoints.new(rows, start, goals, cutoff)
  local self = setmetatable({ rows = rows, goals = goals, limited = {}, said = {}, rates = {}, time = 0,
    seconds = math.huge }, Setpoints)
  cutoff = cutoff or setpoints.cutoff
  self.tau = cutoff > 0 and 1 / (2 * math.pi * cutoff) or 0
  for d, value in ipairs(start) do self.limited[d], self.said[d], self.rates[d] = value, value, 0 end
  return self
end

--- Advance by dt, s.
local function step(self, dt)
  local alpha, there = dt / (self.tau + dt), true
  for d, row in ipairs(self.rows) do
    local goal = math.max(row.lower, math.min(row.upper, self.goals[d]))
    local most, before = row.velocity * dt, self.said[d]
    self.limited[d] = self.limited[d] + math.max(-most, math.min(most, goal - self.limited[d]))
    local said = before + alpha * (self.limited[d] - before)
    self.said[d], self.rates[d] = said, (said - before) / dt
    local range = row.upper - row.lower
    there = there and math.abs(goal - said) <= setpoints.arrived * (range < math.huge and range or 1)
  end
  self.seconds = there and not self.kept and math.min(self.seconds, self.time) or math.huge
end

--- Value of number d at `time`, which never decreases.
function Setpoints:value(d, time)
  if time > self.time then
    local dt = time - self.time
    self.time = time
    step(self, dt)
  end
  return self.said[d]
end

--- Speed of number d, in its unit per s.
function Setpoints:speed(d) return self.rates[d] end

--- Its final value.
function Setpoints:last(d) return self.goals[d] end

--- Set a new goal.
function Setpoints:lead(d, goal)
  self.goals[d], self.seconds = goal, math.huge
end

--- The approximate time from `start` to `goals`, s: at full speed, and until the filter is within 2 %.
function setpoints.seconds(rows, start, goals, cutoff)
  local longest = 0
  for d, row in ipairs(rows) do longest = math.max(longest, math.abs(goals[d] - start[d]) / row.velocity) end
  cutoff = cutoff or setpoints.cutoff
  return longest + (longest > 0 and cutoff > 0 and 4 / (2 * math.pi * cutoff) or 0)
end

return setpoints
