-- What changed in behavior trees: packed, each row by the shape that its tree then had, since trees are edited while they run;
-- words on failures apart, since a node that fails again mostly does so for the same reason.
CREATE TABLE tree_records(
  run INTEGER NOT NULL, id INTEGER NOT NULL,
  tree INTEGER NOT NULL,  -- trees.id
  shape INTEGER NOT NULL, -- tree_shapes.id
  t REAL NOT NULL,
  changed TEXT NOT NULL,  -- the statuses: see docs/analysis/store.md
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tree_words(
  run INTEGER NOT NULL,
  tree INTEGER NOT NULL,   -- trees.id
  node INTEGER NOT NULL,   -- its id
  record INTEGER NOT NULL, -- tree_records.id: from that one on
  why TEXT NOT NULL,
  PRIMARY KEY(run, tree, node, record)
) STRICT, WITHOUT ROWID;
INSERT INTO tree_records(run, id, tree, shape, t, changed)
SELECT c.run, c.id, c.tree, r.shape, c.t,
  (SELECT json_group_array((json_extract(e.value, '$[0]') - 1) * 4 +
      CASE json_extract(e.value, '$[1]') WHEN 'running' THEN 1 WHEN 'success' THEN 2 WHEN 'failure' THEN 3 ELSE 0 END)
    FROM json_each(c.changed) e)
FROM tree_changes c JOIN trees r ON r.run = c.run AND r.id = c.tree;
INSERT OR IGNORE INTO tree_words(run, tree, node, record, why)
SELECT c.run, c.tree, json_extract(e.value, '$[0]'), c.id, json_extract(e.value, '$[2]')
FROM tree_changes c JOIN trees r ON r.run = c.run AND r.id = c.tree, json_each(c.changed) e
WHERE json_extract(e.value, '$[2]') IS NOT NULL;
DROP TABLE tree_changes;
