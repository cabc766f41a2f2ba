--- A picture of a robot's expressions: its face, or its posture, around the plane of valence and arousal, and
--- below that every DOF over the angle.
---
---     circumplex.draw("probo.svg", { title = "Probo", rows = rows, emotions = list, paint = function(paper,
---       index, x, y) end })
---
--- Emotions are placed around the plane as evenly as possible, in their order, with a line to the position of
--- each.
local canvas = require "brio.canvas"
local chart = require "brio.draw.chart"

local circumplex = {}

local width, middle, ring, disc, room = 940, 470, 366, 205, 156
local ink, faint, grid = { 0.15, 0.15, 0.15 }, { 0.42, 0.45, 0.50 }, { 0.87, 0.88, 0.90 }
local panel = { height = 104, gap = 34, left = 62, between = 56 }

local function use(paper, color, opacity) paper:color(color[1], color[2], color[3], opacity or 1) end

--- Positions of emotions: equal steps around the circle, rotated to be as near to their angles as possible.
local function places(emotions)
  local count, x, y = #emotions, 0, 0
  for index, emotion in ipairs(emotions) do
    local away = math.rad(emotion.angle - (index - 1) * 360 / count)
    x, y = x + math.cos(away), y + math.sin(away)
  end
  local turn, list = math.deg(math.atan(y, x)), {}
  for index = 1, count do list[index] = turn + (index - 1) * 360 / count end
  return list
end

local function on_circle(angle, radius, center_y)
  local a = math.rad(angle)
  return middle + radius * math.cos(a), center_y - radius * math.sin(a)
end

--- The plane: a circle of full intensity and one of half, axes with words at their ends.
local function paint_plane(paper, y)
  use(paper, grid)
  paper:circle(middle, y, disc, false, 1)
  paper:circle(middle, y, disc / 2, false, 0.7)
  paper:line({ middle - disc, y, middle + disc, y }, 0.8):line({ middle, y - disc, middle, y + disc }, 0.8)
  use(paper, faint)
  for _, word in ipairs { { "pleasant", disc - 6, -6, "right" }, { "unpleasant", -disc + 6, -6, "left" } } do
    paper:text(middle + word[2], y + word[3], 11, word[1], word[4])
  end
  paper:text(middle + 6, y - disc + 16, 11, "aroused"):text(middle + 6, y + disc - 8, 11, "calm")
end

--- Colors of emotions, in the plane and above the curves.
local function color_of(index) return chart.colors[(index - 1) % #chart.colors + 1] end

--- An emotion's figure with its name on the outer side, so that the line to its position crosses nothing.
local function paint_emotion(paper, spec, index, place, y)
  local emotion = spec.emotions[index]
  local dot_x, dot_y = on_circle(emotion.angle, disc, y)
  local x, at_y = on_circle(place, ring, y)
  local way = math.sqrt((dot_x - x) ^ 2 + (dot_y - at_y) ^ 2)
  local share = math.min(1, 0.5 * room / way)
  use(paper, faint, 0.5)
  paper:line({ dot_x, dot_y, x + share * (dot_x - x), at_y + share * (dot_y - at_y) }, 0.9)
  use(paper, color_of(index))
  paper:circle(dot_x, dot_y, 4, true)
  spec.paint(paper, index, x, at_y)
  local above = math.sin(math.rad(place)) > 0.25
  local line = above and at_y - room / 2 - 14 or at_y + room / 2 + 6
  use(paper, ink)
  paper:text(x, line, 13, emotion.name, "middle")
  use(paper, faint)
  paper:text(x, line + 13, 10, ("%g°"):format(emotion.angle), "middle")
end

-- Curves ------------------------------------------------------------------------------------------------

--- Combine equal rows into one line: { label, row }; the two sides of a body share a name.
local function lines_of(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    local twin
    for _, line in ipairs(lines) do
      local same = #line.row.values == #row.values and line.row.over == row.over
      for index, value in ipairs(row.values) do
        same = same and line.row.values[index] == value and line.row.angles[index] == row.angles[index]
      end
      twin = twin or same and line or nil
    end
    if twin then
      local sided = twin.label:find "Left" or twin.label:find "^L%u"
      twin.label = sided and twin.label:gsub("Left", ""):gsub("^L(%u)", "%1") .. " (both)"
        or twin.label .. ", " .. row.name
    else
      lines[#lines + 1] = { label = row.name, row = row }
    end
  end
  return lines
end

--- Panels: DOFs by group and unit, offsets of joints together; at most six lines each.
local function panels_of(rows)
  local panels, by_key = {}, {}
  for _, row in ipairs(rows) do
    local key = ("%s|%s|%s"):format(row.group or "", row.unit, tostring(row.over))
    local one = by_key[key]
    if not one then
      one = { title = (row.group or row.name):gsub("_", " "), unit = row.unit, over = row.over, rows = {} }
      by_key[key], panels[#panels + 1] = one, one
    end
    one.rows[#one.rows + 1] = row
  end
  for _, one in ipairs(panels) do one.lines = lines_of(one.rows) end
  return panels
end

local function range_of(lines)
  local least, most = 0, 0
  for _, line in ipairs(lines) do
    for angle = 0, 360, 3 do
      local value = line.row.at(angle)
      least, most = math.min(least, value), math.max(most, value)
    end
  end
  local air = 0.08 * math.max(most - least, 1e-3)
  return least - air, most + air
end

--- A round number for the ends of an axis: 1, 2 or 5 times a power of ten, at most `value`.
local function round_below(value)
  local power = 10 ^ math.floor(math.log(value, 10))
  for _, factor in ipairs { 5, 2, 1 } do
    if factor * power <= value * (1 + 1e-9) then return factor * power end
  end
  return power
end

local function paint_axes(paper, one, box, emotions)
  local function x_of(angle) return box.x + angle / 360 * box.width end
  local function y_of(value) return box.y + box.height * (one.most - value) / (one.most - one.least) end
  local tick = round_below(math.max(one.most, -one.least))
  use(paper, grid)
  for _, emotion in ipairs(emotions) do
    paper:line({ x_of(emotion.angle), box.y, x_of(emotion.angle), box.y + box.height }, 0.6)
  end
  paper:polygon({ box.x, box.y, box.x + box.width, box.y, box.x + box.width, box.y + box.height, box.x,
    box.y + box.height }, false, 0.8)
  paper:line({ box.x, y_of(0), box.x + box.width, y_of(0) }, 0.9)
  for index, emotion in ipairs(emotions) do
    use(paper, color_of(index))
    paper:circle(x_of(emotion.angle), box.y, 2.4, true)
  end
  use(paper, faint)
  for _, value in ipairs { -tick, 0, tick } do
    if value >= one.least and value <= one.most then
      paper:text(box.x - 5, y_of(value) + 3.5, 9.5, ("%g"):format(value == 0 and 0 or value), "right")
    end
  end
  for angle = 0, 360, 90 do
    paper:text(x_of(angle), box.y + box.height + 12, 9.5, ("%d°"):format(angle), "middle")
  end
  use(paper, ink)
  local unit = one.unit == "1" and "" or ", " .. one.unit
  paper:text(box.x, box.y - 9, 11.5, one.title .. unit .. (one.over and ", over what is below" or ""))
  return x_of, y_of
end

local function paint_panel(paper, one, box, emotions)
  one.least, one.most = range_of(one.lines)
  local x_of, y_of = paint_axes(paper, one, box, emotions)
  local legend = box.x + box.width + 8
  for index, line in ipairs(one.lines) do
    local points = {}
    for angle = 0, 360, 2 do
      points[#points + 1], points[#points + 2] = x_of(angle), y_of(line.row.at(angle))
    end
    use(paper, chart.colors[(index - 1) % #chart.colors + 1])
    paper:line(points, 1.5)
    for knot, angle in ipairs(line.row.angles) do
      paper:circle(x_of(angle), y_of(line.row.values[knot]), 2.1, true)
    end
    local y = box.y + 10 + (index - 1) * 13
    if y < box.y + box.height + 4 then
      paper:line({ legend, y - 3.5, legend + 12, y - 3.5 }, 1.8)
      use(paper, ink)
      paper:text(legend + 16, y, 9.5, line.label)
    end
  end
end

local function paint_curves(paper, spec, panels, top)
  local wide = (width - 2 * panel.left - panel.between) / 2
  for index, one in ipairs(panels) do
    local column, line = (index - 1) % 2, (index - 1) // 2
    local box = { x = panel.left + column * (wide + panel.between),
      y = top + line * (panel.height + panel.gap + 18),
      width = wide - 110, height = panel.height }
    paint_panel(paper, one, box, spec.emotions)
  end
end

--- Draw it into a file that ends with .svg or .png: spec = {title, subtitle, rows (see expressions.compile),
--- emotions = list of {name, angle} by angle, paint(paper, index, x, y) for each of them, and for 0 the
--- neutral one}. Return true, or nil, a sentence and a code.
function circumplex.draw(path, spec)
  local kind = path:lower():match "%.(%w+)$"
  if kind ~= "svg" and kind ~= "png" then
    return nil, path .. ": a picture's name ends with .svg or .png", "misuse"
  end
  local panels, center = panels_of(spec.rows), 96 + ring + room / 2
  local top = center + ring + room / 2 + 62
  local height = top + (#panels + 1) // 2 * (panel.height + panel.gap + 18) + 4
  local paper, why, code = canvas.new { width = width, height = math.min(height, 16000), [kind] = path,
    scale = kind == "png" and 2 or nil }
  if not paper then return nil, why, code end
  use(paper, ink)
  paper:text(36, 40, 21, spec.title)
  use(paper, faint)
  paper:text(36, 60, 11.5, spec.subtitle or "")
  paint_plane(paper, center)
  local stands = places(spec.emotions)
  for index in ipairs(spec.emotions) do paint_emotion(paper, spec, index, stands[index], center) end
  use(paper, { 1, 1, 1 })
  paper:circle(middle, center, room * 0.6, true)
  spec.paint(paper, 0, middle, center - 6)
  use(paper, ink)
  paper:text(middle, center + room / 2 + 4, 13, "neutral", "middle")
  paint_curves(paper, spec, panels, top)
  return paper:finish()
end

return circumplex
