-- Each error of a wizard: `slip` (not what the script expected), `late`, `omitted` (expected, and never done), `wrong`
-- (marked by hand), `system` (the robot
-- answered with an error). `how`: 'marked' by a person, or 'derived' from what was expected; a person who marked an
-- action as no error is believed.
CREATE VIEW wizard_errors AS
WITH judged AS NOT MATERIALIZED (
  SELECT *, CASE WHEN error_class IS NULL AND marked_by IS NULL THEN 1 END AS open FROM session_actions)
SELECT run, session, study, participant, condition, rehearsal, training, wizard, error_class AS error,
  CASE WHEN marked_by IS NULL THEN 'derived' ELSE 'marked' END AS how, coalesce(t_input, t_accept, t_dispatch) AS t, step, expected, did, marked_by
FROM judged WHERE error_class IS NOT NULL
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'slip', 'derived', coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL
FROM judged WHERE open AND as_expected = 0
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'late', 'derived', coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL
FROM judged WHERE open AND late AND as_expected
UNION ALL
SELECT run, session, study, participant, condition, rehearsal, training, wizard, 'system', 'derived', coalesce(t_input, t_accept, t_dispatch), step, expected, did, NULL
FROM judged WHERE open AND outcome = 'error' AND as_expected IS NOT 0
UNION ALL
SELECT p.run, p.session, s.study, s.participant, s.condition, s.rehearsal, s.training,
  s.wizard, 'omitted', 'derived', p.t_ended, p.step, p.expected, NULL, NULL
FROM session_steps p LEFT JOIN sessions s ON s.id = p.session
WHERE p.expected IS NOT NULL AND p.outcome = 'omitted' AND NOT EXISTS (
  SELECT 1 FROM actions a WHERE a.run = p.run AND a.step = p.step AND a.expected IS NOT NULL -- a slip instead
    AND a.t_dispatch BETWEEN p.t_begun AND p.t_ended AND (a.marked_by IS NULL OR a.error_class IS NOT NULL));
