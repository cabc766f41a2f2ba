--- The leaf `walk`: walks to a place.
---
--- Steps are planned when it starts, in slices of one per tick, from where the feet will be after their
--- current motion. Then the robot walks them (character/stance.lua). At the end the poses of the soles are
--- compared with their goals.
local gait = require "brio.motion.gait"
local geometry = require "brio.lib.geometry"
local plan = require "brio.plan"
local walks = require "brio.tree.execution.walks"

--- Number of nodes that a search expands in a tick: about a millisecond.
local slice = 8

--- Time for the soles to settle after the nominal time, s.
local settle = 0.3

local planners = {}
for _, row in ipairs(plan.planners()) do planners[#planners + 1] = row.name end

local ways = {}
for _, row in ipairs(plan.ways()) do ways[#ways + 1] = row.name end

local fields = {
  frame = { "string", doc = "of places: a link, a role, \"world\", or what the robot sees, taken level; \z
    without: \"walking\", "
    .. "the ground below the pelvis, facing as it does" },
  stance = { "vector", size = 3, unit = "m", doc = "goal of the middle between the feet" },
  focal = { "vector", size = 3, unit = "m",
    doc = "a point that it faces there; without, it faces as the frame" },
  left = { "table", doc = "the left foot, seen from there: { x = 0, y = 0.12, yaw = 0 }" },
  right = { "table", doc = "the right foot" },
  planner = { "choice", of = planners, value = "quick", doc = "how steps are found" },
  settings = { "table", doc = "numbers that the planner goes by (brio.plan's settings)" },
  waypoints = { "table", doc = "places of the body on the way: a list of { x, y } or { x =, y =, yaw = }" },
  waypoint_only = { "boolean", value = false,
    doc = "end without a last step that sets the feet side by side" },
  around = { "boolean", value = false,
    doc = "the quick planner goes around obstacles, and around occupied cells of the map's grid" },
  way = { "choice", of = ways, doc = "planner of the path around obstacles; default: on the grid of the \z
    behavior's map if there is one, else by random trees" },
  known_only = { "boolean", value = false, doc = "ground that is unknown to that grid counts as an \z
    obstacle" },
  except = { "table", doc = "names of things that are no obstacles" },
  first = { "choice", of = { "left", "right" },
    doc = "the foot that swings first; without, whichever is better" },
  face_goal = { "boolean", value = true, doc = "a search prefers to face as at the goal all along" },
  ground = { "table", doc = "the ground, as for brio.plan's ground; default: that of self.stance" },
  steps = { "table", doc = "its own steps, in place of a plan: a list of { side =, x =, y =, yaw = } in the \z
    frame, or with "
    .. "`pose`" },
  swing = { "number", unit = "s", lower = 0.05, upper = 60, value = 0.8,
    doc = "what a swing takes; the quick planner goes by distance" },
  transfer = { "number", unit = "s", lower = 0, upper = 60, value = 0.5,
    doc = "time to shift the weight before each swing" },
  mode = { "choice", of = { "override", "queue" }, value = "override",
    doc = "waiting steps are dropped, or come first" },
  position_tolerance = { "number", unit = "m", lower = 1e-6, upper = 1000, value = 0.02,
    doc = "how far off a sole may be" },
  orientation_tolerance = { "number", unit = "rad", lower = 1e-6, upper = 4, value = 0.1,
    doc = "how far turned it may be" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400,
    doc = "time from its start by which it must succeed; default: its nominal time" },
  owns = { "table", doc = "what it moves, if that is not exactly both legs" },
}

-- Planning --------------------------------------------------------------------------------------------------

--- Inputs of a search: the poses of the feet, and what the planner must know about the robot and the ground,
--- with the obstacles if it goes around them.
local function about(site, form)
  local stance = site.host.stance
  local feet, ground = stance:feet(true), form.ground
  local level = math.min(feet.left.position[3], feet.right.position[3])
  return feet, { hip = stance.body.hip, level = level, ground = ground and plan.ground(ground)
    or stance.ground,
    obstacles = (form.around or form.planner == "a_star") and walks.obstacles(site, form.except) or nil,
    grid = (form.around or form.planner == "a_star") and site.host.map and site.host.map.grid or nil,
    seed = site.host.tick }
end

local function begin_walk(site, memory, steps)
  local why
  memory.walk, why = site.host.stance:walk(steps)
  if not memory.walk then return false, why end
  memory.goal = site.host.stance:feet(true)
  memory.planned, memory.seconds = steps, gait.seconds(steps)
  memory.begun = site.host.now
  return nil
end

--- Search for steps, one slice of the search; when they are found, begin to walk.
local function search(site, form, memory)
  if not memory.search then
    local feet, around = about(site, form)
    local good, made, why = pcall(walks.search, form, memory.frame, feet, around)
    if not good or not made then return false, (tostring(why or made):gsub("^.-:%d+: ", "")) end
    memory.search, memory.feet = made, feet
  end
  local found, why = memory.search:work(slice)
  if found == nil then return nil end
  if not found then return false, why end
  -- The feet were moved otherwise: plan from there.
  if not walks.same_feet(memory.feet, site.host.stance:feet(true)) then
    memory.search = nil
    return nil
  end
  return begin_walk(site, memory, memory.search:steps())
end

local function trigger(site, form, memory)
  local stance = site.host.stance
  if not stance.body then return false, "this robot does not walk: " .. stance.why end
  if not stance.gait then return nil end -- the gait exists after the first tick of the run
  local why
  memory.frame, why = walks.frame_of(site, form)
  if not memory.frame then return false, why end
  if form.mode == "override" then stance:drop() end
  if form.steps then return begin_walk(site, memory, walks.steps(form, memory.frame)) end
  return search(site, form, memory)
end

-- Result ----------------------------------------------------------------------------------------------------

--- The greatest position error of the soles (m), their greatest orientation error (rad), and the side of the
--- former.
local function off(site, memory)
  local worst = { 0, 0, "left" }
  for _, side in ipairs { "left", "right" } do
    local goal = memory.goal[side]
    local sole = site.host.stance:sole(side)
    local far, turned = geometry.distance(sole.position, goal.position),
      geometry.angle(sole.orientation, goal.orientation)
    if far > worst[1] then worst[1], worst[3] = far, side end
    worst[2] = math.max(worst[2], turned)
  end
  return worst[1], worst[2], worst[3]
end

local function judge(site, form, memory, elapsed)
  local walk, late = memory.walk, site.host.now - memory.begun - memory.seconds
  if walk.lost then return false, ("%s (%d of %d were walked)"):format(walk.lost, walk.done, walk.steps) end
  if walk.over and late >= -1e-9 then
    local far, turned, side = off(site, memory)
    if far <= form.position_tolerance and turned <= form.orientation_tolerance then return true end
    if late >= settle and not (form.timeout and elapsed < form.timeout) then
      local words = "the %s foot is %.3f m off (tolerance %g m), turned by %.3f rad (tolerance %g rad), \z
        %.2f s after its time"
      return false, words:format(side, far, form.position_tolerance, turned, form.orientation_tolerance, late)
    end
  end
  if form.timeout and elapsed >= form.timeout then
    site.host.stance:drop(walk)
    local words = "it takes longer than its timeout, %g s: %d of %d steps were walked"
    return false, words:format(form.timeout, walk.done, walk.steps)
  end
  return nil
end

local function work(site, form, memory, fresh, elapsed)
  if fresh or not memory.frame then return trigger(site, form, memory) end
  if memory.walk then return judge(site, form, memory, elapsed) end
  if form.timeout and elapsed >= form.timeout then
    return false, ("no steps were found in %g s (timeout)"):format(form.timeout)
  end
  return search(site, form, memory)
end

-- Before a run, and for viewers -----------------------------------------------------------------------------

--- The steps that the leaf would walk now; before a run, from standing at the origin of the frame "walking".
local function foreseen(form, site)
  local frame = walks.frame_of(site, form)
  if not frame then return nil end
  if form.steps then return walks.steps(form, frame), frame end
  local feet, around
  if site.host then
    feet, around = about(site, form)
  else
    local hip = 0.12
    around = { hip = hip, level = 0, ground = form.ground and plan.ground(form.ground), seed = 0 }
    feet = { left = { position = { 0, hip, 0 } }, right = { position = { 0, -hip, 0 } } }
  end
  local made = walks.search(form, frame, feet, around)
  local found, why = made:work(200)
  if found then return made:steps(), frame end
  return nil, why or "its plan takes too long to be foreseen"
end

--- The steps of a node, and additional ones that end with the feet where the robot's feet are now.
local function more_steps(form, site, frame)
  local steps, last = table.move(form.steps, 1, #form.steps, 1, {}), {}
  for _, step in ipairs(walks.steps(form, frame)) do last[step.side] = step.pose end
  for _, side in ipairs { "left", "right" } do
    local foot = site.host.stance:feet()[side]
    if not last[side] or geometry.distance(last[side].position, foot.position) > 0.005 then
      local step = walks.own({ { side = side, pose = foot, swing = form.swing, transfer = form.transfer } },
        frame)[1]
      step.swing, step.transfer = nil, nil
      steps[#steps + 1] = step
    end
  end
  return { steps = steps }
end

return {
  name = "walk",
  doc = "Walks to where the feet are to stand, by a plan or by its own steps.",
  fields = fields,
  fault = function(form, site)
    local why = walks.fault(form)
    if why then return why end
    local description = site.description
    if description.base ~= "free" or not (description.roles.left_foot and description.roles.right_foot) then
      return ("the robot %s does not walk: its base is %s, and its feet have %sroles"):format(
        description.name, description.base, description.roles.left_foot and "" or "no ")
    end
    local good, bad = pcall(plan.ground, form.ground)
    return not good and "ground: " .. tostring(bad):gsub("^.-:%d+: ", "") or nil
  end,
  owns = function(_, site)
    local names = {}
    for _, side in ipairs { "left_leg", "right_leg" } do
      table.move(site.description.parts[side] or {}, 1, #(site.description.parts[side] or {}), #names + 1,
        names)
    end
    return names, true
  end,
  seconds = function(form, site)
    local good, steps = pcall(foreseen, form, site)
    return good and steps and gait.seconds(steps) or nil
  end,
  work = work,
  stop = function(site, _, memory)
    if memory.walk then site.host.stance:drop(memory.walk) end
  end,
  pause = function(site, _, _, on) site.host.stance:hold(on) end,
  progress = function(site, form, memory)
    if not memory.walk then
      local effort = memory.search and memory.search:effort()
      return { text = effort and ("looks for steps: %d expansions"):format(effort.expansions)
        or "looks for steps" }
    end
    local far = off(site, memory)
    return { value = memory.walk.done, error = far, tolerance = form.position_tolerance, unit = "m",
      nominal = memory.seconds,
      text = ("step %d of %d"):format(math.min(memory.walk.done + 1, memory.walk.steps), memory.walk.steps) }
  end,
  --- Take the robot's position as the node's goal; a node with steps of its own gets additional steps that
  --- end with the feet where they are now.
  capture = function(form, site)
    if not site.host.stance.body then return nil, "this robot does not walk: " .. site.host.stance.why end
    local frame, why = walks.frame_of(site, form)
    if not frame then return nil, why end
    if form.steps then return more_steps(form, site, frame) end
    local here = geometry.within(geometry.inverse(frame), site.host.stance:walking())
    local p, yaw = here.position, gait.yaw(here)
    return { stance = { p[1], p[2], 0 }, focal = { p[1] + math.cos(yaw), p[2] + math.sin(yaw), 0 } }
  end,
  --- Plan from the robot's present position, and return the plan as steps of the node, and the fields that
  --- these replace.
  convert = function(form, site)
    if form.steps then return nil, "it has its own steps already" end
    local steps, frame = foreseen(form, site)
    if not steps then return nil, frame end -- the reason
    return { steps = walks.own(steps, frame) }, { "stance", "focal", "left", "right", "waypoints" }
  end,
  inherit = { "frame", "planner", "settings", "swing", "transfer", "mode", "position_tolerance",
    "orientation_tolerance" },
}
