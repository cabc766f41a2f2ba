--- A robot as plain data for the page: its links, joints and shapes as brio itself has them, so that the page
--- needs neither the robot's file nor its meshes.
local gltf = require "brio.formats.gltf_writer"
local parts = require "brio.draw.parts"
local rotation = require "brio.lib.rotation"
local solids = require "brio.draw.solids"
local store = require "brio.store"

local model = {}

--- Wanted length of the sides of circles, as a share of the robot's size.
local grain = 1 / 45

--- A number that JSON has, or nil.
local function finite(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge and value or nil
end

--- The pose of a joint's frame after its motion, at the neutral values.
local function moved_frame(joint, parent, neutral)
  local o, q = joint.origin.position, joint.origin.orientation
  local p, r = parent.position, parent.orientation
  local x, y, z = rotation.turn(r[1], r[2], r[3], r[4], o[1], o[2], o[3])
  local turn = { rotation.times(r[1], r[2], r[3], r[4], q[1], q[2], q[3], q[4]) }
  local mimic = joint.mimic or { multiplier = 1, offset = 0 }
  local value = mimic.multiplier * (neutral[joint.variables[1] or ""] or 0) + mimic.offset
  local axis = joint.axis
  if joint.type == "prismatic" then
    local ax, ay, az = rotation.turn(turn[1], turn[2], turn[3], turn[4], axis[1] * value, axis[2] * value,
      axis[3] * value)
    x, y, z = x + ax, y + ay, z + az
  elseif joint.type == "revolute" or joint.type == "continuous" then
    local s = math.sin(value / 2)
    turn = { rotation.times(turn[1], turn[2], turn[3], turn[4], axis[1] * s, axis[2] * s, axis[3] * s,
      math.cos(value / 2)) }
  end
  return { position = { p[1] + x, p[2] + y, p[3] + z }, orientation = turn }
end

--- Where a joint's child stands in the frame that the joint moves; nil: at its origin. It stands elsewhere
--- where the tree's root is not that of the file, so that joints are reversed.
local function place_of(joint, poses, neutral)
  local p, q = gltf.relative(moved_frame(joint, poses[joint.parent], neutral), poses[joint.child])
  local away = math.abs(p[1]) + math.abs(p[2]) + math.abs(p[3]) + 1 - math.abs(q[4])
  return away > 1e-9 and { position = p, orientation = q } or nil
end

--- The joints, with what moves each.
local function joints_of(robot)
  local list, neutral = {}, robot:neutral()
  local poses = robot:forward(neutral).links
  for index, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    list[index] = { name = name, type = joint.type, parent = joint.parent, child = joint.child,
      origin = joint.origin, axis = joint.axis, variables = store.array(joint.variables),
      mimic = joint.mimic, place = place_of(joint, poses, neutral.joints) }
  end
  return list
end

--- The triangles of a solid, flat: indices from 0.
local function triangles_of(solid)
  local list = {}
  for _, face in ipairs(solid.faces) do
    for k = 2, #face - 1 do
      list[#list + 1] = face[1] - 1
      list[#list + 1] = face[k] - 1
      list[#list + 1] = face[k + 1] - 1
    end
  end
  return list
end

--- A solid of a link, its points flat in the frame of the link, rounded to a hundredth of a millimeter.
local function body_of(link, solid, pose, thin)
  local points = {}
  for _, point in ipairs(solid.points) do
    local p = pose and parts.place(pose, point) or point
    for k = 1, 3 do points[#points + 1] = math.floor(p[k] * 1e5 + 0.5) / 1e5 end
  end
  return { link = link, points = store.array(points), triangles = store.array(triangles_of(solid)),
    thin = thin }
end

--- The size of a robot at home, m, over the origins of its links.
local function size_of(poses)
  local lower, upper = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  for _, pose in pairs(poses) do
    for k = 1, 3 do
      lower[k], upper[k] = math.min(lower[k], pose.position[k]), math.max(upper[k], pose.position[k])
    end
  end
  local d = { upper[1] - lower[1], upper[2] - lower[2], upper[3] - lower[3] }
  return math.max(0.1, math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2))
end

--- Rods from links without shapes to their children.
local function add_bones(bodies, robot, shapes, size)
  for _, name in ipairs(robot:joints()) do
    local joint = robot:joint(name)
    local to = joint.origin.position
    local length = math.sqrt(to[1] ^ 2 + to[2] ^ 2 + to[3] ^ 2)
    if not shapes[joint.parent] and length > 0.005 * size then
      local solid = solids.bone({ 0, 0, 0 }, to, math.min(0.012 * size, 0.25 * length), size * grain)
      bodies[#bodies + 1] = body_of(joint.parent, solid, nil, true)
    end
  end
end

--- All shapes as triangles.
local function bodies_of(robot, poses)
  local shapes, bodies, size = parts.shapes(robot), {}, size_of(poses)
  for _, link in ipairs(robot:links()) do
    for _, shape in ipairs(shapes[link] or {}) do
      bodies[#bodies + 1] = body_of(link, solids.of(shape, size * grain), shape.pose)
    end
  end
  add_bones(bodies, robot, shapes, size)
  return bodies, size
end

--- The DOFs, in the order of frames.
local function dofs_of(description)
  local list = {}
  for index, dof in ipairs(description.dofs) do
    list[index] = { name = dof.name, unit = dof.unit or "rad", lower = finite(dof.lower), label = dof.label,
      upper = finite(dof.upper), group = dof.group, outside = dof.outside and true or nil,
        rest = finite(dof.rest) }
  end
  return list
end

--- A robot of brio.robots.catalog: {name, title, links, joints, dofs, home, bodies, groups, size}.
---@param description table
function model.of(description)
  local robot = description.robot
  local poses = robot:forward({ joints = {} }).links
  local of_link = parts.groups(parts.tree(robot), description)
  local bodies, size = bodies_of(robot, poses)
  local first = robot:links()[1]
  return { name = description.name, title = description.title, links = store.array(robot:links()),
    joints = store.array(joints_of(robot)), dofs = store.array(dofs_of(description)),
      home = description.poses[description.home].joints, neutral = robot:neutral().joints,
    base = poses[first], bodies = store.array(bodies), groups = of_link,
    size = size }
end

return model
