-- Which version of each file a run used, from when on, and what it replaced.
CREATE VIEW versions_used AS
SELECT
  u.run,
  u.id,
  u.t,
  u.name,
  substr(u.hash, 1, 12) AS version,
  substr(v.parent, 1, 12) AS parent,
  v.bytes,
  v.first_seen,
  (SELECT count(*) FROM faults f WHERE f.run = u.run AND f.version = u.hash) AS faults,
  u.hash
FROM run_versions u
LEFT JOIN versions v ON v.hash = u.hash;
