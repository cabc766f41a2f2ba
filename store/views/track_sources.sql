-- Which source moved which DOF from when to when, whether on top or not.  What did not end is
-- counted up to the run's end.
CREATE VIEW track_sources AS
SELECT
  c.run, c.dof, s.name, s.kind, s.stage, s.place, s.priority, s.id AS source,
  c.started, coalesce(c.ended, r.duration) AS ended, s.owner AS whose, s.who, s.reason
FROM contributions c
JOIN sources s ON s.run = c.run AND s.id = c.source
LEFT JOIN run_summary r ON r.run = c.run;
