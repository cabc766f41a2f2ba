--- What a limb must not touch: the robot's other links and the obstacles of a run, as a space of brio.joints.
---
--- Obstacles are the shapes that the solver keeps clear of; with `seen` also what the robot sees, or has
--- placed, and has a size.  Shapes on a link go with it.  Of pairs of the robot's own links those count that
--- the solver watches, except pairs that are nearer than `built` in its home pose, and links of other limbs
--- that move at the same time: these are left to the solver.  All joints that are not the limb's, and the
--- base, are taken where they stand.
local joints = require "brio.joints"
local limbs = require "brio.robots.limbs"
local motion = require "brio.tree.execution.motion"
local suggest = require "brio.lib.suggest"

local solids = {}
local Solids = {}
Solids.__index = Solids

--- Distance of two links in the home pose below which they are left to the solver, m.
local built = 0.005

--- Interval between two looks at what else moves, s; by how much it must have moved: rad or m of a joint, m
--- of what is seen.
local interval, moved = 0.05, 0.02

--- Least size of what is seen, m.
local least_size = 0.01

local function is_obstacle(shape) return shape.physical ~= false and not shape.link end

-- What there is ---------------------------------------------------------------------------------------------

--- The joints that move each link of the robot, as sets by link: found once and kept.
local function movers_of(self)
  local kept = self.motions.workspaces
  if kept.movers then return kept.movers end
  kept.movers = {}
  for _, link in ipairs(self.description.robot:links()) do
    local set = {}
    for _, name in ipairs(limbs.chain(self.description.robot, link)) do set[name] = true end
    kept.movers[link] = set
  end
  return kept.movers
end

--- Whether one of these joints, a set, moves a link.
local function is_moved(self, link, names)
  for name in next, movers_of(self)[link] do
    if names[name] then return true end
  end
  return false
end

--- Pairs of a link of the limb and another one that the solver does not watch.
local function unwatched(self)
  local watched, list, links = {}, {}, self.description.robot:links()
  for _, pair in ipairs(self.host.solver:self_pairs()) do
    watched[pair[1] .. " " .. pair[2]], watched[pair[2] .. " " .. pair[1]] = true, true
  end
  for _, a in ipairs(links) do
    for _, b in ipairs(is_moved(self, a, self.own) and links or {}) do
      if a ~= b and not watched[a .. " " .. b] then list[#list + 1] = { a, b } end
    end
  end
  return list
end

--- The pairs of links that are never checked, found once for a limb and kept.
local function never_checked(self)
  local kept = self.motions.workspaces
  local key = "allowed " .. table.concat(self.limb.dofs, " ")
  if kept[key] then return kept[key] end
  local description, home, list = self.description, {}, unwatched(self)
  local pose, values = description.poses[description.home].joints, {}
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then home[dof.name] = pose[dof.name] end
  end
  for d, name in ipairs(self.limb.dofs) do values[d] = home[name] end
  while true do
    local space = joints.space(description.robot, { configuration = { joints = home },
      variables = self.limb.dofs, allowed = list })
    local near = space and space:nearest(values)
    if not near or not near.other or near.distance > built then break end
    list[#list + 1] = { near.link, near.other }
  end
  kept[key] = list
  return list
end

--- The joints of other limbs that move, or are about to: a set.
local function others_under_way(self)
  local names = {}
  local function add(list)
    for _, name in ipairs(list) do names[name] = not self.own[name] or nil end
  end
  for _, moving in ipairs(self.motions.list) do
    if moving.moves and not moving:over() then add(moving.dofs) end
  end
  for memory in next, self.motions.planning do add(memory.limb and memory.limb.dofs or {}) end
  return names
end

--- The pairs of links that are not checked now.
local function allowed_of(self)
  local always, names = never_checked(self), others_under_way(self)
  if not next(names) then return always end
  local list, links = table.move(always, 1, #always, 1, {}), self.description.robot:links()
  for _, a in ipairs(links) do
    for _, b in ipairs(is_moved(self, a, self.own) and links or {}) do
      if is_moved(self, b, names) and not is_moved(self, b, self.own) then list[#list + 1] = { a, b } end
    end
  end
  return list
end

--- Add what is seen and has a size, as boxes.
local function add_seen(self, list)
  local scene = self.host.scene
  local function add(name, object)
    local size = object.size
    if not size or size[1] * size[2] * size[3] <= 0 then return end
    list[#list + 1] = { name = name, kind = "box", pose = object.pose, size = {
      math.max(size[1], least_size), math.max(size[2], least_size), math.max(size[3], least_size) } }
  end
  for _, object in ipairs(scene:objects()) do
    if not self.except[object.id] and not self.except[object.kind] then add(object.id, object) end
  end
  for _, object in ipairs(scene:chosen()) do
    local unseen = object.origin == "placed" or object.origin == "seen" and object.stale
    if unseen and not self.except[object.name] then add(object.name, object) end
  end
end

--- The obstacles, and the shapes that go with links.
local function collect(self)
  local obstacles, carried = {}, {}
  for _, key in ipairs(suggest.keys(self.host.shapes)) do
    local shape = self.host.shapes[key]
    local solid = { name = key, kind = shape.kind, size = shape.size, points = shape.points,
      pose = shape.pose, link = shape.link }
    if is_obstacle(shape) then obstacles[#obstacles + 1] = not self.touched[key] and solid or nil
    elseif shape.physical ~= false and shape.kind ~= "half_space" then carried[#carried + 1] = solid end
  end
  if self.seen then add_seen(self, obstacles) end
  return obstacles, carried
end

-- The space -------------------------------------------------------------------------------------------------

--- Solids for a limb: {host, description, limb, [seen = also what is seen, except = set of names, keep =
--- bounds of frames, see keeps.lua, touch = list of shapes that do not count]}.  Call `renew` before
--- anything else.
function solids.new(parts)
  local self, names = setmetatable(parts, Solids), parts.except or {}
  self.motions, self.except, self.next_look, self.own = motion.of(parts.host), {}, 0, {}
  self.touched = {}
  for _, name in ipairs(parts.touch or {}) do self.touched[name] = true end
  for _, name in ipairs(parts.limb.dofs) do self.own[name] = true end
  for name in next, names do
    local object = parts.host.scene:object(name)
    self.except[name] = true
    if object and object.source then self.except[object.source] = true end
  end
  return self
end

local function make_space(self, carried)
  return joints.space(self.description.robot, { configuration = self.configuration,
    variables = self.limb.dofs, obstacles = self.obstacles, carried = carried, allowed = allowed_of(self),
    keep = self.keep })
end

--- Make the space for what there is now.  Return true; nil and a sentence if there are too many solids.
function Solids:renew()
  local carried
  self.obstacles, carried = collect(self)
  self.version = self.host.shapes_version
  self.configuration = self.motions:configuration(self.motions:told())
  local good, space, why = pcall(make_space, self, carried)
  if not good or not space then return nil, tostring(good and why or space) end
  self.space = space
  return true
end

--- Whether a joint of another limb, or the base, has moved.
local function others_moved(self)
  local now = self.motions:configuration(self.motions:told())
  for name, value in next, now.joints do
    if not self.own[name] and math.abs(value - self.configuration.joints[name]) > moved then return true end
  end
  local base, before = now.base, self.configuration.base
  for k = 1, base and 3 or 0 do
    if math.abs(base.position[k] - before.position[k]) > moved then return true end
  end
  for k = 1, base and 4 or 0 do
    if math.abs(base.orientation[k] - before.orientation[k]) > moved then return true end
  end
  return false
end

--- Whether what is seen is no longer where the space has it.
local function seen_moved(self)
  local known, count, now = {}, 0, {}
  add_seen(self, now)
  for _, solid in ipairs(self.obstacles) do known[solid.name] = solid end
  for _, solid in ipairs(now) do
    local before = known[solid.name]
    if not before then return true end
    for k = 1, 3 do
      local off = math.abs(solid.pose.position[k] - before.pose.position[k])
      if off > moved or math.abs(solid.size[k] - before.size[k]) > moved then return true end
    end
    count = count + 1
  end
  for _, solid in ipairs(self.obstacles) do
    if self.host.shapes[solid.name] then count = count + 1 end
  end
  return count ~= #self.obstacles
end

--- Whether something is no longer as the space has it: a shape at once, the rest within a few ticks.
function Solids:changed()
  if self.version ~= self.host.shapes_version then return true end
  if self.host.now < self.next_look then return false end
  self.next_look = self.host.now + interval
  return others_moved(self) or self.seen and seen_moved(self) or false
end

--- The nearest two solids at the limb's values: {distance, link, name = of the obstacle or other link}; nil:
--- there are no two.
function Solids:nearest(values)
  local near = self.space:nearest(values)
  if near then near.name = near.other or self.obstacles[near.obstacle].name end
  return near
end

--- How far everything is apart at the limb's values, m; `enough` if it is at least that.  Where it is less,
--- the nearest two solids, too.  Values that do not keep what is kept have no room: then these have a field
--- `fault`, a sentence.  Sets the clearance of the space.
function Solids:room(values, enough)
  local kept, fault = true, nil
  if self.keep then kept, fault = self.space:kept(values) end
  if not kept then return 0, { distance = 0, fault = fault:gsub("^there: ", "") } end
  self.space:set_clearance(enough)
  if self.space:clear(values) then return enough end
  local near = self:nearest(values)
  return near and math.min(enough, near.distance) or enough, near
end

return solids
