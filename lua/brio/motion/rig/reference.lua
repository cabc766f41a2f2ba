--- What a motion asks of a robot at each time, between its nodes: joints by cubic curves, and the centre
--- of mass and the base's rotation with their velocities and accelerations.
---
---     local wanted = reference.new(motion, robot, variables, lift)
---     local at = wanted:at(0.3)       -- { joints, speeds, com, com_velocity, com_acceleration, turn, ... }
local geometry = require "brio.lib.geometry"

local reference = {}
local Reference = {}
Reference.__index = Reference

--- Slopes of the rows of a list by central differences; at its ends by the interval there.
local function slopes(rows, times)
  local made, last = {}, #rows
  for index = 1, last do
    local a, b = math.max(index - 1, 1), math.min(index + 1, last)
    local row = {}
    for column = 1, #rows[index] do
      row[column] = b > a and (rows[b][column] - rows[a][column]) / (times[b] - times[a]) or 0
    end
    made[index] = row
  end
  return made
end

--- The angular velocity at each node, rad/s, world axes.
local function turn_rates(turns, times)
  local made, last = {}, #turns
  for index = 1, last do
    local a, b = math.max(index - 1, 1), math.min(index + 1, last)
    local x, y, z, w = table.unpack(geometry.times(turns[b],
      { -turns[a][1], -turns[a][2], -turns[a][3], turns[a][4] }))
    if w < 0 then x, y, z, w = -x, -y, -z, -w end
    local sine = math.sqrt(x * x + y * y + z * z)
    local share = b > a and (sine > 1e-12 and 2 * math.atan(sine, w) / sine or 2) / (times[b] - times[a]) or 0
    made[index] = { share * x, share * y, share * z }
  end
  return made
end

--- The rows of a motion on a robot: values of the joints, then the centre of mass; and rotations of the base.
local function rows_of(motion, robot, variables, lift)
  local rows, turns, times = {}, {}, {}
  for index, node in ipairs(motion) do
    local base, q, row = node.configuration.base, { joints = {} }, {}
    q.base = { position = { base.position[1], base.position[2], base.position[3] + lift },
      orientation = base.orientation }
    for place, variable in ipairs(variables) do
      row[place] = node.configuration.joints[variable.name]
      q.joints[variable.name] = row[place]
    end
    table.move(robot:center_of_mass(q), 1, 3, #variables + 1, row)
    table.move(q.base.position, 1, 3, #variables + 4, row)
    rows[index], turns[index], times[index] = row, base.orientation, node.time
  end
  return rows, turns, times
end

--- Make one.
---@param motion table nodes { configuration, time (s, rising) }, at least 2
---@param robot userdata of brio.robot, with a free base
---@param variables table list of { name }: those of `robot`; other joints of the motion are left out
---@param lift number m, added to the height of the base
function reference.new(motion, robot, variables, lift)
  local rows, turns, times = rows_of(motion, robot, variables, lift)
  local speeds = slopes(rows, times)
  local rates = turn_rates(turns, times)
  return setmetatable({ variables = variables, times = times, rows = rows, turns = turns, speeds = speeds,
    accelerations = slopes(speeds, times), rates = rates, pulls = slopes(rates, times),
    index = 1 }, Reference)
end

--- The interval that a time is in, and its share of it: 0 to 1.
function Reference:interval(time)
  local times, index = self.times, self.index
  if times[index] > time then index = 1 end
  while index < #times - 1 and times[index + 1] <= time do index = index + 1 end
  self.index = index
  return index, math.max(0, math.min(1, (time - times[index]) / (times[index + 1] - times[index])))
end

--- Three numbers between two rows.
local function between(a, b, s, from)
  local made = {}
  for axis = 1, 3 do
    local value = a[from + axis]
    made[axis] = value + s * (b[from + axis] - value)
  end
  return made
end

--- What is asked at a time; before the motion its first pose, after it its last, at rest.
---@param time number s
---@return table { joints, speeds = {variable = number}, position, orientation = of the base, com,
---  com_velocity, com_acceleration (m, s), turn_rate, turn_acceleration (rad/s, rad/s^2) }
function Reference:at(time)
  local index, s = self:interval(time)
  local a, b, u, v = self.rows[index], self.rows[index + 1], self.speeds[index], self.speeds[index + 1]
  local h, count = self.times[index + 1] - self.times[index], #self.variables
  local rest = time < 0 or time > self.times[#self.times]
  -- Hermite's cubic, and its slope
  local s2, s3 = s * s, s * s * s
  local c1, c2, c3 = 3 * s2 - 2 * s3, h * (s3 - 2 * s2 + s), h * (s3 - s2)
  local d1, d2, d3 = 6 * (s - s2) / h, 3 * s2 - 4 * s + 1, 3 * s2 - 2 * s
  local made = { joints = {}, speeds = {}, com = {}, com_velocity = {}, position = {} }
  local function value(k) return a[k] + c1 * (b[k] - a[k]) + c2 * u[k] + c3 * v[k] end
  local function speed(k) return rest and 0 or d1 * (b[k] - a[k]) + d2 * u[k] + d3 * v[k] end
  for place, variable in ipairs(self.variables) do
    made.joints[variable.name], made.speeds[variable.name] = value(place), speed(place)
  end
  for axis = 1, 3 do
    made.com[axis], made.com_velocity[axis] = value(count + axis), speed(count + axis)
    made.position[axis] = value(count + 3 + axis)
  end
  made.orientation = geometry.between(self.turns[index], self.turns[index + 1], s)
  local still = rest and 0 or 1
  local function rows(list, from)
    local row = between(list[index], list[index + 1], s, from)
    return { still * row[1], still * row[2], still * row[3] }
  end
  made.com_acceleration = rows(self.accelerations, count)
  made.turn_rate, made.turn_acceleration = rows(self.rates, 0), rows(self.pulls, 0)
  return made
end

return reference
