-- What people judge after a run: corrections of what was recorded, and a second coder's judgement; the clocks
-- of a run; the machine that it ran on.

-- One coder's judgement of one action, or of one step of a session script that was left out. Rows are never
-- changed: of the rows with counts = 1 the newest holds, and what was recorded first stays in `actions`.
CREATE TABLE codings(
  id          INTEGER PRIMARY KEY,
  run         INTEGER NOT NULL REFERENCES runs(id),
  of          TEXT NOT NULL CHECK (of IN ('action', 'step')),
  number      INTEGER NOT NULL, -- actions.id, or session_steps.id
  coder       TEXT NOT NULL,    -- a code
  error_class TEXT CHECK (error_class IN ('slip', 'late', 'wrong', 'omitted', 'system')), -- null: no error
  counts      INTEGER NOT NULL CHECK (counts IN (0, 1)), -- 1: a correction; 0: for the agreement of coders
  why         TEXT,
  made_at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  CHECK (counts = 0 OR length(why) > 0)
) STRICT;
CREATE INDEX codings_of ON codings(run, of, number);

-- The run's clock and the machine's at the same moment: each second, and when they shift against each other
-- by more than 2 ms. On the fast clock there are none.
CREATE TABLE clocks(
  run       INTEGER NOT NULL REFERENCES runs(id),
  id        INTEGER NOT NULL, -- 1, 2, ...
  t         REAL NOT NULL,    -- s of the run: the time of the tick
  machine_s REAL NOT NULL,    -- [measured] s of the machine's monotonic clock since the first row
  utc_s     REAL NOT NULL,    -- [measured] the machine's wall clock: Unix time, s
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

ALTER TABLE runs ADD COLUMN machine TEXT; -- [measured] JSON: system, release, processor, cores; no name
