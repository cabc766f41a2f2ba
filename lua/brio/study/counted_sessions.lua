--- Queries for the sessions of a study that count: no rehearsals, trainings or aborted sessions.
local counted = {}

--- The beginning of every query: `counted` has (session, run, participant, condition, ordinal, wizard,
--- minutes) of each run of each such session; ?1 is the study.
counted.with = [[
WITH counted AS (
  SELECT s.id AS session, sr.run, s.participant, s.condition, s.ordinal, s.wizard, r.started_at, r.robot,
    r.driver, r.commands_hash,
    coalesce(r.duration, (SELECT v.duration FROM run_summary v
      WHERE v.run = r.id)) AS seconds -- of one that was killed
  FROM sessions s LEFT JOIN session_runs sr ON sr.session = s.id LEFT JOIN runs r ON r.id = sr.run
  WHERE s.study = ?1 AND s.rehearsal = 0 AND s.training = 0 AND s.outcome IS NOT 'aborted')
]]

--- The rows of a query with that beginning; raises { why } on errors.
function counted.rows(db, study, sql, ...)
  local rows, why = db:query(counted.with .. sql, study, ...)
  if not rows then error({ why = why }, 0) end
  return rows
end

--- One column of rows, as a list of numbers without gaps.
function counted.numbers(rows, name)
  local list = {}
  for _, row in ipairs(rows) do
    if row[name] then list[#list + 1] = row[name] end
  end
  table.sort(list)
  return list
end

--- The quantile of a sorted list (nearest rank); nil of an empty one.
function counted.quantile(list, share)
  if #list == 0 then return nil end
  return list[math.max(1, math.ceil(share * #list - 1e-9))]
end

--- The median of a sorted list; nil of an empty one.
function counted.median(list)
  if #list == 0 then return nil end
  return (list[(#list + 1) // 2] + list[(#list + 2) // 2]) / 2
end

return counted
