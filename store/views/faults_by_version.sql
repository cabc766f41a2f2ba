-- Which version of which file failed how often, in how many runs, and what it said last.
CREATE VIEW faults_by_version AS
SELECT
  coalesce(v.name, f.source) AS name,
  substr(f.version, 1, 12) AS version,
  f.severity,
  count(*) AS faults,
  count(DISTINCT f.run) AS runs,
  max(f.run) AS last_run,
  (SELECT message FROM faults l
   WHERE l.version IS f.version AND l.severity = f.severity
   ORDER BY l.run DESC, l.id DESC LIMIT 1) AS last_message
FROM faults f
LEFT JOIN versions v ON v.hash = f.version
GROUP BY coalesce(v.name, f.source), f.version, f.severity;
