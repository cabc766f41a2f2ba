-- How each device of each run went: its rate, how long its cycles took, what failed, and its last words.
CREATE VIEW device_health AS
SELECT
  d.run, d.name, d.driver, d.words,
  l.t AS seconds,
  round(CASE WHEN l.t > 0 THEN 0.5 * l.exchanges / l.t END, 3) AS rate,
  round((SELECT min(rate) FROM device_samples s WHERE s.run = d.run AND s.device = d.id), 3) AS lowest_rate,
  l.typical_ms, l.slowest_ms, l.exchanges, l.failures,
  CASE WHEN l.exchanges + l.failures > 0 THEN 1.0 * l.failures / (l.exchanges + l.failures) END AS failing,
  l.losses, (SELECT count(*) FROM device_samples s WHERE s.run = d.run AND s.device = d.id
    AND s.lost) AS seconds_lost,
  l.retries, l.timeouts, l.refused, l.strays, l.error AS last_error
FROM devices d
LEFT JOIN device_samples l ON l.run = d.run AND l.device = d.id
  AND l.t = (SELECT max(t) FROM device_samples m WHERE m.run = d.run AND m.device = d.id);
