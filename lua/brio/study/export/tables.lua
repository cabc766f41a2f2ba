--- The files of a study's export: a row for each, with its query and the meaning of each column. Queries
--- continue tables.with; a column's `as` is its method of anonymization ("person", "action", "expected",
--- "branch").  Data without a row here are never exported: texts that people wrote, times of day, paths,
--- names of machines.
local tables = {}

--- `part` has the runs of each session that counts, in order; `number` is the session's in the export (by
--- participant, so that it reveals no dates) and `shift` the seconds from the beginning of the session to
--- that of the run.
tables.with = [[
WITH counting AS (
  SELECT *, row_number() OVER (ORDER BY participant, ordinal, id) AS number FROM sessions
  WHERE study = ?1 AND rehearsal = 0 AND training = 0 AND outcome IS NOT 'aborted'),
part AS (
  SELECT c.number, c.id AS session, sr.run, r.duration, r.ticks, r.outcome, r.robot, r.driver,
    r.commands_hash,
    row_number() OVER (PARTITION BY c.id ORDER BY sr.run) AS part,
    round(86400 * (julianday(r.started_at) - min(julianday(r.started_at)) OVER (PARTITION BY c.id)),
      3) AS shift
  FROM counting c JOIN session_runs sr ON sr.session = c.id JOIN runs r ON r.id = sr.run)
]]

local session = { "session", "number of the session in this export" }
local part = { "run", "run of the session, from 1; a session that was interrupted has several" }

local function time(name, doc) return { name, doc .. ", s since the session began" } end

tables.list = {
  { "participants", [[
    SELECT a.participant, min(a.sequence) AS sequence, max(a.instead_of IS NOT NULL) AS replaces,
      CASE WHEN p.withdrawn_at IS NOT NULL THEN 'withdrew' WHEN p.consent = 1 THEN 'consented'
      ELSE 'planned' END AS state,
      p.facts AS facts FROM assignments a LEFT JOIN participants p ON p.study = a.study
      AND p.code = a.participant
    WHERE a.study = ?1 GROUP BY a.participant ORDER BY a.participant]],
    { "participant", "code" }, { "sequence", "row of the design" },
      { "replaces", "1: takes the place of one who withdrew" },
    { "state", "planned, consented or withdrew" },
      { "facts", "one column for each fact of the study", as = "facts" } },
  { "plan", "SELECT participant, place, condition, sequence, block FROM assignments WHERE study = ?1 ORDER \z
    BY 1, 2",
    { "participant", "code" }, { "place", "the participant's first session, second, ..." },
      { "condition", "see codebook.json" },
    { "sequence", "row of the design" }, { "block", "block of the randomization" } },
  { "sessions", [[
    SELECT c.number AS session, c.participant, c.condition, c.ordinal, c.wizard, count(p.run) AS runs,
      total(p.duration) AS seconds,
      c.outcome, c.script, c.version FROM counting c LEFT JOIN part p ON p.session = c.id
      GROUP BY c.id ORDER BY 1]],
    session, { "participant", "code" }, { "condition", "see codebook.json" }, { "ordinal",
      "the participant's first, second, ..." },
    { "wizard", "code of who led it", as = "person" }, { "runs", "runs that it took" },
      { "seconds", "in all" },
    { "outcome", "finished; empty: not ended" }, { "script", "SHA-256 of the session script" },
    { "version", "of the study's file" } },
  { "practice", [[
    SELECT s.condition, s.wizard, CASE WHEN s.training THEN 'training' ELSE 'rehearsal' END AS kind,
      total(r.duration) AS seconds
    FROM sessions s LEFT JOIN session_runs sr ON sr.session = s.id LEFT JOIN runs r ON r.id = sr.run
    WHERE s.study = ?1 AND (s.training OR s.rehearsal) GROUP BY s.id ORDER BY s.wizard, kind, s.id]],
    { "kind", "training or rehearsal: they count nowhere else" }, { "wizard", "code", as = "person" },
    { "condition", "see codebook.json" }, { "seconds", "in all" } },
  { "runs", [[
    SELECT number AS session, part AS run, shift AS began, duration, ticks, outcome, robot, driver,
      commands_hash,
      (SELECT count(*) FROM faults f WHERE f.run = p.run) AS faults FROM part p ORDER BY 1, 2]],
    session, part, time("began", "when it began"), { "duration", "s of robot time" },
      { "ticks", "of the engine" },
    { "outcome", "finished, stopped, failed; empty: killed" }, { "robot", "which" },
      { "driver", "what moved it" },
    { "commands_hash", "equal in runs that moved alike" }, { "faults", "how many there were" } },
  { "actions", [[
    SELECT p.number AS session, p.part AS run, a.wizard, a.role, a.device, a.name, a.did AS action, a.step,
      a.expected,
      a.as_expected, a.outcome, a.interrupted_by IS NOT NULL AS interrupted, a.error_class, a.first_class,
        a.marked_by, a.late,
      a.t_cue + p.shift AS t_cue, a.t_input + p.shift AS t_input, a.t_accept + p.shift AS t_accept,
      a.t_dispatch + p.shift AS t_dispatch, a.t_first_motion + p.shift AS t_first_motion,
      a.t_done + p.shift AS t_done
    FROM part p JOIN session_actions a ON a.run = p.run ORDER BY 1, 2, a.action]],
    session, part, { "wizard", "code of who did it", as = "person" }, { "role", "wizard or author" },
      { "device", "prompt, gamepad, ..." },
    { "name", "which word" }, { "action", "code of the word with its arguments: the same for the same",
      as = "action" },
    { "step", "of the session script" }, { "expected", "code of what the script expected", as = "expected" },
    { "as_expected", "1: it was that" }, { "outcome", "done, interrupted, refused, error" },
      { "interrupted", "1: by another" },
    { "error_class", "as it was marked, or corrected afterwards" },
    { "first_class", "as it was marked during the session" }, { "marked_by", "code", as = "person" },
      { "late", "1: after the limit" },
    time("t_cue", "when the script called for it"), time("t_input", "key"),
      time("t_accept", "the engine has it"),
    time("t_dispatch", "it counts"), time("t_first_motion", "the robot moves for it"),
      time("t_done", "it is over") },
  { "errors", [[
    SELECT p.number AS session, p.part AS run, e.wizard, e.error, e.how, e.t + p.shift AS t, e.step,
      e.expected, e.did AS action
    FROM part p JOIN wizard_errors e ON e.run = p.run ORDER BY 1, 2, e.t, e.error]],
    session, part, { "wizard", "code", as = "person" }, { "error", "slip, late, omitted, wrong, system" },
      { "how", "marked or derived" },
    time("t", "when"), { "step", "of the session script" },
      { "expected", "code, as in actions", as = "expected" },
    { "action", "code, as in actions", as = "action" } },
  { "steps", [[
    SELECT p.number AS session, p.part AS run, s.step, s.expected, s.t_begun + p.shift AS t_begun,
      s.t_cue + p.shift AS t_cue,
      s.t_ended + p.shift AS t_ended, s.outcome, s.branch FROM part p
      JOIN session_steps s ON s.run = p.run ORDER BY 1, 2, s.id]],
    session, part, { "step", "of the session script" },
      { "expected", "code, as in actions", as = "expected" },
    time("t_begun", "begun"), time("t_cue", "its cue"), time("t_ended", "ended"),
      { "outcome", "done, omitted, skipped, ..." },
    { "branch", "which way it went on", as = "branch" } },
  { "states", [[
    SELECT p.number AS session, p.part AS run, s.machine, s.state, s.entered + p.shift AS entered,
      s.left_at + p.shift AS left_at
    FROM part p JOIN states s ON s.run = p.run ORDER BY 1, 2, s.id]],
    session, part, { "machine", "of the behavior" }, { "state", "of the behavior" },
      time("entered", "entered"), time("left_at",
      "left") },
  { "answers", [[
    SELECT (SELECT c.number FROM counting c WHERE c.id = t.session) AS session, a.participant, a.condition,
      a.questionnaire,
      a.subscale, a.item, a.value, a.scored, a.seconds
    FROM study_sittings t JOIN answers a ON a.sitting = t.sitting
    WHERE t.study = ?1 AND a.outcome = 'finished' AND (t.session IS NOT NULL OR a.condition IS NULL)
    ORDER BY a.questionnaire, a.participant, session, a.sitting, a.place]],
    { "session", "number of the session in this export; empty: asked beside no session" },
      { "participant", "code" },
    { "condition", "see codebook.json" }, { "questionnaire", "name" },
    { "subscale", "group of items" }, { "item", "see codebook.json" },
      { "value", "as given; empty: skipped" },
    { "scored", "turned round where the item is reversed" }, { "seconds", "since the item was shown" } },
}

return tables
