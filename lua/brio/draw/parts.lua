--- Drawable parts of a robot in a pose: the solids of its links in the world, bones for links without shapes,
--- and a color for each link.
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

--- A robot's tree as drawing needs it.
---@param model userdata a robot of brio.robot
---@return table tree a list of nodes, parents first, and of[link]: the node { name, parent (node), joint
---  (as brio.robot gives it), children, moved (by its own joint), moves (something below it is moved),
---  branches (how many of its children move something) }
function parts.tree(model)
  local tree = { of = {} }
  for index, name in ipairs(model:links()) do
    local link = model:link(name)
    local joint, parent = link.joint and model:joint(link.joint), tree.of[link.parent or ""]
    local node = { name = name, parent = parent, joint = joint, children = {}, moves = false, branches = 0 }
    node.moved = joint ~= nil and joint.type ~= "fixed"
    if parent then table.insert(parent.children, node) end
    tree[index], tree.of[name] = node, node
  end
  for index = #tree, 1, -1 do
    local node = tree[index]
    if node.parent and node.moves then node.parent.branches = node.parent.branches + 1 end
    if node.parent and (node.moved or node.moves) then node.parent.moves = true end
  end
  return tree
end

--- The shapes of each link, by its name: its collision shapes, or its visual ones if it has none.
function parts.shapes(model)
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

--- The group of each link: that of the nearest joint towards the root that has one.
local function group_by_dof(tree, dofs)
  local group_of, groups = {}, {}
  for _, dof in ipairs(dofs) do group_of[dof.name] = dof.group end
  for _, node in ipairs(tree) do
    local variable = node.moved and node.joint.variables[1]
    groups[node.name] = group_of[variable or ""] or (node.parent and groups[node.parent.name])
  end
  return groups
end

--- Without groups: each branch of the tree is one.
local function group_by_branch(tree)
  local groups = {}
  for _, node in ipairs(tree) do
    local above = node.parent and groups[node.parent.name]
    local parts_here = node.moved and not node.joint.mimic
      and (not above or (node.parent.branches > 1 and node.moves))
    groups[node.name] = parts_here and node.name or above
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
  for _, node in ipairs(tree) do take(of_link[node.name]) end
  return of_link, order, named
end

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

--- Whether a fixed link is the end of a chain.
local function ends_chain(node)
  return node.parent.moved and not node.parent.moves
end

--- Whether a point lies inside one of several solids.
local function inside(these, p)
  for _, solid in ipairs(these) do
    local points, within = solid.points, true
    for _, face in ipairs(solid.faces) do
      local a, b, c = points[face[1]], points[face[2]], points[face[3]]
      local ux, uy, uz, vx, vy, vz = b[1] - a[1], b[2] - a[2], b[3] - a[3], c[1] - a[1], c[2] - a[2],
        c[3] - a[3]
      within = within and (uy * vz - uz * vy) * (p[1] - a[1]) + (uz * vx - ux * vz) * (p[2] - a[2])
        + (ux * vy - uy * vx) * (p[3] - a[3]) < 0
    end
    if within then return true end
  end
  return false
end

--- Rods between the origins of links: thick if they are the only visible parts, thin if they bridge the gap
--- from a shape to the next joint.
local function bones(solids_of, tree, poses, size, grain)
  local rods = {}
  for _, node in ipairs(tree) do
    local around = solids_of[node.parent and node.parent.name or ""]
    local bold = not around
    if node.parent and (node.moved or node.moves or (bold and ends_chain(node))) then
      local from, to = poses[node.parent.name].position, poses[node.name].position
      local length = distance(from, to)
      if length > 0.005 * size and (bold or inside(around, from)) then
        local thick = bold and (node.moved or node.moves)
        local radius = math.min((thick and 0.014 or 0.007) * size, 0.25 * length)
        rods[#rods + 1] = { link = bold and node.parent.name or nil,
          solid = solids.bone(from, to, radius, grain) }
      end
    end
  end
  return rods
end

--- Size of the robot in this pose, m: over the origins of its links and the corners of its shapes.
local function extent(poses, shapes)
  local lower, upper = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  local function take(p)
    for k = 1, 3 do lower[k], upper[k] = math.min(lower[k], p[k]), math.max(upper[k], p[k]) end
  end
  for link, pose in next, poses do
    take(pose.position)
    for _, shape in ipairs(shapes[link] or {}) do
      for _, point in ipairs(shape.points or solids.of(shape, math.huge).points) do
        take(parts.place(pose, parts.place(shape.pose, point)))
      end
    end
  end
  return math.max(0.05, distance(lower, upper))
end

--- All solids in world coordinates: a list of { link, solid }; link nil: of no particular link.
---@param model userdata
---@param tree table from parts.tree
---@param poses table<string, table> world pose of each link
---@param coarse? number factor of the length of circles' sides, for a small picture
---@return table[] list
---@return number size rough extent of the robot, m
function parts.solids(model, tree, poses, coarse)
  local shapes, list, solids_of = parts.shapes(model), {}, {}
  local size = extent(poses, shapes)
  local grain = (coarse or 1) * size / 90 * math.max(1, math.min(2.5, math.sqrt(#model:collisions() / 40)))
  for _, node in ipairs(tree) do
    for _, shape in ipairs(shapes[node.name] or {}) do
      local solid = solids.of(shape, grain)
      for index, point in ipairs(solid.points) do
        solid.points[index] = parts.place(poses[node.name], parts.place(shape.pose, point))
      end
      list[#list + 1] = { link = node.name, solid = solid }
      solids_of[node.name] = solids_of[node.name] or {}
      table.insert(solids_of[node.name], solid)
    end
  end
  local rods = bones(solids_of, tree, poses, size, grain)
  return table.move(rods, 1, #rods, #list + 1, list), size
end

return parts
