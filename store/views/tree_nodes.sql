-- Which node of a behavior tree ran from when to when, how that ended, and why it failed.
CREATE VIEW tree_nodes AS
WITH nodes AS MATERIALIZED (
  SELECT h.run, h.id AS shape, n.key AS place, json_extract(n.value, '$[0]') AS kind,
    json_extract(n.value, '$[1]') AS name,
    coalesce(json_extract(n.value, '$[3]'), n.key + 1) AS node_id
  FROM tree_shapes h, json_each(h.nodes) n
),
codes AS ( -- of each node that changed in a tick: its number from 0, its status
  SELECT c.run, c.tree, c.shape, c.id, c.t, e.value / 4 AS place, e.value % 4 AS status
  FROM tree_records c, json_each(c.changed) e WHERE substr(c.changed, 1, 1) = '['
  UNION ALL
  SELECT run, tree, shape, id, t, place, part % 4 FROM (
    SELECT c.run, c.tree, c.shape, c.id, c.t, n.place,
      ((instr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_',
        substr(c.changed, n.place / 2 + 1, 1)) - 1)
        >> (n.place % 2 * 3)) & 7 AS part
    FROM tree_records c JOIN nodes n ON n.run = c.run AND n.shape = c.shape
      WHERE substr(c.changed, 1, 1) <> '['
  ) WHERE part >= 4
),
linked AS (
  SELECT c.*, n.kind, n.name, n.node_id, lag(status) OVER w AS before, lag(t) OVER w AS since,
    lead(status) OVER w AS follows,
    lead(t) OVER w AS until
  FROM codes c JOIN nodes n ON n.run = c.run AND n.shape = c.shape AND n.place = c.place
  WINDOW w AS (PARTITION BY c.run, c.tree, n.node_id ORDER BY c.id)
)
SELECT
  l.run, l.tree, s.state, l.place + 1 AS node, l.kind, l.name,
  CASE l.status WHEN 0 THEN 'stopped' WHEN 1 THEN iif(l.follows IS NULL, 'running', 'again') WHEN 2
    THEN 'success' ELSE 'failure' END
    AS status,
  CASE WHEN l.status <> 1 AND l.before = 1 THEN l.since ELSE l.t END AS started,
  CASE l.status WHEN 1 THEN l.until ELSE l.t END AS ended,
  CASE l.status WHEN 3 THEN nullif((SELECT w.why FROM tree_words w WHERE w.run = l.run AND w.tree = l.tree
    AND w.node = l.node_id
    AND w.record <= l.id ORDER BY w.record DESC LIMIT 1), '') END AS why
FROM linked l
JOIN trees r ON r.run = l.run AND r.id = l.tree
LEFT JOIN states s ON s.run = r.run AND s.id = r.state
WHERE (l.status = 1 AND coalesce(l.follows, 1) = 1) OR l.status IN (2, 3) OR (l.status = 0 AND l.before = 1);
