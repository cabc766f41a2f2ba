--- What of a robot can be drawn in a pose: the solids of its links in the world, bones where a link
--- has no shape, and which color each link has.
local solids = require "brio.draw.solids"

local parts = {}

local function turn(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local tx, ty, tz = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
  return { v[1] + w * tx + y * tz - z * ty, v[2] + w * ty + z * tx - x * tz, v[3] + w * tz + x * ty - y * tx }
end

--- A point of the pose's own frame, in the parent.
function parts.place(pose, point)
  local p, at = turn(pose.orientation, point), pose.position
  return { p[1] + at[1], p[2] + at[2], p[3] + at[3] }
end

--- The numbers of a robot's tree that drawing asks for, by link name.
---@param model userdata a robot of brio.robot
---@return table tree links: the list; of[name]: { parent, joint, children, moves (something below it moves) }
function parts.tree(model)
  local tree, joint_to = { links = model:links(), of = {} }, {}
  for _, joint in ipairs(model:joints()) do joint_to[joint.child] = joint end
  for _, link in ipairs(tree.links) do
    tree.of[link.name] = { name = link.name, parent = link.parent, joint = joint_to[link.name], children = {}, moves = false }
  end
  for _, link in ipairs(tree.links) do
    local node = tree.of[link.name]
    if node.parent then table.insert(tree.of[node.parent].children, node) end
  end
  for index = #tree.links, 1, -1 do -- children come after their parents
    local node = tree.of[tree.links[index].name]
    local moved = node.joint and node.joint.type ~= "fixed"
    if node.parent and (moved or node.moves) then tree.of[node.parent].moves = true end
  end
  return tree
end

--- The shapes of each link: its collision shapes, or what it shows where it has none.
local function shapes_of(model)
  local by_link = {}
  for _, list in ipairs { model:collisions(), model:visuals() } do
    local these = {}
    for _, shape in ipairs(list) do
      if not by_link[shape.link] then
        these[shape.link] = these[shape.link] or {}
        table.insert(these[shape.link], shape)
      end
    end
    for link, shapes in next, these do by_link[link] = shapes end
  end
  return by_link
end

--- Which group each link belongs to: that of the nearest joint towards the root that has one.
local function group_by_dof(tree, dofs)
  local group_of, groups = {}, {}
  for _, dof in ipairs(dofs) do
    if dof.group then group_of[dof.name] = dof.group end
  end
  for _, link in ipairs(tree.links) do
    local node = tree.of[link.name]
    local joint = node.joint
    local own = joint and (group_of[joint.name] or group_of[joint.mimic or ""] or group_of[joint.name .. ".x"])
    groups[link.name] = own or (node.parent and groups[node.parent]) or nil
  end
  return groups
end

--- Without groups: a branch of the tree, from where it parts from others, is one.
local function group_by_branch(tree)
  local groups = {}
  for _, link in ipairs(tree.links) do
    local node, moving = tree.of[link.name], 0
    local parent = node.parent and tree.of[node.parent]
    for _, child in ipairs(parent and parent.children or {}) do
      if child.moves then moving = moving + 1 end
    end
    local moved = node.joint and node.joint.type ~= "fixed"
    if parent and moved and (not groups[parent.name] or (moving > 1 and node.moves)) then
      groups[node.name] = node.name
    else
      groups[node.name] = parent and groups[parent.name]
    end
  end
  return groups
end

--- The group of each link, and the groups in their order.
---@param tree table
---@param description table
---@return table<string, string> of_link
---@return string[] order
---@return boolean named whether the description names them
function parts.groups(tree, description)
  local named = false
  for _, dof in ipairs(description.dofs) do named = named or (dof.group ~= nil and not dof.outside) end
  local of_link = named and group_by_dof(tree, description.dofs) or group_by_branch(tree)
  local order, seen = {}, {}
  local function take(group)
    if group and not seen[group] then
      seen[group] = true
      order[#order + 1] = group
    end
  end
  if named then
    for _, dof in ipairs(description.dofs) do
      if not dof.outside then take(dof.group) end
    end
  end
  for _, link in ipairs(tree.links) do take(of_link[link.name]) end
  return of_link, order, named
end

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

--- Whether a fixed link is where a chain ends.
local function ends_chain(tree, node)
  local parent = tree.of[node.parent]
  return not parent.moves and parent.joint ~= nil and parent.joint.type ~= "fixed"
end

--- Rods between the origins of links: bold where they are all there is to see, thin where they
--- only bridge the gaps between shapes.
local function add_bones(list, tree, shapes, poses, size, grain)
  for _, link in ipairs(tree.links) do
    local node = tree.of[link.name]
    local bold = node.parent and not shapes[node.parent]
    local moves = node.joint and (node.moves or node.joint.type ~= "fixed")
    if moves or (bold and ends_chain(tree, node)) then
      local from, to = poses[node.parent].position, poses[node.name].position
      local length = distance(from, to)
      if length > 0.005 * size then
        local radius = math.min((bold and 0.014 or 0.008) * size, 0.25 * length)
        list[#list + 1] = { link = bold and node.parent or nil, solid = solids.bone(from, to, radius, grain) }
      end
    end
  end
end

--- How large the robot is in this pose, m: over the origins of its links and its shapes.
local function extent(poses, shapes)
  local lower, upper = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  local function take(p)
    for k = 1, 3 do lower[k], upper[k] = math.min(lower[k], p[k]), math.max(upper[k], p[k]) end
  end
  for link, pose in next, poses do
    take(pose.position)
    for _, shape in ipairs(shapes[link] or {}) do take(parts.place(pose, shape.pose.position)) end
  end
  return math.max(0.05, distance(lower, upper))
end

--- Everything solid, in world coordinates: a list of { link, solid }; link nil: of none in particular.
---@param model userdata
---@param tree table from parts.tree
---@param poses table<string, table> world pose of each link
---@return table[] list
---@return number size rough extent of the robot, m
function parts.solids(model, tree, poses)
  local shapes, list = shapes_of(model), {}
  local size = extent(poses, shapes)
  local grain = size / 70
  for _, link in ipairs(tree.links) do
    for _, shape in ipairs(shapes[link.name] or {}) do
      local solid = solids.of(shape, grain)
      for index, point in ipairs(solid.points) do
        solid.points[index] = parts.place(poses[link.name], parts.place(shape.pose, point))
      end
      list[#list + 1] = { link = link.name, solid = solid }
    end
  end
  add_bones(list, tree, shapes, poses, size, grain)
  return list, size
end

return parts
