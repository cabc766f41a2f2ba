--- Goals of a limb's joints: all ways that are found to hold its end at a pose, and touch nothing.
---
--- They come from brio.ik, started at the present joints and at random ones, some at each step.  Equal seeds
--- give equal goals.  A way that another one equals is dropped, and so is one that touches something, or is
--- too near to it: the least deep of these is kept, to say why there is none.  Where no goal has room, goals
--- are moved out along the slopes of distances, as far as the tolerances of the pose permit.
local random = require "brio.random"
local reach = require "brio.tree.execution.reach"

local joint_goals = {}
local Goals = {}
Goals.__index = Goals

--- Number of steps, and of goals that are enough.
local steps, enough = 6, 12

--- The work of a step: about a millisecond for an arm; the last one is satisfied with half of the tolerances.
local try = { max_starts = 12, max_iterations = 800, nearest = true, solutions = 4, apart = 0.1 }
local loose_try = setmetatable({ loose = 0.5 }, { __index = try })

--- Solids nearer than this touch, m: the resolution of brio.joints.
joint_goals.touching = 2e-4

--- How many ways that are near to something are moved out, and how far beyond what is asked for, m; the
--- distance below which the solver draws a limb away, m (four times its clearance).
local most_moved, beyond, comfortable = 4, 5e-4, 0.008

--- Begin: {robot, limb, rows = of its joints (see targets.rows), solids, goal = {position, orientation} in
--- the world or nil, known = list of goals that are known already, from = configuration, tolerances, kept =
--- table for workspaces, ample = distance from everything beyond which more does not count, m, least(near) =
--- the distance that a goal must have, m, where the solids of `near` are its nearest, [seed]}.
function joint_goals.begin(parts)
  local self = setmetatable(parts, Goals)
  self.list, self.misses, self.step_number, self.missed = {}, 0, 0, {}
  self.stream = random.stream(parts.seed or 0, "joint goals")
  self.goal = parts.goal and reach.meant(parts.goal, parts.tolerances)
  for _, values in ipairs(parts.known or {}) do self:offer(values) end
  return self
end

--- Whether two lists of values are the same goal.
local function same(self, a, b)
  for d, row in ipairs(self.rows) do
    local off = a[d] - b[d]
    if row.circular then off = (off + math.pi) % (2 * math.pi) - math.pi end
    if math.abs(off) > try.apart then return false end
  end
  return true
end

--- Take a goal if it is new, within the limits, and touches nothing.
function Goals:offer(values)
  for d, row in ipairs(self.rows) do
    if not row.circular and (values[d] < row.lower - 1e-6 or values[d] > row.upper + 1e-6) then return end
  end
  for _, known in ipairs(self.list) do
    if same(self, known.values, values) then return end
  end
  local room, near = self.solids:room(values, self.ample)
  if room >= self.ample or not near.fault and room >= self.least(near) then
    self.list[#self.list + 1] = { values = values, room = room }
    return
  end
  self.misses = self.misses + 1
  if not near.fault then self.missed[#self.missed + 1] = { values = values, room = room, near = near } end
  local better = not near.fault and self.miss and room > self.miss.distance
  if not self.miss or self.miss.fault or better then self.miss = near end
end

--- The configuration at which a step starts: the present one, then random ones.
local function start_of(self)
  if self.step_number == 1 then return self.from end
  local joints = {}
  for name, value in next, self.from.joints do joints[name] = value end
  for d, name in ipairs(self.limb.dofs) do
    local row = self.rows[d]
    joints[name] = self.stream:uniform(row.circular and -math.pi or row.lower,
      row.circular and math.pi or row.upper)
  end
  return { joints = joints, base = self.from.base }
end

--- Goals that keep what is kept: drawn from the pose as a region, well within the tolerances.
local function draw(self)
  local goal, list = self.goal, {}
  local function ranges(tolerance) return { -tolerance / 2, tolerance / 2 } end
  local bounds = { link = self.limb.link, reference = { position = goal.position or { 0, 0, 0 },
    orientation = goal.orientation or { 0, 0, 0, 1 } } }
  local place, turn = ranges(self.tolerances.position), ranges(math.min(2, self.tolerances.orientation))
  if goal.position then
    bounds.position = { not goal.height and place, not goal.height and place, place }
  end
  if goal.orientation then bounds.turn = { turn, turn, turn } end
  list[1] = bounds
  self.solids.space:set_clearance(joint_goals.touching)
  for _, values in ipairs(self.solids.space:draw { region = list, count = try.solutions, tries = 25,
    seed = self.step_number } or {}) do
    self:offer(values)
  end
end

--- Values moved out along the slopes of distances until everything is apart by `room`, m, if the limb's end
--- stays within this share of the tolerances of the goal; nil: it does not.
local function moved_out(self, values, room, share)
  self.solids.space:set_clearance(0)
  local path, joints = self.solids.space:out(values, room), {}
  if not path then return nil end
  for name, value in next, self.from.joints do joints[name] = value end
  for d, name in ipairs(self.limb.dofs) do joints[name] = path[#path][d] end
  local there = self.robot:forward({ joints = joints, base = self.from.base }).links[self.limb.link]
  return reach.quality(self.tolerances, reach.off(there, self.goal)) <= share and path[#path] or nil
end

--- Move goals out of what they are near to, where none has room; and ways that are too near, where there is
--- no goal.
local function make_room(self)
  table.sort(self.list, function(a, b) return a.room > b.room end)
  local best = self.list[1] and self.list[1].room or 0
  for k = 1, best < comfortable and math.min(most_moved, #self.list) or 0 do
    local one = self.list[k]
    local values = moved_out(self, one.values, comfortable + beyond, 0.8)
    if values then one.values, one.room = values, (self.solids:room(values, self.ample)) end
  end
  local missed, misses = self.missed, self.misses
  table.sort(missed, function(a, b) return a.room > b.room end)
  for k = 1, #self.list == 0 and math.min(most_moved, #missed) or 0 do
    local one = missed[k]
    local values = moved_out(self, one.values, comfortable + beyond, 0.8)
      or moved_out(self, one.values, self.least(one.near) + beyond, 1)
    if values then self:offer(values) end
  end
  self.misses = misses
  return true
end

--- Search some.  Return true at the end: the goals are in `list`, as {values, room = distance from
--- everything, m, at most `ample`}.
function Goals:step()
  self.step_number = self.step_number + 1
  if not self.goal then return true end
  if self.step_number > steps or #self.list >= enough then return make_room(self) end
  if self.solids.keep and self.step_number > 1 then
    draw(self)
    return nil
  end
  local space = reach.workspace(self.kept, self.robot, self.limb.link, self.limb.dofs)
  if not space then return true end
  local found = space:solve(reach.request({ goal = self.goal, tolerances = self.tolerances,
    from = start_of(self) }, self.step_number == steps and loose_try or try))
  for _, configuration in ipairs(found and found.solutions or {}) do
    local values = {}
    for d, name in ipairs(self.limb.dofs) do values[d] = configuration.joints[name] end
    self:offer(values)
  end
  return nil
end

--- Why there is no goal, in words.
function Goals:why()
  if not self.miss then return "no values of its joints bring its end there within their limits" end
  if self.miss.fault then return "its goal does not keep it: " .. self.miss.fault end
  local one, many, near = "its goal collides", "all %d ways to be there collide", self.miss
  local place = ("%s is %.1f mm inside %s"):format(near.link, math.max(0, -1e3 * near.distance), near.name)
  if near.distance > joint_goals.touching then
    one, many = "its goal is too near", "all %d ways to be there are too near, or collide"
    place = ("%s is %.2f mm from %s, and %.2g mm are kept"):format(near.link, 1e3 * near.distance, near.name,
      1e3 * self.least(near))
  end
  return (self.misses == 1 and one or many:format(self.misses)) .. ": " .. place
end

return joint_goals
