-- What the robot felt: ten times a second while that changed.
CREATE TABLE emotions(
  run INTEGER NOT NULL,
  t REAL NOT NULL,
  valence REAL NOT NULL, arousal REAL NOT NULL, -- what is shown: autonomy and operator together
  intensity REAL NOT NULL,  -- the length of that vector, 0 to 1
  name TEXT NOT NULL,       -- of the emotion that is nearest, 'neutral' where it is faint
  mood_valence REAL NOT NULL, mood_arousal REAL NOT NULL,
  operator REAL NOT NULL,   -- the operator's share of it: 0 the robot's own, 1 the operator's alone
  needs TEXT,               -- JSON: the level of each need, -1 to 1
  PRIMARY KEY(run, t)
) STRICT, WITHOUT ROWID;
