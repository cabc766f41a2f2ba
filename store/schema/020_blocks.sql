-- Samples and solver results in packed blocks: store/block.h says how they stand there.  What older brios recorded stays
-- where it is (sample_chunks, sample_values, solve_rows) and is read beside the new by the same names.
PRAGMA legacy_alter_table = ON;
ALTER TABLE solves RENAME TO solve_rows;
PRAGMA legacy_alter_table = OFF;
DROP VIEW IF EXISTS samples;

ALTER TABLE dofs ADD COLUMN step REAL;          -- goals and commands are kept as multiples of it; 0: to the last bit
ALTER TABLE dofs ADD COLUMN measured_step REAL; -- so is what is measured, and was already when it was used

-- When samples were taken, a few seconds a row.
CREATE TABLE sample_ticks(
  run     INTEGER NOT NULL REFERENCES runs(id),
  tick    INTEGER NOT NULL, -- of the first sample
  last    INTEGER NOT NULL, -- of the last
  samples INTEGER NOT NULL,
  t0      REAL NOT NULL,    -- s, of the first
  t1      REAL NOT NULL,    -- of the last
  times   BLOB NOT NULL,    -- block 't': their ticks and times
  hashes  BLOB NOT NULL,    -- block 'h': a digest of each tick's exact commands
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;

-- The samples of one DOF that were taken then.
CREATE TABLE sample_blocks(
  id    INTEGER PRIMARY KEY,
  run   INTEGER NOT NULL REFERENCES runs(id),
  tick  INTEGER NOT NULL,
  dof   INTEGER NOT NULL,
  bytes BLOB NOT NULL, -- block 'd'
  FOREIGN KEY(run, tick) REFERENCES sample_ticks(run, tick)
) STRICT;
CREATE UNIQUE INDEX sample_blocks_by_tick ON sample_blocks(run, tick, dof);

-- The newest samples, of all DOFs, until there are enough for blocks.
CREATE TABLE sample_tails(
  run     INTEGER NOT NULL REFERENCES runs(id),
  tick    INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  t0      REAL NOT NULL,
  t1      REAL NOT NULL,
  bytes   BLOB NOT NULL, -- block 'a'
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;

-- The solver's results in each tick, a few seconds a row; the newest in shorter rows.
CREATE TABLE solve_blocks(
  run   INTEGER NOT NULL REFERENCES runs(id),
  tick  INTEGER NOT NULL, -- of the first
  last  INTEGER NOT NULL, -- of the last
  ticks INTEGER NOT NULL,
  t0    REAL NOT NULL,
  t1    REAL NOT NULL,
  bytes BLOB NOT NULL, -- [measured] block 's': some of its columns are
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;

-- The same second by second, without unpacking anything; the newest seconds follow when their block is full.
CREATE TABLE solve_seconds(
  run          INTEGER NOT NULL REFERENCES runs(id),
  second       INTEGER NOT NULL, -- from this one on, of the run
  ticks        INTEGER NOT NULL,
  cost         REAL,    -- mean
  iterations   REAL,    -- mean
  evaluations  REAL,    -- mean
  active       REAL,    -- mean
  distance     REAL,    -- least, m
  solve_us     REAL,    -- [measured] mean
  solve_max_us REAL,    -- [measured]
  tick_us      REAL,    -- [measured] mean
  tick_max_us  REAL,    -- [measured]
  slowest      INTEGER, -- [measured] the tick that took that long
  late_max_us  REAL,    -- [measured]
  PRIMARY KEY(run, second)
) STRICT, WITHOUT ROWID;

-- How each DOF of a run moved in all.  What moves is what was measured, or the command where nothing was.
CREATE TABLE dof_summary(
  run            INTEGER NOT NULL REFERENCES runs(id),
  dof            INTEGER NOT NULL,
  samples        INTEGER NOT NULL,
  measured       INTEGER NOT NULL, -- of them
  least          REAL,
  greatest       REAL,
  mean           REAL,
  path           REAL, -- way in all, in the DOF's unit
  top_speed      REAL, -- per s, from sample to sample
  rms_error      REAL, -- of measured against command
  greatest_error REAL,
  PRIMARY KEY(run, dof),
  FOREIGN KEY(run, dof) REFERENCES dofs(run, dof)
) STRICT, WITHOUT ROWID;

-- What was given up because the store reached the size that it may have.
CREATE TABLE dropped(
  run   INTEGER NOT NULL REFERENCES runs(id),
  what  TEXT NOT NULL,    -- 'samples', 'solves'
  ticks INTEGER NOT NULL, -- so many
  t0    REAL NOT NULL,    -- from then
  t1    REAL NOT NULL,    -- to then
  at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC, the last time
  PRIMARY KEY(run, what)
) STRICT, WITHOUT ROWID;
