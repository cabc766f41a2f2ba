--- Leads the end of a limb in addition to its joint motion: along a straight line to a pose, and afterwards
--- fixed at a pose in the world, whatever moves the limb's base.  Only the limb's own joints move.
local geometry = require "brio.lib.geometry"
local reach = require "brio.tree.execution.reach"

local lead = {}
local Lead = {}
Lead.__index = Lead

--- Maximum change of a joint in a solution, rad or m: if keeping the pose needs a larger one, the limb
--- stays as it is.
local leap = 0.3

--- Maximum distance of points on a straight line for which joints are solved: m, rad; and the maximum
--- number of points.
local apart = { position = 0.02, orientation = 0.1, most = 80 }

--- Maximum speed of the correction that keeps the end in place, as a share of a joint's maximum speed.
local pace = 0.6

--- Joint values that bring a link to a goal, searched from `from`, near `nominal` where the goal leaves
--- freedom; nil if none is within the tolerances.
local function joints_at(parts, goal, from, nominal)
  local space = reach.workspace(parts.kept, parts.robot, parts.limb.link, parts.limb.dofs)
  if not space then return nil end
  local found, _, _, nearest = space:solve {
    goal = { position = goal.position, orientation = goal.orientation }, seed = from,
    nominal = nominal, nearest = true, max_starts = 1, max_iterations = 100 }
  if found then return found.joints end
  local there = parts.robot:forward({ joints = nearest.joints, base = from.base }).links[parts.limb.link]
  local quality = reach.quality(parts.tolerances, reach.off(there, goal))
  return quality <= 1 and nearest.joints or nil
end

-- Straight lines --------------------------------------------------------------------------------------------

local Straight = {}
Straight.__index = Straight

--- Begin a straight line: {robot, limb, kept, tolerances, from = configuration, to = joints at its end,
--- goal = pose there, share = weight of the pose, 0 to 1}.
function lead.straight(parts)
  local self = setmetatable(parts, Straight)
  self.start = self.robot:forward(self.from).links[self.limb.link]
  local far, turn = reach.off(self.start, self.goal)
  self.count = math.max(2, math.min(apart.most,
    math.ceil(math.max(far / apart.position, turn / apart.orientation))))
  self.index, self.points, self.seed = 0, {}, {}
  for name, value in next, self.from.joints do self.seed[name] = value end
  return self
end

--- Pose of the end at a share of the line.
local function pose_at(self, s)
  local a, goal = self.start, self.goal
  local b = goal.position
  return { position = b and { a.position[1] + s * (b[1] - a.position[1]),
    a.position[2] + s * (b[2] - a.position[2]),
    a.position[3] + s * (b[3] - a.position[3]) }, orientation = goal.orientation
    and geometry.between(a.orientation, goal.orientation, s) }
end

--- Solve the next point; points divide the line into equal parts.  Return true when all are found: {joint =
--- value} each in `points`.
--- value} each in `points`.
function Straight:step()
  self.index = self.index + 1
  local s, plain, nominal = self.index / self.count, {}, {}
  for name, value in next, self.seed do nominal[name] = value end
  for _, name in ipairs(self.limb.dofs) do
    plain[name] = self.from.joints[name] + s * (self.to[name] - self.from.joints[name])
    nominal[name] = plain[name]
  end
  local joints = self.index < self.count
    and joints_at(self, pose_at(self, s), { joints = self.seed, base = self.from.base },
    { joints = nominal, base = self.from.base })
  local point = {}
  for _, name in ipairs(self.limb.dofs) do
    point[name] = joints and plain[name] + self.share * (joints[name] - plain[name]) or plain[name]
    self.seed[name] = joints and joints[name] or plain[name]
  end
  self.points[self.index] = point
  return self.index >= self.count
end

--- The times of the points, as shares of the duration, for minimum jerk.
function Straight:times()
  local times = { 0 }
  for k = 1, self.count do
    local low, high = 0, 1
    for _ = 1, 40 do
      local u = (low + high) / 2
      if u * u * u * (10 + u * (6 * u - 15)) < k / self.count then low = u else high = u end
    end
    times[k + 1] = k == self.count and 1 or high
  end
  return times
end

-- Keeping a pose --------------------------------------------------------------------------------------------

--- Begin to keep a limb's end in place: {motions, robot, limb, kept, goal = in the world, tolerances}.
function lead.keep(parts)
  local self = setmetatable(parts, Lead)
  self.offset = {}
  for _, name in ipairs(parts.limb.dofs) do self.offset[name] = 0 end
  return self
end

--- Work of a tick: the offset of each joint from the end of its motion.
function Lead:work(moving, dt)
  if not moving:over() then return end
  local joints, nominal = self.motions:told(), {}
  for name, value in next, joints do nominal[name] = value end
  for d, name in ipairs(self.limb.dofs) do
    joints[name], nominal[name] = moving.said[name], moving.way:last(d)
  end
  local from = self.motions:configuration(joints)
  local found = joints_at(self, self.goal, from, { joints = nominal, base = from.base })
  for name in next, found and moving.said or {} do
    if found and math.abs(found[name] - moving.said[name]) > leap then found = nil end
  end
  for d, name in ipairs(self.limb.dofs) do
    local aim = found and found[name] - moving.way:last(d) or self.offset[name]
    local step = pace * moving.way.dofs[d].velocity * dt
    local off = self.offset[name]
    self.offset[name] = off + math.max(-step, math.min(step, aim - off))
  end
end

return lead
