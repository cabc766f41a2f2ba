-- By how much each source moved DOFs, ten times a second while it did: what `why` says live, for later.
CREATE TABLE moves(
  run INTEGER NOT NULL, source INTEGER NOT NULL, -- sources.id
  t REAL NOT NULL,
  moved TEXT NOT NULL, -- JSON: by DOF, what it added to what was below it, in the DOF's unit
  PRIMARY KEY(run, t, source)
) STRICT, WITHOUT ROWID;
