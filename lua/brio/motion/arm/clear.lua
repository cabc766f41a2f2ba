--- A dance on an arm made possible: what collides is repaired (brio.joints), and the motion is timed so that
--- the joints' speeds and accelerations hold (brio.timing): at its own pace where it can be, slower where
--- not.
local clip = require "brio.formats.clip"
local joints = require "brio.joints"
local timing = require "brio.timing"

local clear = {}

--- Distance that is kept from everything, m, for the keys of a sequence, which are off by their tolerance;
--- what is repaired keeps more.
local clearance, margin = 0.003, 0.002

--- What a timed motion keeps, m: its spline leaves the points' straight lines a little.
local kept = 0.001

--- Number of times that a timed motion is repaired again, where its spline comes too near to something.
local rounds = 3

--- The spaces in which an arm moves: others stand as at home. `obstacles`: as of brio.joints. Fields: repair,
--- and check, which keeps less from everything.
function clear.spaces(robot, variables, home, obstacles)
  local function space(distance)
    return joints.space(robot, { variables = variables, configuration = { joints = home },
      obstacles = obstacles or {}, clearance = distance })
  end
  return { repair = space(clearance), check = space(kept) }
end

--- Whether rows, and the straight motions between them, are clear in a space.
local function is_clear(space, rows)
  for index = 2, #rows do
    if not space:motion(rows[index - 1], rows[index]) then return false end
  end
  return true
end

--- Repair rows in place of those that collide. Returns them and the report; fails by clip.fail.
function clear.repair(space, rows, seed, method)
  local made, why, code, left, report = space:repair(rows, { margin = margin, free_ends = true, seed = seed,
    method = method })
  if made then return made, why end
  clip.fail(nil, "it cannot be danced without a collision: %s (%s, %d points left of %d)", why, code,
    report.left, #left)
end

--- Limits of variables: lists of speeds and accelerations, math.huge where there is none, and of ranges.
local function limits_of(dofs, variables)
  local by_name, velocity, acceleration, ranges = {}, {}, {}, {}
  for _, dof in ipairs(dofs) do by_name[dof.name] = dof end
  for index, name in ipairs(variables) do
    local dof = by_name[name] or {}
    ranges[index] = { dof.lower or -math.huge, dof.upper or math.huge }
    velocity[index] = dof.velocity or math.huge
    acceleration[index] = dof.acceleration or math.huge
    if velocity[index] == math.huge and acceleration[index] == math.huge then velocity[index] = 1e6 end
  end
  return velocity, acceleration, ranges
end

--- A row whose values are within ranges: a spline goes a little beyond points that are at an end.
local function within(row, ranges)
  for index, range in ipairs(ranges) do row[index] = math.max(range[1], math.min(range[2], row[index])) end
  return row
end

--- ds/dt is at most 1: x = (ds/dt)^2.
local function own_pace() return { { 0, 1, 1 } } end

--- Rows at a rate, timed within the limits of their DOFs, from rest to rest: rows at the same rate, their
--- duration and that before, s.
function clear.time(rows, rate, dofs, variables)
  local at, velocity, acceleration, ranges = {}, limits_of(dofs, variables)
  for index = 1, #rows do at[index] = (index - 1) / rate end
  local path, why = timing.path { points = rows, at = at, names = variables, velocity = velocity,
    acceleration = acceleration, intervals = 2 * #rows, rows = 1, constraints = own_pace }
  if not path then clip.fail(nil, "it cannot be timed: %s", why) end
  local made, lasts = {}, path:duration()
  for index = 0, math.ceil(lasts * rate) do
    made[index + 1] = within(path:at(math.min(index / rate, lasts)), ranges)
  end
  return made, lasts, at[#at]
end

--- Rows repaired and timed: rows, and { repair, lasts, before (s), again: how often a timed motion was
--- repaired }.
function clear.fit(spaces, rows, rate, dofs, variables, seed, method)
  local made = { again = 0 }
  rows, made.repair = clear.repair(spaces.repair, rows, seed, method)
  rows, made.lasts, made.before = clear.time(rows, rate, dofs, variables)
  while not is_clear(spaces.check, rows) do
    if made.again == rounds then
      clip.fail(nil, "it cannot be danced without a collision: timed, it comes too near")
    end
    made.again = made.again + 1
    rows = clear.repair(spaces.repair, rows, seed)
    rows, made.lasts = clear.time(rows, rate, dofs, variables)
  end
  return rows, made
end

return clear
