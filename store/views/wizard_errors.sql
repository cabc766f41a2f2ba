-- Each error of a wizard: `slip` (not what the script expected), `late`, `omitted` (expected, and never
-- done), `wrong` (marked by hand), `system` (the robot
-- answered with an error). `how`: 'marked' by a person, or 'derived' from what was expected; a person who
-- marked an action as no error is believed. What was corrected after the run holds. `of` ('action' or
-- 'step') and `number` say which row it is about.
CREATE VIEW wizard_errors AS
WITH judged AS NOT MATERIALIZED (
  SELECT *, CASE WHEN error_class IS NULL AND marked_by IS NULL THEN 1 END AS open FROM session_actions)
SELECT run, session, study, participant, condition, rehearsal, training, wizard, error_class AS error,
  CASE WHEN marked_by IS NULL THEN 'derived' ELSE 'marked' END AS how, coalesce(t_input, t_accept,
    t_dispatch) AS t, step, expected, did, marked_by, 'action' AS of, action AS number
FROM judged WHERE error_class IS NOT NULL
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'slip', 'derived',
  coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL, 'action', action
FROM judged WHERE open AND as_expected = 0
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'late', 'derived',
  coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL, 'action', action
FROM judged WHERE open AND late AND as_expected
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'system', 'derived',
  coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL, 'action', action
FROM judged WHERE open AND outcome = 'error' AND as_expected IS NOT 0
UNION ALL
SELECT p.run, p.session, s.study, s.participant, s.condition, s.rehearsal, s.training,
  s.wizard, coalesce(k.error_class, 'omitted'), CASE WHEN k.id THEN 'marked' ELSE 'derived' END, p.t_ended,
    p.step, p.expected,
  NULL, k.coder, 'step', p.id
FROM session_steps p LEFT JOIN sessions s ON s.id = p.session LEFT JOIN codings k ON k.id = (
  SELECT max(c.id) FROM codings c WHERE c.run = p.run AND c.of = 'step' AND c.number = p.id AND c.counts = 1)
WHERE p.expected IS NOT NULL AND p.outcome = 'omitted' AND (k.id IS NULL OR k.error_class IS NOT NULL)
  AND NOT EXISTS (
  SELECT 1 FROM actions a LEFT JOIN codings c ON c.id = (
      SELECT max(n.id) FROM codings n WHERE n.run = a.run AND n.of = 'action' AND n.number = a.id
        AND n.counts = 1)
  WHERE a.run = p.run AND a.step = p.step AND a.expected IS NOT NULL -- a slip instead
    AND a.t_dispatch BETWEEN p.t_begun AND p.t_ended
    AND CASE WHEN c.id THEN c.error_class IS NOT NULL ELSE a.marked_by IS NULL
      OR a.error_class IS NOT NULL END);
