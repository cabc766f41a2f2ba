-- What was said, watched, shown and marked while a run went on; and a name for each run that no other run of any store has.

-- Lines of the log.
CREATE TABLE logs(
  run INTEGER NOT NULL REFERENCES runs(id), id INTEGER NOT NULL, t REAL NOT NULL,
  severity TEXT NOT NULL, -- 'info', 'warning', 'error'
  source TEXT,            -- who says it: a behavior, 'engine', ...
  text TEXT NOT NULL,
  version TEXT,           -- hash of the version that ran
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Variables that a behavior watches, and each value that they took, from when on.
CREATE TABLE watched(
  run INTEGER NOT NULL REFERENCES runs(id), id INTEGER NOT NULL,
  name TEXT NOT NULL, unit TEXT,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE watched_values(
  run INTEGER NOT NULL, variable INTEGER NOT NULL, -- watched.id
  t REAL NOT NULL,
  value ANY, -- a number, a text, 1 or 0 for true or false; null: none
  PRIMARY KEY(run, variable, t),
  FOREIGN KEY(run, variable) REFERENCES watched(run, id)
) STRICT, WITHOUT ROWID;

-- What an operator could see.
CREATE TABLE view_states(
  run INTEGER NOT NULL REFERENCES runs(id), id INTEGER NOT NULL, t REAL NOT NULL,
  who TEXT,
  what TEXT NOT NULL, -- which view
  shown TEXT,         -- JSON
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Stretches of a run that a person marked, while it went on or afterwards.
CREATE TABLE annotations(
  id      INTEGER PRIMARY KEY,
  run     INTEGER NOT NULL REFERENCES runs(id),
  tier    TEXT NOT NULL,    -- what kind of thing is marked: 'note', 'gaze', 'error', ...
  t0      REAL NOT NULL,    -- s of the run
  t1      REAL,             -- null: a moment
  label   TEXT NOT NULL,
  coder   TEXT,             -- who marked it
  live    INTEGER NOT NULL, -- 1: while the run went on, 0: afterwards
  made_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) -- [measured] UTC
) STRICT;
CREATE INDEX annotations_by_run ON annotations(run, t0);

-- [measured] A run's name among the runs of all stores.
ALTER TABLE runs ADD COLUMN uuid TEXT;
UPDATE runs SET uuid = 'old-' || id || '-' || started_at || '-' || coalesce(seed, '') || '-' || coalesce(process, '');
CREATE UNIQUE INDEX runs_by_uuid ON runs(uuid);
