--- Walks along paths that are planned repeatedly: around obstacles as they are seen, to a goal that may
--- move.
---
--- The next steps are planned while the last ones are being walked, so that the robot does not stop. A plan
--- covers a few steps. If somebody steps in the way, steps that have not begun are dropped, and the robot
--- stands and plans again until its patience is over. A leaf calls it:
---
---     local trip = travel.new(site, { clearance = 0.35, settings = {...}, except = {...} })
---     trip:aim { x = 2, y = 1, yaw = 0 }         the goal; may be set in each tick
---     local done, why = trip:work()              nil: not finished; true: arrived; false and why not
---     trip:stop()
local gait = require "brio.motion.gait"
local geometry = require "brio.lib.geometry"
local walks = require "brio.tree.execution.walks"

local travel = {}
local Trip = {}
Trip.__index = Trip

--- Expansions of a search in a tick, which take about a millisecond.
local slice = 8

--- A goal that has moved by less is the same one: m, rad.
local same_goal = { 0.2, 0.5 }

--- Distance around the body that must be free of people, m; distance ahead of the robot that must be free
--- of people, m; interval between two checks, s.
local body, ahead, look_every = 0.3, 0.75, 0.1

--- Clearance beside the body's path on the grid, m; time for which the robot observes before it starts, s.
local tight, first_look = 0.2, 1

--- Interval between two attempts to plan a path, s.
local again = 1

--- Default settings of a walk: faster than those of the leaf walk, whose times are from another system.
travel.settings = { near_swing = 0.5, far_swing = 0.75, transfer = 0.2, step_length = 0.34, most_steps = 400 }

--- Fields of leaves that travel.
travel.fields = {
  clearance = { "number", unit = "m", lower = 0.1, upper = 5, value = 0.35,
    doc = "distance of its body from obstacles, where there is room" },
  known_only = { "boolean", value = false,
    doc = "ground that is unknown to the map's grid counts as an obstacle" },
  patience = { "number", unit = "s", lower = 0, upper = 3600, value = 20,
    doc = "how long it waits where there is no way, or somebody is in it" },
  settings = { "table", doc = "numbers that steps go by (brio.plan's settings)" },
  except = { "table", doc = "names of things that are no obstacles" },
  owns = { "table", doc = "what it moves, if that is not exactly both legs" },
}

--- A trip without a goal. options: clearance, known_only, patience, settings, except, steps (number of
--- steps of a plan that are walked before the next planning: 6).
function travel.new(site, options)
  local settings = { clearance_radius = options.clearance }
  for key, value in next, travel.settings do settings[key] = value end
  for key, value in next, options.settings or {} do settings[key] = value end
  return setmetatable({ site = site, options = options, settings = settings, steps = options.steps or 6,
    next_look = 0,
    form = { planner = "quick", around = true, known_only = options.known_only, settings = settings,
      swing = settings.near_swing, transfer = settings.transfer } }, Trip)
end

local function wrap(angle) return (angle + math.pi) % (2 * math.pi) - math.pi end

--- Goal: {x, y, yaw}.
function Trip:aim(goal)
  local was = self.goal
  local moved = not was or math.sqrt((goal.x - was.x) ^ 2 + (goal.y - was.y) ^ 2) > same_goal[1]
    or math.abs(wrap(goal.yaw - was.yaw)) > same_goal[2]
  if not moved then return end
  self.goal, self.final, self.there = { x = goal.x, y = goal.y, yaw = goal.yaw }, false, false
  self.search = nil -- it has another goal
  if self.walk then self.site.host.stance:shorten(self.walk, 1) end
end

--- Number of steps that have not begun.
local function waiting(self)
  local walk = self.walk
  return walk and not walk.over and walk.steps - walk.done or 0
end

-- Obstacles -------------------------------------------------------------------------------------------------

local function is_excepted(self, object)
  for _, name in ipairs(self.options.except or {}) do
    if object.id == name or object.kind == name then return true end
  end
  return false
end

--- Distance of an object's edge from a point in the plane.
local function edge_from(object, x, y)
  local p, size = object.position, object.size
  return math.sqrt((p[1] - x) ^ 2 + (p[2] - y) ^ 2) - math.max(size[1], size[2]) / 2
end

--- The person ahead of the robot, visible now.
local function who_is_ahead(self)
  local here = self.site.host.stance:walking()
  local x, y, yaw = here.position[1], here.position[2], gait.yaw(here)
  for _, object in ipairs(self.site.host.scene:objects "person") do
    local p = object.position
    local bearing = math.abs(wrap(math.atan(p[2] - y, p[1] - x) - yaw))
    if bearing < math.pi / 3 and edge_from(object, x, y) < ahead and not is_excepted(self, object) then
      return object.id
    end
  end
end

--- Position of the body at a step, in the plane.
local function body_at(self, index)
  local step, hip = self.planned[index], self.site.host.stance.body.hip
  local out = geometry.turn(step.pose.orientation, { 0, step.side == "left" and -hip or hip, 0 })
  return { step.pose.position[1] + out[1], step.pose.position[2] + out[2] }
end

--- Whether the grid has an obstacle at the body's position in a step.
local function is_tight(self, index)
  local grid = self.site.host.map and self.site.host.map.grid
  return grid ~= nil and index > 1 and grid:meets(body_at(self, index - 1), body_at(self, index), tight)
end

--- An obstacle on the waiting steps that is new since they were planned: its name, or nil.
local function what_came(self)
  local walk = self.walk
  local objects = self.site.host.scene:objects()
  for index = walk.done + 2, walk.steps do
    local at = body_at(self, index)
    for _, object in ipairs(objects) do
      local was = self.seen[object.id]
      local moved = not was or geometry.distance(was, object.position) > 0.15
      if moved and edge_from(object, at[1], at[2]) < body and not is_excepted(self, object) then
        return object.id
      end
    end
    if not self.was_tight[index] and is_tight(self, index) then
      return "something that was not seen before"
    end
  end
end

--- Drop the waiting steps if there is an obstacle in their way.
local function look(self)
  local now = self.site.host.now
  if now < self.next_look - 1e-9 then return end
  self.next_look = now + look_every
  if waiting(self) < 1 then return end
  local what = who_is_ahead(self) or what_came(self)
  if not what then return end
  self.site.host.stance:drop(self.walk)
  self.walk, self.search, self.final = nil, nil, false
  self.blocked, self.since = what, self.since or now
end

-- Planning --------------------------------------------------------------------------------------------------

local function begin_search(self)
  local site, goal = self.site, self.goal
  local stance = site.host.stance
  local feet, frame = stance:feet(true), { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }
  self.form.stance = { goal.x, goal.y, 0 }
  self.form.focal = { goal.x + math.cos(goal.yaw), goal.y + math.sin(goal.yaw), 0 }
  local about = { hip = stance.body.hip, level = math.min(feet.left.position[3], feet.right.position[3]),
    ground = stance.ground,
    obstacles = walks.obstacles(site, self.options.except), grid = site.host.map and site.host.map.grid,
      seed = site.host.tick }
  self.search, self.feet, self.seen = walks.search(self.form, frame, feet, about), feet, {}
  for _, object in ipairs(site.host.scene:objects()) do self.seen[object.id] = object.position end
end

--- No path now: stand, and plan again, until the timeout.
local function wait(self, why)
  local now = self.site.host.now
  self.why, self.since, self.next_try = why, self.since or now, now + again
  if now - self.since < self.options.patience - 1e-9 then return nil end
  local words = self.blocked and ("%s is in the way"):format(self.blocked) or why
  return false, ("%s (waited for %.3g s)"):format(words, now - self.since)
end

--- Append the first steps of the plan.
local function take(self)
  local steps = self.search:steps()
  self.search = nil
  self.final = #steps <= self.steps + 2
  if #steps == 0 then
    self.there = true
    return
  end
  local own = table.move(steps, 1, self.final and #steps or self.steps, 1, {})
  self.planned, self.was_tight = own, {}
  for index = 1, #own do self.was_tight[index] = is_tight(self, index) end
  self.walk = self.site.host.stance:walk(own)
end

local function search(self)
  local now = self.site.host.now
  if self.next_try and now < self.next_try - 1e-9 then return nil end
  if not self.search then
    if waiting(self) == 0 and who_is_ahead(self) and not self.turning then
      self.blocked = who_is_ahead(self)
    end
    begin_search(self)
  end
  local found, why = self.search:work(slice)
  if found == nil then return nil end
  if not found then
    self.search = nil
    return wait(self, why)
  end
  if not walks.same_feet(self.feet, self.site.host.stance:feet(true)) then -- the feet were moved otherwise
    self.search = nil
    return nil
  end
  take(self)
  self.next_try = nil
  return nil
end

-- A tick ----------------------------------------------------------------------------------------------------

--- Work of a tick. Return nil while it continues, true on arrival, or false and why not.
function Trip:work()
  if not self.goal then return nil end
  look(self)
  local left = waiting(self)
  -- the robot moves
  if self.walk and self.walk.done > 0 then self.since, self.blocked, self.why = nil, nil, nil end
  if self.walk and self.walk.over then self.walk = nil end
  if self.there and left == 0 and not self.walk then return true end
  if self.final then
    if left == 0 and not self.walk then self.there = true end
    return self.there and not self.walk or nil
  end
  if left <= 2 then return search(self) end
  return nil
end

--- Its progress, in words.
function Trip:text()
  if self.blocked then return ("waits: %s is in the way"):format(self.blocked) end
  if self.why then return "waits: " .. self.why end
  local left = waiting(self)
  return left > 0 and ("%d steps are set"):format(left) or "looks for a way"
end

--- Complete the current swing, and stand.
function Trip:stop()
  if self.walk then self.site.host.stance:drop(self.walk) end
  self.walk, self.search = nil, nil
end

--- Why a robot cannot travel by a node's form; nil: it can.
function travel.fault(site, form)
  local description = site.description
  if description.base == "free" and description.roles.left_foot and description.roles.right_foot then
    return walks.settings_fault(form)
  end
  return ("the robot %s does not walk"):format(description.name)
end

--- The DOFs of travelling: those of both legs.
function travel.owns(_, site)
  local names = {}
  for _, side in ipairs { "left_leg", "right_leg" } do
    for _, name in ipairs(site.description.parts[side] or {}) do names[#names + 1] = name end
  end
  return names, true
end

--- Whether the robot stands and has observed its surroundings, so that it can start; false and why if it
--- never can.
function travel.ready(site, elapsed)
  local stance, map = site.host.stance, site.host.map
  if not stance.body then return false, "this robot does not walk: " .. stance.why end
  if not stance.gait then return nil end
  local info = map and map.grid and elapsed < first_look and map.grid:info()
  return not info or info.scans > 0 and not info.busy or nil
end

return travel
