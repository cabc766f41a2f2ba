-- What was sensed besides joints and people: each value that an input took, from when on.  The
-- values at any tick are the newest rows up to it.
CREATE TABLE inputs(
  run INTEGER NOT NULL, id INTEGER NOT NULL, tick INTEGER, t REAL NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL, -- JSON
  source TEXT,         -- 'rest', 'world', 'operator', 'test', 'gamepad'
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
