--- Rows of a store as lines of PostgreSQL's COPY (text format).
local quoted = require "brio.analysis.postgres.tables".quoted

local copy = {}

local escapes = { ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\0"] = "\u{FFFD}" }

--- A value as a field.  PostgreSQL has no text with a zero byte: U+FFFD takes its place.
local function field(value)
  local kind = math.type(value)
  if kind == "integer" then return tostring(value) end
  if kind == "float" then
    return value == math.huge and "Infinity" or value == -math.huge and "-Infinity" or ("%.17g"):format(value)
  end
  return (value:gsub("[\\\n\r\t%z]", escapes))
end

--- The statement that reads a table's rows of a unit (nil: all) beyond a number (nil: from the first on).
local function statement_of(one, unit, beyond)
  local list, where = {}, {}
  for index, column in ipairs(one.columns) do
    local name = quoted(column.name)
    -- hex() of a null would be an empty text
    list[index] = column.type == "bytea" and ("iif(%s IS NULL, NULL, hex(%s)) AS %s"):format(name, name, name)
      or name
  end
  if unit then where[1] = ("%s = %d"):format(quoted(one.unit), unit) end
  if beyond then where[#where + 1] = ("%s > %d"):format(quoted(one.growing), beyond) end
  local order = {}
  for index, name in ipairs(one.growing and { one.growing } or one.key) do order[index] = quoted(name) end
  return ("SELECT %s FROM %s%s ORDER BY %s"):format(table.concat(list, ", "), quoted(one.name),
    #where > 0 and " WHERE " .. table.concat(where, " AND ") or "", table.concat(order, ", "))
end

--- Call write(text) with the statement and lines that copy rows into brio.TABLE.  Return their number.
function copy.rows(db, one, store, unit, beyond, write)
  local names, count, prefix = {}, 0, store .. "\t"
  for index, column in ipairs(one.columns) do names[index] = quoted(column.name) end
  write(("COPY brio.%s(store, %s) FROM STDIN;\n"):format(quoted(one.name), table.concat(names, ", ")))
  local fields, columns = {}, one.columns
  for row in assert(db:rows(statement_of(one, unit, beyond))) do
    for index = 1, #columns do
      local value = row[columns[index].name]
      fields[index] = value == nil and "\\N" or columns[index].type == "bytea" and "\\\\x" .. value
        or field(value)
    end
    write(prefix, table.concat(fields, "\t"), "\n")
    count = count + 1
  end
  write "\\.\n"
  return count
end

return copy
