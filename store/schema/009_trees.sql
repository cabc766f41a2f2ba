-- Behavior trees: which nodes they have, when they ran, and what changed in each tick.
CREATE TABLE tree_shapes(
  run INTEGER NOT NULL, id INTEGER NOT NULL,
  nodes TEXT NOT NULL, -- JSON: [kind, name, parent] of each node; parent 0: the root
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trees(
  run INTEGER NOT NULL, id INTEGER NOT NULL,
  shape INTEGER NOT NULL, -- tree_shapes.id
  state INTEGER,          -- states.id: the stay in which it began
  started REAL NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tree_changes(
  run INTEGER NOT NULL, id INTEGER NOT NULL,
  tree INTEGER NOT NULL, -- trees.id
  t REAL NOT NULL,
  changed TEXT NOT NULL, -- JSON: [node, status, why] of each node whose status changed in a tick
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
