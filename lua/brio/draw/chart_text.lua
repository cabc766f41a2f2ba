--- Charts over time as text for a terminal: those of brio.draw.chart, in rows of characters.
---
--- A panel of lines is drawn in braille dots (Unicode 2800 to 28FF, two by four in a character) or, on a
--- terminal without UTF-8, in asterisks; bands are bars with their names; events are marks with their names
--- in rows.
local chart = require "brio.draw.chart"

local chart_text = {}

local margin, line_rows, most_event_rows = 18, 5, 6

local function length_of(text) return utf8.len(text) or #text end

--- The first `count` characters of a text.
local function cut(text, count)
  if length_of(text) <= count then return text end
  local to = utf8.len(text) and utf8.offset(text, count + 1) or count + 1
  return text:sub(1, (to or count + 1) - 1)
end

local function padded(text, width, right)
  text = cut(text, width)
  local space = (" "):rep(width - length_of(text))
  return right and space .. text or text .. space
end

--- Column of a time, from 0.
local function column(frame, t, columns)
  return math.floor((t - frame.from) / (frame.to - frame.from) * columns)
end

-- Lines -----------------------------------------------------------------------------------------------------

local function range_of(lines)
  local least, most = math.huge, -math.huge
  for _, line in ipairs(lines) do
    for index = 2, #line.points, 2 do
      least, most = math.min(least, line.points[index]), math.max(most, line.points[index])
    end
  end
  if least > most then least, most = 0, 1 end
  local room = math.max((most - least) * 0.02, math.abs(most) * 1e-3, 1e-6)
  return least - room, most + room
end

--- The dots of lines: dots[row][column], both from 0; every column between two points of a line has one.
local function dots_of(frame, lines, columns, rows, least, most)
  local dots = {}
  local function put(x, y)
    if x < 0 or x >= columns then return end
    y = math.max(0, math.min(rows - 1, y))
    dots[y] = dots[y] or {}
    dots[y][x] = true
  end
  for _, line in ipairs(lines) do
    local px, py
    for index = 1, #line.points, 2 do
      local x = column(frame, line.points[index], columns)
      local y = math.floor((most - line.points[index + 1]) / (most - least) * rows)
      if px and x > px and x - px < columns then
        for between = px, x do put(between, py + math.floor((y - py) * (between - px) / (x - px) + 0.5)) end
      else
        for between = math.min(y, py or y), math.max(y, py or y) do put(x, between) end
      end
      px, py = x, y
    end
  end
  return dots
end

--- The bit of each dot of a braille character, by row and column.
local braille = { [0] = { [0] = 0x01, 0x08 }, { [0] = 0x02, 0x10 }, { [0] = 0x04, 0x20 },
  { [0] = 0x40, 0x80 } }

local function braille_row(dots, row, width)
  local out = {}
  for x = 0, width - 1 do
    local bits = 0
    for dy = 0, 3 do
      local line = dots[4 * row + dy]
      for dx = 0, 1 do
        if line and line[2 * x + dx] then bits = bits | braille[dy][dx] end
      end
    end
    out[x + 1] = bits == 0 and " " or utf8.char(0x2800 + bits)
  end
  return table.concat(out)
end

local function star_row(dots, row, width)
  local out = {}
  for x = 0, width - 1 do out[x + 1] = dots[row] and dots[row][x] and "*" or " " end
  return table.concat(out)
end

local function short(value) return ("%.3g"):format(value + 0.0) end

local function add_lines(out, frame, panel)
  local drawn = { panel.lines[1] }
  if not panel.lines[2] or not panel.lines[2].faint then drawn = panel.lines end
  local least, most = range_of(drawn)
  local wide, high = frame.utf8 and 2 or 1, frame.utf8 and 4 or 1
  local dots = dots_of(frame, drawn, frame.width * wide, line_rows * high, least, most)
  for row = 0, line_rows - 1 do
    local label = row == 0 and short(most) or row == line_rows - 1 and short(least) or ""
    out[#out + 1] = padded(label, margin - 2, true) .. " |"
      .. (frame.utf8 and braille_row or star_row)(dots, row, frame.width)
  end
end

-- Bands -----------------------------------------------------------------------------------------------------

--- Write a text into a list of characters from a column on, up to another.
local function write(cells, text, from, to)
  local at = from
  for _, code in utf8.codes(utf8.len(text) and text or text:gsub("[\128-\255]", "?")) do
    if at > to then return end
    if cells[at] then cells[at] = utf8.char(code) end
    at = at + 1
  end
end

local function blank(width)
  local cells = {}
  for index = 1, width do cells[index] = " " end
  return cells
end

local function add_bands(out, frame, panel)
  local rows, place = chart.rows(panel.bands)
  for _, row in ipairs(rows) do row.cells = blank(frame.width) end
  for _, band in ipairs(panel.bands) do
    local cells = rows[place[band]].cells
    local from = math.max(0, column(frame, band.from, frame.width)) + 1
    local to = math.min(frame.width, math.max(from, column(frame, band.to, frame.width)))
    for at = from, to do
      if cells[at] then cells[at] = "-" end
    end
    write(cells, "|" .. band.label, from, to)
  end
  for _, row in ipairs(rows) do
    out[#out + 1] = padded(row.name, margin - 2, true) .. "  " .. table.concat(row.cells)
  end
end

-- Events ----------------------------------------------------------------------------------------------------

local function add_events(out, frame, panel)
  local rows, ends, left_out = {}, {}, 0
  for _, event in ipairs(panel.events) do
    if event[1] >= frame.from and event[1] <= frame.to then
      local from = math.min(frame.width, column(frame, event[1], frame.width) + 1)
      local row = 1
      while (ends[row] or 0) >= from and row <= most_event_rows do row = row + 1 end
      if row > most_event_rows then
        left_out = left_out + 1
      else
        rows[row] = rows[row] or blank(frame.width)
        write(rows[row], "'" .. event[2], from, frame.width)
        ends[row] = from + length_of(event[2]) + 1
      end
    end
  end
  for _, cells in ipairs(rows) do out[#out + 1] = (" "):rep(margin) .. table.concat(cells) end
  if left_out > 0 then out[#out + 1] = (" "):rep(margin) .. ("(%d more have no room)"):format(left_out) end
end

--- The line of times below all panels.
local function axis(frame)
  local cells = blank(frame.width)
  for _, tick in ipairs(chart.ticks(frame.from, frame.to, frame.width // 12)) do
    local at = column(frame, tick[1], frame.width) + 1
    write(cells, "'" .. tick[2], at, frame.width)
  end
  return padded("s", margin - 2, true) .. "  " .. table.concat(cells)
end

--- The lines of a chart (see brio.draw.chart) in `width` columns; `as_utf8`: the terminal shows UTF-8.
function chart_text.lines(spec, width, as_utf8)
  local frame = { from = spec.from, to = math.max(spec.to, spec.from + 1e-3),
    width = math.max(20, width - margin), utf8 = as_utf8 }
  local out = { spec.title or "" }
  for _, panel in ipairs(spec.panels) do
    out[#out + 1] = panel.title .. (panel.unit and " (" .. panel.unit .. ")" or "")
    if panel.lines then add_lines(out, frame, panel) end
    if panel.bands then add_bands(out, frame, panel) end
    if panel.events then add_events(out, frame, panel) end
  end
  out[#out + 1] = axis(frame)
  for index, line in ipairs(out) do out[index] = line:gsub("%s+$", "") end
  return out
end

return chart_text
