--- Where the joints of a limb must be so that its end is where it is wanted: inverse kinematics in slices, for leaves.
---
--- How good an answer is, is a number: the larger of what is left of the position, as a share of its tolerance, and of the
--- orientation, as a share of its own.  0 is exact, up to 1 is good, above it is bad.
---
--- A slice is one call of `step`, and takes at most some 3 ms of an arm (2,000 iterations of brio.ik).
local geometry = require "brio.geometry"
local ik = require "brio.ik"
local limbs = require "brio.tree.limbs"
local suggest = require "brio.suggest"

local reach = {}
local Job = {}
Job.__index = Job

--- What is tried, a slice each: from where the joints are; from many starts, nearest first; as near as the tolerances
--- ask for. `loose`: which share of them.
local tries = {
  { max_starts = 1, max_iterations = 400 },
  { max_starts = 40, max_iterations = 2000, nearest = true },
  { max_starts = 60, max_iterations = 2000, nearest = true, loose = 0.5 },
}

--- A workspace of brio.ik in which only the joints of `free` move, made once: `kept` is a table of the caller's.
function reach.workspace(kept, robot, link, free)
  local key = link .. " " .. table.concat(free, " ")
  if kept[key] == nil then
    local moves, held = {}, {}
    for _, name in ipairs(free) do moves[name] = true end
    for _, variable in ipairs(robot:variables()) do
      if not moves[variable.name] then held[#held + 1] = variable.name end
    end
    kept[key] = ik.new(robot, { links = { link }, held = held, seed = 1 }) or false
  end
  return kept[key]
end

--- How far a link is from a goal: m and rad.  What the goal leaves open is not off; with `height`, of its position only z counts.
function reach.off(pose, goal)
  local place = goal.position and (goal.height and math.abs(pose.position[3] - goal.position[3])
    or geometry.distance(pose.position, goal.position))
  return place or 0,
    goal.orientation and geometry.angle(pose.orientation, goal.orientation) or 0
end

--- What a pose within a frame asks for in the world: {position, orientation, height}, as far as the pose says it.
function reach.goal(frame, pose)
  local goal = geometry.within(frame, pose)
  return { position = pose.position and goal.position, orientation = pose.orientation and goal.orientation,
    height = pose.height }
end

--- What distances are as a number: see above.
function reach.quality(tolerances, position, orientation)
  return math.max(position / tolerances.position, orientation / tolerances.orientation)
end

--- Begin to look: {robot, link, dofs = those that may move, goal = {position, orientation} in the world, from =
--- configuration to start at, tolerances = {position = m, orientation = rad}, kept = table for workspaces}.
function reach.begin(parts)
  local self = setmetatable(parts, Job)
  self.try, self.best = 1, { quality = math.huge }
  return self
end

local function request_of(self, try)
  local goal = { position = self.goal.position, orientation = self.goal.orientation }
  if try.loose then
    goal.position_tolerance = goal.position and try.loose * self.tolerances.position or nil
    goal.orientation_tolerance = goal.orientation and math.min(3, try.loose * self.tolerances.orientation) or nil
  end
  if goal.position and self.goal.height then
    goal.position_tolerance = { math.huge, math.huge, goal.position_tolerance or 1e-4 }
    if not goal.orientation then goal.orientation, goal.orientation_tolerance = { 0, 0, 0, 1 }, math.huge end -- axes of the world
  end
  return { goal = goal, seed = self.from, nearest = try.nearest, max_starts = try.max_starts,
    max_iterations = try.max_iterations }
end

--- Work for a slice.  Return nil: there is more to do; or the best that was found: {joints, quality, position = m
--- off, orientation = rad off}.
function Job:step()
  local space = reach.workspace(self.kept, self.robot, self.link, self.dofs)
  if not space then return { quality = math.huge, joints = self.from.joints, position = math.huge, orientation = 0 } end
  local found, _, _, nearest = space:solve(request_of(self, tries[self.try]))
  local joints = (found or nearest).joints
  local there = self.robot:forward({ joints = joints, base = self.from.base }).links[self.link]
  local position, orientation = reach.off(there, self.goal)
  local quality = reach.quality(self.tolerances, position, orientation)
  if quality < self.best.quality then
    self.best = { joints = joints, quality = quality, position = position, orientation = orientation }
  end
  self.try = self.try + 1
  if found or self.try > #tries then return self.best end
  return nil
end

--- Do all of it at once: some 5 ms of an arm at most.
function reach.find(parts)
  local job = reach.begin(parts)
  while true do
    local found = job:step()
    if found then return found end
  end
end

--- What an answer leaves, in words.
function reach.words(found, tolerances)
  return ("%.3g m and %.3g rad off, where %.3g m and %.3g rad would do (quality %.3g, good up to 1)"):format(found.position,
    found.orientation, tolerances.position, tolerances.orientation, found.quality)
end

--- The pose of a frame (a link, a role, "world", or what the scene knows) for a robot in a configuration; nil: the
--- link that the robot stands with.  `scene` may be nil.  Nil and a sentence where there is none now.
function reach.frame(description, scene, name, configuration)
  if name == "world" then return { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } } end
  local robot = description.robot
  local link = name == nil and limbs.root(robot) or description.roles[name] or name
  if suggest.contains(robot:links(), link) then return robot:forward(configuration).links[link] end
  local pose = scene and scene:frame(name)
  if pose then return pose end
  return nil, ("there is no frame '%s' now: no link, no role, and nothing that is seen"):format(tostring(name))
end

return reach
