--- Merges one store into another.  Rows with numbers of the store's own (runs, sittings, annotations, ...)
--- get new numbers, and references to them are updated; rows with a natural key (content or name) are the
--- same in both.  Existing rows do not change, so that a repeated merge adds nothing.  `origins` keeps the
--- store and the number that a renumbered row came with, so that rows that look alike stay two.
local schema = require "brio.analysis.upkeep.schema"
local side = require "brio.record.side_files"
local store = require "brio.store"

local merge = {}
local quoted = schema.quoted

local function run(db, sql, ...) return assert(db:query(sql, ...)) end

local function changed(db) return run(db, "SELECT changes() AS n")[1].n end

local function list_of(items, text, between)
  local parts = {}
  for index, item in ipairs(items) do parts[index] = text(item) end
  return table.concat(parts, between or ", ")
end

--- The value here of a column of the other store's row `o`.
local function here(one, column)
  local target = one.numbered and column == "id" and one.name or one.refers[column]
  if not target then return "o." .. quoted(column) end
  return ("(SELECT new FROM temp.%s WHERE old = o.%s)"):format(quoted("map " .. target), quoted(column))
end

--- A condition that excludes rows of runs that are not copied.
local function taken(one)
  local column = schema.run_column(one)
  if one.name == "runs" then return "o.id NOT IN (SELECT id FROM temp.left_out)" end
  return column and ("(o.%s IS NULL OR o.%s NOT IN (SELECT id FROM temp.left_out))"):format(quoted(column),
    quoted(column)) or "1"
end

--- The names of numbered rows of a table, (store, number) for each row, by number: in the schema `of`.
local names_of = [[SELECT id, other AS store, number FROM %s.origins WHERE kind = '%s'
  UNION ALL SELECT t.id, i.uuid, t.id FROM %s.%s t, %s.identity i]]

--- Make temporary tables `here` and `there` of the names of a table's rows in both stores.
local function read_names(db, one)
  for name, of in next, { here = "main", there = "other" } do
    run(db, ("DROP TABLE IF EXISTS temp.%s"):format(name))
    run(db, ("CREATE TEMP TABLE %s(id INTEGER, store TEXT, number INTEGER, PRIMARY KEY(id, store, number)) \z
      WITHOUT ROWID"):format(name))
    run(db, ("INSERT OR IGNORE INTO temp.%s %s"):format(name,
      names_of:format(of, one.name, of, quoted(one.name), of)))
  end
end

--- Whether rows `o` there and `m` here have a name in common; whether some store has both, as two rows.
local same = [[EXISTS (SELECT 1 FROM temp.there a JOIN temp.here b USING (store, number)
  WHERE a.id = o.id AND b.id = m.id)]]
local two = [[EXISTS (SELECT 1 FROM temp.there a JOIN temp.here b USING (store)
  WHERE a.id = o.id AND b.id = m.id)]]

--- Keep the names that the rows of a table had in the other store, and in the stores that it was made of.
local function keep_names(db, one)
  run(db, ([[INSERT OR IGNORE INTO main.origins(kind, id, other, number)
    SELECT '%s', p.new, a.store, a.number FROM temp.there a JOIN temp.%s p ON p.old = a.id
    WHERE NOT EXISTS (SELECT 1 FROM temp.here b WHERE b.id = p.new AND b.store = a.store
      AND b.number = a.number)]]):format(one.name, quoted("map " .. one.name)))
end

--- Map the numbered rows of a table: known ones to their numbers here, others to new numbers.
local function take_numbered(db, one)
  local map, name = quoted("map " .. one.name), quoted(one.name)
  local others = {}
  for _, column in ipairs(one.columns) do
    if column ~= "id" then others[#others + 1] = column end
  end
  run(db, ("CREATE TEMP TABLE %s(old INTEGER PRIMARY KEY, new INTEGER NOT NULL, fresh INTEGER \z
    NOT NULL)"):format(map))
  read_names(db, one)
  -- a unique name of the row's own decides alone
  local known = one.unique and "1" or ("(%s OR NOT %s)"):format(same, two)
  run(db, ([[INSERT OR IGNORE INTO temp.%s SELECT o.id, m.id, 0 FROM other.%s o JOIN main.%s m ON %s
    WHERE %s AND %s ORDER BY o.id, %s DESC, m.id]]):format(map, name, name,
      list_of(one.told_apart, function(column)
        return ("m.%s = %s"):format(quoted(column), here(one, column)) end, " AND "), taken(one), known,
          same))
  -- the number of a removed row is not given again
  run(db, ([[INSERT INTO temp.%s SELECT o.id, max((SELECT coalesce(max(id), 0) FROM main.%s),
      coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = '%s'), 0)) + row_number()
      OVER (ORDER BY o.id), 1
    FROM other.%s o WHERE o.id NOT IN (SELECT old FROM temp.%s) AND %s]])
    :format(map, name, one.name, name, map,
      taken(one)))
  run(db, ([[INSERT INTO main.%s(id, %s) SELECT %s, %s FROM other.%s o
    WHERE o.id IN (SELECT old FROM temp.%s WHERE fresh) ORDER BY o.id]]):format(name,
      list_of(others, quoted), here(one, "id"),
    list_of(others, function(column) return here(one, column) end), name, map))
  local count = changed(db)
  keep_names(db, one)
  return count
end

--- Copy the rows of another table.  Rows that belong to a run are copied with the run only.
local function take_others(db, one)
  local column = schema.run_column(one)
  local only, columns = taken(one), {}
  for _, each in ipairs(one.columns) do
    if not (one.loose and each == "id") then columns[#columns + 1] = each end
  end
  if column and (one.loose or one.key[1] == column and #one.key > 1) then
    only = ("o.%s IN (SELECT old FROM temp.\"map runs\" WHERE fresh)"):format(quoted(column))
  end
  run(db, ("INSERT OR IGNORE INTO main.%s(%s) SELECT %s FROM other.%s o WHERE %s"):format(quoted(one.name),
    list_of(columns, quoted), list_of(columns, function(each) return here(one, each) end), quoted(one.name),
      only))
  return changed(db)
end

--- Tables about the store itself, which a merge does not copy.
local of_the_store = { identity = true, origins = true }

--- Tables whose rows are identified by the hash of their content; other columns describe where it was first
--- seen.
local by_content = { versions = true, files = true }

--- Rows of the other store that have the same name or number here, but different content.
local function differing(db, one)
  if schema.run_column(one) or one.name == "runs" or by_content[one.name] or of_the_store[one.name] then
    return 0
  end
  local columns = {}
  for _, column in ipairs(one.columns) do
    if not one.filled[column] then columns[#columns + 1] = column end
  end
  local sql = ("SELECT count(*) AS n FROM (SELECT %s FROM other.%s o EXCEPT SELECT %s FROM main.%s)"):format(
    list_of(columns, function(column) return here(one, column) end), quoted(one.name),
      list_of(columns, quoted), quoted(one.name))
  return run(db, sql)[1].n
end

--- Call work without the triggers that refuse rows: they are for input by people, and the other store's rows
--- have passed them.
local function without_refusals(db, work)
  local found = run(db, "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND lower(sql) \z
    LIKE '%raise(%'")
  for _, trigger in ipairs(found) do run(db, "DROP TRIGGER main." .. quoted(trigger.name)) end
  work()
  for _, trigger in ipairs(found) do run(db, trigger.sql) end
end

local function take_all(db, report)
  local tables = schema.read(db)
  run(db, "CREATE TEMP TABLE left_out(id INTEGER PRIMARY KEY)")
  run(db, "INSERT INTO temp.left_out SELECT run FROM other.run_summary WHERE outcome = 'runs'")
  report.left_out = changed(db)
  for _, one in ipairs(tables) do
    local count = of_the_store[one.name] and 0 or one.numbered and take_numbered(db, one)
      or not one.numbered and take_others(db, one) or 0
    report.rows = report.rows + count
    local differ = differing(db, one)
    if differ > 0 then table.insert(report.differ, { table = one.name, rows = differ }) end
  end
  local runs = run(db, "SELECT sum(fresh) AS fresh, sum(NOT fresh) AS known, min(iif(fresh, new, NULL)) AS \z
    first, "
    .. "max(iif(fresh, new, NULL)) AS last FROM temp.\"map runs\"")[1]
  report.runs, report.known, report.first, report.last = runs.fresh or 0, runs.known or 0, runs.first,
    runs.last
end

--- The position that Lua puts before an error message.
local function plain(raised) return (tostring(raised):gsub("^[^:]*%.lua:%d+: ", "")) end

--- Do the merge in one transaction.
local function do_merge(db, part)
  local report = { rows = 0, differ = {} }
  -- after a loss of rows, rows that refer to them are copied nevertheless
  run(db, "PRAGMA foreign_keys = OFF")
  run(db, "ATTACH ? AS other", part)
  run(db, "BEGIN IMMEDIATE")
  local good, why = pcall(without_refusals, db, function() take_all(db, report) end)
  if good then good, why = pcall(run, db, "COMMIT") end
  if not good then
    db:query "ROLLBACK"
    return nil, plain(why)
  end
  return report
end

--- Merge the store at `from` into the one at `into`, which is created if necessary; atomically. The other
--- store is copied first, in its present state, so it may have an older schema, be write-protected, or be in
--- use.  Return {runs (new here), first and last (their numbers), known (runs that were here), left_out (runs
--- that are still active), rows, files and missing (see side.copy), differ (list of {table, rows}: with the
--- same name here, which are unchanged)}, or nil and the reason.
function merge.into(into, from)
  local part = into .. ".merging"
  local bytes, why = store.backup(from, part, true)
  if not bytes then return nil, why end
  local function done(...)
    for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(part .. suffix) end
    return ...
  end
  local other, db
  other, why = store.change(part) -- updates its schema
  if not other then return done(nil, why) end
  other:close()
  db, why = store.change(into)
  if not db then return done(nil, why) end
  local report
  report, why = do_merge(db, part)
  db:close()
  if report then report.files, report.missing = side.copy(from, into) end
  return done(report, why and ("%s was not merged, %s is as it was: %s"):format(from, into, why))
end

return merge
