--- Another way of the joints for the same way of a limb's end, where the given one is blocked: an arm of
--- seven joints can hold its hand on a line, or at a door's handle, with its elbow elsewhere.
---
--- The way is cut into layers.  From the joint values of one layer, brio.ik finds those of the next one that
--- bring the end to its pose there: from these values themselves and from others at random near them.  Of
--- those that touch nothing, are reached by a clear motion and do not lead the end off its way, some that
--- differ are kept.  From the last layer the shortest chain is read, its changes are evened out, and a point
--- is put between each two.  Source of the idea: De Maeyer, Moyaers and Demeester, "Cartesian path
--- planning for arc welding robots: evaluation of the Descartes algorithm", 2017 (a graph of layers);
--- here the layers are explored from the present values, as a hand that holds something cannot change
--- over.
---
--- All work is counted, not timed: equal seeds give equal ways.
local geometry = require "brio.lib.geometry"
local random = require "brio.random"
local reach = require "brio.tree.execution.reach"

local held_way = {}
local Held = {}
Held.__index = Held

--- How far the end goes from one layer to the next, m and rad; the least and largest number of layers; the
--- number of places at which its way is measured for that.
local apart = { position = 0.03, orientation = 0.12, least = 4, most = 60, looks = 60 }

--- Values that are kept in a layer; how much one of their joints must differ, rad or m, at first and where
--- there are few; how often the next layer is tried from each; how far around, rad or m; and how many of them
--- are tried in a tick.
local beam = { most = 24, apart = { 0.3, 0.12 }, tries = 8, spread = 0.5, slice = 2 }

--- Largest change of a joint from one layer to the next, rad or m, and how far off its way the end may be
--- between them, m and rad.
local leap, off_line = 0.8, { position = 0.004, orientation = 0.03 }

--- How often the chain is evened out.
local rounds = 6

--- Whether a limb can hold its end otherwise: the directions of its pose are fewer than its joints.
function held_way.may(limb, turn_is_free)
  return limb.link ~= nil and #limb.dofs > (turn_is_free and 3 or 6)
end

local function values_at(self, time)
  local values = {}
  for d in ipairs(self.limb.dofs) do values[d] = self.way:value(d, time) end
  return values
end

local function configuration(self, values)
  local joints = {}
  for name, value in next, self.from.joints do joints[name] = value end
  for d, name in ipairs(self.limb.dofs) do joints[name] = values[d] end
  return { joints = joints, base = self.from.base }
end

local function pose_of(self, values)
  return self.robot:forward(configuration(self, values)).links[self.limb.link]
end

--- The pose of the end on its way.
local function goal_at(self, time)
  local pose = pose_of(self, values_at(self, time))
  return { position = pose.position, orientation = not self.turn_is_free and pose.orientation or nil }
end

--- Begin: {robot, limb, rows (see targets.rows), solids, way, time = from which on the way is blocked or may
--- be, start = present values, from = configuration, turn_is_free = whether the end may be turned as it
--- likes, clearance, kept = table for workspaces, seed}.
function held_way.begin(parts)
  local self = setmetatable(parts, Held)
  self.stream = random.stream(self.seed or 0, "held way")
  local left, far, turn, before = self.way.seconds - self.time, 0, 0, nil
  for k = 0, apart.looks do
    local pose = goal_at(self, self.time + k / apart.looks * left)
    if before then
      far = far + geometry.distance(before.position, pose.position)
      turn = turn + (pose.orientation and geometry.angle(before.orientation, pose.orientation) or 0)
    end
    before = pose
  end
  self.count = math.max(apart.least, math.min(apart.most,
    math.ceil(math.max(far / apart.position, turn / apart.orientation))))
  self.step_time = left / self.count
  self.layer, self.index, self.found, self.solved = 0, 0, {}, 0
  self.layers = { [0] = { { values = self.start, cost = 0 } } }
  self.solids.space:set_clearance(self.clearance)
  return self
end

--- Joint values near some given ones that bring the end to a goal; nil: none.
local function solve(self, values, goal)
  local space = reach.workspace(self.kept, self.robot, self.limb.link, self.limb.dofs)
  self.solved = self.solved + 1
  local found = space and space:solve { goal = goal, seed = configuration(self, values), nearest = true,
    max_starts = 1, max_iterations = 60 }
  if not found then return nil end
  local solved = {}
  for d, name in ipairs(self.limb.dofs) do
    local value, row = found.joints[name], self.rows[d]
    if row.circular then
      value = values[d] + (value - values[d] + math.pi) % (2 * math.pi) - math.pi
    end
    solved[d] = value
  end
  return solved
end

--- The largest difference of a joint, and the sum of squares.
local function differences(a, b)
  local most, square = 0, 0
  for d in ipairs(a) do
    local off = math.abs(a[d] - b[d])
    most, square = math.max(most, off), square + off * off
  end
  return most, square
end

--- Whether the step between values at two times is clear, and keeps the end on its way.
local function is_good(self, a, b, time)
  if differences(a, b) > leap or not self.solids.space:motion(a, b) then return false end
  local middle = {}
  for d in ipairs(a) do middle[d] = (a[d] + b[d]) / 2 end
  local position, orientation = reach.off(pose_of(self, middle), goal_at(self, time))
  return position <= off_line.position and orientation <= off_line.orientation
end

local function time_of(self, layer) return self.time + layer * self.step_time end

--- Try the next layer from one of this layer's values.
local function expand(self, node)
  local goal = goal_at(self, time_of(self, self.layer + 1))
  for k = 1, beam.tries do
    local seed = {}
    for d, row in ipairs(self.rows) do
      local value = node.values[d] + (k > 1 and self.stream:uniform(-beam.spread, beam.spread) or 0)
      seed[d] = row.circular and value or math.max(row.lower, math.min(row.upper, value))
    end
    local values = solve(self, seed, goal)
    if values and is_good(self, node.values, values, time_of(self, self.layer + 0.5)) then
      local _, square = differences(node.values, values)
      self.found[#self.found + 1] = { values = values, parent = node, cost = node.cost + square }
    end
  end
end

--- Keep the cheapest of a layer that differ.
local function chosen(found)
  table.sort(found, function(a, b) return a.cost < b.cost end)
  local list = {}
  for _, off in ipairs(beam.apart) do
    for _, node in ipairs(found) do
      local new = #list < beam.most
      for _, known in ipairs(list) do new = new and differences(known.values, node.values) > off end
      if new then list[#list + 1] = node end
    end
  end
  table.sort(list, function(a, b) return a.cost < b.cost end)
  return list
end

--- The values of the cheapest chain, from the start on.
local function read_chain(self)
  local node, chain = self.layers[self.count][1], {}
  for k = self.count, 0, -1 do
    chain[k + 1], node = node.values, node.parent
  end
  self.chain, self.round, self.place = chain, 1, 2
end

--- Search some layers further.  Return false where there is none.
local function search(self)
  for _ = 1, beam.slice do
    self.index = self.index + 1
    expand(self, self.layers[self.layer][self.index])
    if not self.layers[self.layer][self.index + 1] then
      if #self.found == 0 then return false end
      self.layer, self.index = self.layer + 1, 0
      self.layers[self.layer], self.found = chosen(self.found), {}
      if self.layer == self.count then
        read_chain(self)
        return nil
      end
    end
  end
  return nil
end

--- Replace a value of the chain by one midway between its neighbors, where that is possible.
local function even_out(self, k)
  local middle, before, after = {}, self.chain[k - 1], self.chain[k + 1]
  for d in ipairs(before) do middle[d] = (before[d] + after[d]) / 2 end
  local values = solve(self, middle, goal_at(self, time_of(self, k - 1)))
  if values and is_good(self, before, values, time_of(self, k - 1.5))
    and is_good(self, values, after, time_of(self, k - 0.5)) then self.chain[k] = values end
end

--- Even the chain out, a few values at a time.  Return true at the end.
local function smooth(self)
  for _ = 1, 2 * beam.slice do
    if self.round > rounds or self.count < 2 then return true end
    even_out(self, self.place)
    self.place = self.place + 1
    if self.place > self.count then self.round, self.place = self.round + 1, 2 end
  end
  return nil
end

--- The chain with a value between each two, and the times of both.
local function finish(self)
  local points, times = { self.chain[1] }, { 0 }
  -- From rest on a way that has begun, the first step takes twice as long.
  local later = self.time > 0 and self.step_time or 0
  for k = 2, #self.chain do
    local middle, before, after = {}, self.chain[k - 1], self.chain[k]
    for d in ipairs(before) do middle[d] = (before[d] + after[d]) / 2 end
    points[#points + 1] = solve(self, middle, goal_at(self, time_of(self, k - 1.5))) or middle
    points[#points + 1] = after
    times[#times + 1] = (k - 1.5) * self.step_time + later
    times[#times + 1] = (k - 1) * self.step_time + later
  end
  self.points, self.times = points, times
  return true
end

--- Work for a tick.  Return nil: not finished; true: `points` and their `times` (s, from the start on) are
--- found; false: there is no other way.
function Held:step()
  if not self.chain then return search(self) end
  return smooth(self) and finish(self)
end

--- What was done: the length of the way, as that of a search, and how many values were solved for.
function Held:effort()
  local length = 0
  for k = 2, #self.points do
    local _, square = differences(self.points[k - 1], self.points[k])
    length = length + math.sqrt(square)
  end
  return { length = length, checks = self.solved }
end

return held_way
