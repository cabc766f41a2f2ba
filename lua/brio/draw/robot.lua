--- Draws a robot in a pose, as SVG or PNG: shaded solids, painted from far to near, on a ground with a grid,
--- with a legend of colors and a scale.
---
---     local draw = require "brio.draw.robot"
---     assert(draw.picture(pepper, { pose = "greet", png = "pepper.png" }))
local camera = require "brio.draw.camera"
local cover = require "brio.draw.cover"
local canvas = require "brio.canvas"
local hull = require "brio.draw.hull"
local painter = require "brio.draw.painter"
local parts = require "brio.draw.parts"
local suggest = require "brio.lib.suggest"

local draw = {}

local palette = { -- one a group: red, green, blue
  { 0.36, 0.55, 0.78 }, { 0.93, 0.62, 0.33 }, { 0.38, 0.68, 0.58 }, { 0.85, 0.45, 0.47 },
  { 0.62, 0.52, 0.77 }, { 0.86, 0.76, 0.40 }, { 0.47, 0.71, 0.82 }, { 0.72, 0.58, 0.48 },
}
local plain = { 0.80, 0.82, 0.85 } -- what no joint carries
local ink, faint, shade = { 0.16, 0.19, 0.24 }, { 0.45, 0.49, 0.55 }, { 0.885, 0.895, 0.915 }
local axes = { { 0.85, 0.22, 0.22 }, { 0.22, 0.65, 0.30 }, { 0.22, 0.42, 0.88 } }
local light = { 0.35, 0.45, 0.82 } -- toward it, in the view's right, up and toward the eye
local margin, head, foot = 46, 84, 64
local hair = 0.35 -- points

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function unit(a)
  local length = math.sqrt(dot(a, a))
  return length > 0 and { a[1] / length, a[2] / length, a[3] / length } or { 0, 0, 1 }
end

--- The direction a face looks to (Newell's method: right for any flat polygon).
local function normal_of(points, face)
  local n = { 0, 0, 0 }
  for k, index in ipairs(face) do
    local a, b = points[index], points[face[k % #face + 1]]
    n[1] = n[1] + (a[2] - b[2]) * (a[3] + b[3])
    n[2] = n[2] + (a[3] - b[3]) * (a[1] + b[1])
    n[3] = n[3] + (a[1] - b[1]) * (a[2] + b[2])
  end
  return unit(n)
end

--- A color of a face under the light.
local function lit(color, normal, view)
  local source = unit(light)
  local x, y, z = dot(normal, view.right), dot(normal, view.up), dot(normal, view.toward)
  local bright = 0.58 + 0.48 * math.max(0, x * -source[1] + y * source[2] + z * source[3])
  local shine = 0.16 * math.max(0, x * -0.25 + y * 0.35 + z * 0.9) ^ 24
  local out = {}
  for k = 1, 3 do out[k] = math.max(0, math.min(1, color[k] * bright + shine)) end
  return out
end

-- The robot: a list of items to paint, each with its depth -------------------------------------

--- The visible outline edges and sharp edges of a solid: a set of keys.
local function drawn_edges(solid, normals, seen)
  local first, drawn = {}, {}
  for index, face in ipairs(solid.faces) do
    for k, corner in ipairs(face) do
      local other = face[k % #face + 1]
      local key = math.min(corner, other) << 24 | math.max(corner, other)
      local before = first[key]
      if not before then
        first[key] = index
      elseif seen[before] ~= seen[index] or dot(normals[before], normals[index]) < 0.7 then
        drawn[key] = true
      end
    end
  end
  return drawn
end

--- Add the visible faces of a solid to a list of polygons.
local function add_solid(list, solid, color, view)
  local points, normals, seen = {}, {}, {}
  for index, p in ipairs(solid.points) do
    local x, y, near = camera.project(view, p)
    points[index] = { x, y, near * view.scale }
  end
  for index, face in ipairs(solid.faces) do
    normals[index] = normal_of(solid.points, face)
    seen[index] = dot(normals[index], view.toward) > 1e-6
  end
  local drawn = drawn_edges(solid, normals, seen)
  for index, face in ipairs(solid.faces) do
    if seen[index] then
      local polygon = { points = {}, edges = {}, solid = solid, color = lit(color, normals[index], view),
        ink = { color[1] * 0.42, color[2] * 0.42, color[3] * 0.42 } }
      for k, corner in ipairs(face) do
        local other = face[k % #face + 1]
        polygon.points[k] = points[corner]
        local key = math.min(corner, other) << 24 | math.max(corner, other)
        polygon.edges[k] = drawn[key] and "drawn" or "inner"
      end
      list[#list + 1] = polygon
    end
  end
end

--- The unit normal of an edge on paper, outward, and how far to move the edge along it.
local function edge_shift(points, edges, k)
  local p, q = points[k], points[k % #points + 1]
  local x, y = q[1] - p[1], q[2] - p[2]
  local length = math.sqrt(x * x + y * y)
  if length < 1e-9 then return 0, 0, 0 end
  return -y / length, x / length, edges[k] == "tile" and 0 or hair
end

--- The outline of a polygon, widened by a hair, so that no seams show between neighbors.
local function widened(polygon)
  local points, flat = polygon.points, {}
  local ax, ay, a = edge_shift(points, polygon.edges, #points)
  for k, p in ipairs(points) do
    local bx, by, b = edge_shift(points, polygon.edges, k)
    local cosine = ax * bx + ay * by
    local sine2 = math.max(0.1, 1 - cosine * cosine) -- limits the tip at a sharp corner
    local x = (ax * (a - b * cosine) + bx * (b - a * cosine)) / sine2
    local y = (ay * (a - b * cosine) + by * (b - a * cosine)) / sine2
    if 1 - cosine < 0.05 then x, y = ax * (a + b) / 2, ay * (a + b) / 2 end
    flat[2 * k - 1], flat[2 * k] = p[1] + x, p[2] + y
    ax, ay, a = bx, by, b
  end
  return flat
end

local function paint(c, polygons)
  for _, polygon in ipairs(polygons) do
    local points = polygon.points
    c:color(table.unpack(polygon.color)):polygon(widened(polygon), true)
    for k, p in ipairs(points) do
      if polygon.edges[k] == "drawn" then
        local q = points[k % #points + 1]
        local long = math.abs(p[1] - q[1]) + math.abs(p[2] - q[2]) > 0.8 -- skips tiny edges
        if long then c:color(table.unpack(polygon.ink)):line({ p[1], p[2], q[1], q[2] }, 1.1) end
      end
    end
  end
end

-- The ground ------------------------------------------------------------------------------------

--- The largest of 1, 2, 5 x 10^n up to `length`.
local function round_length(length)
  local power = 10 ^ math.floor(math.log(length, 10) + 1e-9)
  local lead = length / power
  return power * (lead >= 5 and 5 or lead >= 2 and 2 or 1)
end

--- The ground under the robot: a square around it at the height of its lowest point.
local function ground_of(solids, poses, size)
  local lower, upper = { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  local function take(p)
    for k = 1, 3 do lower[k], upper[k] = math.min(lower[k], p[k]), math.max(upper[k], p[k]) end
  end
  for _, part in ipairs(solids) do
    for _, p in ipairs(part.solid.points) do take(p) end
  end
  if #solids == 0 then
    for _, pose in next, poses do take(pose.position) end
  end
  local step = round_length(size / 6)
  local function span(k)
    return math.floor((lower[k] - 0.4 * step) / step) * step, math.ceil((upper[k] + 0.4 * step) / step) * step
  end
  local x0, x1 = span(1)
  local y0, y1 = span(2)
  local height = lower[3] > -1e-3 and lower[3] < 0.3 * size and math.min(0, lower[3]) or lower[3]
  return { x0 = x0, x1 = x1, y0 = y0, y1 = y1, z = height, step = step, top = upper[3] }
end

--- The points that must be on the paper.
local function extremes(solids, ground)
  local list = {}
  for _, x in ipairs { ground.x0, ground.x1 } do
    for _, y in ipairs { ground.y0, ground.y1 } do list[#list + 1] = { x, y, ground.z } end
  end
  for _, part in ipairs(solids) do
    table.move(part.solid.points, 1, #part.solid.points, #list + 1, list)
  end
  return list
end

local function paint_ground(c, ground, view)
  local function line(x0, y0, x1, y1)
    local ax, ay = camera.project(view, { x0, y0, ground.z })
    local bx, by = camera.project(view, { x1, y1, ground.z })
    c:line({ ax, ay, bx, by }, view.flat and 1.2 or 0.8)
  end
  c:color(0.80, 0.82, 0.86)
  for k = 0, math.floor((ground.x1 - ground.x0) / ground.step + 0.5) do
    line(ground.x0 + k * ground.step, ground.y0, ground.x0 + k * ground.step, ground.y1)
  end
  for k = 0, math.floor((ground.y1 - ground.y0) / ground.step + 0.5) do
    line(ground.x0, ground.y0 + k * ground.step, ground.x1, ground.y0 + k * ground.step)
  end
end

--- Shade the part of the ground below each solid.
local function paint_shadow(c, solids, ground, view)
  if view.flat then return end
  c:color(table.unpack(shade))
  for _, part in ipairs(solids) do
    local points = {}
    for index, p in ipairs(part.solid.points) do
      points[index] = { camera.project(view, { p[1], p[2], ground.z }) }
    end
    local flat = {}
    for _, p in ipairs(hull.outline(points)) do
      flat[#flat + 1] = p[1]
      flat[#flat + 1] = p[2]
    end
    if #flat >= 6 then c:polygon(flat, true, 2) end
  end
end

-- Texts and marks over it -------------------------------------------------------------------------

local function paint_axes(c, pose, length, view)
  local x0, y0 = camera.project(view, pose.position)
  for k = 1, 3 do
    local tip = { 0, 0, 0 }
    tip[k] = length
    local x1, y1 = camera.project(view, parts.place(pose, tip))
    c:color(axes[k][1], axes[k][2], axes[k][3], 0.9):line({ x0, y0, x1, y1 }, 2)
  end
end

local function paint_joints(c, tree, poses, view)
  for _, node in ipairs(tree) do
    if node.moved and not node.joint.mimic then
      local x, y = camera.project(view, poses[node.name].position)
      c:color(1, 1, 1, 0.85):circle(x, y, 3, true)
      c:color(ink[1], ink[2], ink[3], 0.9):circle(x, y, 3, false, 1.1)
    end
  end
end

local function paint_names(c, tree, poses, view)
  c:color(table.unpack(ink))
  for _, node in ipairs(tree) do
    local x, y = camera.project(view, poses[node.name].position)
    c:text(x + 6, y - 4, 9, node.name)
  end
end

local function subtitle(description, pose_name, ground)
  local tree, outside = 0, 0
  for _, dof in ipairs(description.dofs) do
    if dof.outside then outside = outside + 1 else tree = tree + 1 end
  end
  local words = { "pose " .. pose_name, tree .. (tree == 1 and " joint" or " joints") }
  if outside > 0 then
    words[#words + 1] = outside .. (outside == 1 and " DOF" or " DOFs") .. " outside the tree"
  end
  if description.robot:mass() > 0 then words[#words + 1] = ("%.4g kg"):format(description.robot:mass()) end
  words[#words + 1] = ("%.2f m high"):format(ground.top - ground.z)
  return table.concat(words, "  ·  ")
end

--- A line of text, smaller if it would not fit.
local function write_fitted(c, y, size, text, width)
  local room, needed = width - 2 * margin, c:text_width(size, text)
  c:text(margin, y, needed > room and size * room / needed or size, text)
end

local function paint_legend(c, order, color_of, height)
  local x, y = margin, height - 20
  for _, group in ipairs(order) do
    local color = color_of[group]
    c:color(table.unpack(color)):circle(x + 5, y - 4, 5, true)
    local label = group:gsub("_", " ")
    c:color(table.unpack(faint)):text(x + 15, y, 12, label)
    x = x + 15 + c:text_width(12, label) + 18
  end
end

local function paint_scale(c, ground, view, width, height)
  local length = ground.step * view.scale
  local x, y = width - margin, height - 24
  c:color(table.unpack(faint)):line({ x - length, y, x, y }, 1.5)
  c:line({ x - length, y - 4, x - length, y + 4 }, 1.5):line({ x, y - 4, x, y + 4 }, 1.5)
  c:text(x - length / 2, y - 7, 11, ("%g m"):format(ground.step), "middle")
end

-- All of it ---------------------------------------------------------------------------------------

--- The joint values of a pose: a name in the description, or a table of values.
local function joints_of(description, pose)
  pose = pose or description.home
  if type(pose) == "table" then return pose, "as given" end
  local found = description.poses[pose]
  if not found then
    local names = suggest.keys(description.poses)
    return nil, ("%s has no pose '%s'%s: it has %s"):format(description.name, tostring(pose),
      suggest.hint(tostring(pose), names), table.concat(names, ", "))
  end
  return found.joints, pose
end

--- Everything that the picture shows, before it is put on paper.
local function scene_of(description, joints, coarse)
  local model, moved = description.robot, {}
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then moved[dof.name] = joints[dof.name] or dof.rest end
  end
  local scene = { model = model, tree = parts.tree(model), poses = model:forward({ joints = moved }).links }
  scene.solids, scene.size = parts.solids(model, scene.tree, scene.poses, coarse)
  scene.ground = ground_of(scene.solids, scene.poses, scene.size)
  scene.group_of, scene.groups, scene.named = parts.groups(scene.tree, description)
  scene.color_of = {}
  for index, group in ipairs(scene.groups) do scene.color_of[group] = palette[(index - 1) % #palette + 1] end
  return scene
end

--- The visible polygons of a robot, in painting order.
local function polygons_of(scene, view)
  local list = {}
  for _, part in ipairs(scene.solids) do
    add_solid(list, part.solid, scene.color_of[scene.group_of[part.link or ""] or ""] or plain, view)
  end
  return cover.visible(painter.order(list))
end

--- Fit the view to paper of that width; return the height of the paper.
local function fit_paper(view, scene, width)
  local points, across = extremes(scene.solids, scene.ground), width - 2 * margin
  camera.fit(view, points, { left = 0, top = 0, width = 1, height = 1e6 })
  local upper, lower = math.huge, -math.huge
  for _, p in ipairs(points) do
    local _, y = camera.project(view, p)
    upper, lower = math.min(upper, y), math.max(lower, y)
  end
  local height = math.ceil(math.max(0.5 * width,
    math.min(1.1 * width, (lower - upper) * across + head + foot)))
  camera.fit(view, points, { left = margin, top = head, width = across, height = height - head - foot })
  return height
end

--- A robot in several poses, all in the same view and scale, for drawing side by side by `paint`.
---@param description table from brio.robots
---@param poses table<string, number>[] values of joints by name
---@param view_name string "iso", "front" or "side"
---@param frame { width: number, height: number } how much room each has on paper, points
---@return { paint: fun(paper: table, index: integer, x: number, y: number) } figures x, y: the middle
function draw.figures(description, poses, view_name, frame)
  local scenes, view, points = {}, camera.look(view_name), {}
  for index, joints in ipairs(poses) do
    scenes[index] = scene_of(description, joints, 3)
    for _, part in ipairs(scenes[index].solids) do
      table.move(part.solid.points, 1, #part.solid.points, #points + 1, points)
    end
  end
  camera.fit(view, points, { left = -frame.width / 2, top = -frame.height / 2, width = frame.width,
    height = frame.height })
  local left, top = view.x, view.y
  return { paint = function(paper, index, x, y)
    view.x, view.y = left + x, top + y
    paint(paper, polygons_of(scenes[index], view))
  end }
end

--- Paint a whole picture, and write its file.
local function put_on_paper(c, picture)
  local scene, view, description = picture.scene, picture.view, picture.description
  paint_shadow(c, scene.solids, scene.ground, view)
  paint_ground(c, scene.ground, view)
  paint(c, picture.polygons)
  paint_joints(c, scene.tree, scene.poses, view)
  paint_axes(c, scene.poses[scene.tree[1].name], 0.08 * scene.size, view)
  for _, role in ipairs(suggest.keys(description.roles)) do
    paint_axes(c, scene.poses[description.roles[role]], 0.05 * scene.size, view)
  end
  if picture.names then paint_names(c, scene.tree, scene.poses, view) end
  c:color(table.unpack(ink))
  write_fitted(c, 38, 22, description.title, picture.width)
  c:color(table.unpack(faint))
  write_fitted(c, 59, 12, subtitle(description, picture.pose_name, scene.ground), picture.width)
  if scene.named then paint_legend(c, scene.groups, scene.color_of, picture.height) end
  paint_scale(c, scene.ground, view, picture.width, picture.height)
  return c:finish()
end

--- Draw a robot.
---@param description table from brio.robots
---@param options { pose?: string|table, view?: string, svg?: string, png?: string, names?: boolean,
---  width?: number }
---  pose: a name or a table of joint = value (default: home); view: "iso" (default), "front", "side";
---  svg, png: the files, one or both; names: write the links' names;
---  width: of the picture in points (default 760)
---@return boolean? done
---@return string? sentence
---@return string? code misuse (an unknown pose or view), no_file, io
function draw.picture(description, options)
  local joints, pose_name = joints_of(description, options.pose)
  if not joints then return nil, pose_name, "misuse" end
  local view_name = options.view or "iso"
  if not camera.views[view_name] then
    local names = suggest.keys(camera.views)
    return nil, ("there is no view '%s'%s: there are %s"):format(view_name, suggest.hint(view_name, names),
      table.concat(names, ", ")), "misuse"
  end
  local picture = { description = description, pose_name = pose_name, names = options.names,
    scene = scene_of(description, joints), view = camera.look(view_name), width = options.width or 760 }
  picture.height = fit_paper(picture.view, picture.scene, picture.width)
  picture.polygons = polygons_of(picture.scene, picture.view)
  for _, kind in ipairs { "svg", "png" } do
    if options[kind] then
      local c, why, code = canvas.new { width = picture.width, height = picture.height,
        [kind] = options[kind], scale = kind == "png" and 2 or nil }
      if not c then return nil, why, code end
      local done
      done, why, code = put_on_paper(c, picture)
      if not done then return nil, why, code end
    end
  end
  return true
end

return draw
