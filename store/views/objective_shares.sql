-- Which objectives pulled at which joint while it moved, from when to when, and what was asked of each. 
-- share: of all pulls; below 0: against the motion.
CREATE VIEW objective_shares AS
SELECT
  p.run, d.name AS dof, o.key AS objective, o.kind, j.value AS share,
  (SELECT v.weight FROM objective_values v WHERE v.run = p.run AND v.objective = o.id AND v.t <= p.started
    ORDER BY v.t DESC LIMIT 1) AS weight,
  (SELECT v.goal FROM objective_values v WHERE v.run = p.run AND v.objective = o.id AND v.t <= p.started
    ORDER BY v.t DESC LIMIT 1) AS goal,
  p.started, coalesce(p.ended, r.duration) AS ended,
  CASE WHEN o.key LIKE 'gaze(%' OR o.key LIKE 'stance %' THEN 'autonomy' ELSE 'script' END AS whose
FROM (
  SELECT run, dof, moves, shares, t AS started, lead(t) OVER (PARTITION BY run, dof ORDER BY t) AS ended
    FROM pulls
) p
JOIN json_each(p.shares) j
JOIN objectives o ON o.run = p.run AND o.id = CAST(j.key AS INTEGER)
JOIN dofs d ON d.run = p.run AND d.dof = p.dof
LEFT JOIN run_summary r ON r.run = p.run
WHERE p.moves = 1;
