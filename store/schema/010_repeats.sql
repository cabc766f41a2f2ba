-- Trees that were run again and again on the simulator (`brio repeat`).
CREATE TABLE repeats(
  id             INTEGER PRIMARY KEY,
  made_at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  behavior       TEXT NOT NULL, -- the file
  version        TEXT,    -- SHA-256 of its text
  robot          TEXT,
  state          TEXT,    -- whose tree it was
  node           INTEGER, -- only this node of it; null: the whole
  seed           INTEGER NOT NULL, -- of the first run; each next one has the next
  times          INTEGER NOT NULL, -- runs that were wanted
  until_failure  INTEGER NOT NULL, -- 1: the first failure ended it
  varied         TEXT,    -- JSON: what was varied, as it was said
  scripted       TEXT,    -- JSON: leaves whose results were scripted
  nodes          TEXT NOT NULL, -- JSON: [kind, name, parent] of each node; parent 0: the root
  predicted      REAL,    -- success of the whole, from the leaves' rates
  engine_version TEXT
) STRICT;
CREATE TABLE repeat_runs(
  repeat  INTEGER NOT NULL, -- repeats.id
  run     INTEGER NOT NULL, -- 1, 2, ... : not a run of runs
  seed    INTEGER NOT NULL,
  varied  TEXT,          -- JSON: the values of what was varied
  outcome TEXT NOT NULL, -- 'success', 'failure', 'error' (of a script), 'unfinished'
  node    TEXT,          -- the name of the leaf that failed last
  why     TEXT,
  seconds REAL,          -- that the tree took
  PRIMARY KEY(repeat, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE repeat_executions(
  repeat  INTEGER NOT NULL,
  run     INTEGER NOT NULL,
  id      INTEGER NOT NULL,
  node    INTEGER NOT NULL, -- its place in repeats.nodes, from 1
  started REAL NOT NULL, ended REAL NOT NULL, -- s since the tree began
  status  TEXT NOT NULL,    -- 'success', 'failure', 'stopped'
  why     TEXT,
  times   INTEGER NOT NULL, -- how often it was asked with the same answer, one tick after the other
  PRIMARY KEY(repeat, run, id)
) STRICT, WITHOUT ROWID;
