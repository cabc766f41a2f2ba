--- The joints of an arm that follow targets: in closed form where the arm has one (brio.ik, arm), else by
--- optimization frame by frame, each from the values of the frame before.
local clip = require "brio.formats.clip"
local ik = require "brio.ik"
local least_squares = require "brio.motion.arm.least_squares"
local level = require "brio.motion.arm.level"
local random = require "brio.random"
local suggest = require "brio.lib.suggest"
local targets = require "brio.motion.arm.targets"

local follow = {}

--- A wrist that is farther off than this is out of reach, m.
follow.off = 1e-3

--- The joints from the root to a link, as { name, link, variable }, the root's first; joints without a
--- variable are left out. `only`: a list of those that count, or nil: all. Fails for joints with several.
local function chain_of(robot, link, only)
  local by_child, list = {}, {}
  for _, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    by_child[joint.child] = joint
  end
  local joint = by_child[link]
  while joint do
    if #joint.variables > 1 then clip.fail(nil, "joint %s of the arm has several variables", joint.name) end
    if joint.variables[1] and (not only or suggest.contains(only, joint.variables[1])) then
      table.insert(list, 1, { name = joint.name, link = joint.child, variable = joint.variables[1] })
    end
    joint = by_child[joint.parent]
  end
  return list
end

local function apart(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2) end

-- Closed form --------------------------------------------------------------------------------------------

local Closed = {}
Closed.__index = Closed

--- The distance of the arm's wrist from its place, in each frame, m.
function Closed:misses(wrist)
  return (select(2, assert(self.arm:follow { wrist = wrist, start = self.face })))
end

--- A value within the limits of joint `index`.
local function limited(self, index, value)
  local limits = self.limits[index]
  return math.max(limits[1], math.min(limits[2], value))
end

--- The values of all joints over a clip: rows, and how far off the wrist is in each frame, m. `head`: a flat
--- list of yaw, pitch and roll that the tool turns by.
function Closed:follow(wrist, elbow, head)
  local orientation = not self.level and targets.orientations(head, self.forward, self.orientation) or nil
  local flat, misses = assert(self.arm:follow { wrist = wrist, elbow = elbow, orientation = orientation,
    start = self.face })
  local rows, size = {}, #self.variables
  for frame = 1, #misses do
    local row = table.move(flat, size * (frame - 1) + 1, size * frame, 1, {})
    if self.level then
      row[4], row[5], row[6] = self.level:turn(row, head[3 * frame - 2], head[3 * frame - 1], head[3 * frame])
      for index = 4, 6 do row[index] = limited(self, index, row[index]) end
    end
    rows[frame] = row
  end
  return rows, misses
end

-- By optimization ----------------------------------------------------------------------------------------

local Numeric = {}
Numeric.__index = Numeric

--- Interval of the frames that are tried, to estimate how much of a clip is within reach.
local thin = 8

--- How far the wrist is off in each frame, m, by every eighth of them, with a tool that faces forward.
function Numeric:misses(wrist)
  local places, turns, misses = {}, {}, {}
  for frame = 1, #wrist // 3, thin do
    table.move(wrist, 3 * frame - 2, 3 * frame, #places + 1, places)
    table.move(self.orientation, 1, 4, #turns + 1, turns)
  end
  local _, some = self.own:follow(places, turns)
  for frame = 1, #wrist // 3 do misses[frame] = some[(frame - 1) // thin + 1] end
  return misses
end

--- As Closed.follow.
function Numeric:follow(wrist, _, head)
  return self.own:follow(wrist, targets.orientations(head, self.forward, self.orientation))
end

--- Number of random configurations in which the reach of an arm is measured.
local samples = 300

--- What an arm of any geometry is like: the base is the place of the second joint, the reach the greatest
--- distance of the wrist from it in random configurations.
local function measured(robot, chain, wrist, face)
  local draw, joints, ranges, reach = random.stream(1, "reach of an arm"), {}, {}, 0
  local second = chain[2].link
  local base = robot:forward({ joints = face }).links[second].position
  for _, variable in ipairs(robot:variables()) do ranges[variable.name] = variable end
  for name, value in next, face do joints[name] = value end
  for _ = 1, samples do
    for _, joint in ipairs(chain) do
      local range = ranges[joint.variable]
      joints[joint.variable] = draw:uniform(math.max(range.lower, -math.pi), math.min(range.upper, math.pi))
    end
    local links = robot:forward({ joints = joints }).links
    reach = math.max(reach, apart(links[wrist].position, links[second].position))
  end
  return { base = base, reach = reach }
end

--- The follower of an arm with a closed form.
local function closed(robot, arm, face)
  local known, values, ranges, limits = arm:measures(), {}, {}, {}
  for _, variable in ipairs(robot:variables()) do ranges[variable.name] = variable end
  for index, name in ipairs(known.variables) do
    values[index] = face[name] or 0
    limits[index] = { ranges[name].lower, ranges[name].upper }
  end
  return setmetatable({ arm = arm, variables = known.variables, base = known.base, reach = known.reach,
    closed = true, face = values, limits = limits, level = level.new(known.axes, values) }, Closed)
end

--- The follower of an arm like a person's, whose fourth joint bends the elbow.
local function like_person(robot, chain, variables, wrist, face)
  local known = measured(robot, chain, wrist, face)
  local own = least_squares.new { robot = robot, variables = variables, wrist = wrist, elbow = chain[4].link,
    start = face }
  own.base, own.reach, own.closed = known.base, known.reach, false
  function own.misses() return nil end
  return own
end

--- A follower of an arm: { variables, base, reach, closed, misses(self, wrist), follow(self, wrist, elbow,
--- head) }. `spec`: the arm's record in a mapping; `face`: joint values in which the tool faces forward.
--- Fails by clip.fail.
function follow.new(robot, spec, face)
  local own = follow.of(robot, spec, face)
  own.forward = spec.forward or 0
  own.orientation = robot:forward({ joints = face }).links[spec.tool].orientation
  return own
end

--- The same before the direction of the tool is known.
function follow.of(robot, spec, face)
  local chain, variables = chain_of(robot, spec.tool, spec.joints), {}
  if #chain < 4 then
    clip.fail(nil, "link '%s' is carried by %d joints, expected at least 4 of an arm", spec.tool, #chain)
  end
  for index, joint in ipairs(chain) do variables[index] = joint.variable end
  local arm, why = ik.arm(robot, spec.tool)
  if arm and not (spec.wrist or spec.joints or spec.shoulder) then return closed(robot, arm, face) end
  -- the place of a wrist of three joints; an arm of fewer has its last joint there
  local wrist = spec.wrist or chain[#chain < 6 and #chain or #chain - 2].link
  if spec.shoulder then return like_person(robot, chain, variables, wrist, face) end
  local own = least_squares.new { robot = robot, variables = variables, wrist = wrist, tool = spec.tool,
    start = face, tolerance = spec.tolerance }
  local known = measured(robot, chain, wrist, face)
  return setmetatable({ own = own, variables = variables, base = known.base, reach = known.reach,
    off = own.off, closed = false, why = why }, Numeric)
end

return follow
