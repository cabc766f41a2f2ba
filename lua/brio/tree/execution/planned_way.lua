--- A way along the corners of a planned path (see way.lua): as fast as limits permit, without a stop.
---
--- The path is the cubic spline through points on the straight steps between the corners, and rounds them:
--- the nearer the points, the less.  Its timing is that of brio.timing, which keeps limits at any time.
local timing = require "brio.timing"

local planned_way = {}
local Planned = {}
Planned.__index = Planned

--- Share of the limits that a path may use at most: as in way.lua.
local hard = 0.9

--- Least number of intervals of a timing: more come closer to the shortest duration.
local least_intervals = 100

--- Least duration of a way, s.
local shortest_time = 1e-3

--- Points at most `spacing` apart (square root of the sum of squares) on the straight steps.
local function divided(corners, spacing)
  local points = { corners[1] }
  for k = 2, #corners do
    local a, b, square = corners[k - 1], corners[k], 0
    for d = 1, #a do square = square + (b[d] - a[d]) ^ 2 end
    local count = math.ceil(math.sqrt(square) / spacing)
    for i = 1, count do
      local point = {}
      for d = 1, #a do point[d] = a[d] + i / count * (b[d] - a[d]) end
      points[#points + 1] = point
    end
  end
  return points
end

--- The times at which a path is at some of its corners: by bisection, as its parameter rises with time.
local function times_of(path, corners, stops, seconds)
  local length, times, next_stop = 0, {}, 1
  for k = 1, #corners do
    local square = 0
    for d = 1, k > 1 and #corners[k] or 0 do square = square + (corners[k][d] - corners[k - 1][d]) ^ 2 end
    length = length + math.sqrt(square)
    while stops[next_stop] == k do
      local low, high = 0, seconds
      for _ = 1, 40 do
        local middle = (low + high) / 2
        if path:parameter(middle) < length - 1e-9 then low = middle else high = middle end
      end
      times[next_stop], next_stop = high, next_stop + 1
    end
  end
  return times
end

--- Make a way: {rows (see targets.rows), corners = lists of values, spacing, [seconds = it takes at least,
--- speed = share of the limits (0.5): motors lag behind commands that are fast, each in its own way, and so
--- leave the path; stops = numbers of corners whose times, `stop_times`, are wanted]}.  Return it, or nil and
--- a sentence.
function planned_way.through(parts)
  local velocity, acceleration, names = {}, {}, {}
  local share = math.min(hard, parts.speed or 0.5)
  for d, row in ipairs(parts.rows) do
    velocity[d], acceleration[d], names[d] = share * row.velocity, share * row.acceleration, row.name
  end
  local points = divided(parts.corners, parts.spacing)
  local path, why = timing.path { points = points, velocity = velocity, acceleration = acceleration,
    names = names, intervals = math.max(least_intervals, #points - 1) }
  if not path then return nil, why end
  local shortest = path:duration()
  if parts.seconds and parts.seconds > shortest then path:set_duration(parts.seconds) end
  local whole = math.max(shortest_time, (path:duration()))
  return setmetatable({ dofs = parts.rows, path = path, seconds = whole, ends = parts.corners[#parts.corners],
    stop_times = parts.stops and times_of(path, parts.corners, parts.stops, whole) }, Planned)
end

--- The state at time t, computed once for all joints.
local function at(self, t)
  if t ~= self.time then
    self.time = t
    self.q, self.qd = self.path:at(t)
  end
end

--- Position of joint number d at time t, s.
function Planned:value(d, t)
  at(self, t)
  local row = self.dofs[d]
  return row.circular and self.q[d] or math.max(row.lower, math.min(row.upper, self.q[d]))
end

--- Its speed there.
function Planned:speed(d, t)
  at(self, t)
  return self.qd[d]
end

--- Position of joint number d at the end.
function Planned:last(d) return self.ends[d] end

return planned_way
