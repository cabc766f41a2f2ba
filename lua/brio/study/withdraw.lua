--- Withdrawal of a participant: removes sessions, all records of their runs, their point clouds beside the
--- store, answers, facts.  Kept are the withdrawal of the code, and its slot in the plan.  A preview removes
--- the data and rolls back, so that its figures are exact.
local prune, schema = require "brio.analysis.upkeep.prune", require "brio.analysis.upkeep.schema"
local store = require "brio.store"

local withdraw = {}

local function run(db, sql, ...) return assert(db:query(sql, ...)) end

--- Delete or change rows, and count them.
local function change(db, count, name, sql, ...)
  run(db, sql, ...)
  local _, n = next(run(db, "SELECT changes() AS n")[1])
  if n > 0 then count[name] = (count[name] or 0) + n end
end

--- Remove all data of a participant from the tables.
local function take_out(db, study, code, count)
  local tables = schema.read(db)
  local sittings = run(db, "SELECT sitting FROM study_sittings WHERE study = ?1 AND participant = ?2", study,
    code)
  for _, row in ipairs(sittings) do
    change(db, count, "responses", "DELETE FROM responses WHERE sitting = ?1", row.sitting)
    change(db, count, "sittings", "DELETE FROM sittings WHERE id = ?1", row.sitting)
  end
  local runs = run(db, [[SELECT sr.run FROM session_runs sr JOIN sessions s ON s.id = sr.session
    WHERE s.study = ?1 AND s.participant = ?2]], study, code)
  for _, row in ipairs(runs) do prune.take_out(db, tables, row.run, false, count) end
  if runs[1] then count.runs = #runs end
  change(db, count, "session_steps",
    "DELETE FROM session_steps WHERE session IN (SELECT id FROM sessions WHERE study = ?1 AND participant = \z
      ?2)", study, code)
  change(db, count, "sessions", "DELETE FROM sessions WHERE study = ?1 AND participant = ?2", study, code)
  run(db, "INSERT OR IGNORE INTO participants(study, code, consent) VALUES(?1, ?2, 0)", study, code)
  run(db, [[UPDATE participants SET consent = 0, consented_at = NULL, facts = NULL,
    withdrawn_at = coalesce(withdrawn_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) WHERE study = ?1
      AND code = ?2]], study, code)
  prune.drop_versions(db, tables)
  prune.drop_files(db, tables)
end

local function recording(db, study, code)
  return run(db, [[SELECT r.run FROM run_summary r JOIN session_runs sr ON sr.run = r.run
      JOIN sessions s ON s.id = sr.session
    WHERE s.study = ?1 AND s.participant = ?2 AND r.outcome = 'runs']], study, code)[1]
end

local function work(db, study, code, done)
  run(db, "PRAGMA foreign_keys = OFF") -- rows are removed in the order of their dependencies
  run(db, "PRAGMA secure_delete = ON")
  local going = done and recording(db, study, code)
  if going then error(("run %d is being recorded: stop it first"):format(going.run), 0) end
  local count = {}
  run(db, "BEGIN IMMEDIATE")
  take_out(db, study, code, count)
  run(db, done and "COMMIT" or "ROLLBACK")
  return count
end

--- Remove all data of a participant from the store at `path` (`done`), or only count it.  Return { table =
--- rows } and, if done, whether the file was rewritten without them (true, or the reason why not); nil and a
--- sentence.
function withdraw.participant(path, study, code, done)
  local db, why = store.change(path)
  if not db then return nil, why end
  local good, count = pcall(work, db, study, code, done)
  if not good then db:query "ROLLBACK" end
  local shrunk, fault
  if good and done then shrunk, fault = prune.shrink(db) end
  db:close()
  if good and done then
    prune.forget_words(path)
    prune.drop_clouds(path)
  end
  if not good then return nil, (tostring(count):gsub("^[^:]*%.lua:%d+: ", "")) end
  return count, shrunk or fault
end

return withdraw
