-- Which point clouds counted when, of a run that keeps them (`--keep-clouds`): files beside the store, which `files` names.
CREATE TABLE kept_clouds(
  run    INTEGER NOT NULL REFERENCES runs(id),
  id     INTEGER NOT NULL, -- 1, 2, ...
  tick   INTEGER NOT NULL,
  t      REAL NOT NULL,    -- s of the run: when it counted
  source TEXT NOT NULL,    -- where it came from
  seen   REAL,             -- s of the run: when it was sensed
  points INTEGER NOT NULL, -- places
  hash   TEXT,             -- of the file; null: there was no room for it
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_clouds_by_hash ON kept_clouds(hash);
