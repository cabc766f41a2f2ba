-- The store itself: its name among all stores, what it holds, and from how many others it was merged.
CREATE VIEW store_summary AS
SELECT uuid, made_at,
  (SELECT count(*) FROM runs) AS runs,
  (SELECT min(started_at) FROM runs) AS first_run, (SELECT max(started_at) FROM runs) AS last_run,
  (SELECT count(DISTINCT other) FROM origins) AS merged_stores
FROM identity;
