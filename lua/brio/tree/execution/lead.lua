--- Where a limb's end is led beside its joints: straight to a pose while they go there, and kept at a place
--- of the world afterwards, whatever carries the limb.  Only the limb's own joints move.
local geometry = require "brio.lib.geometry"
local reach = require "brio.tree.execution.reach"

local lead = {}
local Lead = {}
Lead.__index = Lead

--- A limb that would have to be held otherwise, some joint being farther from where it is than this, stays as
--- it is: rad, m.
local leap = 0.3

--- On a straight way joints are looked for at places that are not farther apart than this: m, rad, and how
--- many at most.
local apart = { position = 0.02, orientation = 0.1, most = 80 }

--- Joints change from their way to where they keep the end at most this fast: share of their greatest speed.
local pace = 0.6

--- Joints that bring a link to a goal, from `from` and as near to `nominal` as that leaves open; nil where
--- there are none within the tolerances.
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

-- Straight ways ---------------------------------------------------------------------------------------------

local Straight = {}
Straight.__index = Straight

--- Begin a straight way: {robot, limb, kept, tolerances, from = configuration, to = joints at its end, goal =
--- pose there, share = how much the pose counts, 0 to 1}.
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

--- Pose of the end at a share of the way.
local function pose_at(self, s)
  local a, goal = self.start, self.goal
  local b = goal.position
  return { position = b and { a.position[1] + s * (b[1] - a.position[1]),
    a.position[2] + s * (b[2] - a.position[2]),
    a.position[3] + s * (b[3] - a.position[3]) }, orientation = goal.orientation
    and geometry.between(a.orientation, goal.orientation, s) }
end

--- Solve the next point, one of the ends of equal parts of the way.  Return true when all are found: {joint =
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

--- When the points are passed, shares of the time, by least jerk.
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

-- Keeping a place -------------------------------------------------------------------------------------------

--- Begin to keep a limb's end where it is to be: {motions, robot, limb, kept, goal = in the world,
--- tolerances}.
function lead.keep(parts)
  local self = setmetatable(parts, Lead)
  self.offset = {}
  for _, name in ipairs(parts.limb.dofs) do self.offset[name] = 0 end
  return self
end

--- Work for a tick: by how much each joint is off the end of its way.
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
