-- How closely each wizard kept to the script of each session: how many actions, `expected` by it, done
-- `as_expected`, `unscripted` (nothing was expected then) and their share, and errors of each kind.
-- Every window is within a run, so that a question about one run looks at no other (a GROUP BY would put all
-- together first).
CREATE VIEW script_deviation AS
WITH each AS (
  SELECT run, session, study, participant, condition, rehearsal, training, wizard, 1 AS action, expected,
    as_expected, NULL AS error
  FROM session_actions
  UNION ALL
  SELECT run, session, study, participant, condition, rehearsal, training, wizard, 0, NULL, NULL, error
    FROM wizard_errors),
summed AS (
  SELECT *, row_number() OVER (PARTITION BY run, wizard ORDER BY action DESC) AS place,
    sum(action) OVER w AS actions, count(expected) OVER w AS expecteds,
      total(as_expected) OVER w AS as_expecteds,
    total(error = 'slip') OVER w AS slips, total(error = 'late') OVER w AS late,
      total(error = 'omitted') OVER w AS omitted,
    total(error = 'wrong') OVER w AS wrong, total(error = 'system') OVER w AS system
  FROM each WINDOW w AS (PARTITION BY run, wizard))
SELECT run, session, study, participant, condition, rehearsal, training, wizard, actions,
  expecteds AS expected,
  as_expecteds AS as_expected, actions - expecteds AS unscripted,
    1.0 * (actions - expecteds) / actions AS unscripted_share,
  slips, late, omitted, wrong, system
FROM summed WHERE place = 1 AND action;
