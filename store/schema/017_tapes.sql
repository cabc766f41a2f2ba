-- The tape: what came into a run from outside, in the order in which its ticks took it, so that the run can be replayed bit for bit.
CREATE TABLE tapes(
  run     INTEGER NOT NULL REFERENCES runs(id),
  id      INTEGER NOT NULL, -- 1, 2, ...; a number that is missing is a hole: what stood there found no room
  tick    INTEGER NOT NULL, -- of its first record; -1: before the first tick
  t       REAL NOT NULL,    -- s of the run
  records INTEGER NOT NULL, -- in it
  bytes   BLOB NOT NULL,    -- engine/runtime/tape.h says how they stand there, with their checksum
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Large things that a tape names by their SHA-256, as point clouds: here, or in a file beside the store.
CREATE TABLE files(
  hash   TEXT PRIMARY KEY, -- of the bytes
  length INTEGER NOT NULL, -- bytes
  bytes  BLOB,             -- null: they are in the file
  path   TEXT              -- from the store's folder; null: they are here
) STRICT, WITHOUT ROWID;
