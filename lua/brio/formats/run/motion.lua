--- Motion of a recorded run, in one pass over its samples: for each DOF some figures, and lines for drawing
--- that keep every peak, independent of the run's length.
local run_motion = {}

local Line = {}
Line.__index = Line

--- A line of at most `columns` columns between two times: of each column the first, minimum, maximum and last
--- value are kept.
local function new_line(from, to, columns)
  return setmetatable({ from = from, scale = columns / math.max(to - from, 1e-3), columns = columns,
    points = {} }, Line)
end

--- Append the finished column to the points, in order of time.
local function close(line)
  if not line.column then return end
  local points = line.points
  local early, late = line.low, line.high
  local early_t, late_t = line.low_t, line.high_t
  if early_t > late_t then early, late, early_t, late_t = late, early, late_t, early_t end
  local before
  local function put(t, value)
    if t ~= before then points[#points + 1], points[#points + 2], before = t, value, t end
  end
  put(line.first_t, line.first)
  put(early_t, early)
  put(late_t, late)
  put(line.last_t, line.last)
end

function Line:add(t, value)
  local column = math.min(self.columns - 1, math.floor((t - self.from) * self.scale))
  if column ~= self.column then
    close(self)
    self.column, self.first_t, self.first, self.low_t, self.low, self.high_t, self.high = column, t, value, t,
      value, t, value
  elseif value < self.low then self.low_t, self.low = t, value
  elseif value > self.high then self.high_t, self.high = t, value end
  self.last_t, self.last = t, value
end

--- The line for brio.draw.chart: {t, value, ...}.
function Line:finish()
  close(self)
  self.column = nil
  return self.points
end

run_motion.line = new_line

--- Accumulated figures of a DOF.
local function new_found(dof, from, to, columns)
  return { name = dof.name, unit = dof.unit or "rad", path = 0, top_speed = 0, squares = 0, compared = 0,
    greatest_error = 0, command = new_line(from, to, columns), measured = new_line(from, to, columns) }
end

local function take_command(found, t, command)
  if found.at and t > found.at then
    local way = math.abs(command - found.was)
    found.path, found.top_speed = found.path + way, math.max(found.top_speed, way / (t - found.at))
  end
  found.at, found.was = t, command
  found.command:add(t, command)
end

local function take_measured(found, t, measured, command)
  found.least, found.greatest = math.min(found.least or measured, measured),
    math.max(found.greatest or measured, measured)
  found.measured:add(t, measured)
  if not command then return end
  local wrong = math.abs(measured - command)
  found.squares, found.compared = found.squares + wrong * wrong, found.compared + 1
  found.greatest_error = math.max(found.greatest_error, wrong)
end

--- Process the samples of a run (brio.record.reader). Return a list, in the order of its DOFs, of { name,
--- unit, least, greatest (measured), path, top_speed (of commands), rms_error, greatest_error (of measured
--- values against commands), command, measured (lines of points) }, and the number of ticks. `columns`: of
--- the lines; default: 600.
---@param run table
---@param columns integer?
function run_motion.collect(run, columns)
  local list, ticks = {}, 0
  local to = math.max(run.from, math.min(run.to, run.length))
  for place, dof in ipairs(run.dofs) do list[place] = new_found(dof, run.from, to, columns or 600) end
  for t, _, _, commands, measured in run:ticks() do
    ticks = ticks + 1
    for place, found in ipairs(list) do
      local command, real = commands[place], measured[place]
      if command then take_command(found, t, command) end
      if real then take_measured(found, t, real, command) end
    end
  end
  for _, found in ipairs(list) do
    found.rms_error = found.compared > 0 and math.sqrt(found.squares / found.compared) or nil
    if found.compared == 0 then found.greatest_error = nil end
    found.command, found.measured = found.command:finish(), found.measured:finish()
  end
  return list, ticks
end

return run_motion
