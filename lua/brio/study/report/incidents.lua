--- Incidents in the sessions of a study: aborted or open sessions, failed or killed runs, errors, gaps of the
--- record.
local record = require "brio.study.record"

local incidents = {}

local runs_sql = [[
  SELECT r.run, r.outcome, r.reason, r.lost_rows, r.duration,
    (SELECT count(*) FROM faults f WHERE f.run = r.run AND f.severity <> 'warning') AS errors,
    (SELECT count(*) FROM faults f WHERE f.run = r.run AND f.severity = 'warning') AS warnings,
    (SELECT group_concat(DISTINCT coalesce(source, 'unknown')) FROM faults f WHERE f.run = r.run
      AND f.severity <> 'warning')
      AS sources
  FROM session_runs s JOIN run_summary r ON r.run = s.run WHERE s.session = ?1 ORDER BY r.run]]

local bad = { failed = "failed", killed = "did not end: its process was killed or the machine stopped",
  runs = "had not ended when this was written" }

local function count_of(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

--- The incidents of one run, in words; nil: none.
local function of_run(run)
  local list = {}
  if bad[run.outcome] then list[1] = bad[run.outcome] end
  if run.errors > 0 then
    list[#list + 1] = ("%s (%s)"):format(count_of(run.errors, "error"), run.sources)
  end
  if run.lost_rows > 0 then list[#list + 1] = ("%s of the record lost"):format(count_of(run.lost_rows,
    "row")) end
  return list[1] and ("run %d, after %.1f s: %s"):format(run.run, run.duration or 0, table.concat(list, ", "))
    or nil
end

--- Whether a run failed so that the robot's part of the session was cut.
function incidents.broke(run) return run.outcome == "failed" or run.outcome == "killed" end

--- Whether an aborted session was repeated.
local function aborted(study, session)
  for _, other in ipairs(study.found.sessions) do
    local same = other.participant == session.participant and other.condition == session.condition
    if same and other.id > session.id and record.counts(other) then return "aborted; held again" end
  end
  return "aborted; not held again"
end

--- The sessions of a study with a participant: a list of { session (a row of the store), counts, runs, wrong
--- (sentences) }.
function incidents.collect(study)
  local list = {}
  for _, session in ipairs(study.found.sessions) do
    if session.rehearsal == 0 and session.training == 0 then
      local runs, why = study.db:query(runs_sql, session.id)
      if not runs then error({ why = why }, 0) end
      local one = { session = session, counts = record.counts(session), runs = runs, wrong = {} }
      if session.outcome == "aborted" then one.wrong[1] = aborted(study, session) end
      if not session.ended then one.wrong[#one.wrong + 1] = "not ended" end
      for place, run in ipairs(runs) do
        local sentence = of_run(run)
        if sentence then one.wrong[#one.wrong + 1] = sentence end
        one.broken = one.broken or incidents.broke(run)
        if place > 1 then one.wrong[#one.wrong + 1] = ("went on in run %d"):format(run.run) end
      end
      if not runs[1] then one.wrong[#one.wrong + 1] = "no run was recorded" end
      list[#list + 1] = one
    end
  end
  return list
end

--- Contents for the report: a sentence of counts, and a row for each session with an incident.
function incidents.figure(study)
  local list = incidents.collect(study)
  if not list[1] then return nil end
  local n, rows = { aborted = 0, open = 0, broken = 0, kept = 0, without = 0 }, {}
  for _, one in ipairs(list) do
    n.aborted = n.aborted + (one.session.outcome == "aborted" and 1 or 0)
    n.open = n.open + (one.session.ended and 0 or 1)
    n.broken = n.broken + (one.broken and 1 or 0)
    n.kept = n.kept + (one.broken and one.counts and 1 or 0)
    n.without = n.without + (one.runs[1] and 0 or 1)
    if one.wrong[1] then
      rows[#rows + 1] = { one.session.participant, one.session.condition, one.session.ordinal, one.counts
        and "yes" or "no", table.concat(one.wrong, "; ") }
    end
  end
  local said =
    ("%s begun with a participant: %d aborted, %d not ended, %d in which a run failed or was killed \z
      (of these, %d in the figures)."):format(count_of(#list, "session"), n.aborted, n.open, n.broken, n.kept)
  if n.without > 0 then said = said .. (" Of %d no run was recorded."):format(n.without) end
  if not rows[1] then return { said .. " No error was recorded in them." } end
  return { said, { { "participant", "condition", "place", "in the figures", "what happened" }, rows,
    "Sessions in which something went wrong" } }
end

return incidents
