-- Why a joint moves: what the solver was asked for, which objectives pull at it, and what was near.

-- Objectives of the solver, from when each first counted.
CREATE TABLE objectives(
  run  INTEGER NOT NULL REFERENCES runs(id),
  id   INTEGER NOT NULL, -- 1, 2, ...
  key  TEXT NOT NULL,    -- its name in the solver
  kind TEXT NOT NULL,    -- 'joint_match', ...; 'clearance': bodies that are near each other
  t    REAL NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- What was asked of it, when that changed; at most twice a second.
CREATE TABLE objective_values(
  run       INTEGER NOT NULL,
  objective INTEGER NOT NULL,
  t         REAL NOT NULL,
  weight    REAL NOT NULL, -- 0: it counts no more
  goal      TEXT,          -- JSON: the numbers of the goal, in the order of its kind's fields; null: it has none
  PRIMARY KEY(run, objective, t),
  FOREIGN KEY(run, objective) REFERENCES objectives(run, id)
) STRICT, WITHOUT ROWID;

-- What pulls at a joint from then on.
CREATE TABLE pulls(
  run    INTEGER NOT NULL,
  dof    INTEGER NOT NULL,
  t      REAL NOT NULL,
  moves  INTEGER NOT NULL, -- 0: it stands from then on
  shares TEXT NOT NULL,    -- JSON: by objective, its share of all pulls; below 0: against the motion
  PRIMARY KEY(run, dof, t),
  FOREIGN KEY(run, dof) REFERENCES dofs(run, dof)
) STRICT, WITHOUT ROWID;

-- Numbers of the behavior that can be tuned: what each was at the beginning, and became.
CREATE TABLE parameters(
  run   INTEGER NOT NULL REFERENCES runs(id),
  name  TEXT NOT NULL,
  t     REAL NOT NULL,
  value REAL NOT NULL,
  unit  TEXT,
  PRIMARY KEY(run, name, t)
) STRICT, WITHOUT ROWID;

-- What the robot's own sensors saw, as the scene took it: in the simulator, what its world let be seen.  A thing that
-- stays where it is has one row; one that moves, a row for each few centimeters, five a second at most.
CREATE TABLE sightings(
  run        INTEGER NOT NULL REFERENCES runs(id),
  id         INTEGER NOT NULL, -- 1, 2, ...
  class      TEXT NOT NULL,
  name       TEXT,             -- who or which it is, where the sensor knows
  started    REAL NOT NULL,
  ended      REAL,             -- seen last there; null: it was to the end, or is
  confidence REAL,
  x REAL NOT NULL, y REAL NOT NULL, z REAL NOT NULL, -- m, in the world, when the row began
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- Two bodies nearer to each other than what keeps them apart begins to count.
CREATE TABLE near_pairs(
  run      INTEGER NOT NULL REFERENCES runs(id),
  id       INTEGER NOT NULL, -- 1, 2, ...
  a        TEXT NOT NULL,    -- a link, or the key of a shape
  b        TEXT NOT NULL,
  started  REAL NOT NULL,
  ended    REAL,             -- null: it went on to the end, or is going on
  distance REAL,             -- m, the least
  t        REAL,             -- s, when that was
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
