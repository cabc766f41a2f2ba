-- How closely each wizard kept to the script of each session: how many actions, `expected` by it, done `as_expected`,
-- `unscripted` (nothing was expected then) and their share, and errors of each kind.
CREATE VIEW script_deviation AS
WITH done AS (
  SELECT run, session, study, participant, condition, rehearsal, training, wizard, count(*) AS actions, count(expected) AS expected,
    total(as_expected) AS as_expected, count(*) - count(expected) AS unscripted
  FROM session_actions GROUP BY run, wizard),
errors AS (
  SELECT run, wizard, total(error = 'slip') AS slips, total(error = 'late') AS late, total(error = 'omitted') AS omitted,
    total(error = 'wrong') AS wrong, total(error = 'system') AS system
  FROM wizard_errors GROUP BY run, wizard)
SELECT d.*, 1.0 * unscripted / actions AS unscripted_share,
  coalesce(slips, 0) AS slips, coalesce(late, 0) AS late, coalesce(omitted, 0) AS omitted, coalesce(wrong, 0) AS wrong,
  coalesce(system, 0) AS system
FROM done d LEFT JOIN errors e ON e.run = d.run AND e.wizard = d.wizard;
