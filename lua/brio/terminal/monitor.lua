--- Draws the status of a run (see operator/axes.lua) into a window of any size, for `brio monitor`.
---
--- A table with a row for each axis: each column has a title, a width, a rank, by which it is dropped if
--- there is no room, and a content.  The remaining width is a bar with the position of the axis in its range.
--- In a wide window the rows are in several blocks side by side.
---
--- A line is a list of pieces {text, style}: see styled.lua.
local pieces = require "brio.terminal.styled"

local monitor = {}

local width_of, cut, padded, clipped = pieces.width, pieces.cut, pieces.padded, pieces.clipped

--- Characters for terminals with UTF-8, and for others.
local signs = {
  utf8 = { cut = "…", none = "·", at = "●", told = "│", range = "─", rule = "─", more = "▾", dot = "·" },
  ascii = { cut = "~", none = ".", at = "o", told = "|", range = "-", rule = "-", more = "v", dot = "," },
}

-- Cells -------------------------------------------------------------------------------------------

--- A number in at most `width` characters.
local function number(value, digits, width, glyphs)
  if not value then return glyphs.none end
  local text = ("%." .. digits .. "f"):format(value)
  if text:match "^%-[0.]+$" then text = text:sub(2) end
  if #text <= width then return text end
  text = ("%.0f"):format(value)
  return #text <= width and text or ("%.0e"):format(value):gsub("e%+?(%-?)0*", "e%1"):sub(1, width)
end

--- Severity of a value, by its limit.
local function graded(value, limit)
  if not value or not limit then return nil end
  value = math.abs(value)
  return value >= limit and "bad" or value >= 0.7 * limit and "warn" or nil
end

--- Whether an axis is at the end of its range.
local function at_end(axis)
  local room = axis.unit ~= "1" and axis.lower and axis.upper and 0.005 * (axis.upper - axis.lower)
  return room and axis.position and (axis.position <= axis.lower + room or axis.position >= axis.upper - room)
end

--- The bar: the range of the axis, with its command and position.
local function bar(axis, width, glyphs)
  if not (axis.lower and axis.upper and axis.lower < axis.upper) then
    return (glyphs.none .. " "):rep(width // 2), "dim"
  end
  local cells = {}
  for i = 1, width do cells[i] = glyphs.range end
  local function put(value, glyph)
    if not value then return end
    local share = (value - axis.lower) / (axis.upper - axis.lower)
    cells[1 + math.floor(math.max(0, math.min(1, share)) * (width - 1) + 0.5)] = glyph
  end
  put(axis.command, glyphs.told)
  put(axis.position, glyphs.at)
  return table.concat(cells), at_end(axis) and "warn" or axis.position and "mark" or "dim"
end

local widest_name, narrowest_bar, widest_bar = 26, 10, 60

--- Columns up to this rank have priority over the bar if there is not room for both.
local before_bar = 6

local function plain(field, digits)
  return function(axis, width, glyphs) return number(axis[field], digits, width, glyphs) end
end

--- The state of an axis in one word; empty if it is normal.
local function note(axis)
  if not axis.fresh then return "silent", "bad" end
  if not axis.enabled then return "off", "dim" end
  if at_end(axis) then return "at end", "warn" end
  return "", nil
end

--- The columns, in their order.  `rank`: higher ranks are dropped first if there is no room; `known`: the
--- field without which the column is dropped, if no axis has it.
local table_of_columns = {
  { head = "axis", rank = 0, left = true, width = function(axes)
    local widest = 4
    for _, axis in ipairs(axes) do widest = math.max(widest, width_of(axis.name)) end
    return math.min(widest, widest_name)
  end, cell = function(axis, width, glyphs) return cut(axis.name, width, glyphs) end },
  { head = "group", rank = 11, left = true, known = "group", width = function() return 10 end,
    cell = function(axis, width, glyphs) return cut(axis.group or "", width, glyphs), "dim" end },
  { head = "is", rank = 1, width = function() return 7 end, cell = plain("position", 3) },
  { head = "told", rank = 7, width = function() return 7 end, cell = plain("command", 3) },
  { head = "target", rank = 2, width = function() return 7 end, cell = plain("target", 3) },
  { head = "error", rank = 3, width = function() return 6 end, cell = function(axis, width, glyphs, limits)
    return number(axis.error, 3, width, glyphs), graded(axis.error, limits.tracking_error)
  end },
  { head = "speed", rank = 8, width = function() return 6 end, cell = plain("velocity", 2) },
  { head = "load%", rank = 5, known = "load", width = function() return 5 end,
    cell = function(axis, width, glyphs)
    return number(axis.load and axis.load * 100, 0, width, glyphs), graded(axis.load, 1)
  end },
  { head = "degC", rank = 6, known = "temperature", width = function() return 4 end,
    cell = function(axis, width, glyphs, limits)
    return number(axis.temperature, 0, width, glyphs), graded(axis.temperature, limits.temperature)
  end },
  { head = "A", rank = 9, known = "current", width = function() return 5 end, cell = plain("current", 2) },
  { head = "V", rank = 10, known = "voltage", width = function() return 5 end, cell = plain("voltage", 1) },
  { head = "unit", rank = 12, left = true, width = function() return 4 end,
    cell = function(axis) return axis.unit or "", "dim" end },
  { head = "", rank = 4, left = true, last = true, width = function() return 6 end, cell = note },
}

--- The columns that fit into `width` with a bar, each {column, width}, and the width of the bar.
local function fit(axes, width)
  local chosen, ranked, used = {}, {}, 0
  local function known(column)
    if not column.known then return true end
    for _, axis in ipairs(axes) do
      if axis[column.known] ~= nil then return true end
    end
  end
  for _, column in ipairs(table_of_columns) do
    if known(column) then ranked[#ranked + 1] = column end
  end
  table.sort(ranked, function(a, b) return a.rank < b.rank end)
  for _, column in ipairs(ranked) do
    local wanted = column.width(axes)
    local reserved = column.rank > before_bar and narrowest_bar or 0
    if used + wanted + 2 + reserved <= width or column.rank == 0 then
      chosen[column], used = math.min(wanted, math.max(1, width - 2)), used + wanted + 2
    end
  end
  local list = {}
  for _, column in ipairs(table_of_columns) do
    if chosen[column] then list[#list + 1] = { column, chosen[column] } end
  end
  local bar_width = math.min(widest_bar, width - used)
  return list, bar_width >= narrowest_bar and bar_width or 0
end

-- Lines -------------------------------------------------------------------------------------------

local limits_unless_said = { tracking_error = 0.3, temperature = 80 }

local function limits_of(view)
  local limits = {}
  for key, value in next, limits_unless_said do limits[key] = (view.limits or {})[key] or value end
  return limits
end

--- The pieces of a row: `cell(column, width)` gives text and style of each column; after the numbers the bar,
--- {text, style}, and at the end the state of the axis.
local function row_pieces(list, range, cell)
  local line = {}
  for _, item in ipairs(list) do
    if item[1].last then line[#line + 1] = { range[1] .. "  ", range[2] } end
    local text, style = cell(item[1], item[2])
    line[#line + 1] = { padded(text, item[2], not item[1].left) .. (item[1].last and "" or "  "), style }
  end
  local last = list[#list]
  if not (last and last[1].last) then line[#line + 1] = range end
  return line
end

local function head_pieces(list, bar_width)
  local range = padded(bar_width > 7 and "range" or "", bar_width)
  return row_pieces(list, { range, "head" }, function(column) return column.head, "head" end)
end

local function axis_pieces(axis, list, bar_width, glyphs, limits)
  local range, style = "", nil
  if bar_width > 0 then range, style = bar(axis, bar_width, glyphs) end
  return row_pieces(list, { padded(range, bar_width), style }, function(column, width)
    return column.cell(axis, width, glyphs, limits)
  end)
end

local function name_of(path) return path and path:match "[^/]*$" or "a run" end

--- The first line: the run, its state, and its time.
local function title_pieces(view, status)
  if not view then
    return { { "brio monitor  ", "title" },
      { status and status.text or "looks at the run", status and status.style } }
  end
  local line = { { name_of(view.behavior), "title" }, { " on ", "dim" }, { view.robot or "?", "title" },
    { "   " },
    { view.state or "holding", view.failed and "bad" or "good" }, { ("   %.1f s"):format(view.time or 0) } }
  if view.held then line[#line + 1] = { "   on hold", "warn" } end
  if view.ending then line[#line + 1] = { "   ending", "warn" } end
  if view.failed then line[#line + 1] = { "   failed: " .. view.failed, "bad" } end
  if status then line[#line + 1] = { "   " .. status.text, status.style } end
  return line
end

--- The second line: the motor side and the tick.
local function motor_pieces(view)
  local motors = view.motors
  local line = { motors.armed and { "armed", "good" } or { "disarmed", "warn" } }
  if #motors.held_by > 0 then
    local by = motors.panic_by and ", " .. motors.panic_by or ""
    line[#line + 1] = { "   held by " .. table.concat(motors.held_by, ", ") .. by, "bad" }
  else
    line[#line + 1] = { motors.rests and "   at rest" or "   moving", "good" }
  end
  if motors.silent then line[#line + 1] = { "   scripts are silent", "bad" } end
  if view.tick_p50_us then
    line[#line + 1] = { ("   tick %.0f us, p99 %.0f"):format(view.tick_p50_us, view.tick_p99_us or 0) }
  end
  line[#line + 1] = { ("   %d late"):format(view.late_ticks or 0),
    (view.late_ticks or 0) > 0 and "warn" or nil }
  if motors.threaded and motors.late_p99_us then
    line[#line + 1] = { ("   motors late p99 %.0f us, %d lost"):format(motors.late_p99_us, motors.lost) }
  end
  return line
end

local function device_pieces(device)
  local line = { { device.name, "head" }, { (" (%s) "):format(device.driver), "dim" },
    device.lost and { "lost", "bad" } or { "well", "good" } }
  if device.rate and device.rate > 0 then line[#line + 1] = { ("   %.0f Hz"):format(device.rate) } end
  if device.typical_ms then
    line[#line + 1] = { ("   %.1f ms, most %.0f"):format(device.typical_ms, device.slowest_ms or 0) }
  end
  line[#line + 1] = { ("   %d failures"):format(device.failures), device.failures > 0 and "warn" or nil }
  if device.open_loop then
    line[#line + 1] = { "   reports its commands: no motor is monitored", "warn" }
  end
  if device.error then line[#line + 1] = { "   " .. device.error, "warn" } end
  return line
end

--- Axes with errors, by name, including those outside the window; nil: none.
local function trouble_pieces(view, glyphs)
  local limits, names = limits_of(view), {}
  for _, axis in ipairs(view.axes) do
    local wrong = not axis.fresh
    for _, column in ipairs(table_of_columns) do
      local _, style = column.cell(axis, 8, glyphs, limits)
      wrong = wrong or style == "bad"
    end
    if wrong then names[#names + 1] = axis.name end
  end
  if #names == 0 then return nil end
  return { { #names == 1 and "look at   " or ("look at %d   "):format(#names), "head" },
    { table.concat(names, "   "), "bad" } }
end

local most_devices, least_block = 4, 72

--- The lines above the rows.
local function top_lines(view, status, glyphs)
  local lines = { title_pieces(view, status) }
  if not view then return lines end
  lines[2] = motor_pieces(view)
  for index, device in ipairs(view.motors.devices) do
    if index > most_devices then
      lines[#lines + 1] = { { ("and %d devices more"):format(#view.motors.devices - most_devices), "dim" } }
      break
    end
    lines[#lines + 1] = device_pieces(device)
  end
  local inputs = view.inputs or {}
  if #inputs > 0 then
    local line = { { "inputs", "head" } }
    for _, input in ipairs(inputs) do
      line[#line + 1] = { "   " .. input.name .. " ", "dim" }
      line[#line + 1] = { input.value, input.value == "true" and "good" or nil }
    end
    lines[#lines + 1] = line
  end
  lines[#lines + 1] = trouble_pieces(view, glyphs)
  lines[#lines + 1] = {}
  return lines
end

--- The rows of axes, from number `first` on, in blocks side by side if more rows fit that way.
local function body_lines(view, width, height, first, glyphs)
  local axes, lines = view.axes, {}
  local rows = math.max(1, height - 1)
  local blocks = math.max(1, math.min(math.ceil(#axes / rows), width // least_block))
  rows = math.max(1, math.min(rows, math.ceil(#axes / blocks)))
  local gap = 3
  local wide = (width - gap * (blocks - 1)) // blocks
  local list, bar_width = fit(axes, wide)
  local limits = limits_of(view)
  for row = 0, rows do
    local line, used = {}, 0
    for block = 0, blocks - 1 do
      local axis = axes[first + block * rows + row - 1]
      local row_of = row == 0 and axes[first + block * rows] and head_pieces(list, bar_width)
        or row > 0 and axis and axis_pieces(axis, list, bar_width, glyphs, limits) or {}
      local start = block * (wide + gap)
      if #row_of > 0 then
        line[#line + 1] = { (" "):rep(start - used) }
        for _, piece in ipairs(row_of) do line[#line + 1] = piece end
        used = start + pieces.length(row_of)
      end
    end
    if #line > 0 then lines[#lines + 1] = line end
  end
  return lines, math.max(0, math.min(rows * blocks, #axes - first + 1))
end

--- Draw a window.  `view`: a snapshot, or nil; `options`: width, height, first (the first row), log (a list
--- of {text, level}), status ({text, style}, an additional message), ascii.  Return its lines, at most
--- `height`, none longer than `width`, and the number of axes shown.
function monitor.window(view, options)
  local glyphs = options.ascii and signs.ascii or signs.utf8
  local width, height = math.max(20, options.width), math.max(4, options.height)
  local lines, shown = top_lines(view, options.status, glyphs), 0
  local said = height >= 20 and math.min(2, #(options.log or {})) or 0
  local room = height - #lines - 2 - said
  local first = options.first or 1
  if view and room >= 2 then
    local body
    body, shown = body_lines(view, width, room, first, glyphs)
    table.move(body, 1, #body, #lines + 1, lines)
  end
  local count = view and #view.axes or 0
  local more = shown < count and ("   %d to %d of %d axes"):format(first, math.min(count, first + shown - 1),
    count) or ""
  while #lines < height - 2 - said do lines[#lines + 1] = {} end
  for _, line in ipairs(pieces.foot(options.log or {}, (options.keys or "") .. more, said, glyphs, width)) do
    lines[#lines + 1] = line
  end
  for index, line in ipairs(lines) do lines[index] = clipped(line, width, glyphs) end
  return { table.unpack(lines, 1, height) }, shown
end

--- Everything as lines for a file or a pipe: every axis, with full columns.
function monitor.page(view, ascii)
  local glyphs = ascii and signs.ascii or signs.utf8
  local lines = top_lines(view, nil, glyphs)
  for _, line in ipairs((body_lines(view, 120, #view.axes + 1, 1, glyphs))) do lines[#lines + 1] = line end
  return lines
end

return monitor
