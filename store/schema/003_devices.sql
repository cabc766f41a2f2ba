-- The devices of a run, and how each went: one row of counts a second.
CREATE TABLE devices(
  run    INTEGER NOT NULL REFERENCES runs(id),
  id     INTEGER NOT NULL, -- 1, 2, ...
  name   TEXT NOT NULL,
  driver TEXT NOT NULL,
  words  TEXT,             -- what the driver said is there when the run began
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Counts are since the run began; on the real clock all but run, device and t are [measured].
CREATE TABLE device_samples(
  run        INTEGER NOT NULL,
  device     INTEGER NOT NULL,
  t          REAL NOT NULL,
  lost       INTEGER NOT NULL, -- 1: it did not answer then
  rate       REAL,             -- Hz: cycles of writing and reading since the row before
  exchanges  INTEGER,          -- writes and reads that went well
  failures   INTEGER,          -- that failed
  losses     INTEGER,          -- how often it was lost
  retries    INTEGER,          -- questions that the driver asked again; null: it does not count
  timeouts   INTEGER,          -- answers that did not come
  refused    INTEGER,          -- packets with a wrong check, length or content
  strays     INTEGER,          -- packets that nobody had asked for
  typical_ms REAL,             -- [measured] of a cycle, averaged over the last hundred; null: on the fast clock
  slowest_ms REAL,             -- [measured] the slowest cycle so far
  error      TEXT,             -- the newest failure
  PRIMARY KEY(run, device, t),
  FOREIGN KEY(run, device) REFERENCES devices(run, id)
) STRICT, WITHOUT ROWID;
