--- Draws a point cloud: from its sensor's view (or obliquely from above, if there is none), and from above;
--- with found objects and counted solids, and a list of them below.
local canvas = require "brio.canvas"
local clouds = require "brio.cloud"
local geometry = require "brio.lib.geometry"
local point_clouds = require "brio.perception.point_clouds"

local picture = {}

local ink, faint = { 0.16, 0.19, 0.24 }, { 0.45, 0.49, 0.55 }
local ground = { 0.07, 0.08, 0.10 }
local palette = {
  { 0.98, 0.75, 0.18 }, { 0.35, 0.78, 0.98 }, { 0.55, 0.90, 0.40 }, { 0.98, 0.45, 0.55 },
  { 0.80, 0.60, 1.00 },
  { 0.30, 0.90, 0.75 }, { 1.00, 0.60, 0.30 }, { 0.75, 0.80, 0.90 },
}
local margin, head, gap, line_height = 28, 76, 20, 18
local panels = { { width = 640, height = 480 }, { width = 480, height = 480 } }
local fine = 2 -- pixels a point

-- Views -----------------------------------------------------------------------------------------------

--- The range of nearly all values: without a hundredth at either end.
local function span(values)
  table.sort(values)
  local cut = #values // 100
  return values[1 + cut], values[#values - cut]
end

--- Projection of a point: column, row, and whether it is in front of the eye.
local function project(view, p)
  local at = {}
  for k, row in ipairs(view.rows) do at[k] = row[1] * p[1] + row[2] * p[2] + row[3] * p[3] + row[4] end
  if not view.perspective then return at[1], at[2], true end
  if at[3] < 0.05 then return 0, 0, false end
  return at[1] / at[3], at[2] / at[3], true
end

--- Fit a perspective view to a panel, with the whole sample within its edges.
local function fit(view, sample, panel)
  local xs, ys = {}, {}
  for _, p in ipairs(sample) do
    local x, y, seen = project(view, p)
    if seen then xs[#xs + 1], ys[#ys + 1] = x, y end
  end
  if #xs == 0 then xs, ys = { 0 }, { 0 } end
  local left, right = span(xs)
  local top, bottom = span(ys)
  local scale =
    0.94 * math.min(panel.width / math.max(right - left, 1e-3), panel.height / math.max(bottom - top, 1e-3))
  local shift =
    { panel.width / 2 - scale * (left + right) / 2, panel.height / 2 - scale * (top + bottom) / 2 }
  local depth = view.rows[3]
  for k = 1, 2 do
    for i = 1, 4 do
      view.rows[k][i] = scale * view.rows[k][i] + (view.perspective and shift[k] * depth[i] or 0)
    end
    if not view.perspective then view.rows[k][4] = view.rows[k][4] + shift[k] end
  end
  view.scale = scale
  return view
end

--- Whether nearly all points are ahead of the eye, within a camera's field of view.
local function has_eye(sample, eye)
  local ahead = 0
  for _, p in ipairs(sample) do
    local x, y, z = p[1] - eye[1], p[2] - eye[2], p[3] - eye[3]
    if x > 0.05 and math.abs(y) < 2.5 * x and math.abs(z) < 2.5 * x then ahead = ahead + 1 end
  end
  return #sample > 0 and ahead > 0.95 * #sample
end

--- From the sensor, or from above at an angle.
local function front_view(sample, eye, panel)
  if has_eye(sample, eye) then
    return fit({ perspective = true, name = "as the sensor sees it",
      rows = { { 0, -1, 0, eye[2] }, { 0, 0, -1, eye[3] }, { 1, 0, 0, -eye[1] } } }, sample, panel)
  end
  local a, e = math.rad(35), math.rad(25)
  return fit({ name = "from the side and above", rows = {
    { -math.sin(a), math.cos(a), 0, 0 },
    { math.sin(e) * math.cos(a), math.sin(e) * math.sin(a), -math.cos(e), 0 },
    { -math.cos(e) * math.cos(a), -math.cos(e) * math.sin(a), -math.sin(e), 0 } } }, sample, panel)
end

--- From above: forward is up on paper.
local function top_view(sample, panel)
  return fit({ name = "from above, forward is up",
    rows = { { 0, -1, 0, 0 }, { -1, 0, 0, 0 }, { 0, 0, -1, 0 } } }, sample, panel)
end

-- Solids as lines --------------------------------------------------------------------------------------

local function circle(radius, place)
  local points = {}
  for k = 0, 32 do
    local angle = k * math.pi / 16
    points[#points + 1] = place(radius * math.cos(angle), radius * math.sin(angle))
  end
  return points
end

local function rounds(radius, half)
  local list = {}
  for _, z in ipairs { -half, half } do
    list[#list + 1] = circle(radius, function(x, y) return { x, y, z } end)
  end
  for k = 0, 3 do
    local x, y = radius * math.cos(k * math.pi / 2), radius * math.sin(k * math.pi / 2)
    list[#list + 1] = { { x, y, -half }, { x, y, half } }
  end
  return list
end

local outlines = {
  sphere = function(s)
    return { circle(s[1], function(x, y) return { x, y, 0 } end),
      circle(s[1], function(x, y) return { x, 0, y } end),
      circle(s[1], function(x, y) return { 0, x, y } end) }
  end,
  cylinder = function(s) return rounds(s[1], s[3] / 2) end,
  capsule = function(s)
    local list = rounds(s[1], s[3] / 2)
    for _, flip in ipairs { { 1, 0 }, { 0, 1 } } do
      list[#list + 1] = circle(s[1],
        function(x, y) return { flip[1] * x, flip[2] * x, y + (y > 0 and 1 or -1) * s[3] / 2 } end)
    end
    return list
  end,
  box = function(s)
    local list = {}
    for k = 0, 3 do
      local a, b = (k & 1) - 0.5, (k >> 1) - 0.5
      list[#list + 1] = { { -s[1] / 2, a * s[2], b * s[3] }, { s[1] / 2, a * s[2], b * s[3] } }
      list[#list + 1] = { { a * s[1], -s[2] / 2, b * s[3] }, { a * s[1], s[2] / 2, b * s[3] } }
      list[#list + 1] = { { a * s[1], b * s[2], -s[3] / 2 }, { a * s[1], b * s[2], s[3] / 2 } }
    end
    return list
  end,
  half_space = function()
    local list = {}
    for k = -2, 2 do
      list[#list + 1] = { { k / 4, -0.5, 0 }, { k / 4, 0.5, 0 } }
      list[#list + 1] = { { -0.5, k / 4, 0 }, { 0.5, k / 4, 0 } }
    end
    list[#list + 1] = { { 0, 0, 0 }, { 0, 0, 0.2 } }
    return list
  end,
}

--- The lines of a solid {kind, size, pose}; of a half-space, those around its pose.
function picture.outline(solid)
  local lines = outlines[solid.kind](solid.size)
  for _, points in ipairs(lines) do
    for k, p in ipairs(points) do
      local turned = geometry.turn(solid.pose.orientation, p)
      points[k] = { turned[1] + solid.pose.position[1], turned[2] + solid.pose.position[2],
        turned[3] + solid.pose.position[3] }
    end
  end
  return lines
end

-- On paper ---------------------------------------------------------------------------------------------

--- Draw a polyline piece by piece, as far as it is on the panel.
local function draw_line(c, view, panel, points, width)
  for k = 2, #points do
    local x0, y0, a = project(view, points[k - 1])
    local x1, y1, b = project(view, points[k])
    local near = math.max(math.abs(x0), math.abs(y0), math.abs(x1), math.abs(y1)) < 4 * panel.width
    local inside = math.min(x0, x1) < panel.width and math.max(x0, x1) > 0 and math.min(y0, y1) < panel.height
      and math.max(y0, y1) > 0
    if a and b and near and inside then
      local function clip(value, most) return math.max(0, math.min(most, value)) end
      c:line({ panel.x + clip(x0, panel.width), panel.y + clip(y0, panel.height),
        panel.x + clip(x1, panel.width),
        panel.y + clip(y1, panel.height) }, width)
    end
  end
end

--- The center of a thing's visible lines on a panel; nil: none are visible.
local function middle(view, panel, thing)
  local x, y, n = 0, 0, 0
  for _, points in ipairs(thing.lines or {}) do
    for _, p in ipairs(points) do
      local u, v, seen = project(view, p)
      if seen and u > 0 and u < panel.width and v > 0 and v < panel.height then
        x, y, n = x + u, y + v, n + 1
      end
    end
  end
  if n > 0 then return x / n, y / n end
end

--- Whether a box {left, top, right, bottom} overlaps one in a list.
local function is_taken(list, box)
  for _, other in ipairs(list) do
    if box[1] < other[3] and box[3] > other[1] and box[2] < other[4] and box[4] > other[2] then
      return true
    end
  end
end

--- Write a thing's name in the center of its lines, or at the nearest free place below or above; `taken` has
--- the boxes of names.
local function write_label(c, view, panel, thing, taken)
  local x, y = middle(view, panel, thing)
  if not x then return end
  local half = c:text_width(11, thing.name) / 2 + 3
  x = math.max(half, math.min(panel.width - half, x))
  local box
  for step = 0, 24 do
    local at = y + (step % 2 == 0 and 1 or -1) * ((step + 1) // 2) * 8
    at = math.max(16, math.min(panel.height - 2, at))
    box = { x - half, at - 14, x + half, at }
    if not is_taken(taken, box) then break end
  end
  taken[#taken + 1] = box
  local left, top, right, bottom = panel.x + box[1], panel.y + box[2], panel.x + box[3], panel.y + box[4]
  c:color(ground[1], ground[2], ground[3],
    0.7):polygon({ left, top, right, top, right, bottom, left, bottom }, true)
  c:color(table.unpack(thing.color)):text(panel.x + x, bottom - 3.5, 11, thing.name, "middle")
end

--- Tint the interior of a closed line.
local function fill(c, view, panel, points, color)
  local first, last, flat = points[1], points[#points], {}
  if #points < 4 or first[1] ~= last[1] or first[2] ~= last[2] or first[3] ~= last[3] then return end
  for _, p in ipairs(points) do
    local x, y, seen = project(view, p)
    if not seen then return end
    flat[#flat + 1] = panel.x + math.max(0, math.min(panel.width, x))
    flat[#flat + 1] = panel.y + math.max(0, math.min(panel.height, y))
  end
  c:color(color[1], color[2], color[3], 0.1):polygon(flat, true)
end

--- Size of a point in pixels, so that a surface shows no holes.
local function point_size(cloud, panel)
  local facts = cloud:facts()
  local points = math.max(1, facts.count)
  return math.max(1,
    math.min(24, math.ceil(math.sqrt(2 * panel.width * panel.height * fine * fine / points))))
end

local function paint_panel(c, cloud, colored, things, view, panel)
  local layers, rows = { { cloud = cloud, heights = not colored } }, {}
  for _, thing in ipairs(things) do
    if thing.cloud then layers[#layers + 1] = { cloud = thing.cloud, color = thing.color } end
  end
  for k, row in ipairs(view.rows) do
    rows[k] = {}
    for i = 1, 4 do rows[k][i] = row[i] * ((k < 3) and fine or 1) end
  end
  local columns, lines = panel.width * fine, panel.height * fine
  local bytes = assert(clouds.paint { layers = layers, view = rows, perspective = view.perspective,
    width = columns,
    height = lines, size = point_size(cloud, panel), color = ground, shade = not colored })
  c:image(panel.x, panel.y, panel.width, panel.height, columns, lines, bytes)
  for _, thing in ipairs(things) do
    for _, points in ipairs(thing.lines or {}) do
      if thing.kind ~= "shape" then fill(c, view, panel, points, thing.color) end
      c:color(table.unpack(thing.color))
      draw_line(c, view, panel, points, 1.6)
    end
  end
  local taken = {}
  for _, thing in ipairs(things) do write_label(c, view, panel, thing, taken) end
  c:color(table.unpack(faint)):text(panel.x, panel.y - 6, 12, view.name)
end

--- The largest of 1, 2, 5 x 10^n below a length.
local function round_length(length)
  local power = 10 ^ math.floor(math.log(length, 10))
  local lead = length / power
  return power * (lead >= 5 and 5 or lead >= 2 and 2 or 1)
end

local function paint_scale(c, view, panel)
  local meters = round_length(0.3 * panel.width / view.scale)
  local x, y = panel.x + panel.width - 14, panel.y + panel.height - 14
  c:color(1, 1, 1, 0.9):line({ x - meters * view.scale, y, x, y }, 2)
  c:text(x - meters * view.scale / 2, y - 6, 12, ("%g m"):format(meters), "middle")
end

--- The sensor's position, and the frame's axes.
local function paint_eye(c, view, panel, eye)
  for k, color in ipairs { { 0.95, 0.3, 0.3 }, { 0.3, 0.85, 0.4 }, { 0.4, 0.55, 1 } } do
    local tip = { eye[1], eye[2], eye[3] }
    tip[k] = tip[k] + 40 / view.scale
    c:color(table.unpack(color))
    draw_line(c, view, panel, { eye, tip }, 2)
  end
end

--- Number of rows of the list below: two columns if it is long and its texts are short.
local function rows_of(things)
  local longest = 0
  for _, thing in ipairs(things) do longest = math.max(longest, utf8.len(thing.text) or #thing.text) end
  return #things > 8 and longest <= 90 and (#things + 1) // 2 or #things
end

local function paint_list(c, things, y, rows, room)
  local wide = rows < #things and room / 2 or room
  for index, thing in ipairs(things) do
    local x, top = margin + (index > rows and wide or 0), y + (index - 1) % rows * line_height
    local size = math.min(13, 13 * (wide - 40) / c:text_width(13, thing.text))
    c:color(table.unpack(thing.color)):circle(x + 5, top - 4, 5, true)
    c:color(table.unpack(ink)):text(x + 17, top, size, thing.text)
  end
end

--- Draw a cloud (in brio's axes) and things: {text, label, lines, cloud, color}. `about`: path (.png or
--- .svg), title, subtitle, colored (otherwise colors show heights). Return true; nil, a sentence and a code.
function picture.draw(cloud, things, about)
  local sample, eye = point_clouds.sample(cloud, 4000), cloud:facts().viewpoint.position
  for index, thing in ipairs(things) do
    thing.color = thing.color or palette[(index - 1) % #palette + 1]
    local begin = thing.text:match "^([^:]*):"
    thing.name = begin and #begin <= 16 and begin or thing.label
  end
  local left = { x = margin, y = head, width = panels[1].width, height = panels[1].height }
  local right =
    { x = margin + left.width + gap, y = head, width = panels[2].width, height = panels[2].height }
  local width = right.x + right.width + margin
  local rows = rows_of(things)
  local height = head + left.height + margin + rows * line_height + (rows > 0 and 8 or 0)
  local c, why, code = canvas.new { width = width, height = height,
    scale = about.path:match "%.png$" and fine or nil,
    [about.path:match "%.png$" and "png" or "svg"] = about.path }
  if not c then return nil, why, code end
  c:color(table.unpack(ink)):text(margin, 30, 19, about.title)
  c:color(table.unpack(faint)):text(margin, 50, 12, about.subtitle)
  local top = top_view(sample, right)
  paint_panel(c, cloud, about.colored, things, front_view(sample, eye, left), left)
  paint_panel(c, cloud, about.colored, things, top, right)
  paint_eye(c, top, right, eye)
  paint_scale(c, top, right)
  paint_list(c, things, head + left.height + margin, rows, width - 2 * margin)
  return c:finish()
end

return picture
