-- What wizards did, beside what the session script expected: `did` in words, `as_expected` (null: nothing
-- was), how long they took (`person_s`: cue to key, or to when the engine had it where no key was timed), the
-- robot (`robot_s`: key to first motion, which was earlier by `robot_error_s` at most), and whether that was
-- `late`. What was corrected after the run holds (`error_class`, `marked_by`, `corrected_why`); what was
-- marked while it went on is in `first_class` and `first_by`.
CREATE VIEW session_actions AS
WITH said AS (
  SELECT a.*, sr.session, s.study, s.participant, s.condition, s.rehearsal, s.training,
    a.name || CASE WHEN a.arguments IS NULL THEN '' WHEN NOT json_valid(a.arguments) THEN ' ' || a.arguments
      WHEN json_type(a.arguments) = 'text' THEN rtrim(' ' || json_extract(a.arguments, '$')) ELSE ' '
        || a.arguments END AS did,
    coalesce((SELECT p.late_after FROM session_steps p WHERE p.run = a.run AND p.step = a.step
      AND p.t_begun <= a.t_dispatch
              ORDER BY p.id DESC LIMIT 1), st.late_after) AS late_after,
    coalesce((SELECT w.code FROM wizards w WHERE w.study = s.study AND (a.who = w.code
        OR substr(a.who, 1, length(w.code) + 2) = w.code || ' (')), a.who) AS wizard
  FROM actions a LEFT JOIN session_runs sr ON sr.run = a.run LEFT JOIN sessions s ON s.id = sr.session
  LEFT JOIN studies st ON st.id = s.study
  WHERE a.role <> 'observer' AND a.device <> 'script'),
-- Quotes, capitals and how many spaces there are do not matter.
plain AS (
  SELECT *, lower(replace(replace(replace(replace(replace(did, '"', ''), '''', ''), ' ', ' ' || char(1)),
    char(1) || ' ', ''), char(1), '')) AS done,
    lower(replace(replace(replace(replace(replace(expected, '"', ''), '''', ''), ' ', ' ' || char(1)), char(1)
      || ' ', ''), char(1), '')) AS asked
  FROM said)
SELECT p.run, session, study, participant, condition, rehearsal, training, p.id AS action, wizard, role,
  device, name, did, p.step, expected,
  CASE WHEN expected IS NOT NULL THEN EXISTS (
    SELECT 1 FROM (SELECT replace(replace(replace(replace(replace(
        CASE WHEN instr(trim(e.value), ' ') THEN trim(e.value) ELSE trim(e.value) || ' ...' END,
        '\', '\\'), '%', '\%'), '_', '\_'), ' ...', '%'), '...', '%') AS pattern, e.value
      FROM json_each('[' || replace(json_quote(asked), ' | ', '","') || ']') e)
    -- words may say more than was expected, as "feel happy 0.7"; speech may not
    WHERE done LIKE pattern ESCAPE '\'
      OR name <> 'say' AND NOT instr(value, '...') AND done LIKE pattern || ' %' ESCAPE '\')
  END AS as_expected,
  outcome, reason, interrupted_by,
  CASE WHEN k.id THEN k.error_class ELSE p.error_class END AS error_class, coalesce(k.coder,
    marked_by) AS marked_by, marked_t,
  p.error_class AS first_class, marked_by AS first_by, k.why AS corrected_why, t_cue, t_input, t_accept,
    t_dispatch, t_first_motion, t_done,
  coalesce(t_input, t_accept, t_dispatch) - t_cue AS person_s,
    t_first_motion - coalesce(t_input, t_accept, t_dispatch) AS robot_s,
  t_first_motion_error AS robot_error_s, late_after,
  CASE WHEN t_cue IS NOT NULL AND late_after IS NOT NULL
    THEN coalesce(t_input, t_accept, t_dispatch) - t_cue > late_after END AS late
FROM plain p LEFT JOIN codings k ON k.id = (
  SELECT max(c.id) FROM codings c WHERE c.run = p.run AND c.of = 'action' AND c.number = p.id
    AND c.counts = 1);
