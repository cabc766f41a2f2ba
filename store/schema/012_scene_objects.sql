-- What became of the objects that a behavior has chosen: when each was set up, frozen, lost, placed, and by whom.
CREATE TABLE scene_objects(
  run INTEGER NOT NULL, id INTEGER NOT NULL, t REAL NOT NULL,
  name TEXT NOT NULL,
  change TEXT NOT NULL, -- 'set_up', 'frozen', 'deleted', 'placed', 'nudged', 'stale' (seen no more), 'seen' (again)
  who TEXT,             -- a person at the prompt; null: the behavior, or nobody
  kind TEXT,            -- of what is seen, or of derived object
  origin TEXT,          -- 'seen', 'placed', 'derived', 'nominal'
  source TEXT,          -- the id of the detection that it follows
  x REAL, y REAL, z REAL,           -- m, in the world
  qx REAL, qy REAL, qz REAL, qw REAL,
  seen REAL,            -- s: when its pose was renewed last
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
