-- How often each node of a repeated tree ran and succeeded, with Wilson's interval of 95 % (Wilson 1927), and
-- how long it took.
CREATE VIEW repeat_nodes AS
WITH counted AS (
  SELECT repeat, node, sum(status <> 'stopped') AS n, sum(status = 'success') AS k,
    sum(status = 'stopped') AS stopped,
    avg(iif(status <> 'stopped', ended - started, NULL)) AS mean_s
  FROM repeat_executions GROUP BY repeat, node
),
rated AS (
  SELECT *, 1.0 * k / n AS p, 1.959963984540054 AS z FROM counted
)
SELECT
  c.repeat, c.node, json_extract(r.nodes, '$[' || (c.node - 1) || '][0]') AS kind,
  json_extract(r.nodes, '$[' || (c.node - 1) || '][1]') AS name,
  c.n AS runs, c.k AS successes, c.n - c.k AS failures, c.stopped, c.p AS rate,
  max(0.0, (c.p + z * z / (2 * c.n) - z * sqrt(c.p * (1 - c.p) / c.n + z * z / (4.0 * c.n * c.n)))
    / (1 + z * z / c.n)) AS low,
  min(1.0, (c.p + z * z / (2 * c.n) + z * sqrt(c.p * (1 - c.p) / c.n + z * z / (4.0 * c.n * c.n)))
    / (1 + z * z / c.n)) AS high,
  c.mean_s
FROM rated c JOIN repeats r ON r.id = c.repeat;
