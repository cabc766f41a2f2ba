--- The tables of a store as PostgreSQL has them: generated from the store's own declarations, each with the
--- store's UUID first in its key.
---
--- Rows are replicated in units: those of a run, of a repeat, or a whole table.  `unit` is the column that
--- says which (nil: the whole table).  Rows of a `growing` table are only ever added, in the order of that
--- column.
local schema = require "brio.analysis.upkeep.schema"

local tables = {}

--- Tables whose rows are only added, with a column that grows with them.  What the engine replaces while it
--- records (tails, short blocks of the solver, rows that end later) is not among them.
local growing = { sample_ticks = "tick", sample_blocks = "id", events = "id", operator = "id", logs = "id",
  inputs = "id", detections = "id", tapes = "id", clocks = "id", tree_records = "id", faults = "id",
  notes = "id" }

--- Tables whose rows are replaced by others while a run goes on: they come when it is over.
local late = { sample_tails = true, solve_blocks = true, solve_seconds = true, dof_summary = true }

local types = { INTEGER = "bigint", INT = "bigint", REAL = "double precision", TEXT = "text", BLOB = "bytea",
  ANY = "text" }

local function quoted(name) return '"' .. name:gsub('"', '""') .. '"' end

tables.quoted = quoted

--- The columns of a table: a list of {name, type}.
local function columns_of(db, one)
  local list = {}
  for _, row in ipairs(assert(db:query("SELECT name, type FROM pragma_table_info(?)", one.name))) do
    -- numbers of rows that have no meaning stay behind
    if not (one.loose and row.name == "id") then
      list[#list + 1] = { name = row.name, type = types[row.type] or "text" }
    end
  end
  return list
end

--- The column whose value says to which unit a row belongs; nil: the whole table is one.
local function unit_of(one, key)
  local run = schema.run_column(one)
  if one.name == "runs" then return "id" end
  if run and (one.loose or #key > 1 and key[1] == run) then return run end
  if one.name == "repeats" then return nil end
  if key[1] == "repeat" and #key > 1 then return "repeat" end
end

--- All tables of an open store: a list of {name, columns, key, unit, growing, of_runs}.
function tables.read(db)
  local list = {}
  for _, one in ipairs(schema.read(db)) do
    local key = one.loose and one.unique or #one.key > 0 and one.key or one.columns
    local made = { name = one.name, columns = columns_of(db, one), key = key, growing = growing[one.name],
      late = late[one.name] }
    made.unit = unit_of(one, key)
    made.of_runs = made.unit ~= nil and made.unit ~= "repeat"
    list[#list + 1] = made
  end
  return list
end

--- SQL that makes what is missing in the database: the schema, tables, columns, and the list of what is
--- there.
function tables.definitions(list)
  local lines = { "SET client_min_messages = warning;", "CREATE SCHEMA IF NOT EXISTS brio;",
    [[CREATE TABLE IF NOT EXISTS brio.replicated(
  store uuid NOT NULL, kind text NOT NULL, unit bigint NOT NULL, -- the table; run, repeat or 0
  rows bigint NOT NULL, up_to bigint, digest text, closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY(store, kind, unit));]] }
  for _, one in ipairs(list) do
    local columns, key = {}, { "store" }
    for index, column in ipairs(one.columns) do columns[index] = quoted(column.name) .. " " .. column.type end
    for _, name in ipairs(one.key) do key[#key + 1] = quoted(name) end
    local name = "brio." .. quoted(one.name)
    lines[#lines + 1] = ("CREATE TABLE IF NOT EXISTS %s(store uuid NOT NULL, %s, PRIMARY KEY(%s));")
      :format(name,
      table.concat(columns, ", "), table.concat(key, ", "))
    for _, column in ipairs(one.columns) do
      lines[#lines + 1] = ("ALTER TABLE %s ADD COLUMN IF NOT EXISTS %s %s;"):format(name, quoted(column.name),
        column.type)
      -- blocks are packed already
      if column.type == "bytea" then
        lines[#lines + 1] = ("ALTER TABLE %s ALTER %s SET STORAGE EXTERNAL;")
          :format(name, quoted(column.name))
      end
    end
  end
  lines[#lines + 1] = "CREATE INDEX IF NOT EXISTS runs_by_uuid ON brio.runs(uuid);"
  return table.concat(lines, "\n") .. "\n"
end

return tables
