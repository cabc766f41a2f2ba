-- What moved the robot's DOFs besides what states want: sources of tracks (sequences that were
-- played, values that were said live), and which of them moved which DOF when.
CREATE TABLE sources(
  run INTEGER NOT NULL, id INTEGER NOT NULL, -- id: in the order in which they began
  name TEXT NOT NULL,
  kind TEXT NOT NULL,       -- 'sequence', 'live'
  stage TEXT NOT NULL,      -- of the combination
  place INTEGER,            -- of the stage, from the bottom
  priority REAL NOT NULL,
  who TEXT,                 -- who started it
  sequence TEXT,            -- hash of its file's text, as in versions
  started REAL NOT NULL, ended REAL,
  reason TEXT,              -- why it ended: 'over', 'stopped', ...
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE contributions(
  run INTEGER NOT NULL, id INTEGER NOT NULL,
  source INTEGER NOT NULL,  -- sources.id
  dof TEXT NOT NULL,
  started REAL NOT NULL, ended REAL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contributions_by_dof ON contributions(run, dof, started);
