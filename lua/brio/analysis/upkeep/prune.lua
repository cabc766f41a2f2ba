--- Removes runs, or only their samples, from a store.  A preview removes them and rolls back, so its figures
--- are exact; the removal itself is one transaction for each run.
local schema = require "brio.analysis.upkeep.schema"
local side = require "brio.record.side_files"
local store = require "brio.store"

local prune = {}
local quoted = schema.quoted

--- Tables of samples of every tick: `samples = true` empties only these.
local sampled = { sample_values = true, sample_chunks = true, sample_blocks = true, sample_ticks = true,
  sample_tails = true, solve_blocks = true, solve_rows = true }
--- Columns that hold the hash of a version, where they are texts.
local names_versions = { version = true, hash = true, sequence = true, script = true }
--- Tables with people's data: a run to which they refer cannot be recorded again.
local people = { "sittings", "session_runs", "annotations" }

local function run(db, sql, ...) return assert(db:query(sql, ...)) end

local function number(db, sql, ...)
  local row = run(db, sql, ...)[1]
  local _, value = next(row or {})
  return value or 0
end

--- Number of bytes of the file that are in use.
local function in_use(db)
  return (number(db, "PRAGMA page_count") - number(db, "PRAGMA freelist_count")) * number(db,
    "PRAGMA page_size")
end

--- Why a run must stay; nil: it may be removed.
local function needed(db, tables, id, what)
  if what.keep[id] then return "requested" end
  if what.samples or what.studied then return nil end
  for _, name in ipairs(people) do
    local one = tables.by_name[name]
    if one and number(db, ("SELECT count(*) FROM %s WHERE run = ?"):format(quoted(name)), id) > 0 then
      return "people's data (" .. name .. ") are about it"
    end
  end
end

--- The requested runs, oldest first: a list of {run, started_at, behavior, stays (why)}.
local function meant(db, tables, what)
  local rows = run(db,
    [[SELECT * FROM (SELECT run, started_at, behavior, row_number() OVER (ORDER BY run DESC) AS back
      FROM run_summary)
    WHERE ?1 < 0 OR julianday('now') - julianday(started_at) >= ?1 ORDER BY run]], what.older or -1)
  local list = {}
  for _, row in ipairs(rows) do
    if (not what.runs or what.runs[row.run]) and row.back > (what.keep_last or 0) then
      row.stays, row.back = needed(db, tables, row.run, what), nil
      list[#list + 1] = row
    end
  end
  return list
end

--- Remove a run's rows from a table; return how many.
local function empty(db, one, id)
  local column = schema.run_column(one)
  if not column then return 0 end
  local sql = one.optional[column] and "UPDATE %s SET %s = NULL WHERE %s = ?" or "DELETE FROM %s WHERE %s = ?"
  run(db, sql:format(quoted(one.name), quoted(column), quoted(column)), id)
  return number(db, "SELECT changes()")
end

--- Remove a run, or its samples.  The number of removed rows by table is added to `count` if it is given.
local function take_out(db, tables, id, samples, count)
  for index = #tables, 1, -1 do
    local one = tables[index]
    local gone = (not samples or sampled[one.name]) and empty(db, one, id) or 0
    if count and gone > 0 then count[one.name] = (count[one.name] or 0) + gone end
  end
  if not samples then run(db, "DELETE FROM runs WHERE id = ?", id) end
end

prune.take_out = take_out

--- Remove texts that no row refers to any more, and their derived rows.
local function drop_versions(db, tables)
  local named = {}
  for _, one in ipairs(tables) do
    for _, column in ipairs(one.columns) do
      if one.name ~= "versions" and names_versions[column] then
        named[#named + 1] = ("SELECT %s FROM %s"):format(quoted(column), quoted(one.name))
      end
    end
  end
  run(db, ([[WITH RECURSIVE kept(hash) AS (
      SELECT * FROM (%s) UNION SELECT v.parent FROM versions v JOIN kept k ON v.hash = k.hash)
    DELETE FROM versions WHERE hash NOT IN (SELECT hash FROM kept WHERE hash IS NOT NULL)]])
    :format(table.concat(named, " UNION ")))
end

prune.drop_versions = drop_versions

--- Remove large files of tapes, if there is no tape any more.
local function drop_files(db, tables)
  if not (tables.by_name.files and tables.by_name.tapes) then return end
  run(db, "DELETE FROM files WHERE NOT EXISTS (SELECT 1 FROM tapes)")
  if not tables.by_name.kept_clouds then return end
  run(db, "DELETE FROM files WHERE path IS NOT NULL AND hash NOT IN (SELECT hash FROM kept_clouds WHERE \z
    hash IS NOT NULL)")
end

prune.drop_files = drop_files

--- Remove the point clouds beside the store at a path that it does not name any more.  Return how many.
prune.drop_clouds = side.drop

--- Remove runs one after the other, or until the store is small enough if requested; each in its own
--- transaction if `done` is true.  Each row gets `bytes`.
local function work(db, tables, list, what, done)
  for _, row in ipairs(list) do
    local before = in_use(db)
    if what.to_size and before <= what.to_size then row.stays = row.stays or "the store is small enough" end
    if not row.stays then
      if done then run(db, "BEGIN IMMEDIATE") end
      take_out(db, tables, row.run, what.samples)
      if done then run(db, "COMMIT") end
      row.bytes = before - in_use(db)
    end
  end
  if done then run(db, "BEGIN IMMEDIATE") end
  if not what.samples then
    drop_versions(db, tables)
    drop_files(db, tables)
  end
  if done then run(db, "COMMIT") end
end

local function plain(raised) return (tostring(raised):gsub("^[^:]*%.lua:%d+: ", "")) end

--- Return free pages to the file system.  Return true, or nil and the reason.
local function shrink(db)
  local good, why = db:query "VACUUM"
  if good then good, why = db:query "PRAGMA wal_checkpoint(TRUNCATE)" end
  return good and true, why
end

prune.shrink = shrink

local function do_prune(db, what)
  -- rows are removed in the order of their dependencies; old stores may lack some constraints
  run(db, "PRAGMA foreign_keys = OFF")
  local going = run(db, "SELECT run FROM run_summary WHERE outcome = 'runs'")[1]
  if going then error(("run %d is being recorded: prune the store after its end"):format(going.run), 0) end
  local tables = schema.read(db)
  local report = { runs = meant(db, tables, what), before = in_use(db) }
  if not what.done then run(db, "BEGIN IMMEDIATE") end
  work(db, tables, report.runs, what, what.done)
  report.after = in_use(db)
  if not what.done then run(db, "ROLLBACK") end
  return report
end

--- Remove the index of a store's words (see store.search), which is built again on demand.
function prune.forget_words(path) os.remove(path .. "-search") end

--- Prune the store at `path`.  what: {runs (set of numbers; nil: all), older (days), keep (set), keep_last
--- (number of the newest runs that stay), to_size (bytes: oldest first until that size), samples (only the
--- samples of every tick), studied (also runs with people's data), done (false: preview), vacuum}.  Return
--- {runs = list of {run, started_at, behavior, bytes (freed), stays (why)}, before, after (bytes in use),
--- files (number removed beside the store), vacuum (true, or why not)}, or nil and why.
function prune.store(path, what)
  what.keep = what.keep or {}
  local db, why = store.change(path)
  if not db then return nil, why end
  local good, report = pcall(do_prune, db, what)
  if not good then db:query "ROLLBACK" end
  if good and what.done and what.vacuum then
    local shrunk, fault = shrink(db)
    report.vacuum = shrunk or fault
  end
  db:close()
  if what.done then prune.forget_words(path) end
  if good and what.done then report.files = prune.drop_clouds(path) end
  if not good then return nil, ("%s: %s"):format(path, plain(report)) end
  return report
end

return prune
