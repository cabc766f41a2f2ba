--- Charts over time for print: panels with a common time axis, lines, bands and marks, drawn on brio.canvas.
---
---     chart.draw("run.svg", { title = "a wave", from = 0, to = 4, panels = {
---       { title = "head", unit = "rad", lines = { { label = "HeadYaw", points = { 0, 0.1, 0.5, 0.2 } } } },
---       { title = "states", bands = { { from = 0, to = 2, label = "greet", row = "machine" } } } } })
---
--- A panel has lines, bands or events. A line is { label, points = {t, value, ...}, [color, faint, dots = {t,
--- value, ...}] }. A band is { from, to, label, row, [color, faint, key, depth, part] }: rows are drawn below
--- each other in the order of their first bands; `key` distinguishes rows with one name, `part` = { 0, 0.5 }
--- draws in the upper half of the row. `left` (points) is the width for the names of rows, which are then a
--- list, indented by their `depth`. A panel of bands may have a legend, a list of { label, color [, faint] }.
--- A panel of `events`, { t, label, [color] }, has a dot and a text for each, in several rows if they would
--- overlap.
local canvas = require "brio.canvas"

local chart = {}

--- Colors that people with color vision deficiencies can distinguish (Okabe and Ito, "Color Universal
--- Design", 2008).
chart.colors = {
  { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 }, { 0.00, 0.62, 0.45 }, { 0.80, 0.47, 0.65 },
    { 0.90, 0.62, 0.00 },
  { 0.34, 0.71, 0.91 }, { 0.35, 0.35, 0.35 }, { 0.58, 0.40, 0.10 },
}

local size = {
  width = 760, left = 78, right = 132, top = 46,
  untitled = 20, bottom = 40, gap = 24, panel = 112, row = 16, letters = 10, most_rows = 5,
}

local ink, grid, pale = { 0.15, 0.15, 0.15 }, { 0.88, 0.88, 0.88 }, 0.45

local function use(paper, color, opacity) paper:color(color[1], color[2], color[3], opacity or 1) end

-- Ticks -----------------------------------------------------------------------------------------------

--- The step of about `count` round ticks in a range, and its number of decimals.
local function step_for(range, count)
  local raw = range / count
  local power = 10.0 ^ math.floor(math.log(raw, 10))
  local step = 10 * power
  for _, factor in ipairs { 1, 2, 5 } do
    if factor * power >= raw * (1 - 1e-9) then
      step = factor * power
      break
    end
  end
  return step, math.max(0, -math.floor(math.log(step, 10) + 1e-9))
end

--- The ticks of a range: { value, text }.
local function ticks_of(from, to, count)
  local step, digits = step_for(to - from, count)
  local ticks = {}
  for index = math.ceil(from / step - 1e-9), math.floor(to / step + 1e-9) do
    local value = index * step
    ticks[#ticks + 1] = { value, ("%." .. digits .. "f"):format(value == 0 and 0 or value) }
  end
  return ticks
end

-- Ranges ------------------------------------------------------------------------------------------------

--- The minimum and maximum of a panel's lines, with a margin; an empty range is extended.
local function range_of(lines)
  local least, most = math.huge, -math.huge
  for _, line in ipairs(lines) do
    for _, list in ipairs { line.points, line.dots or {} } do
      for index = 2, #list, 2 do least, most = math.min(least, list[index]), math.max(most, list[index]) end
    end
  end
  if least > most then least, most = 0, 1 end
  local room = math.max((most - least) * 0.06, math.abs(most) * 1e-3, 1e-6)
  return least - room, most + room
end

--- Points for at most `columns` columns: for each column the first, minimum, maximum and last, so that no
--- peak is lost.
local function thinned(points, columns)
  if #points <= 8 * columns then return points end
  local out, from, span = {}, points[1], points[#points - 1] - points[1]
  local column, first, low, high, last
  local function put(index) out[#out + 1], out[#out + 2] = points[index], points[index + 1] end
  local function close()
    if not column then return end
    if low > high then low, high = high, low end
    put(first)
    if low ~= first and low ~= last then put(low) end
    if high ~= first and high ~= low and high ~= last then put(high) end
    if last ~= first then put(last) end
  end
  for index = 1, #points, 2 do
    local here = math.floor((points[index] - from) / span * (columns - 1))
    if here ~= column then
      close()
      column, first, low, high = here, index, index, index
    end
    if points[index + 1] < points[low + 1] then low = index end
    if points[index + 1] > points[high + 1] then high = index end
    last = index
  end
  close()
  return out
end

-- Panels ------------------------------------------------------------------------------------------------

local Frame = {}
Frame.__index = Frame

function Frame:x(t)
  return self.left + (t - self.from) / (self.to - self.from) * (size.width - self.left - size.right)
end
function Frame:y(value) return self.top + self.height * (self.most - value) / (self.most - self.least) end

local right_edge = size.width - size.right

--- Grid, frame, numbers on the left, and the name of the unit.
local function draw_axes(paper, frame, panel)
  for _, tick in ipairs(ticks_of(frame.from, frame.to, 9)) do
    use(paper, grid)
    paper:line({ frame:x(tick[1]), frame.top, frame:x(tick[1]), frame.top + frame.height }, 0.5)
  end
  for _, tick in ipairs(panel.lines and ticks_of(frame.least, frame.most, 4) or {}) do
    use(paper, grid)
    paper:line({ frame.left, frame:y(tick[1]), right_edge, frame:y(tick[1]) }, 0.5)
    use(paper, ink)
    paper:text(frame.left - 5, frame:y(tick[1]) + 3.5, size.letters, tick[2], "right")
  end
  use(paper, ink)
  paper:polygon({ frame.left, frame.top, right_edge, frame.top, right_edge, frame.top + frame.height,
    frame.left, frame.top + frame.height }, false, 0.6)
  paper:text(frame.left, frame.top - 5, size.letters + 1,
    panel.title .. (panel.unit and " (" .. panel.unit .. ")" or ""))
end

--- A text cut to the available width.
local function fitting(paper, text, letters, room)
  if paper:text_width(letters, text) <= room then return text end
  while utf8.len(text) and utf8.len(text) > 1 do
    text = text:sub(1, utf8.offset(text, -1) - 1)
    if paper:text_width(letters, text .. "…") <= room then return text .. "…" end
  end
  return ""
end

--- The points within the frame's time.
local function within(frame, points)
  local out = {}
  for index = 1, #points, 2 do
    if points[index] >= frame.from and points[index] <= frame.to then
      out[#out + 1], out[#out + 2] = points[index], points[index + 1]
    end
  end
  return out
end

--- Distances below this are invisible, points.
local unseen = 0.08

--- Whether the line from a to c passes b within that distance; a, b, c are indices of x in a flat list.
local function passes(list, a, b, c)
  local dx, dy = list[c] - list[a], list[c + 1] - list[a + 1]
  local length = math.sqrt(dx * dx + dy * dy)
  return length > 0 and math.abs(dx * (list[b + 1] - list[a + 1]) - dy * (list[b] - list[a])) / length <
    unseen
end

--- A polyline without redundant points: between two kept points only a few are dropped, so that curves keep
--- their shape.
local function straightened(list)
  local out, kept = { list[1], list[2] }, 1
  for index = 3, #list - 3, 2 do
    local straight = index - kept <= 80
    for between = kept + 2, straight and index or kept, 2 do
      straight = straight and passes(list, kept, between, index + 2)
    end
    if not straight then
      out[#out + 1], out[#out + 2], kept = list[index], list[index + 1], index
    end
  end
  if #list > 2 then out[#out + 1], out[#out + 2] = list[#list - 1], list[#list] end
  return out
end

--- Coordinates of a line on the paper.
local function placed_points(frame, points, columns)
  local placed = {}
  for index, value in ipairs(thinned(within(frame, points), columns)) do
    placed[index] = index % 2 == 1 and frame:x(value) or frame:y(value)
  end
  return straightened(placed)
end

local function draw_lines(paper, frame, lines)
  local legend = frame.top + 9
  for index, line in ipairs(lines) do
    local color = line.color or chart.colors[(index - 1) % #chart.colors + 1]
    use(paper, color, line.faint and pale or 1)
    local placed = placed_points(frame, line.points, right_edge - frame.left)
    if #placed >= 4 then paper:line(placed, line.faint and 0.8 or 1.3) end
    local dots = within(frame, line.dots or {})
    for at = 1, #dots, 2 do paper:circle(frame:x(dots[at]), frame:y(dots[at + 1]), 1.8, true) end
    if line.label and legend < frame.top + frame.height + 2 then
      paper:line({ right_edge + 8, legend - 3, right_edge + 22, legend - 3 }, line.faint and 0.8 or 1.6)
      use(paper, ink)
      paper:text(right_edge + 26, legend, size.letters,
        fitting(paper, line.label, size.letters, size.right - 30))
      legend = legend + size.letters + 3
    end
  end
end

--- The first lane of a row without an overlapping band.  Bands with a `part` share their lane.
local function lane_for(lanes, band)
  local index = 1
  while not band.part and lanes[index] and lanes[index].to > band.from + 1e-9 do index = index + 1 end
  lanes[index] = lanes[index] or { to = -math.huge, bands = {} }
  return lanes[index]
end

--- The rows of a panel of bands, in the order of their first bands: a list of {name, depth}, and the number
--- of each band's row.  Overlapping bands in one row, such as a state and an inner state, are in lanes below
--- each other, the first of which has the name.
function chart.rows(bands)
  local list, by_key = {}, {}
  for _, band in ipairs(bands) do
    local key = band.key or band.row or ""
    if not by_key[key] then
      by_key[key] = { name = band.row or "", depth = band.depth or 0 }
      list[#list + 1] = by_key[key]
    end
    local lane = lane_for(by_key[key], band)
    lane.to, lane.bands[#lane.bands + 1] = math.max(lane.to, band.to), band
  end
  local rows, place = {}, {}
  for _, lanes in ipairs(list) do
    for index, lane in ipairs(lanes) do
      rows[#rows + 1] = { name = index == 1 and lanes.name or "", depth = lanes.depth }
      for _, band in ipairs(lane.bands) do place[band] = #rows end
    end
  end
  return rows, place
end

--- Draw the legend right of a panel: a list of {label, color [, faint]}.
local function draw_legend(paper, frame, legend)
  for index, item in ipairs(legend) do
    local y = frame.top + 9 + (index - 1) * (size.letters + 3)
    use(paper, item[2], item.faint and 0.15 or 0.35)
    paper:polygon({ right_edge + 8, y - 8, right_edge + 22, y - 8, right_edge + 22, y, right_edge + 8, y },
      true)
    use(paper, ink)
    paper:text(right_edge + 26, y - 0.5, size.letters - 1,
      fitting(paper, item[1], size.letters - 1, size.right - 30))
  end
end

local function draw_bands(paper, frame, bands)
  local rows, place = chart.rows(bands)
  local colors, count = {}, 0
  for index, row in ipairs(rows) do
    use(paper, ink)
    local text = fitting(paper, row.name, size.letters - 1, frame.left - 13)
    local y = frame.top + size.row * (index - 0.33)
    if frame.listed then paper:text(8 + row.depth * 9, y, size.letters - 1, text)
    else paper:text(frame.left - 5, y, size.letters - 1, text, "right") end
  end
  local function place_of(time) return frame:x(math.max(frame.from, math.min(time, frame.to))) end
  for _, band in ipairs(bands) do
    if not colors[band.label] then
      colors[band.label], count = chart.colors[count % #chart.colors + 1], count + 1
    end
    local left, right = place_of(band.from), place_of(band.to)
    local whole = frame.top + size.row * (place[band] - 1) + 2
    local part = band.part or { 0, 1 }
    local top, bottom = whole + part[1] * (size.row - 4), whole + part[2] * (size.row - 4)
    use(paper, band.color or colors[band.label], band.faint and 0.15 or 0.35)
    if right > left then paper:polygon({ left, top, right, top, right, bottom, left, bottom }, true)
    else paper:line({ left, top, left, bottom }, 1.5) end
    local text = fitting(paper, band.label, size.letters - 1, right - left - 4)
    use(paper, ink)
    if #text > 0 then
      paper:text(left + 2, band.part and bottom - 1.5 or bottom - 3, size.letters - 1, text)
    end
  end
end

--- Approximate widths of texts before there is a paper.
local ruler = { text_width = function(_, letters, text) return 0.62 * letters *
  (utf8.len(text) or #text) end }

--- Assign a row, from 1, to each event's text; return the number of rows, and the number of events without a
--- name.  There are as many rows as needed, at most size.most_rows: events without room have only a dot, in a
--- row below.
local function place_events(frame, events)
  local ends, rows, most, nameless = {}, {}, 1, 0
  for index, event in ipairs(events) do
    local left, wide = frame:x(event[1]), 8 + ruler:text_width(size.letters - 1, event[2])
    if left - 3 + wide > right_edge then left = left - wide end -- left of its dot
    local right = left + wide
    local row = 1
    while row <= size.most_rows and (ends[row] or -1) > left do row = row + 1 end
    if row <= size.most_rows then
      ends[row], rows[index], most = right + 4, row, math.max(most, row)
    else
      nameless = nameless + 1
    end
  end
  return rows, nameless > 0 and most + 1 or most, nameless
end

local function draw_events(paper, frame, events)
  local rows, last, nameless = place_events(frame, events)
  if nameless > 0 then
    use(paper, ink)
    local y = frame.top + size.row * (last - 0.5) + 3.5
    paper:text(right_edge + 8, y, size.letters - 1, nameless .. " without a name")
  end
  for index, event in ipairs(events) do
    if event[1] < frame.from or event[1] > frame.to then goto continue end
    local x, y = frame:x(event[1]), frame.top + size.row * ((rows[index] or last) - 0.5)
    use(paper, event.color or chart.colors[1])
    paper:circle(x, y, 2, true)
    use(paper, ink)
    local fits = x + 5 + ruler:text_width(size.letters - 1, event[2]) <= right_edge
    if rows[index] then
      paper:text(fits and x + 5 or x - 5, y + 3.5, size.letters - 1, event[2], fits and "left" or "right")
    end
    ::continue::
  end
end

--- Height of a panel drawn between `from` and `to`.
local function height_of(panel, from, to)
  if panel.bands then return #chart.rows(panel.bands) * size.row end
  if panel.events then
    local _, most = place_events(setmetatable({ from = from, to = to, left = size.left }, Frame),
      panel.events)
    return most * size.row
  end
  return panel.height or size.panel
end

local function draw_panel(paper, panel, top, from, to, left)
  local frame = setmetatable({ top = top, height = height_of(panel, from, to), from = from, to = to,
    least = 0, most = 1, left = left or size.left, listed = left ~= nil }, Frame)
  if panel.lines then frame.least, frame.most = range_of(panel.lines) end
  draw_axes(paper, frame, panel)
  if panel.bands then draw_bands(paper, frame, panel.bands) end
  if panel.legend then draw_legend(paper, frame, panel.legend) end
  if panel.lines then draw_lines(paper, frame, panel.lines) end
  if panel.events then draw_events(paper, frame, panel.events) end
  return frame
end

--- Top of the first panel.
local function top_of(spec) return spec.title and size.top or size.untitled end

--- Total height, and the end of the time axis.
local function measure(spec)
  local to = math.max(spec.to, spec.from + 1e-3)
  local height = top_of(spec) + size.bottom - size.gap
  for _, panel in ipairs(spec.panels) do height = height + height_of(panel, spec.from, to) + size.gap end
  return math.min(height, 16000), to
end

local function paint(paper, spec, to)
  use(paper, ink)
  paper:text(spec.left and 8 or size.left, 15, size.letters + 3, spec.title or "")
  local top, last = top_of(spec), nil
  for _, panel in ipairs(spec.panels) do
    last = draw_panel(paper, panel, top, spec.from, to, spec.left)
    top = top + last.height + size.gap
  end
  for _, tick in ipairs(last and ticks_of(spec.from, to, 9) or {}) do
    use(paper, ink)
    paper:text(last:x(tick[1]), last.top + last.height + 13, size.letters, tick[2], "middle")
  end
  if last then
    paper:text((last.left + right_edge) / 2, last.top + last.height + 27, size.letters, "time (s)", "middle")
  end
  return paper:finish()
end

--- Draw a chart into a file that ends with .svg or .png. Returns true, or nil, sentence, code.
function chart.draw(path, spec)
  local kind = path:lower():match "%.(%w+)$"
  if kind ~= "svg" and kind ~= "png" then
    return nil, path .. ": a picture's name ends with .svg or .png", "misuse"
  end
  local height, to = measure(spec)
  local paper, why, code = canvas.new { width = size.width, height = height, [kind] = path,
    scale = kind == "png" and 2 or nil }
  if not paper then return nil, why, code end
  return paint(paper, spec, to)
end

--- A chart as SVG text, for a page.
function chart.svg(spec)
  local height, to = measure(spec)
  return paint(require("brio.draw.svg").new { width = size.width, height = height, title = spec.title }, spec,
    to)
end

chart.thinned, chart.ticks = thinned, ticks_of

return chart
