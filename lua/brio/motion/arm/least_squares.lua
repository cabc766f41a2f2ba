--- An arm without a closed form, by optimization: in each frame those joint values within their limits with
--- which the wrist is nearest to its place, the elbow to the person's (of an arm like a person's) or the tool
--- to its direction (of another one), and which are near the frame before.
---
--- The sum that is least has three parts: the squared distance of the wrist from its place, a share of that
--- of the elbow or the tool, and the squared step of the joints. It is found by damped steps of Gauss and
--- Newton (Levenberg 1944, Marquardt 1963) from the frame before; joints at a limit that a step leads beyond
--- stay there (projected). As each frame starts from the one before, an arm does not jump from one way to
--- hold it to another, except where it would be far off otherwise: then it changes over where both are alike,
--- in the time that its joints need.
local random = require "brio.random"
local rotation = require "brio.lib.rotation"

local least_squares = {}

--- What a step of the joints counts, m for each rad.
local step_cost = 0.01

--- Steps in a frame at most, in the first one, which begins anywhere; the change below which it is found,
--- m^2.
local most_steps, first_steps, enough = 8, 100, 1e-8

--- The share of the sum that a further step must take off.
local worth = 1e-3

--- First damping, and the greatest one, at which no step helps.
local first_damping, last_damping = 1e-6, 1e3

--- Distance of the wrist from its place from which other starts are tried, m; the number of starts, the steps
--- of each, and the number of frames until they may be tried again.
local astray, restarts, restart_steps, pause = 0.02, 4, 6, 15

--- Where another start reaches a frame, the frames before it are tried from there: their maximum number, and
--- the distance of the wrist up to which such a frame is taken, m.
local most_back, near = 120, 2.5e-3

--- A joint that moves farther than this from a frame to the next changes over, rad; meanwhile none moves
--- farther than this from a frame to the next, rad.
local leap, most_step = 0.3, 0.3

--- A wrist that is farther off than `off` is out of reach, m: it is weighed with the second part.
local Arm = { off = 5e-3 }
Arm.__index = Arm

--- The rotation from a quaternion to another beyond a tolerance, as its vector, rad.
local function turn_between(from, to, tolerance)
  local x, y, z, w = rotation.times(to[1], to[2], to[3], to[4], -from[1], -from[2], -from[3], from[4])
  if w < 0 then x, y, z, w = -x, -y, -z, -w end
  local sine = math.sqrt(x * x + y * y + z * z)
  local angle = 2 * math.atan(sine, w)
  local factor = sine > 1e-9 and math.max(0, angle - tolerance) / sine or 0
  return { factor * x, factor * y, factor * z }
end

local function way_between(from, to) return { to[1] - from[1], to[2] - from[2], to[3] - from[3] } end

--- The second part of the sum. `share`: its weight, m for each m or rad; `pull`: what a joint's
--- distance from its start counts, so that joints which neither part needs stay away from their ends, m for
--- each rad; `row`: the first of their rows in a Jacobian, less 1; `off`: how far a link's frame is off.
local parts_of_sum = {
  elbow = { share = 0.1, pull = 0, row = 0,
    off = function(link, goal) return way_between(link.position, goal) end },
  tool = { share = 0.02, pull = 0.002, row = 3,
    off = function(link, goal, tolerance) return turn_between(link.orientation, goal, tolerance) end },
}

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

--- Make it: {robot, variables = the arm's, wrist and elbow or tool = links, start = joint values of the
--- robot, tolerance = of the tool's direction, rad}.
function least_squares.new(parts)
  local part = parts_of_sum[parts.elbow and "elbow" or "tool"]
  local self = setmetatable({ robot = parts.robot, variables = parts.variables, wrist = parts.wrist,
    second = parts.elbow or parts.tool, tolerance = parts.tolerance or 0, part = part,
    configuration = { joints = {} } }, Arm)
  for name, value in next, parts.start do self.configuration.joints[name] = value end
  self.columns, self.lower, self.upper = columns_of(parts.robot, parts.variables)
  self.rest = {}
  for k, name in ipairs(parts.variables) do self.rest[k] = parts.start[name] or 0 end
  return self
end

--- Set the joints and measure: the sum, and the differences of wrist and second part from their goals.
function Arm:measure(values, before, goal)
  local joints, sum = self.configuration.joints, 0
  for k, name in ipairs(self.variables) do
    joints[name] = values[k]
    sum = sum + (step_cost * (values[k] - before[k])) ^ 2 + (self.part.pull * (values[k] - self.rest[k])) ^ 2
  end
  local links = self.robot:forward(self.configuration).links
  local off = { way_between(links[self.wrist].position, goal.wrist),
    self.part.off(links[self.second], goal.second, self.tolerance) }
  for axis = 1, 3 do
    off[2][axis] = self.part.share * off[2][axis]
    sum = sum + off[1][axis] ^ 2 + off[2][axis] ^ 2
  end
  return sum, off
end

--- Append rows of a link's Jacobian, from behind `first` on, each multiplied by `share`.
function Arm:append_rows(rows, link, first, share)
  local jacobian = self.robot:jacobian(self.configuration, link)
  for axis = first + 1, first + 3 do
    local row = {}
    for k, column in ipairs(self.columns) do row[k] = share * jacobian[axis][column] end
    rows[#rows + 1] = row
  end
end

--- The normal equations at the joints that are set: J'J and J'r, with the cost of steps.
function Arm:equations(values, before, off)
  local n, rows, residuals = #self.variables, {}, table.move(off[2], 1, 3, 4, table.move(off[1], 1, 3, 1, {}))
  self:append_rows(rows, self.wrist, 0, 1)
  self:append_rows(rows, self.second, self.part.row, self.part.share)
  local a, b, pull = {}, {}, self.part.pull
  for i = 1, n do
    a[i], b[i] = {}, step_cost ^ 2 * (before[i] - values[i]) + pull ^ 2 * (self.rest[i] - values[i])
    for r = 1, #rows do b[i] = b[i] + rows[r][i] * residuals[r] end
    for j = 1, n do
      local sum = i == j and step_cost ^ 2 + pull ^ 2 or 0
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
function Arm:frame(before, goal, steps)
  local values, damping = table.move(before, 1, #before, 1, {}), first_damping
  local sum, off = self:measure(values, before, goal)
  for _ = 1, steps or most_steps do
    local a, b = self:equations(values, before, off)
    local free, gain = self:free(values, b), 0
    repeat
      local step, tried = solved(a, b, damping, free), {}
      for k = 1, #values do
        tried[k] = math.max(self.lower[k], math.min(self.upper[k], values[k] + step[k]))
      end
      local less, there = self:measure(tried, before, goal)
      gain = sum - less
      if gain > 0 then values, sum, off, damping = tried, less, there, damping / 10
      else damping = math.max(damping, 1e-9) * 10 end
    until gain > 0 or damping > last_damping
    if gain < enough + worth * sum then break end
  end
  return values, math.sqrt(off[1][1] ^ 2 + off[1][2] ^ 2 + off[1][3] ^ 2)
end

local function point(flat, frame, size)
  return table.move(flat, size * (frame - 1) + 1, size * frame, 1, {})
end

--- Joint values for a frame from other starts than the frame before: the best of some random ones.
local function elsewhere(self, goal)
  local best, least = nil, math.huge
  for _ = 1, restarts do
    local values, miss = {}, nil
    for k = 1, #self.variables do -- a joint without ends: within a turn
      local lower, upper = self.lower[k], self.upper[k]
      if lower == -math.huge or upper == math.huge then lower, upper = -math.pi, math.pi end
      values[k] = self.draw:uniform(lower, upper)
    end
    for _ = 1, 2 do values, miss = self:frame(values, goal, restart_steps) end
    if miss < least then best, least = values, miss end
  end
  return best, least
end

--- The farthest that a joint goes between two rows, rad.
local function apart(a, b)
  local most = 0
  for k, value in ipairs(a) do most = math.max(most, math.abs(value - b[k])) end
  return most
end

--- A frame is out of reach from the frame before: look elsewhere. Where that is much nearer, the frames
--- before are reached from there, too, as far back as that is as near, or near enough. The arm changes over
--- in that one of them where both ways are most alike, or takes the other way from the first one on.
local function change_over(self, track, frame)
  local values, miss = elsewhere(self, track.goals[frame])
  if miss > track.misses[frame] / 2 then return end
  local rows, misses, least, best, at = {}, {}, math.huge, frame, frame
  repeat
    rows[at], misses[at] = values, miss
    local jump = at > 1 and apart(values, track.rows[at - 1]) or 0
    if jump < least then least, best = jump, at end
    at = at - 1
    if at < 1 or frame - at > most_back then break end
    values, miss = self:frame(values, track.goals[at])
  until miss > math.max(track.misses[at], near)
  table.move(rows, best, frame, best, track.rows)
  table.move(misses, best, frame, best, track.misses)
end

--- Let a change-over between a frame and the one before take its time: in the frames around it the arm goes
--- from one way to the other with minimum jerk, and the wrist leaves its place.
local function spread(self, track, frame, jump)
  local half = math.min(math.ceil(1.875 * jump / most_step / 2), frame - 1, #track.rows + 1 - frame)
  local from, to = track.rows[frame - 1], track.rows[frame]
  for at = frame - half, frame + half - 1 do
    local s, row = (at - frame + half + 0.5) / (2 * half), {}
    local share, own = s * s * s * (10 - 15 * s + 6 * s * s), track.rows[at]
    for k = 1, #own do
      row[k] = (1 - share) * (at < frame and own[k] or from[k]) + share * (at < frame and to[k] or own[k])
    end
    local _, off = self:measure(row, row, track.goals[at])
    track.rows[at], track.misses[at] = row, math.sqrt(off[1][1] ^ 2 + off[1][2] ^ 2 + off[1][3] ^ 2)
  end
end

--- Spread all change-overs, in the order of the clip.
local function spread_all(self, track)
  for frame = 2, #track.rows do
    local jump = apart(track.rows[frame], track.rows[frame - 1])
    if jump > leap then spread(self, track, frame, jump) end
  end
end

--- The joint values of a clip: rows, and the wrist's distance from its place in each frame, m. `second`: the
--- places of the elbow, or the rotations of the tool; both are flat lists.
function Arm:follow(wrist, second)
  local track, values, last = { goals = {}, rows = {}, misses = {} }, {}, -pause
  local count = #wrist // 3
  -- each clip begins at the same pose, with the same random starts: earlier ones may have been trials
  self.draw = random.stream(1, "arm like a person's")
  for k = 1, #self.variables do
    values[k] = math.max(self.lower[k], math.min(self.upper[k], self.rest[k]))
  end
  for frame = 1, count do
    track.goals[frame] = { wrist = point(wrist, frame, 3), second = point(second, frame, #second // count) }
  end
  for _ = 1, 3 do values = self:frame(values, track.goals[1], first_steps) end
  for frame = 1, count do
    track.rows[frame], track.misses[frame] = self:frame(values, track.goals[frame])
    if track.misses[frame] > astray and frame - last >= pause then
      last = frame
      change_over(self, track, frame)
    end
    values = track.rows[frame]
  end
  spread_all(self, track)
  return track.rows, track.misses
end

return least_squares
