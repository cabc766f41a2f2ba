--- Walks of nodes: a goal and a planner, or a list of steps; converted into steps in the world.
local fields = require "brio.lib.fields"
local frames = require "brio.perception.frames"
local gait = require "brio.motion.gait"
local geometry = require "brio.lib.geometry"
local plan = require "brio.plan"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local walks = {}

--- The frame on the ground below the pelvis, facing as it does.
walks.frame = "walking"

local sides = { "left", "right" }

local function flat(pose)
  return { position = pose.position, orientation = geometry.from_rpy(0, 0, gait.yaw(pose)) }
end

local place_fields = { x = "number", y = "number", z = "number", yaw = "number" }
local foot_fields = { x = "number", y = "number", yaw = "number" }

--- A place in a node: {x, y}, {x, y, z}, or {x =, y =, z =, yaw =}, as a pose in its frame; nil and a
--- sentence.
local function place_of(said, what)
  if type(said) ~= "table" then return nil, what .. " must be a place, as { x = 1, y = 0, yaw = 0 }" end
  if said.position or said.orientation then
    local wrong = fields.fault(said, { "pose" })
    if wrong then return nil, ("%s: its pose %s"):format(what, wrong) end
    return { position = said.position or { 0, 0, 0 }, orientation = said.orientation or { 0, 0, 0, 1 } }
  end
  local x, y, z = said.x or said[1] or 0, said.y or said[2] or 0, said.z or said[3] or 0
  local why = schema.fault({ x = x, y = y, z = z, yaw = said.yaw }, place_fields, what)
  if why then return nil, why end
  return { position = { x, y, z }, orientation = geometry.from_rpy(0, 0, said.yaw or 0) }
end

-- Reading nodes ---------------------------------------------------------------------------------------------

local function fault_of_side(value)
  return not suggest.contains(sides, value) and "must be left or right" or nil
end

local function seconds(least)
  return { "number", fault = function(value)
    local good = type(value) == "number" and value >= least and value <= 60
    return not good and "must be seconds, up to 60" or nil
  end }
end

local step_fields = { side = { "string", fault = fault_of_side, needed = true }, pose = "table", x = "number",
  y = "number", z = "number", yaw = "number", swing = seconds(0.05), transfer = seconds(0) }

local function fault_of_step(step, what)
  if type(step) ~= "table" then
    return what .. " must be a table, as { side = \"left\", x = 0.3, y = 0.12 }"
  end
  return schema.fault(step, step_fields, what) or select(2, place_of(step.pose or step, what))
end

local settings_fields = {}
for _, row in ipairs(plan.settings()) do
  settings_fields[row.name] = { "number", unit = row.unit, lower = row.lower, upper = row.upper,
    doc = row.doc }
end

--- The error in a node's settings of the planner; nil: none.
function walks.settings_fault(form)
  return form.settings and schema.fault(form.settings, settings_fields, "settings") or nil
end

--- The error in a node, independent of the robot; nil: none.
function walks.fault(form)
  if form.steps then
    for _, key in ipairs { "stance", "focal", "waypoints" } do
      if form[key] then return ("it has both steps and %s: give one of them"):format(key) end
    end
    if #form.steps == 0 then return "steps: there is none" end
    for index, step in ipairs(form.steps) do
      local why = fault_of_step(step, ("steps[%d]"):format(index))
      if why then return why end
    end
    return nil
  end
  if not form.stance and not form.waypoints then
    return "it has no goal: give stance, waypoints or steps"
  end
  for index, place in ipairs(form.waypoints or {}) do
    local _, why = place_of(place, ("waypoints[%d]"):format(index))
    if why then return why end
  end
  for _, side in ipairs(sides) do
    local why = form[side] and schema.fault(form[side], foot_fields, side)
    if why then return why end
  end
  if form.planner ~= "quick" then
    if form.around then
      return ("around is the quick planner's: '%s' does not look for a way of the body"):format(form.planner)
    end
    if form.planner == "a_star" and form.waypoints then return "the planner a_star goes without waypoints" end
  end
  return walks.settings_fault(form)
end

--- Whether both feet, {left, right} of poses, are at the same positions.
function walks.same_feet(a, b)
  for _, side in ipairs { "left", "right" } do
    if geometry.distance(a[side].position, b[side].position) > 1e-6 then return false end
  end
  return true
end

--- The frame of a node's places: a level frame in the world. nil and a sentence.
function walks.frame_of(site, form)
  local name = form.frame or walks.frame
  if not site.host then
    return name == walks.frame and { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } } or nil
  end
  if name == walks.frame then return site.host.stance:walking() end
  local pose, why = frames.pose(site, name)
  return pose and flat(pose), why
end

--- A point of a frame, in the world.
local function point_in(frame, point)
  return geometry.within(frame, { position = { point[1], point[2], point[3] or 0 },
    orientation = { 0, 0, 0, 1 } }).position
end

--- Goals of both feet: {left = pose, right = pose} in the world. `hip`: distance of a foot from the middle.
function walks.goal(form, frame, hip, level)
  local stance = form.stance
  if not stance then return nil end
  local at = point_in(frame, stance)
  local yaw = gait.yaw(frame)
  if form.focal then
    local to = point_in(frame, form.focal)
    local x, y = to[1] - at[1], to[2] - at[2]
    if x * x + y * y > 1e-12 then yaw = math.atan(y, x) end
  end
  local middle = { position = { at[1], at[2], level }, orientation = geometry.from_rpy(0, 0, yaw) }
  local feet = {}
  for _, side in ipairs(sides) do
    local said = form[side] or {}
    feet[side] = geometry.within(middle,
      { position = { said.x or 0, said.y or (side == "left" and hip or -hip), 0 },
      orientation = geometry.from_rpy(0, 0, said.yaw or 0) })
  end
  return feet, middle
end

--- A node's own steps, in the world.
function walks.steps(form, frame)
  local steps = {}
  for index, said in ipairs(form.steps) do
    steps[index] = { side = said.side, pose = geometry.within(frame, place_of(said.pose or said, "")),
      swing = said.swing or form.swing, transfer = said.transfer or form.transfer }
  end
  return steps
end

-- Obstacles -------------------------------------------------------------------------------------------------

--- A seen or placed object, as a box.
local function box_of(name, object)
  local size = object.size
  return { name = name, kind = "box", pose = object.pose,
    size = { math.max(size[1], 0.1), math.max(size[2], 0.1), math.max(size[3], 0.1) } }
end

--- Add objects of the scene that are not visible now and have a size, at their last known poses.
local function add_remembered(list, scene, left_out)
  for _, object in ipairs(scene:chosen()) do
    local unseen = object.origin == "placed" or object.origin == "seen" and object.stale
    local size = object.size
    if unseen and size[1] * size[2] * size[3] > 0 and not left_out[object.name]
        and not left_out[object.kind] then
      list[#list + 1] = box_of(object.name, object)
    end
  end
end

--- Solids around the robot: the behavior's shapes, detections, and objects of the scene that are not
--- visible now, except those in `except`.
function walks.obstacles(site, except)
  local list, left_out = {}, {}
  for _, name in ipairs(except or {}) do
    local object = site.host.scene:object(name)
    left_out[name] = true
    if object and object.source then left_out[object.source] = true end
  end
  for _, key in ipairs(suggest.keys(site.host.shapes)) do
    local shape = site.host.shapes[key]
    if not shape.link and shape.physical ~= false and not left_out[key] then
      list[#list + 1] = { name = key, kind = shape.kind, size = shape.size, points = shape.points,
        pose = shape.pose }
    end
  end
  for _, object in ipairs(site.host.scene:objects()) do
    if not left_out[object.id] and not left_out[object.kind] then
      list[#list + 1] = box_of(object.id, object)
    end
  end
  add_remembered(list, site.host.scene, left_out)
  return list
end

-- Searching -------------------------------------------------------------------------------------------------

--- Settings of a planner: the node's, with the robot's own hips.
local function settings_of(form, hip)
  local settings = { hip_width = hip, swing = form.swing, transfer = form.transfer }
  for key, value in next, form.settings or {} do settings[key] = value end
  return settings
end

--- A search for a node's steps, from these feet. `about`: {hip, level, ground, obstacles, seed}.
function walks.search(form, frame, feet, about)
  local waypoints = {}
  for index, said in ipairs(form.waypoints or {}) do
    waypoints[index] = geometry.within(frame, place_of(said, ""))
  end
  local goal = walks.goal(form, frame, about.hip, about.level)
  if form.waypoint_only or not goal then
    local _, middle = walks.goal(form, frame, about.hip, about.level)
    if middle then waypoints[#waypoints + 1] = middle end
    goal = nil
  end
  return plan.search { planner = form.planner, start = feet, goal = goal, waypoints = waypoints,
    first = form.first, face_goal = form.face_goal, around = form.around, way = form.way,
    grid = about.grid, known_only = about.grid and form.known_only or nil, ground = about.ground,
      obstacles = about.obstacles,
    seed = about.seed, settings = settings_of(form, about.hip) }
end

--- Converts steps in the world to a node's own steps in a frame, for a plan.
function walks.own(steps, frame)
  local own, from = {}, geometry.inverse(frame)
  local function short(value) return math.floor(value * 1e4 + 0.5) / 1e4 end
  for index, step in ipairs(steps) do
    local pose = geometry.within(from, step.pose)
    local p = pose.position
    own[index] = { side = step.side, x = short(p[1]), y = short(p[2]), z = short(p[3]),
      yaw = short(gait.yaw(pose)), swing = short(step.swing), transfer = short(step.transfer) }
    local up = geometry.turn(pose.orientation, { 0, 0, 1 })
    if up[3] < 1 - 1e-6 then -- on a slope the full pose is needed
      own[index].x, own[index].y, own[index].z, own[index].yaw, own[index].pose = nil, nil, nil, nil, pose
    end
  end
  return own
end

return walks
