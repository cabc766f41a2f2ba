-- Who was at a prompt or a device, what each of them did and how quickly the robot answered, and which part of the body was
-- whose.  `operator` keeps what people said, word for word; a row of `actions` is one thing that they did.

-- A stay of one person at one device.
CREATE TABLE operators(
  run          INTEGER NOT NULL REFERENCES runs(id),
  id           INTEGER NOT NULL, -- 1, 2, ...
  who          TEXT NOT NULL,    -- 'ann (lab)'
  role         TEXT NOT NULL,    -- 'observer', 'wizard', 'author'
  device       TEXT NOT NULL,    -- 'prompt', 'gamepad', 'tracker', 'pipe'
  session      INTEGER,          -- a client that comes back has the number that it had; null: it cannot come back
  attached     REAL NOT NULL,
  detached     REAL,             -- null: to the end of the run
  how          TEXT,             -- 'left', 'lost'
  offset_s     REAL,             -- [measured] of its machine's clock to the robot's, s; null: it is on the robot's machine
  offset_error REAL,             -- [measured] s
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

-- What somebody did.  The six times are of the run; on the real clock all of them are [measured].
CREATE TABLE actions(
  run            INTEGER NOT NULL REFERENCES runs(id),
  id             INTEGER NOT NULL, -- 1, 2, ...
  operator_row   INTEGER,          -- operator.id: what was said; null: it was refused, or no prompt was used
  operator       INTEGER,          -- operators.id; null: nobody was attached, as in a rehearsal
  who            TEXT NOT NULL,
  role           TEXT NOT NULL,
  device         TEXT NOT NULL,
  name           TEXT NOT NULL,    -- 'play', 'look', ...
  arguments      TEXT,             -- JSON
  t_cue          REAL,             -- when the session script called for it
  t_input        REAL,             -- key press
  t_input_error  REAL,             -- s, when the key was pressed at another machine
  t_accept       REAL,             -- the engine has it
  t_dispatch     REAL,             -- it counts, in a tick
  t_first_motion REAL,             -- the first command that moves because of it; null: none did
  t_done         REAL,
  outcome        TEXT,             -- 'done', 'interrupted', 'refused', 'error'; null: not over yet
  reason         TEXT,
  interrupted_by TEXT,
  expected       TEXT,             -- what the session script expected
  step           TEXT,             -- of the session script
  error_class    TEXT,             -- 'slip', 'late', 'wrong', 'omitted', 'system'
  marked_by      TEXT,
  marked_t       REAL,
  PRIMARY KEY(run, id),
  FOREIGN KEY(run, operator) REFERENCES operators(run, id)
) STRICT, WITHOUT ROWID;

-- Which part of the body somebody had, from when to when.
CREATE TABLE locks(
  run     INTEGER NOT NULL REFERENCES runs(id),
  id      INTEGER NOT NULL, -- 1, 2, ...
  part    TEXT NOT NULL,
  who     TEXT NOT NULL,
  taken   REAL NOT NULL,
  given   REAL,             -- null: to the end of the run
  how     TEXT,             -- 'given', 'handed' (to somebody), 'lost' (its client did not come back), 'expired' (it fell silent)
  to_whom TEXT,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;
