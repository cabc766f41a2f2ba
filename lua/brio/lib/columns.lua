--- Rows as an aligned table of text, for the terminal.
local columns = {}

local widest = 100 -- characters of a cell; longer ones are cut

--- A value as text on one line.
function columns.cell(value)
  if value == nil then return "" end
  if math.type(value) == "float" then return ("%.10g"):format(value) end
  local text = tostring(value):gsub("[%c\127]", { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" })
  text = text:gsub("[%z\1-\31\127]", "?")
  local length = utf8.len(text)
  if length and length > widest then return text:sub(1, utf8.offset(text, widest) - 1) .. "…" end
  return text
end

local function width_of(text)
  return utf8.len(text) or #text
end

--- Widths of the columns for these rows; `names` in order, rows by name.
function columns.measure(names, rows)
  local widths = {}
  for i, name in ipairs(names) do
    widths[i] = width_of(name)
    for _, row in ipairs(rows) do widths[i] = math.max(widths[i], width_of(columns.cell(row[name]))) end
  end
  return widths
end

local function padded(text, width, right)
  local space = (" "):rep(width - width_of(text))
  return right and space .. text or text .. space
end

--- One row as a line; numbers are right-aligned.
function columns.line(names, widths, row)
  local cells = {}
  for i, name in ipairs(names) do
    cells[i] = padded(columns.cell(row[name]), widths[i], math.type(row[name]))
  end
  return (table.concat(cells, "  "):gsub("%s+$", ""))
end

--- The two lines above the rows.
function columns.head(names, widths)
  local rules, head = {}, {}
  for i, name in ipairs(names) do
    rules[i], head[i] = ("-"):rep(widths[i]), padded(name, widths[i])
  end
  return (table.concat(head, "  "):gsub("%s+$", "")), table.concat(rules, "  ")
end

--- The whole table as one text, without a newline at its end.
function columns.text(names, rows)
  local widths = columns.measure(names, rows)
  local lines = { columns.head(names, widths) }
  for _, row in ipairs(rows) do lines[#lines + 1] = columns.line(names, widths, row) end
  return table.concat(lines, "\n")
end

--- A value as a CSV cell (RFC 4180); numbers with the precision of JSON.
function columns.csv_cell(value)
  if value == nil then return "" end
  if type(value) == "number" then return require("brio.store").json(value) end
  if not value:find '[",\r\n]' then return value end
  return '"' .. value:gsub('"', '""') .. '"'
end

--- One line of CSV; nils among the `count` values are empty.
function columns.csv_line(values, count)
  local cells = {}
  for index = 1, count do cells[index] = columns.csv_cell(values[index]) end
  return table.concat(cells, ",")
end

return columns
