-- Other programs that sense for a robot: who they are, how each went, what was asked of them, and what they saw.
CREATE TABLE detectors(
  run   INTEGER NOT NULL REFERENCES runs(id),
  id    INTEGER NOT NULL, -- 1, 2, ...
  name  TEXT NOT NULL,
  sends TEXT NOT NULL,    -- 'detections', 'clouds'
  place TEXT NOT NULL,    -- 'udp:7001', 'file:seen.jsonl', ...; 'offered': of the simulated world, ...
  frame TEXT,             -- what its poses are in; null: the world, or what clouds say of themselves
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- A row each second in which anything came.  Counts are since the run began; on the real clock all is [measured].
CREATE TABLE detector_samples(
  run        INTEGER NOT NULL,
  detector   INTEGER NOT NULL,
  t          REAL NOT NULL,
  sender     TEXT,             -- who was heard
  messages   INTEGER,          -- that came
  frames     INTEGER,          -- that were taken
  detections INTEGER,          -- in them; of clouds the points
  refused    TEXT,             -- JSON: counts by reason
  PRIMARY KEY(run, detector, t),
  FOREIGN KEY(run, detector) REFERENCES detectors(run, id)
) STRICT, WITHOUT ROWID;

-- What a behavior asked of a detector.
CREATE TABLE detector_requests(
  run INTEGER NOT NULL, id INTEGER NOT NULL, t REAL NOT NULL,
  detector INTEGER NOT NULL,
  request TEXT NOT NULL,       -- JSON, as it was sent
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- What detectors saw, as it was taken into the scene: an input of the run.
CREATE TABLE detections(
  run INTEGER NOT NULL, id INTEGER NOT NULL, tick INTEGER NOT NULL, t REAL NOT NULL,
  detector   INTEGER NOT NULL,
  seen       REAL NOT NULL,    -- s of the run
  class      TEXT NOT NULL,
  name       TEXT,             -- who or which it is, where the detector knows
  confidence REAL NOT NULL,
  x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL, -- m, in the world
  qx REAL, qy REAL, qz REAL, qw REAL,                -- null: its orientation is not known
  size_x REAL, size_y REAL, size_z REAL,             -- m; null: not known
  red REAL, green REAL, blue REAL,                   -- sRGB, 0 to 1; null: not known
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
