--- The figures of a study's report, as SVG texts: dots with means and intervals, and bars, in rows.
---
---     plots.dots { title = "...", axis = "score (1 to 5)", from = 1, to = 5, legend = { { "often", 1 } },
---       rows = { { label = "often (n = 2)", heading = "Likeability", color = 1, points = { 3.2, 4 },
---         mean = 3.6, lower = 3.1, upper = 4.1 } } }
---     plots.bars { title = "...", axis = "errors", legend = { { "slip", 1 } },
---       rows = { { label = "P01", parts = { 2, 0, 1 } } } }
local chart, vector = require "brio.draw.chart", require "brio.draw.svg"

local plots = {}

local size = { width = 760, right = 24, top = 34, row = 24, heading = 22, legend = 18, bottom = 44,
  letters = 11, least_left = 80,
  most_left = 320 }
local ink, grid = { 0.15, 0.15, 0.15 }, { 0.86, 0.86, 0.86 }

local function use(paper, color, opacity) paper:color(color[1], color[2], color[3], opacity or 1) end

local function color_of(index) return chart.colors[(index - 1) % #chart.colors + 1] end

--- A text cut at its end to the available width.
local function fitting(paper, text, room)
  if paper:text_width(size.letters, text) <= room then return text end
  local count = utf8.len(text) or #text
  while count > 1 and paper:text_width(size.letters, text .. "…") > room do
    count = count - 1
    text = text:sub(1, utf8.offset(text, count + 1) - 1)
  end
  return text .. "…"
end

--- Paper with the layout: { left, right, top, bottom, x(value), y (of each row), legend }.
local function laid_out(spec)
  local ruler, widest, height = vector.new { width = 1, height = 1 }, size.least_left, size.top
  local frame = { top = size.top, y = {}, headings = {} }
  for index, row in ipairs(spec.rows) do
    local text = math.max(ruler:text_width(size.letters, row.label), ruler:text_width(size.letters,
      row.heading or ""))
    widest = math.max(widest, 1.15 * text + 24)
    if row.heading then
      frame.headings[index], height = height + size.heading * 0.7, height + size.heading
    end
    frame.y[index], height = height + size.row / 2, height + size.row
  end
  frame.left, frame.right, frame.bottom = math.min(widest, size.most_left), size.width - size.right, height
  frame.paper = vector.new { width = size.width, height = height + size.bottom + (spec.legend and size.legend
    or 0),
    title = spec.title }
  function frame.x(value)
    return frame.left + (value - spec.from) / (spec.to - spec.from) * (frame.right - frame.left)
  end
  return frame
end

--- The vertical grid lines with their numbers, the name of the axis, the frame.
local function draw_axis(frame, spec)
  local paper = frame.paper
  for _, tick in ipairs(chart.ticks(spec.from, spec.to, spec.ticks or 8)) do
    use(paper, grid)
    paper:line({ frame.x(tick[1]), frame.top, frame.x(tick[1]), frame.bottom }, 0.6)
    use(paper, ink)
    paper:text(frame.x(tick[1]), frame.bottom + 14, size.letters - 1, tick[2], "middle")
  end
  use(paper, ink)
  paper:line({ frame.left, frame.top, frame.left, frame.bottom, frame.right, frame.bottom }, 0.8)
  paper:text((frame.left + frame.right) / 2, frame.bottom + 32, size.letters, spec.axis, "middle")
  paper:text(8, 16, size.letters + 2, spec.title)
end

--- The name of each row at the left; headings above groups of rows.
local function draw_labels(frame, spec)
  for index, row in ipairs(spec.rows) do
    use(frame.paper, ink)
    if frame.headings[index] then frame.paper:text(8, frame.headings[index], size.letters, row.heading) end
    frame.paper:text(frame.left - 8, frame.y[index] + 4, size.letters, fitting(frame.paper, row.label,
      frame.left - 14), "right")
  end
end

--- Legend of colors below the axis, in one line.
local function draw_legend(frame, spec)
  local paper, x, y = frame.paper, frame.left, frame.bottom + size.bottom + 6
  for _, item in ipairs(spec.legend or {}) do
    use(paper, color_of(item[2]))
    paper:circle(x + 4, y - 4, 4, true)
    use(paper, ink)
    paper:text(x + 13, y, size.letters, item[1])
    x = x + 30 + paper:text_width(size.letters, item[1])
  end
end

--- Offset of a row's dots above its center, and of its mean below.
local apart = 5

--- Dots of a row: coinciding ones are moved up and down in turn.
local function draw_points(frame, index, row)
  local paper, placed, y = frame.paper, {}, frame.y[index] - (row.mean and apart or 0)
  for n, value in ipairs(row.points) do
    local x, near = frame.x(value), 0
    for _, other in ipairs(placed) do near = near + (math.abs(other - x) < 5 and 1 or 0) end
    placed[#placed + 1] = x
    local step = near == 0 and 0 or (near % 2 == 1 and -1 or 1) * math.min((near + 1) // 2 * 3.5, row.mean
      and 5 or 9)
    use(paper, color_of(row.colors and row.colors[n] or row.color or 1), 0.6)
    paper:circle(x, y + step, 2.8, true)
  end
end

--- A mean as a vertical stroke, with its interval as a line with ends; parts outside the axis are cut.
local function draw_mean(frame, spec, index, row)
  local paper, y = frame.paper, frame.y[index] + apart
  local function at(value) return frame.x(math.max(spec.from, math.min(spec.to, value))) end
  use(paper, color_of(row.color or 1))
  if row.lower then
    paper:line({ at(row.lower), y, at(row.upper), y }, 1.6)
    for _, value in ipairs { row.lower, row.upper } do
      if value >= spec.from and value <= spec.to then paper:line({ at(value), y - 3, at(value), y + 3 },
        1.6) end
    end
  end
  if row.mean then paper:line({ at(row.mean), y - 5, at(row.mean), y + 5 }, 2.8) end
end

--- Dots in rows, with means and intervals if rows have them; `mark` { value, label }: a vertical line.
---@return string svg
function plots.dots(spec)
  local frame = laid_out(spec)
  draw_axis(frame, spec)
  draw_labels(frame, spec)
  for index, row in ipairs(spec.rows) do
    draw_points(frame, index, row)
    draw_mean(frame, spec, index, row)
  end
  if spec.mark and spec.mark[1] >= spec.from and spec.mark[1] <= spec.to then
    local x = frame.x(spec.mark[1])
    use(frame.paper, { 0.6, 0.1, 0.1 })
    frame.paper:line({ x, frame.top, x, frame.bottom }, 1.2)
    local near_end = x + 6 + frame.paper:text_width(size.letters - 1, spec.mark[2]) > frame.right
    frame.paper:text(x + (near_end and -4 or 4), frame.top - 3, size.letters - 1, spec.mark[2], near_end
      and "right" or "left")
  end
  draw_legend(frame, spec)
  return frame.paper:finish()
end

--- Stacked bars in rows, from zero; the sum is after each.
---@return string svg
function plots.bars(spec)
  local most = 1
  for _, row in ipairs(spec.rows) do
    row.sum = 0
    for _, part in ipairs(row.parts) do row.sum = row.sum + part end
    most = math.max(most, row.sum)
  end
  spec.from, spec.to = 0, most + math.max(0.5, 0.08 * most)
  spec.ticks = math.min(spec.to, 8)
  local frame = laid_out(spec)
  draw_axis(frame, spec)
  draw_labels(frame, spec)
  for index, row in ipairs(spec.rows) do
    local from, y = 0, frame.y[index]
    for place, part in ipairs(row.parts) do
      local left, right = frame.x(from), frame.x(from + part)
      use(frame.paper, color_of(place), 0.75)
      if part > 0 then frame.paper:polygon({ left, y - 6, right, y - 6, right, y + 6, left, y + 6 }, true) end
      from = from + part
    end
    use(frame.paper, ink)
    frame.paper:text(frame.x(from) + 5, y + 4, size.letters - 1, ("%d"):format(row.sum))
  end
  draw_legend(frame, spec)
  return frame.paper:finish()
end

return plots
