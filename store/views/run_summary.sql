-- One row a run: what it was, how it ended, how much happened.  A run that did not say how it
-- ended 'runs' while it is marked alive (every second) and was 'killed' when it no longer is, or
-- when the next program that recorded here found it dead.
CREATE VIEW run_summary AS
SELECT
  r.id AS run,
  r.started_at,
  r.behavior,
  r.robot,
  r.driver,
  r.seed,
  r.clock,
  CASE
    WHEN r.outcome IS NOT NULL THEN r.outcome
    WHEN r.ended_at IS NOT NULL THEN 'ended'
    WHEN r.alive_at IS NULL OR julianday('now') - julianday(r.alive_at) > 3 / 86400.0 THEN 'killed'
    ELSE 'runs'
  END AS outcome,
  r.reason,
  coalesce(r.duration,
           (SELECT max(t) FROM (
             SELECT (SELECT t1 FROM solve_blocks WHERE run = r.id ORDER BY tick DESC LIMIT 1) AS t
             UNION ALL SELECT (SELECT t FROM solve_rows WHERE run = r.id ORDER BY tick DESC LIMIT 1)
             UNION ALL SELECT (SELECT t1 FROM sample_ticks WHERE run = r.id ORDER BY tick DESC LIMIT 1)
             UNION ALL SELECT (SELECT t1 FROM sample_tails WHERE run = r.id ORDER BY tick DESC LIMIT 1)
             UNION ALL SELECT (SELECT json_extract(times, '$[#-1]') / 1e6 FROM sample_chunks
                               WHERE run = r.id ORDER BY tick DESC LIMIT 1)
             UNION ALL SELECT (SELECT t FROM events WHERE run = r.id ORDER BY id DESC LIMIT 1)
             UNION ALL SELECT (SELECT entered FROM states WHERE run = r.id ORDER BY id DESC LIMIT 1)
           ))) AS duration,
  coalesce(r.ticks, (SELECT max(last) + 1 FROM solve_blocks WHERE run = r.id),
           (SELECT max(tick) + 1 FROM solve_rows WHERE run = r.id)) AS ticks,
  (SELECT count(*) FROM states WHERE run = r.id) AS states,
  (SELECT count(*) FROM events WHERE run = r.id) AS events,
  (SELECT count(*) FROM operator WHERE run = r.id) AS operator_commands,
  (SELECT count(DISTINCT hash) FROM run_versions WHERE run = r.id) AS versions,
  (SELECT count(*) FROM faults WHERE run = r.id) AS faults,
  coalesce(r.lost_rows, 0) AS lost_rows,
  r.process
FROM runs r;
