-- Where the root link of a robot is whose base moves: a row for each millimeter or 2 mrad, 30 a second at most.  One
-- that stands has no rows.
CREATE TABLE bases(
  run INTEGER NOT NULL REFERENCES runs(id),
  t   REAL NOT NULL,
  x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL, -- m, in the world
  qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL, qw REAL NOT NULL,
  PRIMARY KEY(run, t)
) STRICT, WITHOUT ROWID;
