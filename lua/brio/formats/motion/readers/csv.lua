--- CSV: a table whose heading names the columns, one of them the time.
---
--- Columns are separated by commas, semicolons or tabs; with semicolons or tabs a decimal comma is accepted.
--- An empty cell is not a key. Non-numeric columns are omitted, with a note. A column's unit may follow its
--- name: "elbow [deg]", "elbow_deg"; the default is that of the robot's DOF.
local clip = require "brio.formats.clip"

local csv = { name = "csv", text = true, extensions = { "csv", "tsv" },
  doc = "a table of values over time, as of logs" }

local units = {
  deg = { math.pi / 180, "rad" }, rad = { 1, "rad" }, m = { 1, "m" }, mm = { 0.001, "m" }, ["1"] = { 1, "1" },
}
local time_names = { time = 1, t = 1, seconds = 1, timestamp = 1, time_s = 1, t_s = 1, time_ms = 0.001,
  millis = 0.001, ["time [s]"] = 1, ["time [ms]"] = 0.001 }

function csv.sniff(text)
  local head = text:match "^[^\r\n]*"
  return #head < 100000 and not head:match "[{<%z]" and head:match "[,;\t]" ~= nil and head:match "%a" ~= nil
end

--- The cells of a line, nil if a quote does not end; quoted cells may contain separators, and a doubled quote
--- is one.
function csv.cells(line, separator)
  local cells, at = {}, 1
  while at <= #line + 1 do
    local cell, following
    if line:sub(at, at) == '"' then
      local stop = at
      repeat
        stop = line:find('"', stop + 1, true)
        local doubled = stop and line:sub(stop + 1, stop + 1) == '"'
        if doubled then stop = stop + 1 end
      until not doubled
      if not stop then return nil end
      cell, following = line:sub(at + 1, stop - 1):gsub('""', '"'), line:find(separator, stop, true)
    else
      following = line:find(separator, at, true)
      cell = line:sub(at, (following or #line + 1) - 1)
    end
    cells[#cells + 1] = cell:match "^%s*(.-)%s*$"
    at = (following or #line + 1) + 1
  end
  return cells
end

--- The separator of columns, from the table's heading.
function csv.separator(head)
  local best, most = ",", 0
  for _, separator in ipairs { ";", "\t", "," } do
    local _, count = head:gsub(separator, "")
    if count > most then best, most = separator, count end
  end
  return best
end

--- Days since 1970 of a date (the proleptic Gregorian calendar).
local function days(year, month, day)
  if month <= 2 then year, month = year - 1, month + 12 end
  return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day - 719469
end

--- Seconds of a date and time such as 2022-10-26T08:17:21.847Z, 2022-10-26 10:17:21,847 or
--- 2022-10-26T10:17:21+02:00, which is two hours ahead.
local function date_seconds(cell)
  local year, month, day, hour, minute, second,
    zone = cell:match "^(%d%d%d%d)-(%d%d)-(%d%d)[T ](%d%d):(%d%d):(%d%d[.,]?%d*)%s*(.*)$"
  if not year then return nil end
  local sign, hours, minutes = zone:match "^([+-])(%d%d):?(%d?%d?)"
  local ahead = sign and hours * 3600 + (tonumber(minutes) or 0) * 60 or 0
  return days(tonumber(year), tonumber(month), tonumber(day)) * 86400.0 + hour * 3600 + minute * 60
    + tonumber((second:gsub(",", "."))) - (sign == "-" and -ahead or ahead)
end

local function number_of(cell, separator)
  if separator ~= "," then cell = cell:gsub(",", ".") end
  return cell ~= "" and clip.number(cell) or nil
end

--- A column's name without its unit, and the factor of its values.
local function unit_of(name)
  local plain, unit = name:match "^(.-)%s*%[(%w+)%]$"
  if not plain then plain, unit = name:match "^(.-)_(deg)$" end
  if not plain then plain, unit = name:match "^(.-)_(rad)$" end
  local found = unit and units[unit]
  if found then return plain, found[1], found[2] end
  return name, 1, nil
end

local function time_column(names)
  for index, name in ipairs(names) do
    if time_names[name:lower()] then return index, time_names[name:lower()] end
  end
  return nil
end

--- Whether every non-empty cell of a row is a number or a date: such a row is not a heading.
local function holds_values(cells, separator)
  local count = 0
  for _, cell in ipairs(cells) do
    if cell ~= "" and not (number_of(cell, separator) or date_seconds(cell)) then return false end
    count = count + (cell ~= "" and 1 or 0)
  end
  return count > 0
end

local function read_head(text)
  for number, line in clip.lines(text:gsub("^\u{FEFF}", "")) do
    if line:match "%S" then
      local separator = csv.separator(line)
      local cells = csv.cells(line, separator) or clip.fail("line " .. number, "a quote that does not end")
      if holds_values(cells, separator) then
        clip.fail("line " .. number, "values, expected the columns' names above them, as in time,HeadYaw: %s",
          line:sub(1, 80))
      end
      return cells, separator, number
    end
  end
  clip.fail(nil, "the file is empty")
end

local function new_columns(names, time)
  local columns = {}
  for index, name in ipairs(names) do
    if index ~= time and name ~= "" then
      local plain, scale, unit = unit_of(name)
      columns[#columns + 1] = { index = index, name = plain, scale = scale, unit = unit, keys = {},
        texts = 0 }
    end
  end
  return columns
end

--- The time of a row: from its column, or from its number and the rate.
local function row_time(cells, head, rows, where, options)
  if not head.time then return rows / options.fps end
  local cell = cells[head.time] or ""
  local t = number_of(cell, head.separator)
  if t then return t * head.time_scale end
  return date_seconds(cell) or clip.fail(where, "the time is '%s', expected a number or a date",
    cell:sub(1, 40))
end

--- Spellings of NaN and infinity in files of other programs.
local not_finite = { nan = true, inf = true, infinity = true }

local function add_row(columns, cells, t, head, where)
  for _, column in ipairs(columns) do
    local cell = cells[column.index] or ""
    local value = number_of(cell, head.separator)
    if value then
      column.keys[#column.keys + 1] = { t, value * column.scale }
    elseif not_finite[cell:lower():gsub("^[-+]", "")] then
      column.lost = column.lost or { where, cell }
    elseif cell ~= "" then
      column.texts, column.where, column.text = column.texts + 1, column.where or where, column.text or cell
    end
  end
end

--- Whether a row has values in columns that have no name.
local function has_nameless(cells, names)
  for index, cell in ipairs(cells) do
    if cell ~= "" and (names[index] or "") == "" then return true end
  end
  return false
end

--- Errors of rows, counted by kind with the first line of each.
local function count(counts, kind, number)
  local one = counts[kind] or { count = 0, first = number }
  counts[kind], one.count = one, one.count + 1
end

local losses = {
  { "doubled", "%d rows repeat the time of the row before, first in line %d: left out" },
  { "nameless", "%d rows have values in columns without a name, first in line %d: left out" },
  { "short", "%d rows have fewer cells than there are names, first in line %d: no keys there" },
}

local function read_rows(text, head, columns, options, notes)
  local rows, before, first, counts = 0, -math.huge, nil, {}
  for number, line in clip.lines(text:gsub("^\u{FEFF}", "")) do
    if number > head.line and line:match "[^%s,;]" then
      local where = "line " .. number
      local cells = csv.cells(line, head.separator) or clip.fail(where, "a quote that does not end")
      local t = row_time(cells, head, rows, where, options)
      first = first or t
      if t > before then
        add_row(columns, cells, t - first, head, where)
        if has_nameless(cells, head.names) then count(counts, "nameless", number) end
        if #cells < head.width then count(counts, "short", number) end
        rows, before = rows + 1, t
        if rows * #columns > clip.most_keys then clip.fail(where, "more than %d numbers", clip.most_keys) end
      elseif t == before then
        count(counts, "doubled", number)
      else
        clip.fail(where, "its time, %.6g s, is before that of the row before", t)
      end
    end
  end
  for _, loss in ipairs(losses) do
    local one = counts[loss[1]]
    if one then clip.note(notes, loss[2], one.count, one.first) end
  end
end

local function tracks_of(columns, notes)
  local tracks, left = {}, {}
  for _, column in ipairs(columns) do
    if column.lost and column.texts == 0 then
      clip.fail(column.lost[1], "'%s' in column '%s', expected a finite number, or an empty cell for \z
        none", column.lost[2], column.name)
    elseif #column.keys > 0 and column.texts == 0 then
      tracks[#tracks + 1] = { name = column.name, unit = column.unit, keys = column.keys }
    elseif column.texts > 0 then
      left[#left + 1] = #column.keys == 0 and column.name
        or ("%s (%s has '%s')"):format(column.name, column.where, column.text:sub(1, 20))
    end
  end
  if #left > 0 and #tracks == 0 then
    clip.fail(nil, "no column of numbers beside the time: %s", table.concat(left, ", "))
  elseif #left > 0 then
    clip.note(notes, "columns without numbers, left out: %s", table.concat(left, ", "))
  end
  return tracks
end

function csv.read(text, options)
  local names, separator, line = read_head(text)
  local time, time_scale = time_column(names)
  if not time and not options.fps then
    clip.fail("line " .. line, "no column is the time, expected one named time, t, timestamp or millis, or \z
      --fps: %s",
      table.concat(names, separator):sub(1, 120))
  end
  local notes, width = {}, 0
  for index, name in ipairs(names) do width = name ~= "" and index or width end
  local head = { names = names, width = width, separator = separator, line = line, time = time,
    time_scale = time_scale }
  local columns = new_columns(names, time)
  read_rows(text, head, columns, options, notes)
  return clip.joints { tracks = tracks_of(columns, notes), notes = notes }
end

return csv
