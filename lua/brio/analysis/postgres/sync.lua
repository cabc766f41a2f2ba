--- Replicates a store into PostgreSQL: it reads the file beside whatever writes it, and adds what is missing.
---
--- A unit (the rows of a run in a table, or a whole small table) and the note about it in brio.replicated are
--- one transaction: whenever this program, the network or the database ends, the database has units as they
--- were at some moment, and no row twice (its key has the store's UUID).  A run that is over is closed in the
--- same transaction as its last rows, and not read again unless it shows a sign of life.
local copy = require "brio.analysis.postgres.copy"
local store = require "brio.store"
local tables = require "brio.analysis.postgres.tables"

local sync = {}
local Sync = {}
Sync.__index = Sync

local quoted = tables.quoted

--- Seconds without a sign of life after which a run is taken as over.
sync.silence = 600

local function rows_of(db, sql, ...) return assert(db:query(sql, ...)) end

local function number_of(db, sql, ...)
  local row = rows_of(db, sql, ...)[1]
  local _, value = next(row or {})
  return value or 0
end

--- The name of a store; nil and a sentence.
local function name_of(db, path)
  local there = rows_of(db, "SELECT 1 FROM sqlite_schema WHERE name = 'identity'")[1]
  local row = there and rows_of(db, "SELECT uuid FROM identity")[1]
  if row and type(row.uuid) == "string" and row.uuid:match "^[%x-]+$" then return row.uuid end
  if row then return nil, path .. ": the store's identity is no UUID" end
  return nil, path .. " is a store of an older brio, which has no UUID: record a run in it, or merge it \z
    into a new one (brio merge NEW " .. path .. ")"
end

--- What the database has of the store: by table and unit {rows, up_to, digest, closed}, and by number the
--- UUIDs of its runs.  nil and a sentence.
local function read_state(self)
  local found, why = self.database:ask(("SELECT kind, unit, rows, up_to, digest, closed FROM \z
    brio.replicated WHERE store = '%s'"):format(self.name))
  if not found then return nil, why end
  self.state, self.known = {}, {}
  for _, row in ipairs(found) do
    self.state[row[1]] = self.state[row[1]] or {}
    self.state[row[1]][math.tointeger(tonumber(row[2]))] = { rows = math.tointeger(tonumber(row[3])),
      up_to = math.tointeger(tonumber(row[4])), digest = row[5], closed = row[6] == "t" }
  end
  found, why = self.database:ask(("SELECT id, uuid FROM brio.runs WHERE store = '%s'"):format(self.name))
  if not found then return nil, why end
  for _, row in ipairs(found) do self.known[math.tointeger(tonumber(row[1]))] = row[2] end
  return true
end

--- Runs of this store that the database has from another store: a set of UUIDs; nil and a sentence.
local function read_foreign(self, runs)
  local list, set = {}, {}
  for _, run in ipairs(runs) do
    if not self.known[run.id] and run.uuid then list[#list + 1] = "'" .. run.uuid:gsub("'", "''") .. "'" end
  end
  for first = 1, #list, 1000 do
    local found, why = self.database:ask(("SELECT uuid FROM brio.runs WHERE store <> '%s' AND uuid IN (%s)")
      :format(self.name, table.concat(list, ", ", first, math.min(first + 999, #list))))
    if not found then return nil, why end
    for _, row in ipairs(found) do set[row[1]] = true end
  end
  return set
end

--- The note about a unit.
local function write_note(self, write, kind, unit, note)
  write(([[INSERT INTO brio.replicated(store, kind, unit, rows, up_to, digest, closed)
    VALUES('%s', '%s', %d, %d, %s, %s, %s) ON CONFLICT(store, kind, unit) DO UPDATE SET rows = excluded.rows,
    up_to = excluded.up_to, digest = excluded.digest, closed = excluded.closed;]]):format(self.name, kind,
    unit,
    note.rows, note.up_to or "NULL", note.digest and "'" .. note.digest .. "'" or "NULL",
    note.closed and "true" or "false"), "\n")
end

local function condition(one, unit)
  return unit and (" WHERE %s = %d"):format(quoted(one.unit), unit) or ""
end

--- Replace a unit if its rows have changed.
local function replace(self, write, one, unit)
  local text = {}
  local count = copy.rows(self.db, one, self.name, unit, nil, function(...)
    for _, piece in ipairs { ... } do text[#text + 1] = piece end
  end)
  local whole = table.concat(text)
  local digest = store.hash(whole)
  local before = (self.state[one.name] or {})[unit or 0]
  if before and before.digest == digest or not before and count == 0 then return end
  write(("DELETE FROM brio.%s WHERE store = '%s'%s;\n"):format(quoted(one.name), self.name,
    condition(one, unit):gsub("^ WHERE", " AND")), whole)
  write_note(self, write, one.name, unit or 0, { rows = count, digest = digest })
  self.report.rows = self.report.rows + count
end

--- Send the new rows of a growing unit.  If the rows that were sent before are not its first ones, send all
--- rows again.
local function grow(self, write, one, unit)
  local before = (self.state[one.name] or {})[unit]
  local where = condition(one, unit)
  local column = quoted(one.growing)
  if before and before.up_to and number_of(self.db, ("SELECT count(*) FROM %s%s AND %s <= ?"):format(
      quoted(one.name), where, column), before.up_to) ~= before.rows then
    write(("DELETE FROM brio.%s WHERE store = '%s'%s;\n"):format(quoted(one.name), self.name,
      where:gsub("^ WHERE", " AND")))
    before = nil
  end
  local last = rows_of(self.db,
    ("SELECT max(%s) AS n FROM %s%s"):format(column, quoted(one.name), where))[1].n
  if not last or before and before.up_to and last <= before.up_to then return end
  local count = copy.rows(self.db, one, self.name, unit, before and before.up_to, write)
  write_note(self, write, one.name, unit, { rows = (before and before.rows or 0) + count, up_to = last })
  self.report.rows = self.report.rows + count
end

--- Make the schema there, unless it is the one of this store's tables.  Return true, or nil and a sentence.
local function define(self)
  local text = tables.definitions(self.tables)
  local digest = store.hash(text)
  local said, why = self.database:ask "SELECT obj_description(oid) FROM pg_namespace WHERE nspname = 'brio'"
  if not said then return nil, why end
  if said[1] and said[1][1] == digest then return true end
  local script = self.database:script()
  script.write("BEGIN;\nSELECT pg_advisory_xact_lock(hashtext('brio'));\n", text,
    ("COMMENT ON SCHEMA brio IS '%s';\nCOMMIT;\n"):format(digest))
  return script.finish()
end

--- Do work(write) as one transaction.  Return true, or nil and a sentence.
function Sync:transaction(work)
  local script = self.database:script()
  script.write(("BEGIN;\nSELECT pg_advisory_xact_lock(hashtext('%s'));\n"):format(self.name))
  local good, fault = pcall(work, script.write)
  script.write(good and "COMMIT;\n" or "ROLLBACK;\n")
  local sent, why = script.finish()
  if not good then return nil, tostring(fault) end
  return sent, why
end

--- Replicate what a run has, and close it if it is over.
function Sync:run(run)
  local before = self.state["*"] and self.state["*"][run.id]
  if before and before.closed and before.digest == run.mark then return true end
  local good, why = self:transaction(function(write)
    for _, one in ipairs(self.tables) do
      if one.of_runs and one.growing then grow(self, write, one, run.id)
      elseif one.of_runs and (run.over or not one.late) then replace(self, write, one, run.id) end
    end
    write_note(self, write, "*", run.id, { rows = 0, closed = run.over, digest = run.mark })
  end)
  if good then
    self.report.runs = self.report.runs + 1
    self.report.open = self.report.open + (run.over and 0 or 1)
  end
  return good, why
end

--- The repeats whose rows of a table are not there yet: all of a repeat's rows are written at once.
local function repeats_of(self, one)
  local list = {}
  for _, row in ipairs(rows_of(self.db,
    ("SELECT \"repeat\" AS unit, count(*) AS n FROM %s GROUP BY 1 ORDER BY 1")
    :format(quoted(one.name)))) do
    local before = (self.state[one.name] or {})[row.unit]
    if not before or before.rows ~= row.n then list[#list + 1] = row.unit end
  end
  return list
end

--- Replicate the tables that belong to no run.
function Sync:others()
  return self:transaction(function(write)
    for _, one in ipairs(self.tables) do
      if not one.unit then replace(self, write, one, nil)
      elseif not one.of_runs then
        for _, unit in ipairs(repeats_of(self, one)) do replace(self, write, one, unit) end
      end
    end
  end)
end

--- Remove runs there that are not here any more.
function Sync:mirror(here)
  local gone = {}
  for id in next, self.known do
    if not here[id] then gone[#gone + 1] = id end
  end
  table.sort(gone)
  for _, id in ipairs(gone) do
    local good, why = self:transaction(function(write)
      for _, one in ipairs(self.tables) do
        if one.of_runs then
          write(("DELETE FROM brio.%s WHERE store = '%s' AND %s = %d;\n"):format(quoted(one.name), self.name,
            quoted(one.unit), id))
          write(("DELETE FROM brio.replicated WHERE store = '%s' AND kind = '%s' AND unit = %d;\n"):format(
            self.name, one.name, id))
        end
      end
      write(("DELETE FROM brio.replicated WHERE store = '%s' AND kind = '*' AND unit = %d;\n")
        :format(self.name, id))
    end)
    if not good then return nil, why end
    self.report.removed = self.report.removed + 1
  end
  return true
end

--- A run is over if it says so, if its end was found, or if it gave no sign of life for long: an engine that
--- is stopped for a while may go on.  `mark` changes with every sign of life.
local runs_sql = [[SELECT *, coalesce(outcome, '-') || ' ' || coalesce(ended_at, '-') || ' '
      || coalesce(alive_at, '-') AS mark,
    outcome IS NOT NULL OR ended_at IS NOT NULL OR alive_at IS NULL
      OR (julianday('now') - julianday(alive_at)) * 86400 > ?1 AS over
  FROM (SELECT id, uuid, outcome, ended_at, alive_at FROM runs) ORDER BY over DESC, id]]

--- The runs of the store, oldest first: those that are over before those that go on.  nil and a sentence if
--- the database has another run under the number of one of them.
local function runs_of(self)
  local list, here = {}, {}
  for _, row in ipairs(rows_of(self.db, runs_sql, sync.silence)) do
    if self.known[row.id] and self.known[row.id] ~= row.uuid then
      return nil, ("run %d is another run there: this store and another one went on from copies of one \z
        file. Give this one a name of its own: brio merge NEW %s"):format(row.id, self.path)
    end
    row.over, here[row.id] = row.over == 1, true
    list[#list + 1] = row
  end
  return list, here
end

--- One pass over the store at a path, in one snapshot of it.
local function pass(self, options)
  local good, why = read_state(self)
  if not good then return nil, why end
  local runs, here = runs_of(self)
  if not runs then return nil, here end
  local foreign
  foreign, why = read_foreign(self, runs)
  if not foreign then return nil, why end
  -- what runs refer to comes first
  good, why = self:others()
  for _, run in ipairs(runs) do
    if good and foreign[run.uuid] then self.report.foreign = self.report.foreign + 1
    elseif good then good, why = self:run(run) end
  end
  if good and options.mirror then good, why = self:mirror(here) end
  return good, why
end

--- Replicate the store at `path` into a database (see connection.lua) as it is now.  options: mirror (also
--- remove runs that were removed here).  Return {store (its UUID), runs (sent now), open (of them, still
--- recorded), foreign (there already, from another store), removed, rows}, or nil and a sentence.
function sync.pass(database, path, options)
  local db, why = store.open(path)
  if not db then return nil, why end
  local self = setmetatable({ database = database, db = db, path = path,
    report = { runs = 0, open = 0, foreign = 0, removed = 0, rows = 0 } }, Sync)
  local good
  local fine, fault = pcall(function()
    self.name, why = name_of(db, path)
    if not self.name then return end
    rows_of(db, "BEGIN") -- all of it as it is at one moment
    self.tables = tables.read(db)
    good, why = define(self)
    if good then good, why = pass(self, options) end
  end)
  db:close()
  if not fine then return nil, (tostring(fault):gsub("^[^:]*%.lua:%d+: ", "")) end
  self.report.store = self.name
  return good and self.report or nil, why
end

return sync
