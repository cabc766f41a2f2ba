-- How a run stood, from time to time, so that another one can go on from there after a crash (`brio run --resume`).
CREATE TABLE snapshots(
  run   INTEGER NOT NULL REFERENCES runs(id),
  tick  INTEGER NOT NULL,
  t     REAL NOT NULL,
  state TEXT, -- states, trees, memory, ...: a text of Lua (lua/brio/run/snapshot.lua); null: as in the row before
  pose  TEXT, -- JSON: where each DOF was, in its unit; null: as in the row before
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;
ALTER TABLE runs ADD COLUMN resumes INTEGER; -- the run that it went on from
