-- Which node of a behavior tree ran from when to when, how that ended, and why it failed.
CREATE VIEW tree_nodes AS
WITH changes AS (
  SELECT c.run, c.tree, c.id AS place, e.key AS at, c.t, json_extract(e.value, '$[0]') AS node,
    json_extract(e.value, '$[1]') AS status, json_extract(e.value, '$[2]') AS why
  FROM tree_changes c, json_each(c.changed) e
),
linked AS (
  SELECT *, lag(status) OVER w AS before, lag(t) OVER w AS since, lead(status) OVER w AS follows, lead(t) OVER w AS until
  FROM changes WINDOW w AS (PARTITION BY run, tree, node ORDER BY place, at)
)
SELECT
  l.run, l.tree, s.state, l.node, json_extract(h.nodes, '$[' || (l.node - 1) || '][0]') AS kind,
  json_extract(h.nodes, '$[' || (l.node - 1) || '][1]') AS name,
  CASE l.status WHEN 'idle' THEN 'stopped' WHEN 'running' THEN iif(l.follows IS NULL, 'running', 'again') ELSE l.status END
    AS status,
  CASE WHEN l.status <> 'running' AND l.before = 'running' THEN l.since ELSE l.t END AS started,
  CASE l.status WHEN 'running' THEN l.until ELSE l.t END AS ended,
  l.why
FROM linked l
JOIN trees r ON r.run = l.run AND r.id = l.tree
JOIN tree_shapes h ON h.run = r.run AND h.id = r.shape
LEFT JOIN states s ON s.run = r.run AND s.id = r.state
WHERE (l.status = 'running' AND coalesce(l.follows, 'running') = 'running')
  OR l.status IN ('success', 'failure') OR (l.status = 'idle' AND l.before = 'running');
