--- A plan of footsteps, drawn from above: x to the right, y up.
local canvas = require "brio.canvas"
local geometry = require "brio.lib.geometry"

local steps = {}

local width, margin, least, most = 720, 28, 120, 1200 -- points
local colors = { left = { 0.15, 0.4, 0.75 }, right = { 0.85, 0.45, 0.1 } }

--- The corners of a sole, {x1, y1, ...} in m.
local function corners_of(pose, size)
  local points = {}
  for _, sign in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do
    local p = geometry.turn(pose.orientation or { 0, 0, 0, 1 },
      { sign[1] * size[1] / 2, sign[2] * size[2] / 2, 0 })
    points[#points + 1], points[#points + 2] = pose.position[1] + p[1], pose.position[2] + p[2]
  end
  return points
end

--- The outline of an obstacle, seen from above.
local function outline_of(obstacle)
  local pose, size, points = obstacle.pose or { position = { 0, 0, 0 } },
    obstacle.size or { 0.1, 0.1, 0.1 }, {}
  if obstacle.kind == "box" then return corners_of(pose, size) end
  for index = 0, 31 do
    local angle = index * math.pi / 16
    points[#points + 1] = pose.position[1] + size[1] * math.cos(angle)
    points[#points + 1] = pose.position[2] + size[1] * math.sin(angle)
  end
  return points
end

--- All shapes of a plan: {points =, color =, filled =, label =}, in m.
local function shapes_of(plan)
  local list = {}
  local function add(shape) list[#list + 1] = shape end
  for _, region in ipairs(plan.regions or {}) do
    local points, z = {}, 0
    for _, corner in ipairs(region) do
      points[#points + 1], points[#points + 2], z = corner[1], corner[2], z + corner[3] / #region
    end
    add { points = points, color = { 0.93, 0.93, 0.9 }, filled = true, edge = { 0.7, 0.7, 0.65 },
      corner = ("%.2f m"):format(z) }
  end
  for _, obstacle in ipairs(plan.obstacles or {}) do
    add { points = outline_of(obstacle), color = { 0.55, 0.55, 0.55 }, filled = true, label = obstacle.name }
  end
  if plan.way and #plan.way > 1 then
    local points = {}
    for _, point in ipairs(plan.way) do points[#points + 1], points[#points + 2] = point[1], point[2] end
    add { points = points, color = { 0.3, 0.65, 0.3 }, open = true }
  end
  for _, side in ipairs { "left", "right" } do
    add { points = corners_of(plan.start[side], plan.sole), color = { 0.6, 0.6, 0.6 } }
  end
  for index, step in ipairs(plan.steps) do
    add { points = corners_of(step.pose, plan.sole), color = colors[step.side], label = tostring(index) }
  end
  return list
end

--- The bounding box of all shapes, and the scale in points per meter.
local function frame_of(list)
  local box = { math.huge, math.huge, -math.huge, -math.huge }
  for _, shape in ipairs(list) do
    for index = 1, #shape.points, 2 do
      local x, y = shape.points[index], shape.points[index + 1]
      box[1], box[2], box[3], box[4] = math.min(box[1], x), math.min(box[2], y), math.max(box[3], x),
        math.max(box[4], y)
    end
  end
  local scale = math.min((width - 2 * margin) / math.max(0.2, box[3] - box[1]),
    (most - 2 * margin) / math.max(0.2, box[4] - box[2]))
  return box, scale
end

local function middle_of(points)
  local x, y = 0, 0
  for index = 1, #points, 2 do x, y = x + points[index], y + points[index + 1] end
  return 2 * x / #points, 2 * y / #points
end

local function draw(c, shape)
  local r, g, b = table.unpack(shape.color)
  if shape.open then
    c:color(r, g, b):line(shape.points, 2)
    return
  end
  if shape.filled then c:color(r, g, b):polygon(shape.points, true) end
  c:color(table.unpack(shape.edge or shape.color)):polygon(shape.points, false, 1.5)
  local x, y = middle_of(shape.points)
  if shape.filled then r, g, b = 1, 1, 1 end
  if shape.label then c:color(r, g, b):text(x, y + 4, 11, shape.label, "middle") end
  if shape.corner then
    c:color(0.5, 0.5, 0.45):text(shape.points[1] + 4, shape.points[2] - 4, 10, shape.corner)
  end
end

--- Draw a plan into a file that ends with .svg or .png: {steps, start = {left =, right =}, sole = {length,
--- width}, [way, regions, obstacles]}.  Return true, or nil, a sentence and a code.
function steps.draw(path, plan)
  local list = shapes_of(plan)
  local box, scale = frame_of(list)
  local height = math.max(least, math.floor((box[4] - box[2]) * scale + 2 * margin + 0.5))
  local c, why, code = canvas.new { width = width, height = height,
    [path:match "%.png$" and "png" or "svg"] = path }
  if not c then return nil, why, code end
  for _, shape in ipairs(list) do
    for index = 1, #shape.points, 2 do
      shape.points[index] = margin + (shape.points[index] - box[1]) * scale
      shape.points[index + 1] = height - margin - (shape.points[index + 1] - box[2]) * scale
    end
    draw(c, shape)
  end
  return c:finish()
end

return steps
