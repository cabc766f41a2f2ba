--- An arm that is like a person's, such as a humanoid's, by optimization: in each frame those joint values
--- within their limits with which wrist and elbow are nearest to the person's, and which are near the frame
--- before.
---
--- The sum that is least has three parts: the squared distance of the wrist from its place, a share of that
--- of the elbow, and the squared step of the joints.  It is found by damped steps of Gauss and Newton
--- (Levenberg 1944, Marquardt 1963) from the frame before; joints at a limit that a step leads beyond stay
--- there (projected).  As each frame starts from the one before, an arm does not jump from one way to hold it
--- to another, except where it would be far off otherwise: then it changes over where both are alike.
local random = require "brio.random"

local human = {}

--- The share of the elbow's distance; what a step of the joints counts, m for each rad.
local elbow_share, step_cost = 0.1, 0.01

--- Steps in a frame at most, in the first one, which begins anywhere; the change below which it is found,
--- m^2.
local most_steps, first_steps, enough = 8, 100, 1e-8

--- The share of the sum that a further step must take off.
local worth = 1e-3

--- First damping, and the greatest one, at which no step helps.
local first_damping, last_damping = 1e-6, 1e3

--- A wrist that is so far off is looked for from other starts, m: so many, with so many steps, and not again
--- for so many frames.
local astray, restarts, restart_steps, pause = 0.02, 4, 6, 15

local Arm = { off = 5e-3 } -- a wrist that is farther off is out of reach, m: wrist and elbow are weighed
Arm.__index = Arm

--- The columns of an arm's variables in a Jacobian, and their limits.
local function columns_of(robot, variables)
  local columns, lower, upper, number = {}, {}, {}, {}
  for index, variable in ipairs(robot:variables()) do number[variable.name] = { index, variable } end
  for k, name in ipairs(variables) do
    local index, variable = number[name][1], number[name][2]
    columns[k], lower[k], upper[k] = 6 + index, variable.lower, variable.upper
  end
  return columns, lower, upper
end

--- Make it: {robot, variables = the arm's, wrist and elbow = links, start = joint values of the robot}.
function human.new(parts)
  local self = setmetatable({ robot = parts.robot, variables = parts.variables, wrist = parts.wrist,
    elbow = parts.elbow, configuration = { joints = {} },
    draw = random.stream(1, "arm like a person's") }, Arm)
  for name, value in next, parts.start do self.configuration.joints[name] = value end
  self.columns, self.lower, self.upper = columns_of(parts.robot, parts.variables)
  return self
end

--- Set the joints and measure: the sum, and the differences of wrist and elbow from their places.
function Arm:measure(values, before, wrist, elbow)
  local joints, sum = self.configuration.joints, 0
  for k, name in ipairs(self.variables) do
    joints[name] = values[k]
    sum = sum + (step_cost * (values[k] - before[k])) ^ 2
  end
  local links, off = self.robot:forward(self.configuration).links, { {}, {} }
  local w, e = links[self.wrist].position, links[self.elbow].position
  for axis = 1, 3 do
    off[1][axis], off[2][axis] = wrist[axis] - w[axis], elbow_share * (elbow[axis] - e[axis])
    sum = sum + off[1][axis] ^ 2 + off[2][axis] ^ 2
  end
  return sum, off
end

--- The normal equations at the joints that are set: J'J and J'r, with the cost of steps.
function Arm:equations(values, before, off)
  local n, rows, residuals = #self.variables, {}, {}
  for part, link in ipairs { self.wrist, self.elbow } do
    local jacobian, share = self.robot:jacobian(self.configuration, link), part == 1 and 1 or elbow_share
    for axis = 1, 3 do
      local row = {}
      for k = 1, n do row[k] = share * jacobian[axis][self.columns[k]] end
      rows[#rows + 1], residuals[#residuals + 1] = row, off[part][axis]
    end
  end
  local a, b = {}, {}
  for i = 1, n do
    a[i], b[i] = {}, step_cost ^ 2 * (before[i] - values[i])
    for r = 1, #rows do b[i] = b[i] + rows[r][i] * residuals[r] end
    for j = 1, n do
      local sum = i == j and step_cost ^ 2 or 0
      for r = 1, #rows do sum = sum + rows[r][i] * rows[r][j] end
      a[i][j] = sum
    end
  end
  return a, b
end

--- Solve (a + damping) x = b for the free joints by Cholesky's factors; the others get 0.
local function solved(a, b, damping, free)
  local l, y, x, n = {}, {}, {}, #free
  for i = 1, n do
    l[i] = {}
    for j = 1, i do
      local sum = a[free[i]][free[j]] + (i == j and damping or 0)
      for k = 1, j - 1 do sum = sum - l[i][k] * l[j][k] end
      l[i][j] = i == j and math.sqrt(math.max(sum, 1e-18)) or sum / l[j][j]
    end
    y[i] = b[free[i]]
    for k = 1, i - 1 do y[i] = y[i] - l[i][k] * y[k] end
    y[i] = y[i] / l[i][i]
  end
  for i = n, 1, -1 do
    x[i] = y[i]
    for k = i + 1, n do x[i] = x[i] - l[k][i] * x[k] end
    x[i] = x[i] / l[i][i]
  end
  local out = {}
  for k = 1, #b do out[k] = 0 end
  for i = 1, n do out[free[i]] = x[i] end
  return out
end

--- The joints that are not at a limit which the gradient leads beyond.
function Arm:free(values, b)
  local free = {}
  for k = 1, #values do
    local out = values[k] <= self.lower[k] and b[k] < 0 or values[k] >= self.upper[k] and b[k] > 0
    if not out then free[#free + 1] = k end
  end
  return free
end

--- The joint values of a frame, from those of the frame before.  Returns them, and the wrist's distance, m.
function Arm:frame(before, wrist, elbow, steps)
  local values, damping = table.move(before, 1, #before, 1, {}), first_damping
  local sum, off = self:measure(values, before, wrist, elbow)
  for _ = 1, steps or most_steps do
    local a, b = self:equations(values, before, off)
    local free = self:free(values, b)
    local gain
    repeat
      local step, tried = solved(a, b, damping, free), {}
      for k = 1, #values do
        tried[k] = math.max(self.lower[k], math.min(self.upper[k], values[k] + step[k]))
      end
      local less, there = self:measure(tried, before, wrist, elbow)
      gain = sum - less
      if gain > 0 then values, sum, off, damping = tried, less, there, damping / 10
      else damping = math.max(damping, 1e-9) * 10 end
    until gain > 0 or damping > last_damping
    if gain < enough + worth * sum then break end
  end
  return values, math.sqrt(off[1][1] ^ 2 + off[1][2] ^ 2 + off[1][3] ^ 2)
end

local function point(flat, frame) return { flat[3 * frame - 2], flat[3 * frame - 1], flat[3 * frame] } end

--- Joint values for a frame from other starts than the frame before: the best of some random ones.
local function elsewhere(self, wrist, elbow)
  local best, least = nil, math.huge
  for _ = 1, restarts do
    local values, miss = {}, nil
    for k = 1, #self.variables do values[k] = self.draw:uniform(self.lower[k], self.upper[k]) end
    for _ = 1, 2 do values, miss = self:frame(values, wrist, elbow, restart_steps) end
    if miss < least then best, least = values, miss end
  end
  return best, least
end

--- A frame is out of reach from the frame before: look elsewhere.  Where that is much nearer, the frames
--- before are reached from there, too, as far back as that is nearer, so that the arm changes over where both
--- are alike.
local function change_over(self, track, frame)
  local values, miss = elsewhere(self, track.wrist[frame], track.elbow[frame])
  if miss > track.misses[frame] / 2 then return end
  repeat
    track.rows[frame], track.misses[frame] = values, miss
    frame = frame - 1
    if frame < 1 then return end
    values, miss = self:frame(values, track.wrist[frame], track.elbow[frame])
  until miss >= track.misses[frame]
end

--- The joint values of a clip: rows, and the wrist's distance from its place in each frame, m.
function Arm:follow(wrist, elbow)
  local track, values, last = { wrist = {}, elbow = {}, rows = {}, misses = {} }, {}, -pause
  for k, name in ipairs(self.variables) do
    values[k] = math.max(self.lower[k], math.min(self.upper[k], self.configuration.joints[name]))
  end
  for frame = 1, #wrist // 3 do
    track.wrist[frame], track.elbow[frame] = point(wrist, frame), point(elbow, frame)
  end
  for _ = 1, 3 do values = self:frame(values, track.wrist[1], track.elbow[1], first_steps) end
  for frame = 1, #track.wrist do
    track.rows[frame], track.misses[frame] = self:frame(values, track.wrist[frame], track.elbow[frame])
    if track.misses[frame] > astray and frame - last >= pause then
      last = frame
      change_over(self, track, frame)
    end
    values = track.rows[frame]
  end
  return track.rows, track.misses
end

return human
