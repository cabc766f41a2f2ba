-- The twenty slowest ticks of each run, and what each machine was doing.
CREATE VIEW slowest_ticks AS
SELECT
  run, tick, t, tick_us, solve_us, late_us, status, iterations,
  (SELECT group_concat(machine || ': ' || state, ', ') FROM states s
   WHERE s.run = k.run AND s.entered <= k.t AND (s.left_at IS NULL OR s.left_at > k.t)) AS states
FROM (SELECT *, row_number() OVER (PARTITION BY run ORDER BY tick_us DESC, tick) AS place FROM solves) k
WHERE place <= 20;
