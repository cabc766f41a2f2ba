--- Inverse kinematics of a limb in slices, for leaves: joint values that bring its end to a goal.
---
--- The quality of a solution is a number: the larger of the position error and the orientation error, each
--- divided by its tolerance.  0 is exact, up to 1 is within tolerance.
---
--- A slice is one call of `step`, and takes at most about 3 ms for an arm (2,000 iterations of brio.ik).
local geometry = require "brio.lib.geometry"
local ik = require "brio.ik"
local limbs = require "brio.robots.limbs"
local suggest = require "brio.lib.suggest"

local reach = {}
local Job = {}
Job.__index = Job

--- The attempts, one for each slice: from the present joints; from many starts, nearest first; the same
--- without collision avoidance; with tolerances scaled by `loose`.
local tries = {
  { max_starts = 1, max_iterations = 400, clear = true },
  { max_starts = 40, max_iterations = 2000, nearest = true, clear = true },
  { max_starts = 40, max_iterations = 2000, nearest = true },
  { max_starts = 60, max_iterations = 2000, nearest = true, loose = 0.5 },
}

--- The attempts for a hand on a path with a held object: contacts are ignored, and the solution stays near
--- the present one.
local steady_tries = { { max_starts = 1, max_iterations = 400 }, tries[3], tries[4] }

--- Maximum number of obstacles.
local most_shapes = 256

--- A workspace of brio.ik in which only the joints in `free` move, created once: `kept` is a table of the
--- caller's. With `clear` it includes collision avoidance: about 3 ms to create.
function reach.workspace(kept, robot, link, free, clear)
  local key = link .. " " .. table.concat(free, " ") .. (clear and " clear" or "")
  if kept[key] == nil then
    local moves, held = {}, {}
    for _, name in ipairs(free) do moves[name] = true end
    for _, variable in ipairs(robot:variables()) do
      if not moves[variable.name] then held[#held + 1] = variable.name end
    end
    kept[key] = { space = ik.new(robot, { links = { link }, held = held, seed = 1, watches = clear,
      max_shapes = clear and most_shapes or nil }), shapes = {} }
  end
  return kept[key].space, kept[key].shapes
end

--- Update the obstacles of a workspace; `known`: those that it already has.
local function know(space, known, shapes)
  local solver, count = space:shapes(), 0
  for _, key in ipairs(suggest.keys(known)) do
    if known[key] ~= shapes[key] then
      solver:remove_shape(key)
      known[key] = nil
    else
      count = count + 1
    end
  end
  for _, key in ipairs(suggest.keys(shapes)) do
    if not known[key] and count < most_shapes - 1 then
      local _, full = solver:shape(key, shapes[key])
      if full then return end
      known[key], count = shapes[key], count + 1
    end
  end
end

--- Error of a link at a goal: m and rad.  Free axes count 0; with `height`, only z of the position counts.
function reach.off(pose, goal)
  local place = goal.position and (goal.height and math.abs(pose.position[3] - goal.position[3])
    or geometry.distance(pose.position, goal.position))
  return place or 0,
    goal.orientation and geometry.angle(pose.orientation, goal.orientation) or 0
end

--- World goal of a pose within a frame: {position, orientation, height}, for the given parts.
function reach.goal(frame, pose)
  local goal = geometry.within(frame, pose)
  return { position = pose.position and goal.position, orientation = pose.orientation and goal.orientation,
    height = pose.height }
end

--- The quality of errors: see above.
function reach.quality(tolerances, position, orientation)
  return math.max(position / tolerances.position, orientation / tolerances.orientation)
end

--- A goal within its tolerances: with pi or more the orientation is free.
function reach.meant(goal, tolerances)
  if tolerances.orientation < math.pi then return goal end
  return { position = goal.position, height = goal.height }
end

--- Begin a search: {robot, link, dofs = those that may move, goal = {position, orientation} in the world,
--- from = initial configuration, tolerances = {position = m, orientation = rad}, kept = table for
--- workspaces, [shapes = obstacles by key; steady = whether it is on a path with a held object]}.
function reach.begin(parts)
  local self = setmetatable(parts, Job)
  self.goal = reach.meant(parts.goal, parts.tolerances)
  self.try, self.best, self.tries = 1, { quality = math.huge }, parts.steady and steady_tries or tries
  return self
end

--- The request to brio.ik of an attempt {max_starts, max_iterations, [nearest, clear, loose, solutions,
--- apart]} for {goal, tolerances, from = configuration}.
function reach.request(self, try)
  local goal = { position = self.goal.position, orientation = self.goal.orientation }
  if try.loose then
    goal.position_tolerance = goal.position and try.loose * self.tolerances.position or nil
    goal.orientation_tolerance = goal.orientation and math.min(3, try.loose * self.tolerances.orientation)
      or nil
  end
  if goal.position and self.goal.height then
    goal.position_tolerance = { math.huge, math.huge, goal.position_tolerance or 1e-4 }
    -- axes of the world
    if not goal.orientation then goal.orientation, goal.orientation_tolerance = { 0, 0, 0, 1 }, math.huge end
  end
  return { goal = goal, seed = self.from, nearest = try.nearest, max_starts = try.max_starts,
    max_iterations = try.max_iterations, clear = try.clear, solutions = try.solutions, apart = try.apart }
end

--- Work for a slice.  Return nil: not finished; or the best solution: {joints, quality, position = error in
--- m, orientation = error in rad}.
function Job:step()
  local try = self.tries[self.try]
  local space, known = reach.workspace(self.kept, self.robot, self.link, self.dofs, try.clear)
  if not space then
    return { quality = math.huge, joints = self.from.joints, position = math.huge, orientation = 0 }
  end
  if try.clear then know(space, known, self.shapes or {}) end
  local found, _, _, nearest = space:solve(reach.request(self, try))
  local joints = (found or nearest).joints
  local there = self.robot:forward({ joints = joints, base = self.from.base }).links[self.link]
  local position, orientation = reach.off(there, self.goal)
  local quality = reach.quality(self.tolerances, position, orientation)
  if quality < self.best.quality and (found or not try.clear) then
    self.best = { joints = joints, quality = quality, position = position, orientation = orientation }
  end
  self.try = self.try + 1
  if found or self.try > #self.tries then return self.best end
  return nil
end

--- Do the whole search at once: about 5 ms for an arm at most.
function reach.find(parts)
  local job = reach.begin(parts)
  while true do
    local found = job:step()
    if found then return found end
  end
end

--- Errors of a solution, in words.
function reach.words(found, tolerances)
  return ("%.3g m and %.3g rad off, where %.3g m and %.3g rad would do (quality %.3g, good up to 1)"):format(
    found.position, found.orientation, tolerances.position, tolerances.orientation, found.quality)
end

--- A run's frames other than the robot's own links, with the function `frame(name)`: detections and
--- objects, and "walking", the level frame on the ground below the pelvis of a walking robot.
function reach.seen(host)
  return { frame = function(_, name)
    if name == "walking" and host.stance and host.stance.gait then return host.stance:walking() end
    return host.scene:frame(name)
  end }
end

--- The pose of a frame (a link, a role, "world", or one of the scene) for a robot in a configuration; nil:
--- the link on which the robot stands.  `scene` may be nil.  Nil and a sentence if there is none now.
function reach.frame(description, scene, name, configuration)
  if name == "world" then return { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } } end
  local robot = description.robot
  local link = name == nil and limbs.root(robot) or description.roles[name] or name
  if suggest.contains(robot:links(), link) then return robot:forward(configuration).links[link] end
  local pose = scene and scene:frame(name)
  if pose then return pose end
  return nil, ("there is no frame '%s' now: no link, no role, and nothing that is seen"):format(
    tostring(name))
end

return reach
