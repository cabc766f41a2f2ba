--- The tables of a store by their own declarations: which are numbered, and to which rows each row belongs.
--- `brio merge` and `brio prune` use this, so that tables of later schemas need no changes here.
local schema = {}

local function rows_of(db, sql, ...) return assert(db:query(sql, ...)) end

--- The columns of a unique index that distinguishes rows independently of their numbers; nil: none.
local function unique_of(db, name)
  local sql = [[SELECT name FROM pragma_index_list(?) WHERE "unique" AND NOT partial AND origin <> 'pk']]
  local index = rows_of(db, sql, name)[1]
  if not index then return nil end
  local columns = {}
  for place, row in ipairs(rows_of(db, "SELECT name FROM pragma_index_info(?) ORDER BY seqno", index.name)) do
    columns[place] = row.name
  end
  return columns
end

--- A table: {name, columns (a list of names), key (of its primary key), numbered (its rows have an `id` that
--- the store counts), parents = { column = list of {table, column} }, told_apart (columns that distinguish
--- numbered rows other than their id), filled (set of columns that SQLite fills with the time), optional (set
--- of columns that may be null)}.
local function read_table(db, name)
  local made = { name = name, columns = {}, key = {}, parents = {}, filled = {}, optional = {} }
  local needed = {}
  local sql = [[SELECT name, type, pk, "notnull" AS needed, dflt_value AS filled FROM pragma_table_info(?)]]
  for _, column in ipairs(rows_of(db, sql, name)) do
    made.columns[#made.columns + 1] = column.name
    if column.pk > 0 then made.key[column.pk] = column.name end
    if column.pk == 1 and column.name == "id" and column.type == "INTEGER" then made.numbered = true end
    if column.pk == 0 and column.needed == 1 then needed[#needed + 1] = column.name end
    made.optional[column.name] = column.needed == 0 and column.pk == 0
    made.filled[column.name] = column.filled and column.filled:find("strftime", 1, true) ~= nil
  end
  made.numbered = made.numbered and #made.key == 1
  made.unique = unique_of(db, name)
  made.told_apart = made.unique or needed
  sql = "SELECT \"table\" AS parent, \"from\" AS own, coalesce(\"to\", 'id') AS its \z
    FROM pragma_foreign_key_list(?)"
  for _, row in ipairs(rows_of(db, sql, name)) do
    made.parents[row.own] = made.parents[row.own] or {}
    table.insert(made.parents[row.own], { table = row.parent, column = row.its })
  end
  return made
end

--- The numbered table whose id a column has, resolved over intermediate tables; nil: none.
local function numbered_of(tables, name, column, seen)
  local mark = name .. "." .. column
  local one = tables[name]
  if seen[mark] or not one then return nil end
  seen[mark] = true
  for _, parent in ipairs(one.parents[column] or {}) do
    local target = tables[parent.table]
    if target and target.numbered and parent.column == "id" then return parent.table end
    local found = numbered_of(tables, parent.table, parent.column, seen)
    if found then return found end
  end
end

--- Append a table after those to which it belongs.
local function place(tables, one, list, seen)
  if seen[one.name] then return end
  seen[one.name] = true
  for _, column in ipairs(one.columns) do
    for _, parent in ipairs(one.parents[column] or {}) do
      if tables[parent.table] then place(tables, tables[parent.table], list, seen) end
    end
  end
  list[#list + 1] = one
end

--- Whether the numbers of a table's rows have no meaning: nothing refers to them, and other columns
--- distinguish the rows of a run.
local function counts_for_nothing(list, one)
  local of_run = false
  for _, column in ipairs(one.unique or {}) do of_run = of_run or one.refers[column] == "runs" end
  for _, other in ipairs(list) do
    for _, target in next, other.refers do
      if target == one.name then return false end
    end
  end
  return of_run
end

--- The tables of an open store, referenced ones first.  Of each table, refers[column] is the numbered table
--- whose id the column has; a `loose` table has an id without meaning.
function schema.read(db)
  local tables, list, seen = {}, {}, {}
  local names = rows_of(db, [[SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name]])
  for _, row in ipairs(names) do tables[row.name] = read_table(db, row.name) end
  for _, row in ipairs(names) do
    local one = tables[row.name]
    one.refers = {}
    for _, column in ipairs(one.columns) do one.refers[column] = numbered_of(tables, one.name, column, {}) end
    place(tables, one, list, seen)
  end
  for _, one in ipairs(list) do
    if one.numbered and counts_for_nothing(list, one) then one.numbered, one.loose = false, true end
  end
  list.by_name = tables
  return list
end

--- The column of a table that contains the run of a row; nil: none.
function schema.run_column(one)
  for _, column in ipairs(one.columns) do
    if one.refers[column] == "runs" then return column end
  end
end

--- A quoted name in SQL.
function schema.quoted(name) return '"' .. name:gsub('"', '""') .. '"' end

return schema
