-- Everything that was begun and ended in a run, whoever did it: behaviors, nodes of trees, sequences,
-- gestures and live values, what was said and looked at, and what operators did.  `whose`: 'autonomy',
-- 'script' or 'operator'; result null: it went on to the end of the run.
CREATE VIEW all_actions AS
SELECT run, 'behavior' AS kind, coalesce(name, behavior) AS name, 'script' AS whose, NULL AS who, started,
  ended, result, reason
FROM activations
UNION ALL
SELECT run, 'node', coalesce(name, kind), 'script', state, started, ended, CASE status WHEN 'again'
  THEN 'stopped'
    WHEN 'running' THEN NULL ELSE status END, CASE status WHEN 'again' THEN 'it began again' ELSE why END
FROM tree_nodes
UNION ALL
SELECT run, kind, name, owner, who, started, ended, CASE WHEN ended IS NULL THEN NULL WHEN reason = 'over'
  THEN 'done'
    ELSE 'stopped' END, reason
FROM sources
UNION ALL
SELECT run, 'speech', text, CASE WHEN coalesce(by, 'behavior') IN ('behavior', 'script') THEN 'script'
  WHEN by = 'autonomy' THEN by ELSE 'operator' END, by,
  started, ended,
  CASE WHEN why IS NULL THEN NULL WHEN why = 'over' THEN 'done' ELSE 'stopped' END, why
FROM speech
UNION ALL
SELECT run, 'gaze', target, CASE "by" WHEN 'operator' THEN 'operator' WHEN 'behavior' THEN 'script'
  ELSE 'autonomy' END, "by",
  started, ended, 'done', why
FROM gaze WHERE target IS NOT NULL
UNION ALL
SELECT run, 'operator', name, 'operator', who, coalesce(t_dispatch, t_accept, t_input), t_done, outcome,
  reason
FROM actions;
