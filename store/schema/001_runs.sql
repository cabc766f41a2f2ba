-- What happened in a run.  Times `t`, `started`, `entered`, ... are seconds of robot time since
-- the run began; columns marked [measured] depend on the machine and the hour, all others
-- repeat when a run is repeated with the same seed and inputs on the fast clock.

CREATE TABLE runs(
  id             INTEGER PRIMARY KEY,
  started_at     TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] UTC
  alive_at       TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- [measured] each second; null: found dead
  process        TEXT,    -- [measured] which process records it
  behavior       TEXT,    -- the file that was run
  robot          TEXT,
  robot_hash     TEXT,    -- SHA-256 of what describes the robot
  driver         TEXT,
  seed           INTEGER,
  clock          TEXT,    -- 'real' or 'fast'
  tick_rate      REAL,    -- Hz
  engine_version TEXT,
  options        TEXT,    -- JSON
  ended_at       TEXT,    -- [measured] UTC; null: runs, or was killed
  duration       REAL,    -- s of robot time
  ticks          INTEGER,
  outcome        TEXT,    -- 'finished', 'stopped' or 'failed'; null: runs, or was killed (see run_summary)
  reason         TEXT,
  commands_hash  TEXT,    -- digest of every command: equal in two runs that moved bit for bit alike
  cpu_s          REAL,    -- [measured] CPU time of the process, s
  wall_s         REAL,    -- [measured]
  first_tick_ms  REAL,    -- [measured] from start to first tick
  tick_p50_us    REAL,    -- [measured] CPU time of a tick
  tick_p99_us    REAL,    -- [measured]
  tick_max_us    REAL,    -- [measured]
  late_ticks     INTEGER, -- [measured] ticks that began late by more than half a period
  resident_kb    INTEGER, -- [measured] most memory in use
  lost_rows      INTEGER  -- [measured] rows that this record lacks
) STRICT;

-- Every text that ever ran, known by its content.
CREATE TABLE versions(
  hash       TEXT PRIMARY KEY, -- SHA-256 of source
  name       TEXT NOT NULL,    -- the file
  parent     TEXT,             -- hash of the version it replaced
  source     TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  first_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) -- [measured] UTC
) STRICT;

-- Which version of a file a run used from when on.
CREATE TABLE run_versions(
  run INTEGER NOT NULL, id INTEGER NOT NULL, t REAL NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Everything that was started and ends: behaviors, actions.
CREATE TABLE activations(
  run      INTEGER NOT NULL,
  id       INTEGER NOT NULL,
  parent   INTEGER, -- activation that started it
  behavior TEXT,
  name     TEXT,
  version  TEXT,    -- hash
  started  REAL NOT NULL,
  ended    REAL,    -- null: still active
  result   TEXT,
  reason   TEXT,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Every stay in a state of a machine.
CREATE TABLE states(
  run        INTEGER NOT NULL,
  id         INTEGER NOT NULL,
  activation INTEGER,
  machine    TEXT,
  state      TEXT NOT NULL,
  previous   TEXT,
  cause      TEXT,  -- 'start', 'event', 'timer', 'condition', 'force', 'stop'
  detail     TEXT,  -- the event's name, the timer's seconds, ...
  entered    REAL NOT NULL,
  left_at    REAL,  -- null: still in it
  version    TEXT,  -- hash
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE events(
  run INTEGER NOT NULL, id INTEGER NOT NULL, tick INTEGER, t REAL NOT NULL,
  name TEXT NOT NULL, source TEXT,
  data TEXT,    -- JSON
  version TEXT, -- hash of the version that fired it
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator(
  run INTEGER NOT NULL, id INTEGER NOT NULL, tick INTEGER, t REAL NOT NULL,
  who TEXT, command TEXT NOT NULL,
  arguments TEXT, -- JSON
  late_ms REAL,   -- [measured] from the person's action to its effect
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- The solver's result in a tick.
CREATE TABLE solves(
  run INTEGER NOT NULL, tick INTEGER NOT NULL, t REAL NOT NULL,
  status TEXT, cost REAL, iterations INTEGER, evaluations INTEGER,
  active   INTEGER, -- objectives with weight
  distance REAL,    -- m, least distance between two shapes
  solve_us REAL,    -- [measured]
  tick_us  REAL,    -- [measured]
  late_us  REAL,    -- [measured] how late the tick began
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;

CREATE TABLE faults(
  run INTEGER NOT NULL, id INTEGER NOT NULL, tick INTEGER, t REAL NOT NULL,
  severity TEXT NOT NULL, -- 'warning', 'error', 'fatal'
  source TEXT, message TEXT NOT NULL,
  detail TEXT,  -- a traceback, ...
  version TEXT, -- hash of the version that failed
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes(
  run INTEGER NOT NULL, id INTEGER NOT NULL, t REAL, text TEXT NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- The DOFs of a run's samples, numbered from 0.
CREATE TABLE dofs(
  run INTEGER NOT NULL, dof INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT,
  PRIMARY KEY(run, dof)
) STRICT, WITHOUT ROWID;

-- Samples are packed, a few ticks a chunk: read them through the view `samples`.
-- Sample k of a chunk was taken in tick  tick + k * step  at times[k] microseconds.
CREATE TABLE sample_chunks(
  run INTEGER NOT NULL, tick INTEGER NOT NULL, step INTEGER NOT NULL,
  times TEXT NOT NULL, -- JSON array of integers, us
  PRIMARY KEY(run, tick)
) STRICT, WITHOUT ROWID;

-- The values of one DOF in a chunk, in millionths of its unit: null when it has none in the
-- whole chunk, an integer when it keeps one value, else a JSON array of integers and nulls.
CREATE TABLE sample_values(
  run INTEGER NOT NULL, tick INTEGER NOT NULL, dof INTEGER NOT NULL,
  goal ANY, command ANY, measured ANY,
  PRIMARY KEY(run, tick, dof)
) STRICT, WITHOUT ROWID;
