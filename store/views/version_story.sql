-- When which version of each file was active in a run, and what became of it: rolled back, or refused
-- before it ran (then without a version), or who made it of the one before by an edit of a tree.
CREATE VIEW version_story AS
SELECT
  run,
  1 AS place,
  t,
  coalesce((SELECT n.t FROM run_versions n WHERE n.run = u.run AND n.name = u.name AND n.id > u.id
    ORDER BY n.id LIMIT 1),
    (SELECT duration FROM runs r WHERE r.id = run)) AS until,
  name,
  substr(hash, 1, 12) AS version,
  substr((SELECT b.hash FROM run_versions b WHERE b.run = u.run AND b.name = u.name AND b.id < u.id
    ORDER BY b.id DESC LIMIT 1), 1, 12)
    AS replaces,
  (SELECT bytes FROM versions v WHERE v.hash = u.hash) AS bytes,
  (SELECT count(*) FROM faults f WHERE f.run = u.run AND f.version = u.hash) AS faults,
  coalesce(
    CASE WHEN NOT EXISTS (SELECT 1 FROM run_versions n WHERE n.run = u.run AND n.name = u.name
      AND n.id > u.id) THEN NULL
    ELSE (
      SELECT 'rolled back: ' || json_extract(e.data, '$.why') FROM events e
      WHERE e.run = u.run AND e.name = 'rolled_back' AND json_extract(e.data, '$.from') = substr(u.hash, 1,
        12)
        AND e.t >= u.t ORDER BY e.id LIMIT 1)
    END,
    (SELECT json_extract(e.data, '$.who') || ': ' || json_extract(e.data, '$.says') FROM events e
     WHERE e.run = u.run AND e.name = 'tree_edited' AND json_extract(e.data, '$.to') = substr(u.hash, 1, 12)
       AND json_extract(e.data, '$.file') = u.name AND e.t = u.t ORDER BY e.id LIMIT 1), '') AS what
FROM run_versions u
UNION ALL
SELECT run, 2, t, NULL, source, NULL, NULL, NULL, NULL, 'refused: ' || message
FROM faults f
WHERE severity = 'warning' AND version IS NULL
  AND EXISTS (SELECT 1 FROM run_versions u WHERE u.run = f.run AND u.name = f.source);
